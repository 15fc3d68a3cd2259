"""The counters of Chieftain, Superchief and Overlord."""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.bits import lowest
from pasgl_env.contract.counters import SQUARE, Axis, Counter, first_cells, seats
from pasgl_env.games.chieftain.names import KIND_NAMES
from pasgl_env.games.chieftain.rules.board import (
    CHIEFTAIN,
    EMPTY,
    FILES,
    FIRST_CELL,
    KINDS,
    OFFSET,
    SIDE_BIT,
    START,
    STRIDE,
    WINDOW,
)
from pasgl_env.games.chieftain.rules.legal import LAST_PLANE, PASS
from pasgl_env.games.chieftain.rules.state import (
    cell_at,
    cell_of_square,
    in_turn,
    is_asked,
    kind_at,
    orders_left,
)
from pasgl_env.jit.compiled import rule, wide

# Stages of a game, by the turns of both players completed.
OPENING_TURNS, MIDDLE_TURNS = 20, 60
STAGES = 3
# Lost Chieftains are counted by turn, in tens of turns of both players.
TENS = 10
PERIODS = 21

_SEATS = seats(2)
SIDE = len(FILES)  # of the largest board
_SQUARE = Axis(SQUARE, tuple(f"{file}{rank + 1}" for rank in range(SIDE) for file in FILES))
_PIECE = Axis("piece", tuple(KIND_NAMES.values()))
_STAGE = Axis("stage", ("turns 1-20", "turns 21-60", "later"))
_PERIOD = Axis(
    "period",
    (*(f"turns {TENS * ten + 1}-{TENS * (ten + 1)}" for ten in range(PERIODS - 1)), "later"),
)

COUNTERS = (
    Counter("turns_begun", "Turns that the player began.", "turns", (_SEATS, _STAGE)),
    Counter(
        "orders",
        "Orders that the player could give when turns began: the activations of the Chieftains, or "
        "the limit of the game's first turn if that is less.",
        "orders",
        (_SEATS, _STAGE),
        per="turns_begun",
        title="Orders that Chieftains could give",
    ),
    Counter(
        "moves_by_stage",
        "Moves of the player.",
        "moves",
        (_SEATS, _STAGE),
        per="turns_begun",
        title="Moves in a turn",
    ),
    Counter(
        "moves",
        "Moves of the player, by the kind moved.",
        "moves",
        (_SEATS, _PIECE),
        title="Moves by piece",
    ),
    Counter(
        "passes",
        "Turns in which the player could not move.",
        "turns",
        (_SEATS,),
        title="Turns without a move",
    ),
    Counter(
        "captures",
        "Captures by the player, by the kind that captured.",
        "captures",
        (_SEATS, _PIECE),
        title="Captures by captor",
    ),
    Counter(
        "captures_on",
        "Captures by both players on this square.",
        "captures",
        (_SQUARE,),
        title="Captures by square",
    ),
    Counter(
        "lost",
        "The player's pieces that were captured.",
        "pieces",
        (_SEATS, _PIECE),
        title="Pieces lost",
    ),
    Counter(
        "chieftains_lost",
        "The player's Chieftains that were captured, by the turn of the game.",
        "Chieftains",
        (_SEATS, _PERIOD),
        title="Chieftains lost",
    ),
    Counter(
        "pieces",
        "Pieces that the player had when turns began.",
        "pieces",
        (_SEATS, _STAGE),
        per="turns_begun",
    ),
    Counter(
        "under_command",
        "Pieces that the player had within range of an own Chieftain when turns began.",
        "pieces",
        (_SEATS, _STAGE),
        per="pieces",
        is_share=True,
        title="Pieces under command",
    ),
    Counter(
        "movable",
        "Pieces that the player had when turns began and that had a move, command or not.",
        "pieces",
        (_SEATS, _STAGE),
        per="turns_begun",
        title="Pieces with a move",
        plural="pieces with a move",
    ),
    Counter(
        "held_back",
        "Pieces that the player had when turns began that had a move but were within range of no "
        "own Chieftain.",
        "pieces",
        (_SEATS, _STAGE),
        per="movable",
        is_share=True,
        title="Pieces with a move that command held back",
    ),
    Counter(
        "short_turns",
        "Turns that the player began with as many pieces that had a move as orders to give, but "
        "not as many of them within range.",
        "turns",
        (_SEATS, _STAGE),
        per="turns_begun",
        is_share=True,
        title="Turns cut short by command",
    ),
)
SECTIONS = {
    "Turns": "turns_begun orders moves_by_stage passes",
    "Moves and captures": "moves captures captures_on lost chieftains_lost",
    "Command": "pieces under_command movable held_back short_turns",
}
_AT = first_cells(COUNTERS)
TURNS_BEGUN, ORDERS, MOVES_BY_STAGE = _AT["turns_begun"], _AT["orders"], _AT["moves_by_stage"]
MOVES, PASSES, CAPTURES, LOST = _AT["moves"], _AT["passes"], _AT["captures"], _AT["lost"]
CAPTURES_ON, CHIEFTAINS_LOST = _AT["captures_on"], _AT["chieftains_lost"]
PIECES_AT, UNDER_COMMAND = _AT["pieces"], _AT["under_command"]
MOVABLE, HELD_BACK, SHORT_TURNS = _AT["movable"], _AT["held_back"], _AT["short_turns"]


