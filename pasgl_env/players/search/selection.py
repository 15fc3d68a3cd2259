"""The choice among the children of a node: UCB1, over the mean or the best results."""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, reduce
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract.game import Game, check_number
from pasgl_env.jit.compiled import bind, inlined_rule, wide
from pasgl_env.players.rules import search_rules
from pasgl_env.players.search.tree import walk_down

MAX_SETTING = 1000
"""The largest value of ``exploration`` and ``trust``."""


class Selection(NamedTuple):
    """Parameters of the choice among children.

    Attributes:
        exploration: UCB1's constant, for outcomes from -1 to 1.
        trust: number of visits that a child's initial value counts for.
    """

    exploration: float
    trust: float

    @classmethod
    def of(cls, exploration: float, trust: float) -> Selection:
        """The parameters that arguments state.

        Raises:
            ValueError: for one that is out of range.
        """
        check_number("exploration", exploration, 0.0, MAX_SETTING)
        check_number("trust", trust, 0.0, MAX_SETTING)
        return cls(float(exploration), float(trust))


@inlined_rule
def mean_worth(node: Any, trust: float) -> float:
    """The mean of a node's results and its prior, for the team that chose it."""
    return (node.total + trust * node.prior) / (node.visits + trust)


@inlined_rule
def best_worth(node: Any, trust: float) -> float:
    """The value of the best line of play after a node, for the team that chose it."""
    return np.float64(node.best)


def uct_child(nodes: np.ndarray, node: int, selection: Selection) -> int:
    """The child to visit next, by UCB1 and the worth of each."""
    first = wide(nodes[node].first)
    spread = selection.exploration**2 * np.log(nodes[node].visits + 1.0)
    best, highest = first, -np.inf
    for child in range(first, first + nodes[node].children):
        visits = nodes[child].visits + selection.trust
        score = np.inf
        if visits > 0.0:
            score = worth(nodes[child], selection.trust) + np.sqrt(spread / visits)
        if score > highest:
            best, highest = child, score
    return best


@cache
def walk_down_of(game: Game, *, by_best: bool) -> Any:
    """``walk_down`` for one game.

    Args:
        game: the game.
        by_best: whether a child is worth its best result, not the mean of its results.
    """
    name = f"{game.cache_name}_best" if by_best else game.cache_name
    namespace = search_rules(game) | {"worth": best_worth if by_best else mean_worth}
    return bind(walk_down, name, {**namespace, "best_child": bind(uct_child, name, namespace)})


def most_visited(children: Sequence[np.ndarray]) -> int:
    """The action with the most visits over all roots; ties go to the higher total, then prior.

    After a single simulation no action has been visited, so the prior alone decides.
    """
    visits = added([each["visits"].astype(np.int64) for each in children])
    totals = added([each["total"] for each in children])
    priors = added([each["prior"] for each in children])
    return int(children[0]["choice"][np.lexsort((priors, totals, visits))[-1]])


def mean_values(children: Sequence[np.ndarray], trust: float) -> np.ndarray:
    """``float64[c]``: mean results of the children over all roots; NaN if unknown."""
    visits = added([each["visits"] + trust for each in children])
    totals = added([each["total"] + trust * each["prior"] for each in children])
    unknown = np.full(children[0].size, np.nan)
    return np.divide(totals, visits, out=unknown, where=visits > 0)


def best_values(children: Sequence[np.ndarray]) -> np.ndarray:
    """``float64[c]``: best results of the children, the mean over all roots."""
    return added([each["best"].astype(np.float64) for each in children]) / len(children)


def added(arrays: Sequence[np.ndarray]) -> np.ndarray:
    """The sum of arrays; for one or two this takes a tenth of the time of ``np.sum``."""
    return reduce(np.add, arrays)
