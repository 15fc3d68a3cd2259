"""What happens in Chieftain besides moves."""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.events import EventKind, tell
from pasgl_env.games.chieftain.description import symbol_at
from pasgl_env.games.chieftain.rules.board import EMPTY, PLANES
from pasgl_env.games.chieftain.rules.legal import LAST_PLANE
from pasgl_env.games.chieftain.rules.play import target_of
from pasgl_env.games.chieftain.rules.state import VALUE, cell_of_square, is_asked, kind_at
from pasgl_env.jit.compiled import rule, wide

KINDS = (
    EventKind(
        "captured",
        "{by} captured {pieces} on {square}: +{number}.",
        "{by} {would} capture {pieces} on {square}.",
        loses=True,
        scores=True,
    ),
    EventKind(
        "beaten",
        "The last Chieftain of {side} is gone.",
        "The last Chieftain of {side} {would} be gone.",
    ),
)
CAPTURED, BEATEN = range(len(KINDS))
MOST = 2


@rule
def events(
    before: State, options: OptionsRecord, action: int, after: State, out: np.ndarray
) -> int:
    """Write the capture that an action completes."""
    plane, square = action // wide(options.squares), action % wide(options.squares)
    mover = wide(before.mover)
    if plane == LAST_PLANE or (plane < PLANES and is_asked(after)):
        return 0
    origin, target = wide(before.origin), wide(before.target)
    if plane < PLANES:
        origin = cell_of_square(options, mover, square)
        target = target_of(before, origin, plane)
    if before.board[target] == EMPTY:
        return 0
    count = tell(out, 0, CAPTURED, symbol_at(before, target), target)
    out[0].by = symbol_at(before, origin)
    out[0].number = VALUE[kind_at(before, target)]
    out[0].seat = mover
    if after.chieftains[1 - mover] == 0:
        count = tell(out, count, BEATEN, -1, -1)
        out[1].seat = 1 - mover
    return count
