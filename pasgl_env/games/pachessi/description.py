"""The actions of Pachessi, described."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.description import Asked, Symbol, Verb
from pasgl_env.games.pachessi.names import KIND_NAMES
from pasgl_env.games.pachessi.rules.board import (
    GREATEST_SIZE,
    PIECES,
    PLACES,
    place_at,
    place_of_cell,
)
from pasgl_env.games.pachessi.rules.legal import PLANES
from pasgl_env.games.pachessi.rules.state import (
    CHOICE,
    COLOURS,
    LETTERS,
    PLAYERS,
    TAKEN,
    corner_of,
)
from pasgl_env.jit.compiled import rule, wide

_NAMES = {
    place_at(x, y): f"{ascii_lowercase[x]}{y + 1}"
    for y in range(GREATEST_SIZE)
    for x in range(GREATEST_SIZE)
}
SQUARES = tuple(_NAMES.get(place, "") for place in range(PLACES))
VERBS = (
    Verb(
        "move",
        "{number}:{piece}{origin}-{target}",
        "Move: {name} {origin} to {target} by the {number}",
    ),
    Verb(
        "enter",
        "{number}:{piece}@-{target}",
        "Enter: {name} by the {number}",
        Asked.RESERVE,
    ),
    Verb("off", "{number}:{piece}{origin}-off", "Bear off: {name} by the {number}"),
    Verb("pass", "pass", "Pass"),
    *(Verb("begin", colour, colour.capitalize()) for colour in COLOURS),
)
MOVED, ENTERED, BORNE_OFF, PASSED, BLACK_BEGINS = range(len(VERBS) - PLAYERS + 1)


def symbols(options: OptionsRecord) -> tuple[Symbol, ...]:
    """The pieces of all players."""
    return _SYMBOLS[int(options.number)]


_SYMBOLS = {
    number: tuple(
        Symbol(f"{colour}-{letter}", name, seat, letter=letter)
        for seat, colour in enumerate(COLOURS[:: PLAYERS // number])
        for letter, name in zip(LETTERS, KIND_NAMES, strict=True)
    )
    for number in (2, PLAYERS)
}


@rule
def describe(state: State, options: OptionsRecord, action: int, out: Any) -> None:
    """Write a legal action."""
    cells = (wide(options.last) + 1) * (wide(options.last) + 1)
    player = wide(state.mover)
    if action == PLANES * cells:
        out.kind = PASSED
        return
    if state.roll == CHOICE:
        beginner = player if action == 0 else (player + PLAYERS // 2) % PLAYERS
        out.kind = BLACK_BEGINS + beginner
        return
    plane, cell = action // cells, action % cells
    piece = PIECES * player + plane % PIECES
    origin = wide(state.place[piece])
    target = place_of_cell(options, corner_of(options, player), cell)
    out.piece = piece
    out.number = state.dice[plane // PIECES]
    out.kind = MOVED
    if origin == TAKEN:
        out.kind = ENTERED
    else:
        out.origin = origin
    if origin == target:
        out.kind = BORNE_OFF
    else:
        out.target = target
