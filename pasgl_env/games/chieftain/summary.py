"""The rules of Chieftain, Superchief and Overlord on a page.

The setup, the armies and the charts of where pieces go are made from the tables of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pasgl_env.contract.base import OptionsRecord
from pasgl_env.contract.fields import spelled
from pasgl_env.games.chieftain.drawing.diagram import draw_board
from pasgl_env.games.chieftain.names import ALL_NAMES
from pasgl_env.games.chieftain.rules.board import (
    ALL_LETTERS,
    LEADER,
    PLACES,
    START,
    Step,
)
from pasgl_env.games.chieftain.rules.state import STATE, VALUE, start

_WIDTH = 80
_GAP = "   "
_PAGE = """\
Capture all enemy Chieftains: capturing the last one wins at once.

{board}

A colon is an empty square under White's command.
{armies}

How pieces move, with forward being up: * is a step or a leap; o is reached
through an empty square on the way. A capture ends the move.

{charts}

Each Chieftain activates {pieces} per turn, itself or another. The piece
must be within {near} of it, in any direction and over anything. It moves
as soon as it is activated, and at most once per turn. A Chieftain that another
one has moved can still activate.{leaders}{first_turn}

A turn ends when no piece can be activated any more, or when the player ends it;
one piece must move, if any can. Two passes in a row are a draw.

Points for captures (they do not decide): {points}."""
_LEADERS = """
A Leader is a Chieftain that activates {} within {}."""
_FIRST_TURN = """
In the game's first turn at most {} activated."""


def summary(options: OptionsRecord) -> str:
    """The setup, the armies, their moves and the rules of command, under these options."""
    kinds = [kind for kind in range(len(ALL_LETTERS)) if options.most[:, kind].any()]
    pieces = int(options.activations)
    first = int(options.first_turn_orders)
    return _PAGE.format(
        board=_setup(options),
        armies="\n".join(_army_lines(options)),
        charts="\n\n".join(_chart_rows(options, kinds)),
        pieces="one piece" if pieces == 1 else f"up to {pieces} pieces",
        near=spelled(options.command_range, "square"),
        leaders=_leaders(options),
        first_turn=_FIRST_TURN.format(_pieces_are(first)) if first else "",
        points=", ".join(f"{ALL_LETTERS[kind]} {VALUE[kind % LEADER]}" for kind in kinds),
    )


def _pieces_are(number: int) -> str:
    return "one piece is" if number == 1 else f"{number} pieces are"


def _setup(options: OptionsRecord) -> str:
    state = np.zeros(1, STATE)[0]
    start(state, options)
    return draw_board(state, options)


def _army_lines(options: OptionsRecord) -> Iterator[str]:
    for name, army in zip(("White", "Black"), options.most.tolist(), strict=True):
        pieces = (f"{number} {ALL_LETTERS[kind]}" for kind, number in enumerate(army) if number)
        yield f"{name} has {sum(army)} pieces: {', '.join(pieces)}."


def _leaders(options: OptionsRecord) -> str:
    if not options.has_leaders:
        return ""
    pieces = int(options.leader_activations)
    number = "one piece" if pieces == 1 else f"up to {pieces} pieces"
    return _LEADERS.format(number, spelled(options.leader_range, "square"))


def _chart_rows(options: OptionsRecord, kinds: list[int]) -> Iterator[str]:
    """The charts of these kinds, side by side as far as there is room."""
    goes = {kind: _goes(options, kind % LEADER) for kind in kinds}
    reach = max(max(map(abs, place)) for places in goes.values() for place in places)
    charts = [_chart(kind, goes[kind], reach) for kind in kinds]
    a_row = (_WIDTH + len(_GAP)) // (len(charts[0][0]) + len(_GAP))
    for first in range(0, len(charts), a_row):
        lines = zip(*charts[first : first + a_row], strict=True)
        yield "\n".join(_GAP.join(line).rstrip() for line in lines)


def _goes(options: OptionsRecord, kind: int) -> dict[Step, str]:
    """The sign of each square that a kind of piece reaches."""
    ways = range(int(options.ways[kind]))
    return {
        PLACES[options.way_plane[kind, way]]: "*"
        if int(options.way_from[kind, way]) >> START & 1
        else "o"
        for way in ways
    }


def _chart(kind: int, goes: dict[Step, str], reach: int) -> list[str]:
    """The lines of a chart, all of the same length."""
    signs = {**goes, (0, 0): ALL_LETTERS[kind]}
    around = range(-reach, reach + 1)
    lines = [" ".join(signs.get((x, y), ".") for x in around) for y in around[::-1]]
    return [f"{ALL_NAMES[kind]:{len(lines[0])}}", *lines]
