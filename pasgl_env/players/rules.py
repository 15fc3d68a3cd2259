"""The names that compiled templates of players use."""

# The templates' free names are bound to a game's rules later.
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import Any

from pasgl_env.contract.game import Game
from pasgl_env.engine.loops import acts, draw_outcome, resolve_chance, rules_of
from pasgl_env.engine.results import is_truncated, outcome_of, winning_team
from pasgl_env.jit.compiled import with_helpers


@cache
def search_rules(game: Game) -> MappingProxyType[str, Any]:
    """The names that search templates use: a game's rules, and helpers bound to them."""
    chance = draw_outcome, resolve_chance
    helpers = *chance, acts, is_truncated, winning_team, outcome_of
    return MappingProxyType(with_helpers(rules_of(game), game.cache_name, *helpers))
