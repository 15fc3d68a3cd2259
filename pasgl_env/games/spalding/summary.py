"""The rules of Captain Spalding Chess on a page.

Finds, captures, moves of neutral pieces and starting squares come from the tables of the rules. How
pieces move does not: it is written here in Betza's letters, and tests compare it with the rules.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pasgl_env.contract.base import OptionsRecord
from pasgl_env.games.spalding.names import KIND_NAMES
from pasgl_env.games.spalding.options import box_moves, finders
from pasgl_env.games.spalding.position_text import letter
from pasgl_env.games.spalding.rules.board import NAMES
from pasgl_env.games.spalding.rules.legal import CAPTURE, CREATES, FINDS_OF, FOUND, MAY_ENTER
from pasgl_env.games.spalding.rules.state import (
    BAT,
    BOOH,
    BOX,
    BUNNY,
    CRUMB,
    DEMON,
    ELEPHANT,
    EMPTY,
    FINDS,
    GREAT,
    GREAT_ELEPHANT,
    HEADLESS,
    KIND,
    LINT,
    MONSTER,
    OWNER,
    PAJAMA,
    RHINO,
    START,
)

# How each kind moves, and how it captures; options may restrict a Box.
MOVES = {
    BOX: ("K", "-"),
    PAJAMA: ("F fW", "-"),
    GREAT: ("F A fW fD", "-"),
    RHINO: ("W W-F", "W W-F"),
    HEADLESS: ("W W-F", "W"),
    BAT: ("fW", "fW"),
    BOOH: ("vR", "W"),
    CRUMB: ("-", "-"),
    MONSTER: ("-", "-"),
    ELEPHANT: ("F fW", "F fW"),
    LINT: ("-", "-"),
    BUNNY: ("F fW", "-"),
    GREAT_ELEPHANT: ("F A fW fD", "F A fW fD"),
    DEMON: ("F A fW fD", "F fW"),
}
_HOW_OFTEN = {BAT: ", one on a file", ELEPHANT: ", one at a time"}
_SIDES = ("White", "Black")
_NOBODY = 2
_LINE = "{:<14} {}  {:<9}  {:<9}  {}"
_PAGE = """\
Capture the enemy's Box. A player without a legal turn loses, too. White begins.
No turn may repeat an earlier position with the same player to move{finds}.

                  moves      captures   comes from
{pieces}

Moves are in Betza's letters: W is a step like a Rook's, F like a Bishop's, K
either; D leaps two squares like a Rook, A like a Bishop; R moves like a Rook,
over empty squares; W-F is a W to an empty square, then an F. f is only forward,
v only forward or backward.

When a Box, Pajama or Great Pajama has moved, a piece comes out on a square next
to it, which must be empty except as stated above. It may not move if nothing
can come out, or next to a Cookie Monster.

A piece that ends its move next to Cookie Monsters is eaten, after its capture,
and those Monsters of either side vanish with it. Pieces that come out are safe.

Players do not capture their own pieces. Neutral: {neutral}.
Either player may move these, if they move at all, forward as seen by the mover.
Never captured: {safe}."""


def summary(options: OptionsRecord) -> str:
    """The pieces, their sources under these options, and the rules."""
    return _PAGE.format(
        finds="\nand the same pieces left to be found" if options.repetition else "",
        pieces="\n".join(_lines(options)),
        neutral=", ".join(KIND_NAMES[kind] for kind in MOVES if OWNER[kind] == _NOBODY),
        safe=", ".join(name for kind, name in KIND_NAMES.items() if not _can_be_captured(kind)),
    )


def _lines(options: OptionsRecord) -> Iterator[str]:
    yield from _box_lines(options)
    for kind, (moves, captures) in MOVES.items():
        if kind != BOX:
            found = "; ".join([*_start(kind), *_sources(options, kind)]) or "nowhere"
            yield _LINE.format(KIND_NAMES[kind], letter(kind), moves, captures, found)


def _box_lines(options: OptionsRecord) -> Iterator[str]:
    """The line of the Box, or one for each side if their Boxes move in different ways."""
    white, black = box_moves(options)
    name, (_, captures) = KIND_NAMES[BOX], MOVES[BOX]
    if white == black:
        yield _LINE.format(name, letter(BOX), white, captures, *_start(BOX))
        return
    for side, moves in enumerate((white, black)):
        cells = f"{_SIDES[side]}'s {name}", letter(BOX), moves, captures
        yield _LINE.format(*cells, *_start(BOX, (side,)))


def _can_be_captured(kind: int) -> bool:
    return bool(MAY_ENTER[:, CAPTURE, kind].any())


def _start(kind: int, sides: tuple[int, ...] = (0, 1)) -> Iterator[str]:
    squares = [
        NAMES[square]
        for content, square in START.tolist()
        if KIND[content] == kind and OWNER[content] in sides
    ]
    if squares:
        yield f"{', '.join(squares)} at the start"


def _sources(options: OptionsRecord, kind: int) -> Iterator[str]:
    """The sources of a kind: containers, or finds that are put together."""
    for find, found in enumerate(FOUND.tolist()):
        for content in np.flatnonzero(CREATES[0, find] == kind).tolist():
            if not (who := finders(options, find)):
                continue
            yield _container(find, who) + _limit(kind) if content == EMPTY else _on(found, content)
    if kind == BOOH:
        yield "a Bat on its last rank"


def _container(find: int, who: list[int]) -> str:
    [kind] = (kind for kind in (BOX, PAJAMA, GREAT) if find in range(*FINDS_OF[kind]))
    whose = f"{_SIDES[who[0]]}'s " if len(who) == 1 else ""
    return whose + KIND_NAMES[kind]


def _limit(kind: int) -> str:
    return ", once a game" if kind in FINDS else _HOW_OFTEN.get(kind, "")


def _on(found: int, content: int) -> str:
    whose = "a" if OWNER[content] == _NOBODY else "one's own"
    return f"a {KIND_NAMES[found]} on {whose} {KIND_NAMES[KIND[content]]}"
