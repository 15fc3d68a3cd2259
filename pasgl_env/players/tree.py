"""Search trees: nodes in one array, and the steps that every tree search takes.

A tree holds no states but the one at its root: playing an action again takes less time than keeping
what it leads to, which is large in some games. A node's children lie side by side. At a node where
a player acts there is one for each legal action; at a chance node, one for each outcome of the
game, of which those that are impossible there are never visited.
"""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pasgl_env.engine.compiled import rule, wide
from pasgl_env.games.contract import Game

NODE = np.dtype(
    (
        np.record,
        [
            ("total", np.float64),  # what its simulations came to, for the team that chose it
            ("prior", np.float32),  # what is thought of it before it is visited
            ("visits", np.int32),
            ("choice", np.int32),  # the action or outcome that leads to it
            ("first", np.int32),  # its first child
            ("children", np.int32),  # how many; 0 as long as it is not expanded
        ],
    )
)
DEEPEST = 256
"""A simulation walks down no further."""
REUSE_DEPTH = 40
"""A tree is reused if the state of the game is less deep in it."""


class Tree(NamedTuple):
    """A tree in the form that compiled code takes.

    Attributes:
        nodes: room for nodes; the first is the root.
        used: ``int64[1]``, how many there are.
        state: array of one record, the state at the root.
        allowed: ``uint8[A]``, 1 for each action that is searched there.
    """

    nodes: np.ndarray
    used: np.ndarray
    state: np.ndarray
    allowed: np.ndarray

    @classmethod
    def at(cls, state: np.ndarray, room: int, allowed: np.ndarray) -> Tree:
        """A root and nothing else.

        Args:
            state: array of one record.
            room: for how many nodes.
            allowed: ``uint8[A]``: which actions are searched at the root.
        """
        return cls(np.zeros(room, NODE), np.ones(1, np.int64), state.copy(), allowed.copy())

    def with_room(self, room: int) -> Tree:
        """The same tree with room for so many nodes at least, and twice as many as it had."""
        if room <= self.nodes.size:
            return self
        nodes = np.zeros(max(room, 2 * self.nodes.size), NODE)
        nodes[: self.nodes.size] = self.nodes
        return self._replace(nodes=nodes)

    def moved_to(self, node: int, state: np.ndarray, allowed: np.ndarray) -> Tree:
        """A node and all that is below it, less what is not allowed there, as a tree.

        Args:
            node: its index.
            state: array of one record, the state there.
            allowed: ``uint8[A]``: which actions are searched there.
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
    """Forget a node's children but those whose actions ``uint8[A]`` marks."""
    first, count = nodes["first"][node], nodes["children"][node]
    children = nodes[first : first + count]
    kept = children[allowed[children["choice"]] == 1]
    children[: kept.size] = kept
    nodes["children"][node] = kept.size


class Walk(NamedTuple):
    """The way of one simulation from the root down.

    Attributes:
        nodes: ``int64[DEEPEST]``.
        teams: ``int64[DEEPEST]``: which team chose each of these nodes; -1 for the root and chance.
    """

    nodes: np.ndarray
    teams: np.ndarray

    @classmethod
    def empty(cls) -> Walk:
        """Room for a walk."""
        return cls(np.zeros(DEEPEST, np.int64), np.full(DEEPEST, -1, np.int64))


class Finder(NamedTuple):
    """Room to look for a state in a tree, level by level.

    Attributes:
        states: records ``[REUSE_DEPTH]``.
        bytes: ``uint8[REUSE_DEPTH, bytes of a record]``, the same memory.
        nodes: ``int64[REUSE_DEPTH]``.
        tried: ``int64[REUSE_DEPTH]``, how many children of each node.
    """

    states: np.ndarray
    bytes: np.ndarray
    nodes: np.ndarray
    tried: np.ndarray

    @classmethod
    def of(cls, game: Game) -> Finder:
        """The arrays for states of a game."""
        states = np.zeros(REUSE_DEPTH, game.state)
        seen = states.view(np.uint8).reshape(REUSE_DEPTH, -1)
        return cls(states, seen, np.zeros(REUSE_DEPTH, np.int64), np.zeros(REUSE_DEPTH, np.int64))


def walk_down(
    nodes: np.ndarray,
    walk: Walk,
    depth: int,
    state: Any,
    option: Any,
    selection: Any,
    generator: np.ndarray,
) -> int:
    """Go on from a node of the walk to a leaf, and so does ``state``; return the leaf's depth."""
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


@rule
def back_up(nodes: np.ndarray, walk: Walk, depth: int, returns: np.ndarray) -> None:
    """Count a simulation, which came to ``returns`` for each team, in all nodes of its walk."""
    for level in range(depth + 1):
        node = nodes[walk.nodes[level]]
        node.visits += 1
        if walk.teams[level] >= 0:
            node.total += returns[walk.teams[level]]


@rule
def add_children(
    nodes: np.ndarray, used: np.ndarray, node: int, mask: np.ndarray, priors: np.ndarray
) -> bool:
    """Give a node a child for each action that the mask marks; False if there is no room."""
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
    """Give a chance node a child for each outcome of the game; False if there is no room."""
    if used[0] + outcomes > nodes.size:
        return False
    nodes[node].first, nodes[node].children = used[0], outcomes
    for outcome in range(outcomes):
        _add(nodes, used, outcome, 0.0)
    return True


@rule
def _add(nodes: np.ndarray, used: np.ndarray, choice: int, prior: float) -> None:
    node = nodes[used[0]]
    node.total, node.prior, node.choice = 0.0, prior, choice
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
    """Copy a node and all that is below it, the node first; return how many these are."""
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
