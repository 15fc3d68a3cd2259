"""Search trees: nodes in one array, and the steps that every tree search takes.

Only the root's state is stored: replaying actions takes less time than storing states, which are
large in some games. A node's children are adjacent. A decision node has one child per legal
action; a chance node has one per outcome of the game, and impossible outcomes are never visited.
"""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, reduce
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract.game import Game
from pasgl_env.engine.batch import Batch
from pasgl_env.jit.compiled import bind, compile_once, inlined_rule, rule, wide, with_helpers
from pasgl_env.players.rules import search_rules

NODE = np.dtype(
    (
        np.record,
        [
            ("total", np.float64),  # sum of its simulations' results, for the team that chose it
            ("prior", np.float32),  # its initial value
            ("best", np.float32),  # the value of the best line of play after it, if backed up
            ("visits", np.int32),
            ("choice", np.int32),  # the action or outcome that leads to it
            ("first", np.int32),  # its first child
            ("children", np.int32),  # number of children; 0 until it is expanded
        ],
    )
)
FIRST_ROOM = 1 << 12
"""Number of nodes for which a new tree has room."""
DEEPEST = 256
"""Maximum depth of a simulation."""
REUSE_DEPTH = 40
"""Maximum number of actions and outcomes after which a game is still found in its old tree."""


class Tree(NamedTuple):
    """A tree, in the form that compiled code takes.

    Attributes:
        nodes: array of nodes, partly unused; the first is the root.
        used: ``int64[1]``, number of nodes in use.
        state: array of one record, the state at the root.
        allowed: ``uint8[A]``, 1 for each action that is searched at the root.
    """

    nodes: np.ndarray
    used: np.ndarray
    state: np.ndarray
    allowed: np.ndarray

    @classmethod
    def at(cls, state: np.ndarray, room: int, allowed: np.ndarray) -> Tree:
        """A tree of a root only.

        Args:
            state: array of one record.
            room: number of nodes to allocate.
            allowed: ``uint8[A]``: the actions searched at the root.
        """
        return cls(np.zeros(room, NODE), np.ones(1, np.int64), state.copy(), allowed.copy())

    def with_room(self, room: int) -> Tree:
        """The same tree with room for at least this many nodes, and at least twice its old room."""
        if room <= self.nodes.size:
            return self
        nodes = np.zeros(max(room, 2 * self.nodes.size), NODE)
        nodes[: self.nodes.size] = self.nodes
        return self._replace(nodes=nodes)

    def moved_to(self, node: int, state: np.ndarray, allowed: np.ndarray) -> Tree:
        """The subtree of a node, without the children that are not allowed, as a tree.

        Args:
            node: its index.
            state: array of one record, the state at that node.
            allowed: ``uint8[A]``: the actions searched there.
        """
        tree = Tree.at(state, self.nodes.size, allowed)
        tree.used[0] = copy_below(self.nodes, node, tree.nodes)
        keep_children(tree.nodes, 0, allowed)
        return tree

    @property
    def children(self) -> np.ndarray:
        """The children of the root."""
        first, count = self.nodes["first"][0], self.nodes["children"][0]
        return self.nodes[first : first + count]


def keep_children(nodes: np.ndarray, node: int, allowed: np.ndarray) -> None:
    """Remove a node's children except those whose actions ``uint8[A]`` marks."""
    first, count = nodes["first"][node], nodes["children"][node]
    children = nodes[first : first + count]
    kept = children[allowed[children["choice"]] == 1]
    children[: kept.size] = kept
    nodes["children"][node] = kept.size


class Walk(NamedTuple):
    """The path of one simulation from the root.

    Attributes:
        nodes: ``int64[DEEPEST]``.
        teams: ``int64[DEEPEST]``: the team that chose each node; -1 for the root and chance.
    """

    nodes: np.ndarray
    teams: np.ndarray

    @classmethod
    def empty(cls) -> Walk:
        """An empty walk."""
        return cls(np.zeros(DEEPEST, np.int64), np.full(DEEPEST, -1, np.int64))


class Finder(NamedTuple):
    """Scratch memory to look for a state in a tree, level by level.

    Attributes:
        states: records ``[REUSE_DEPTH]``.
        bytes: ``uint8[REUSE_DEPTH, bytes of a record]``, the same memory.
        nodes: ``int64[REUSE_DEPTH]``.
        tried: ``int64[REUSE_DEPTH]``, number of children tried of each node.
    """

    states: np.ndarray
    bytes: np.ndarray
    nodes: np.ndarray
    tried: np.ndarray

    @classmethod
    def of(cls, game: Game) -> Finder:
        """Scratch memory for a game's states."""
        states = np.zeros(REUSE_DEPTH, game.state)
        seen = states.view(np.uint8).reshape(REUSE_DEPTH, -1)
        return cls(states, seen, np.zeros(REUSE_DEPTH, np.int64), np.zeros(REUSE_DEPTH, np.int64))


