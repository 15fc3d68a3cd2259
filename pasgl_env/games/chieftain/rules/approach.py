"""The steps by which a side's pieces have come nearer to the enemy, for players that attack."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.bits import lowest
from pasgl_env.games.chieftain.rules.board import MOST
from pasgl_env.games.chieftain.rules.evaluation import nearest_chieftain
from pasgl_env.games.chieftain.rules.state import cell_at
from pasgl_env.jit.compiled import rule, wide


@rule
def approach(start: State, state: State, options: OptionsRecord, player: int) -> int:
    """The king's steps by which a player's pieces have come nearer to the enemy Chieftains.

    Distances are to where these Chieftains were at the start, so capturing one is no step back. A
    piece that has been captured counts as farther away than any board allows.
    """
    steps = 0
    for rank in range(wide(options.ranks)):
        were, are = wide(start.occupants[player, rank]), wide(state.occupants[player, rank])
        steps += _nearness(start, player, rank, are & ~were)
        steps -= _nearness(start, player, rank, were & ~are)
    return steps


@rule
def _nearness(start: State, player: int, rank: int, files: int) -> int:
    """The nearness of a rank's squares to the enemy Chieftains of the start, added up."""
    near = 0
    while files:
        file = lowest(files)
        files &= files - 1
        near += MOST - nearest_chieftain(start, 1 - player, cell_at(file, rank))
    return near
