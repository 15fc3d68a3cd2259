"""The results of games: who has won, what that means for each team, and when a game is cut off.

:func:`winning_team`, :func:`outcome_of` and :func:`is_truncated` are templates, like the loops of
:mod:`pasgl_env.engine.loops`.
"""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pasgl_env.contract.base import reaches_limit
from pasgl_env.contract.game import Game, brief
from pasgl_env.jit.compiled import rule

RewardKind = Literal["outcome", "points"]
NOBODY = -1
"""The winning team of a draw."""


@rule
def outcome_for(won: int, side: int) -> int:
    """1 if a team has won, -1 if another one has, 0 if ``won`` is :data:`NOBODY`."""
    return 0 if won < 0 else 1 if won == side else -1


def winning_team(state: Any, option: Any) -> int:
    """The team that has won a finished game, or :data:`NOBODY`."""
    best = winner(state, option)
    return team(best) if best >= 0 else NOBODY


def outcome_of(state: Any, option: Any, side: int) -> float:
    """The outcome of a finished game for a team: 1 won, -1 lost, 0 drawn."""
    return float(outcome_for(winning_team(state, option), side))


def is_truncated(state: Any, option: Any) -> bool:
    """Whether environments truncate an unfinished game in this state."""
    return reaches_limit(option.turn_limit, turns(state)) or has_no_room(state)


def returns_of(teams: Sequence[int], best: int) -> tuple[float, ...]:
    """Each player's return, if the player ``best`` has won with its team; negative: a draw."""
    # Plain Python: to load compiled code for this would delay the first result.
    if best < 0:
        return (0.0,) * len(teams)
    return tuple(1.0 if side == teams[best] else -1.0 for side in teams)


def returns_after_forfeit(teams: Sequence[int], player: int) -> tuple[float, ...]:
    """Each player's return if one resigns, or acts illegally: its team loses, the others win."""
    return tuple(-each for each in returns_of(teams, player))


def forfeit_rewards(
    game: Game, state: Any, options: Any, player: int, by_points: bool
) -> list[float]:
    """Each player's reward when one loses by an illegal action: zero-sum, the same within a team.

    By points it leaves the player as far behind as a game can end: no legal loss costs more.
    """
    players = range(game.spaces(options).players)
    loss = 1.0
    if by_points:
        scores = [int(game.points(state, each)) for each in players]
        loss = float(game.largest_lead(options) + 2 * scores[player] - sum(scores))
    teams = [int(game.team(each)) for each in players]
    return [loss * each for each in returns_after_forfeit(teams, player)]


def is_by_points(variant: str, has_points: bool, reward: str) -> bool:
    """Whether rewards are points; ``ValueError`` if the variant lacks this kind of reward."""
    kinds = ("outcome", "points") if has_points else ("outcome",)
    if reward not in kinds:
        raise ValueError(f"reward of {variant} must be {' or '.join(kinds)}, not {brief(reward)}")
    return reward == "points"
