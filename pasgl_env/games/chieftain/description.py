"""The actions of Chieftain, described."""

from __future__ import annotations

from typing import Any

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.description import QUESTION, Asked, Symbol, Verb
from pasgl_env.games.chieftain.names import ALL_NAMES
from pasgl_env.games.chieftain.rules.board import (
    ALL_LETTERS,
    CELLS,
    EMPTY,
    FILES,
    KIND_BITS,
    LEADER,
    LEADER_BIT,
    MOST,
    PLANES,
    SIDE_BIT,
    cell_of,
)
from pasgl_env.games.chieftain.rules.legal import LAST_PLANE, PASS
from pasgl_env.games.chieftain.rules.play import target_of
from pasgl_env.games.chieftain.rules.state import cell_of_square, is_asked, orders_left
from pasgl_env.jit.compiled import rule, wide

_NAMES = {
    int(cell_of(file, rank)): f"{FILES[file]}{rank + 1}"
    for rank in range(MOST)
    for file in range(MOST)
}
SQUARES = tuple(_NAMES.get(cell, "") for cell in range(CELLS))
VERBS = (
    Verb("move", "{piece}{origin}-{target}", "Move: {name} {origin} to {target}"),
    Verb("capture", "{piece}{origin}x{target}", "Capture: {name} {origin} to {target}"),
    Verb("order", "by {target}", "Ordered by the {name} on {target}", Asked.LIST, arrives=False),
    Verb("end", "end", "End the turn"),
    Verb("pass", "pass", "Pass"),
)
MOVED, CAPTURED, ORDERED, ENDED, PASSED = range(len(VERBS))
QUESTIONS = (
    "who activates the {name} from {origin} to {target}?",
    "what next? (activations left: {number})",
)
WHO, WHAT_NEXT = range(len(QUESTIONS))
_SYMBOLS = tuple(
    Symbol(letter.lower() if side else letter, ALL_NAMES[sort], side, letter=letter)
    for side in range(2)
    for sort, letter in enumerate(ALL_LETTERS)
)


def symbols(options: OptionsRecord) -> tuple[Symbol, ...]:
    """The pieces of both sides."""
    return _SYMBOLS


@rule
def describe(state: State, options: OptionsRecord, action: int, out: Any) -> None:
    """Write a legal action, or the question."""
    if action == QUESTION:
        _ask(state, options, out)
        return
    plane, square = action // wide(options.squares), action % wide(options.squares)
    if plane == LAST_PLANE:
        out.kind = PASSED if square == PASS else ENDED
        return
    cell = cell_of_square(options, wide(state.mover), square)
    out.piece = symbol_at(state, cell)
    if plane == PLANES:
        out.kind = ORDERED
        out.target = cell
        return
    target = target_of(state, cell, plane)
    out.kind = MOVED if state.board[target] == EMPTY else CAPTURED
    out.origin = cell
    out.target = target


@rule
def _ask(state: State, options: OptionsRecord, out: Any) -> None:
    """Write the question."""
    if is_asked(state):
        out.kind = WHO
        out.piece = symbol_at(state, wide(state.origin))
        out.origin = state.origin
        out.target = state.target
    else:
        out.kind = WHAT_NEXT
        out.number = orders_left(state, options)


@rule
def symbol_at(state: State, cell: int) -> int:
    """The number of the symbol of the piece on a cell."""
    held = wide(state.board[cell])
    sort = LEADER if held & LEADER_BIT else (held & KIND_BITS) - 1
    return sort if held & wide(SIDE_BIT[0]) else sort + len(ALL_LETTERS)
