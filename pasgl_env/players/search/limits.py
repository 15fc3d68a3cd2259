"""Searches that respect limits on legal actions throughout the tree.

Limits are stated for labels, which need Python and take far longer than a simulation. So labels are
made only for the edges that simulations visit: a simulation that breaks a limit is undone, and no
other one takes that edge again.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from pasgl_env.contract.description import label
from pasgl_env.contract.game import Game
from pasgl_env.players.search.tree import Tree, Walk, back_up_best


class Limits(Protocol):
    """Limits on the actions of a game.

    Attributes:
        before: the labels played in the current turn.
    """

    @property
    def before(self) -> tuple[str, ...]: ...

    def binds(self, player: int) -> bool:
        """Whether a player has any limits."""
        ...

    def forbids(self, player: int, label: str, before: tuple[str, ...]) -> bool:
        """Whether a player may not play a label after those already played in the same turn."""
        ...


class LimitedTree:
    """Keeps the simulations of a search within the limits.

    If all legal actions are forbidden, all are allowed.
    """

    def __init__(self, game: Game, options: np.ndarray, limits: Limits) -> None:
        self._game, self._options, self._limits = game, options, limits
        self._allowed: set[int] = set()  # children that simulations may visit
        self._labels: dict[int, str] = {}  # of children
        self._forbidden: dict[int, list[int]] = {}  # children, by their parents

    def review(self, tree: Tree, walk: Walk, returns: np.ndarray) -> bool:
        """Whether the last simulation, with these returns, kept the limits; otherwise undo it."""
        path = _path(tree.nodes, walk)
        self._allowed.update(path[1:2])
        if all(node in self._allowed for node in path[1:]):
            return True
        state, labels = tree.state.copy(), self._limits.before
        for parent, child in pairwise(path):
            choice = int(tree.nodes["choice"][child])
            option, turn = self._options[0], self._game.turns(state[0])
            if self._game.chance.weight(state[0], option) > 0:
                self._game.chance.apply(state[0], option, choice)
                self._allowed.add(child)
                continue
            player = int(self._game.to_move(state[0]))
            if self._limits.binds(player):
                label = self._label(child, state, choice)
                if child not in self._allowed and self._limits.forbids(player, label, labels):
                    self._forbid(tree.nodes, parent, child)
                    is_closed = child not in self._allowed
                    if is_closed:
                        _take_back(tree.nodes, path, walk, returns)
                        _close(tree.nodes, child)
                    back_up_best(tree.nodes, walk, path.index(child))
                    if is_closed:
                        return False
                labels = (*labels, label)
            self._allowed.add(child)
            self._game.play(state[0], option, choice)
            if self._game.turns(state[0]) != turn:
                labels = ()
        return True

    def _label(self, child: int, state: np.ndarray, choice: int) -> str:
        if child not in self._labels:
            self._labels[child] = label(self._game, state[0], self._options[0], choice)
        return self._labels[child]

    def _forbid(self, nodes: np.ndarray, parent: int, child: int) -> None:
        """Forbid a child; if no child is left, allow all."""
        forbidden = self._forbidden.setdefault(parent, [])
        forbidden.append(child)
        if len(forbidden) == nodes["children"][parent]:
            nodes["total"][forbidden[:-1]] = nodes["visits"][forbidden[:-1]] = 0
            nodes["best"][forbidden[:-1]] = nodes["prior"][forbidden[:-1]]
            self._allowed.update(forbidden)


def _path(nodes: np.ndarray, walk: Walk) -> list[int]:
    """The nodes of the last simulation, from the root."""
    path = [0]
    for node in walk.nodes[1:].tolist():
        first = int(nodes["first"][path[-1]])
        if not first <= node < first + nodes["children"][path[-1]]:
            break  # left over from an earlier, longer walk
        path.append(node)
    return path


def _take_back(nodes: np.ndarray, path: list[int], walk: Walk, returns: np.ndarray) -> None:
    """Remove a simulation from the counts of its nodes."""
    for node, team in zip(path, walk.teams.tolist(), strict=False):
        nodes["visits"][node] -= 1
        if team >= 0:
            nodes["total"][node] -= returns[team]


def _close(nodes: np.ndarray, child: int) -> None:
    """Keep simulations from choosing a child: give it the lowest values."""
    nodes["total"][child], nodes["visits"][child] = -np.inf, 1
    nodes["best"][child] = -np.inf


def begin(game: Game, batch: Any, options: np.ndarray, row: int) -> LimitedTree | None:
    """The limited tree of a search in a game of a batch; None if the game has no limits."""
    of_game: Callable[[int], Limits] | None = getattr(batch, "limits", None)
    return None if of_game is None else LimitedTree(game, options, of_game(row))
