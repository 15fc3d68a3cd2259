"""John Lawson's cheat sheet and Train schedule of PASGL 312 Chess.

Made from the tables of the rules where possible. How critters move and attack, their sizes, and who
makes others lose their lunch is in no table: tests compare it with the rules. On Lawson's sheet the
Skunk steals, which Betza denies (Ruling 13), and so does the Woodchuck, whose victims drop lunches.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.fields import spelled
from pasgl_env.games.pasgl312.names import chuck_distances, passes
from pasgl_env.games.pasgl312.rules.board import CAMPFIRE, CAR_AT, NAMES, PHASES
from pasgl_env.games.pasgl312.rules.legal import may_enter_occupied
from pasgl_env.games.pasgl312.rules.play import points_of
from pasgl_env.games.pasgl312.rules.state import (
    BEAR,
    CARRIERS,
    CHIPMUNK,
    DEER,
    FOX,
    HUNTER,
    LETTERS,
    SHREW,
    SKUNK,
    SLOT_KIND,
    START,
    STATE,
    TURKEY,
    WOODCHUCK,
    start,
)


class _Kind(NamedTuple):
    """Facts about a kind of critter that are neither in a table of the rules nor set by options."""

    name: str
    move: str
    size: str
    attack: str = "none"
    steals: str = "no"


_SHEET = {
    BEAR: _Kind("Bear", "K", "large", "disp"),
    HUNTER: _Kind("Hunter", "W", "large"),
    DEER: _Kind("Deer", "NN", "large", "steal", "yes"),
    FOX: _Kind("Fox", "", "medium", "steal/eat", "yes"),
    WOODCHUCK: _Kind("Woodchuck", "WD", "medium", "->(AG)", "drops"),
    SKUNK: _Kind("Skunk", "R", "medium", "stink"),
    TURKEY: _Kind("Turkey", "", "medium"),
    CHIPMUNK: _Kind("Chipmunk", "F", "tiny"),
    SHREW: _Kind("Shrew", "fF", "tiny"),
}
_SIDES = ("White", "Black")
_HEADINGS = (
    ("", "", "", "", "", "carries", "steals", "move to", "", ""),
    ("", "", "move", "size", "attack", "lunch", "lunch", "occupied", "score", "start"),
)
_LINE = "{:<11} {:<2} {:<6} {:<7} {:<10} {:<7} {:<6} {:<8} {:<5} {}"
_LEGEND = """\
Moves are in Betza's letters: W steps like a Rook, F like a Bishop, K like both;
D leaps two squares like a Rook; R is a Rook, NN a Knightrider, zF a zigzag of
F. f means forward, b backward, and a number limits the steps. disp displaces,
-> acts from afar{}.\
"""


def summary(options: OptionsRecord) -> str:
    """The end, the start, the cheat sheet and the Train schedule, under these options."""
    train = "Train", "X", *[""] * 7, "&".join(_train(1, options))
    campfire = ", ".join(NAMES[square] for square in CAMPFIRE)
    return "\n".join(
        [
            f"Critters that sit still at the campfire ({campfire}) score points.",
            f"The game ends by a lead of {options.win_margin} points, by {passes(options.passes)}"
            " in a row, or by the death of",
            f"a Bear, which gives the other side {options.bear_bonus} points. Most points win.",
            _beginning(_start(options)),
            *_train_lines(options),
            "",
            "CHEAT SHEET",
            *(_LINE.format(*cells).rstrip() for cells in (*_HEADINGS, *_critters(options), train)),
            "",
            _LEGEND.format(_chuck(options)),
            "",
            "TRAIN SCHEDULE",
            "location  turn",
            *_schedule_lines(options),
        ]
    )


def _beginning(state: State) -> str:
    """The side that begins, and the points with which a side starts, if any."""
    points = [
        f" {side} starts with {number} point{'s' * (number > 1)}."
        for side, number in zip(_SIDES, state.score.tolist(), strict=True)
        if number
    ]
    return f"{_SIDES[state.mover]} begins.{''.join(points)} The Train moves after Black's turns."


def _train_lines(options: OptionsRecord) -> Iterator[str]:
    """The rules of the Train and its terminals that options have changed."""
    if not options.train_lunch:
        yield "Terminals give no lunches."
    if options.ride_points:
        points = spelled(int(options.ride_points), "point")
        yield f"A critter that the Train puts down scores {points} for its side."


def _critters(options: OptionsRecord) -> Iterator[tuple[str, ...]]:
    state = _start(options)
    for kind, critter in _SHEET.items():
        slots = np.flatnonzero(np.equal(SLOT_KIND, SHREW if kind == CHIPMUNK else kind))
        yield (
            critter.name,
            LETTERS[kind],
            _move(kind, options),
            critter.size,
            _attack(kind, options),
            _yes(bool(CARRIERS >> int(slots[0]) & 1)),
            _steals(kind, options),
            _yes(may_enter_occupied(state, int(slots[0]))),
            str(points_of(options, kind)),
            "none" if kind == CHIPMUNK else _squares(slots),
        )


def _move(kind: int, options: OptionsRecord) -> str:
    if kind == FOX:
        return f"bWzF{options.fox_range}" if options.fox_range else "bW"
    if kind == TURKEY:
        return f"R{options.turkey_range}" if options.turkey_range else "none"
    return _SHEET[kind].move


def _attack(kind: int, options: OptionsRecord) -> str:
    if kind == HUNTER:
        return f"->(R{options.hunter_range})" if options.hunter_range else "none"
    if kind == WOODCHUCK:
        return f"->({_reach(options)})" if options.chuck_reach > 1 else "none"
    return _SHEET[kind].attack


def _reach(options: OptionsRecord) -> str:
    """The reach of chucks: in Betza's letters, where there are any."""
    return {2: "A", 3: "AG"}.get(int(options.chuck_reach), f"F2-{options.chuck_reach}")


def _chuck(options: OptionsRecord) -> str:
    """The meaning of the reach of chucks, if there are any."""
    if options.chuck_reach == 1:
        return ""
    return f", {_reach(options)} {chuck_distances(options.chuck_reach)} squares like a Bishop"


def _steals(kind: int, options: OptionsRecord) -> str:
    if kind == WOODCHUCK and options.chuck_reach == 1:
        return "no"
    return _SHEET[kind].steals


def _start(options: OptionsRecord) -> State:
    state = np.zeros(1, STATE)[0]
    start(state, options)
    return state


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


def _squares(slots: np.ndarray) -> str:
    """The starting squares of critters; rows of many are shortened."""
    names = [NAMES[START[slot]] for slot in slots]
    return ",".join(names) if len(names) < 3 else f"{names[0]}-{names[-1]}"


def _train(phase: int, options: OptionsRecord) -> list[str]:
    """The names of the squares under the Train."""
    return [NAMES[square] for square in CAR_AT[phase, : options.train_length]]


def _schedule_lines(options: OptionsRecord) -> Iterator[str]:
    for phase in range(1, PHASES + 1):
        turns = "".join(f"{turn:4}" for turn in (phase, phase + PHASES, phase + 2 * PHASES))
        more = "... and so on" if phase == 1 else ""
        yield f"{','.join(_train(phase, options))}  {turns}{more}"
