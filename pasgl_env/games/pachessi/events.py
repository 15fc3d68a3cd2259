"""What happens in Pachessi besides moves."""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.events import EventKind, tell
from pasgl_env.games.pachessi.rules.board import PIECES
from pasgl_env.games.pachessi.rules.state import ALL_PIECES, CHOICE, FIRST_SQUARE, OFF, TAKEN
from pasgl_env.jit.compiled import rule, wide

KINDS = (
    EventKind(
        "taken",
        "{by} took {pieces} on {square}.",
        "{by} {would} take {pieces} on {square}.",
        loses=True,
    ),
    EventKind("grace", "A grace die for {side}."),
    EventKind("entered", "{pieces} came back on {square}.", gains=True),
    EventKind("laps", "Laps of {pieces}: {number}."),
    EventKind("borne off", "{pieces} was borne off: {number} to go.", loses=True),
)
TOOK, GRACED, ENTERED, LAPPED, BORNE_OFF = range(len(KINDS))
MOST = ALL_PIECES + 4


@rule
def events(
    before: State, options: OptionsRecord, action: int, after: State, out: np.ndarray
) -> int:
    """Write what the use of a die did."""
    if before.roll == CHOICE:
        return 0
    count, moved, player = 0, -1, wide(before.mover)
    for piece in range(PIECES * player, PIECES * player + PIECES):
        if before.place[piece] != after.place[piece] and after.place[piece] != TAKEN:
            moved = piece
    is_graced = False
    for piece in range(ALL_PIECES):
        if before.place[piece] >= FIRST_SQUARE and after.place[piece] == TAKEN:
            count = tell(out, count, TOOK, piece, wide(before.place[piece]))
            out[count - 1].by = moved
            is_graced = is_graced or piece // PIECES != player
    if is_graced and options.grace and before.captured == 0 and after.over == 0:
        count = tell(out, count, GRACED, -1, -1)
        out[count - 1].seat = player
    return count if moved < 0 else _moved(before, options, moved, after, out, count)


@rule
def _moved(
    before: State, options: OptionsRecord, piece: int, after: State, out: np.ndarray, count: int
) -> int:
    """What happened to the piece that moved."""
    place = wide(after.place[piece])
    if place == OFF:
        count = tell(out, count, BORNE_OFF, piece, wide(before.place[piece]))
        first, left = piece // PIECES * PIECES, 0
        for own in range(first, first + wide(options.kinds)):
            left += after.place[own] != OFF
        out[count - 1].number = left
    elif before.place[piece] == TAKEN:
        count = tell(out, count, ENTERED, piece, place)
    elif after.laps[piece] != before.laps[piece]:
        count = tell(out, count, LAPPED, piece, place)
        out[count - 1].number = after.laps[piece]
    return count