class Selection(NamedTuple):
    """Parameters of the choice among children.

    Attributes:
        exploration: UCB1's constant, for outcomes from -1 to 1.
        prior_visits: number of visits that a child's initial value counts for.
    """

    exploration: float
    prior_visits: float


@inlined_rule
def mean_worth(node: Any, prior_visits: float) -> float:
    """The mean of a node's results and its prior, for the team that chose it."""
    return (node.total + prior_visits * node.prior) / (node.visits + prior_visits)


@inlined_rule
def best_worth(node: Any, prior_visits: float) -> float:
    """The value of the best line of play after a node, for the team that chose it."""
    return np.float64(node.best)


def uct_child(nodes: np.ndarray, node: int, selection: Selection) -> int:
    """The child to visit next, by UCB1 and the worth of each."""
    first = wide(nodes[node].first)
    spread = selection.exploration**2 * np.log(nodes[node].visits + 1.0)
    best, highest = first, -np.inf
    for child in range(first, first + nodes[node].children):
        visits = nodes[child].visits + selection.prior_visits
        score = np.inf
        if visits > 0.0:
            score = worth(nodes[child], selection.prior_visits) + np.sqrt(spread / visits)
        if score > highest:
            best, highest = child, score
    return best


def walk_down(
    nodes: np.ndarray,
    walk: Walk,
    depth: int,
    state: Any,
    option: Any,
    selection: Any,
    generator: np.ndarray,
) -> int:
    """Descend from a node of the walk to a leaf, updating ``state``; return the leaf's depth."""
    node = wide(walk.nodes[depth])
    while nodes[node].children > 0 and depth + 1 < DEEPEST:
        depth += 1
        if HAS_CHANCE and chance_weight(state, option) > 0:
            node = wide(nodes[node].first) + draw_outcome(state, option, generator, 0)
            apply_chance(state, option, wide(nodes[node].choice))
            walk.teams[depth] = -1
        else:
            node = best_child(nodes, node, selection)
            walk.teams[depth] = team(to_move(state))
            play(state, option, wide(nodes[node].choice))
        walk.nodes[depth] = node
    return depth


@cache
def walk_down_of(game: Game, *, by_best: bool) -> Any:
    """``walk_down`` for one game; ``by_best``: a child is worth its best result, not the mean."""
    name = f"{game.cache_name}_best" if by_best else game.cache_name
    namespace = search_rules(game) | {"worth": best_worth if by_best else mean_worth}
    namespace = with_helpers(namespace, name, best_child=uct_child)
    return with_helpers(namespace, name, walk_down)["walk_down"]


@rule
def back_up(nodes: np.ndarray, walk: Walk, depth: int, returns: np.ndarray) -> None:
    """Add a simulation's ``returns`` for each team to all nodes of its walk."""
    for level in range(depth + 1):
        node = nodes[walk.nodes[level]]
        node.visits += 1
        if walk.teams[level] >= 0:
            node.total += returns[walk.teams[level]]


@rule
def back_up_best(nodes: np.ndarray, walk: Walk, depth: int) -> None:
    """Give all nodes above one of the walk the best value of their children; not for dice."""
    for level in range(depth - 1, 0, -1):
        node, best = nodes[walk.nodes[level]], -np.inf
        first = wide(node.first)
        for child in range(first, first + node.children):
            best = max(best, np.float64(nodes[child].best))
        node.best = best if walk.teams[level] == walk.teams[level + 1] else -best


@rule
def back_up_means(nodes: np.ndarray, walk: Walk, depth: int) -> None:
    """Give all nodes of the walk the mean of their results as the best: for more than two teams."""
    for level in range(1, depth + 1):
        node = nodes[walk.nodes[level]]
        node.best = node.total / node.visits


@rule
def add_children(
    nodes: np.ndarray, used: np.ndarray, node: int, mask: np.ndarray, priors: np.ndarray
) -> bool:
    """Add a child for each action in the mask; return False if there is no room."""
    count = 0
    for action in range(priors.size):
        count += mask[action]
    if used[0] + count > nodes.size:
        return False
    nodes[node].first, nodes[node].children = used[0], count
    for action in range(priors.size):
        if mask[action]:
            _add(nodes, used, action, priors[action])
    return True