def squares(option: OptionsRecord) -> frozenset[str]:
    """The names of the squares."""
    files = FILES[: int(option.files)]
    return frozenset(f"{file}{rank + 1}" for rank in range(int(option.ranks)) for file in files)


@rule
def count(
    before: State, option: OptionsRecord, action: int, after: State, tally: np.ndarray
) -> None:
    """Count the effects of an action; see :class:`pasgl_env.contract.parts.Counters`."""
    if not in_turn(before):
        _count_beginning(before, option, tally)
    plane, square = action // wide(option.squares), action % wide(option.squares)
    if plane == LAST_PLANE:
        tally[PASSES + before.mover] += square == PASS
    elif is_asked(before):
        _count_move(before, wide(before.origin), wide(before.target), tally)
    elif not is_asked(after):
        cell = cell_of_square(option, wide(before.mover), square)
        _count_move(before, cell, cell - WINDOW + wide(OFFSET[before.mover, plane]), tally)


@rule
def _stage(state: State) -> int:
    turn = wide(state.turn_count)
    return wide(turn >= OPENING_TURNS) + wide(turn >= MIDDLE_TURNS)


@rule
def _count_beginning(before: State, option: OptionsRecord, tally: np.ndarray) -> None:
    """Count the mover's pieces and possible moves at the start of a turn."""
    mover = wide(before.mover)
    pieces = commanded = movable = ready = 0
    for rank in range(wide(option.ranks)):
        files = wide(before.occupants[mover, rank])
        able = wide(before.command[rank])
        while files:
            file = lowest(files)
            files &= files - 1
            is_able, moves = (able >> file) & 1, wide(has_move(before, option, cell_at(file, rank)))
            pieces += 1
            commanded += is_able
            movable += moves
            ready += is_able & moves
    orders = orders_left(before, option)
    cell = mover * STAGES + _stage(before)
    tally[TURNS_BEGUN + cell] += 1
    tally[ORDERS + cell] += orders
    tally[PIECES_AT + cell] += pieces
    tally[UNDER_COMMAND + cell] += commanded
    tally[MOVABLE + cell] += movable
    tally[HELD_BACK + cell] += movable - ready
    tally[SHORT_TURNS + cell] += ready < orders <= movable


@rule
def has_move(state: State, option: OptionsRecord, cell: int) -> bool:
    """Whether the mover's piece on a cell would have a move if activated.

    First steps and leaps decide this, because a piece may stop at every square on its way.
    """
    mover, kind = wide(state.mover), kind_at(state, cell)
    own = SIDE_BIT[mover]
    for way in range(option.ways[kind]):
        if wide(option.way_from[kind, way]) & (1 << START):
            plane = wide(option.way_plane[kind, way])
            if state.board[cell - WINDOW + wide(OFFSET[mover, plane])] & own == 0:
                return True
    return False


@rule
def _count_move(before: State, origin: int, target: int, tally: np.ndarray) -> None:
    """Count a move and its capture, if there is one."""
    mover, kind = wide(before.mover), kind_at(before, origin)
    tally[MOVES_BY_STAGE + mover * STAGES + _stage(before)] += 1
    tally[MOVES + mover * KINDS + kind] += 1
    if before.board[target] == EMPTY:
        return
    enemy, captured = 1 - mover, kind_at(before, target)
    tally[CAPTURES + mover * KINDS + kind] += 1
    rank, file = (target - FIRST_CELL) // STRIDE, (target - FIRST_CELL) % STRIDE
    tally[CAPTURES_ON + rank * SIDE + file] += 1
    tally[LOST + enemy * KINDS + captured] += 1
    if captured == CHIEFTAIN:
        period = min(wide(before.turn_count) // TENS, PERIODS - 1)
        tally[CHIEFTAINS_LOST + enemy * PERIODS + period] += 1
