"""What happens in Captain Spalding Chess besides moves."""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.events import EventKind, tell
from pasgl_env.games.spalding.rules.board import NEIGHBOUR, SQUARES, TARGET, TURN
from pasgl_env.games.spalding.rules.legal import CREATIONS
from pasgl_env.games.spalding.rules.state import EMPTY, IS_MONSTER
from pasgl_env.jit.compiled import rule, wide

KINDS = (
    EventKind(
        "captured",
        "{by} captured {pieces} on {square}.",
        "{by} {would} capture {pieces} on {square}.",
        loses=True,
    ),
    EventKind(
        "eaten",
        "{by} ate {pieces} on {square}.",
        "{by} {would} eat {pieces} on {square}.",
        loses=True,
    ),
    EventKind("vanished", "{pieces} on {square} vanished after the meal.", loses=True),
    EventKind("became", "{pieces} on {square} became a {new}."),
    EventKind("found", "Out of {by} came {pieces} on {square}.", gains=True),
)
CAPTURED, EATEN, VANISHED, BECAME, FOUND = range(len(KINDS))
MOST = 11


@rule
def events(
    before: State, options: OptionsRecord, action: int, after: State, out: np.ndarray
) -> int:
    """Write what a move or a creation did."""
    square = (action % SQUARES) ^ TURN[before.mover]
    if action >= CREATIONS:
        return _created(before, after, square, out)
    target = wide(TARGET[before.mover, square, action // SQUARES])
    moved, captured = wide(before.board[square]), wide(before.board[target])
    arrived, count = wide(after.board[target]), 0
    if captured != EMPTY:
        count = tell(out, count, CAPTURED, captured - 1, target)
        out[0].by = moved - 1
    if arrived == EMPTY:
        return _eaten(before, moved, target, out, count)
    if arrived != moved:
        count = tell(out, count, BECAME, moved - 1, target)
        out[count - 1].becomes = arrived - 1
    return count


@rule
def _created(before: State, after: State, square: int, out: np.ndarray) -> int:
    there, now = wide(before.board[square]), wide(after.board[square])
    if there != EMPTY:
        count = tell(out, 0, BECAME, there - 1, square)
        out[0].becomes = now - 1
        return count
    count = tell(out, 0, FOUND, now - 1, square)
    out[0].by = wide(before.board[before.container]) - 1
    return count


@rule
def _eaten(before: State, moved: int, target: int, out: np.ndarray, count: int) -> int:
    """The piece that moved beside a monster is eaten, and all monsters beside it vanish."""
    first = count
    count = tell(out, count, EATEN, moved - 1, target)
    for neighbour in NEIGHBOUR[target]:
        content = wide(before.board[neighbour])
        if IS_MONSTER[content]:
            out[first].by = content - 1
            count = tell(out, count, VANISHED, content - 1, wide(neighbour))
    return count