@rule
def add_outcomes(nodes: np.ndarray, used: np.ndarray, node: int, outcomes: int) -> bool:
    """Add a child for each outcome of the game to a chance node; False if there is no room."""
    if used[0] + outcomes > nodes.size:
        return False
    nodes[node].first, nodes[node].children = used[0], outcomes
    for outcome in range(outcomes):
        _add(nodes, used, outcome, 0.0)
    return True


@rule
def _add(nodes: np.ndarray, used: np.ndarray, choice: int, prior: float) -> None:
    node = nodes[used[0]]
    node.total, node.choice = 0.0, choice
    node.prior = node.best = prior
    node.visits = node.first = node.children = 0
    used[0] += 1


def find_state(
    tree: Tree, options: np.ndarray, target: np.ndarray, target_bytes: np.ndarray, finder: Finder
) -> int:
    """The most visited node whose state is ``target[0]``; -1 if there is none."""
    finder.states[0] = tree.state[0]
    finder.nodes[0] = finder.tried[0] = 0
    if is_same(finder.bytes[0], target_bytes):
        return 0
    found, most, level = -1, 0, 0
    while level >= 0:
        node = tree.nodes[finder.nodes[level]]
        if finder.tried[level] == node.children or level + 1 == REUSE_DEPTH:
            level -= 1
            continue
        child = wide(node.first) + finder.tried[level]
        finder.tried[level] += 1
        if tree.nodes[child].visits > most:
            level += 1
            finder.nodes[level], finder.tried[level] = child, 0
            finder.states[level] = finder.states[level - 1]
            state = finder.states[level]
            acts(state, options[0], wide(tree.nodes[child].choice))
            if is_same(finder.bytes[level], target_bytes):
                found, most = child, wide(tree.nodes[child].visits)
            if turns(state) > turns(target[0]):
                level -= 1
    return found


@rule
def is_same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two rows of bytes are equal."""
    for place in range(one.size):
        if one[place] != other[place]:
            return False
    return True


@rule
def copy_below(nodes: np.ndarray, root: int, copies: np.ndarray) -> int:
    """Copy a subtree, root first; return its number of nodes."""
    copies[0] = nodes[root]
    used, number = 1, 0
    while number < used:
        first, count = wide(copies[number].first), wide(copies[number].children)
        if count > 0:
            copies[number].first = used
        for child in range(first, first + count):
            copies[used] = nodes[child]
            used += 1
        number += 1
    return used


def most_visited(children: Sequence[np.ndarray]) -> int:
    """The action with the most visits over all roots; ties go to the higher total, then prior.

    After a single simulation no action has been visited, so the prior alone decides.
    """
    visits = added([each["visits"].astype(np.int64) for each in children])
    totals = added([each["total"] for each in children])
    priors = added([each["prior"] for each in children])
    return int(children[0]["choice"][np.lexsort((priors, totals, visits))[-1]])


def mean_values(children: Sequence[np.ndarray], prior_visits: float) -> np.ndarray:
    """``float64[c]``: mean results of the children over all roots; NaN if unknown."""
    visits = added([each["visits"] + prior_visits for each in children])
    totals = added([each["total"] + prior_visits * each["prior"] for each in children])
    unknown = np.full(children[0].size, np.nan)
    return np.divide(totals, visits, out=unknown, where=visits > 0)


def best_values(children: Sequence[np.ndarray]) -> np.ndarray:
    """``float64[c]``: best results of the children, the mean over all roots."""
    return added([each["best"].astype(np.float64) for each in children]) / len(children)


def added(arrays: Sequence[np.ndarray]) -> np.ndarray:
    """The sum of arrays; for one or two this takes a tenth of the time of ``np.sum``."""
    return reduce(np.add, arrays)


@cache
def find_state_of(game: Game) -> Any:
    """``find_state`` for one game."""
    loop = bind(find_state, game.cache_name, search_rules(game))
    compile_once(f"{game.cache_name}-find-state", lambda: warm_up(game, loop), [loop])
    return loop


def warm_up(game: Game, loop: Any) -> None:
    """Run the loop once with the types that players use."""
    batch = Batch(game.name, 1)
    state = batch.states.copy()
    tree = Tree.at(state, 1, batch.action_mask[0])
    loop(tree, batch.options_record, state, state.view(np.uint8), Finder.of(game))
