"""Checks of the positions that games may start from."""

from __future__ import annotations

from pasgl_env.contract.game import brief
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.position import Position


def playable(ruleset: Ruleset, text: str | None) -> Position:
    """The position that a text describes, if an environment can play on from there.

    Raises:
        ValueError: if the text is not a position text, the game is over, or the option
            ``turn_limit`` has been reached.
    """
    if text is None:
        raise ValueError("a position text must be a str, not NoneType")
    position = Position.from_text(ruleset, text)
    if position.is_over:
        raise ValueError(f"the game is over in {brief(text)}: give a position in which it is not")
    if position.is_truncated:
        raise ValueError(
            f"{position.turns} turns have been played in {brief(text)}, which is not below the"
            f" turn_limit of {position.turn_limit}"
        )
    return position
