"""placeholder."""

from __future__ import annotations

from pasgl_env.engine.compiled import rule
from pasgl_env.games.chieftain.state import points
from pasgl_env.games.contract import OptionsRecord, State


@rule
def evaluate(state: State, options: OptionsRecord, player: int) -> float:
    """The value of a state for a player; for the other it is the negative."""
    return 1.0 * (points(state, player) - points(state, 1 - player))
