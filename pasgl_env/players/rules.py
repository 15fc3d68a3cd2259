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
from pasgl_env.jit.compiled import bind


@cache
def search_rules(game: Game) -> MappingProxyType[str, Any]:
    """The names that search templates use: a game's rules, and helpers bound to them."""
    namespace = rules_of(game)
    for name, helper in (
        ("draw_outcome", draw_outcome),
        ("resolve_chance", resolve_chance),
        ("acts", acts),
        ("is_truncated", is_truncated),
        ("winning_team", winning_team),
        ("outcome_of", outcome_of),
    ):
        namespace[name] = bind(helper, game.cache_name, namespace)
    return MappingProxyType(namespace)
