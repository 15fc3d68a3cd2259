"""The player that searches a tree for every decision, with any evaluator."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from threading import Event
from time import perf_counter
from typing import Any

import numpy as np

from pasgl_env.contract.game import Game, checked_number
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.loops import random_bits
from pasgl_env.engine.position import Position
from pasgl_env.engine.sharing import Copyable, alone
from pasgl_env.engine.tasks import TaskPool
from pasgl_env.jit.compiled import JIT, rule
from pasgl_env.players.player import SeededPlayer, check_variant
from pasgl_env.players.search import limits
from pasgl_env.players.search.limits import LimitedTree
from pasgl_env.players.search.tree import (
    FIRST_ROOM,
    Finder,
    Selection,
    Tree,
    Walk,
    added,
    find_state_of,
    mean_values,
    most_visited,
)
from pasgl_env.players.settings import Budget

# Maximum number of simulations per call of compiled code, fewer if they take long; between the
# calls, Python checks the clock and Ctrl-C.
SLICE = 64
SLICE_SECONDS = 0.002
MAX_NODES = 1 << 18
MAX_SETTING = 1000
"""The largest value of ``exploration`` and ``prior_visits``."""
Key = tuple[int, int]


class Evaluator(Copyable):
    """Simulates in the trees of one player, and evaluates their leaves.

    The methods that do nothing here are for evaluators that remember the games.

    Attributes:
        selection: parameters of the choice among children.
        parameters: parameters of the simulations.
        simulate: a compiled function ``simulate(tree, options, selection, parameters, walk,
            *scratch, generator, simulations)`` that runs at most this number of simulations from
            the root of a tree, leaves the result of the last one in ``scratch[0].returns`` and
            returns their number.
    """

    selection: Selection
    parameters: Any
    simulate: Any

    def scratch(self, options: np.ndarray) -> tuple[Any, ...]:
        """Scratch memory of one thread."""
        raise NotImplementedError

    def begin(
        self, scratch: Any, options: np.ndarray, state: np.ndarray, game: int, allowed: np.ndarray
    ) -> np.ndarray:
        """Prepare to search a game's state; return the mask of the actions to search."""
        raise NotImplementedError

    def known(self, batch: Batch, games: np.ndarray) -> list[np.ndarray | None]:
        """The children of the root in some games: with exact values, or None if it is searched.

        Those that are best have been visited once.
        """
        return [None] * games.size

    def values_of(self, children: Sequence[np.ndarray]) -> np.ndarray:
        """``float64[c]``: the values of the children over all roots; NaN if unknown."""
        return mean_values(children, self.selection.prior_visits)

    def recall(self, batch: Batch, games: np.ndarray, scratch: Any) -> None:
        """Prepare to choose in some games of a batch."""

    def note(self, batch: Batch, games: np.ndarray, scratch: Any, actions: np.ndarray) -> None:
        """Remember the actions chosen in some games of a batch."""

    def follow(self, position: Position) -> None:
        """Replace the memory of game 0 with the history of a position."""

    def forget(self, games: np.ndarray) -> None:
        """Begin these games anew."""


class TreePlayer(SeededPlayer):
    """Searches for every decision, and plays the most visited action.

    With a budget of simulations, its play depends only on the seed and the game, not on ``threads``
    or other games. A time budget is kept to within a few milliseconds, and the result depends on
    the machine. If only one action is legal, it plays that without searching. Legal actions that
    the batch's mask excludes are not searched at the root, but further down the tree they are.

    Args:
        name: the player's name, for tables and messages.
        evaluator: simulates and evaluates; the other arguments are those of :class:`MctsPlayer`.
    """

    _derived = frozenset({"_find_state", "_pool", "_workspaces"})

    def __init__(
        self,
        name: str,
        evaluator: Evaluator,
        game: Game,
        seed: int | None,
        budget: Budget,
        *,
        trees: int,
        threads: int | None,
        reuse: bool = True,
        most_nodes: int = MAX_NODES,
    ) -> None:
        super().__init__(seed)
        settings = evaluator.selection._asdict().items()
        evaluator.selection = Selection(
            *(checked_number(setting, value, 0.0, MAX_SETTING) for setting, value in settings)
        )
        trees = checked_number("trees", trees, 1, 1024)
        most_nodes = checked_number("most_nodes", most_nodes, FIRST_ROOM, 1 << 30)
        if threads is not None:
            threads = checked_number("threads", threads, 1, 1024)
        self.name = name
        self._game, self._evaluator, self._budget = game, evaluator, budget
        self._trees_each = trees
        self._reuse = reuse
        self._most_nodes = most_nodes
        self._threads = (threads or _processors()) if JIT else 1
        self._options = b""
        self._trees: dict[Key, Tree] = {}
        self._shape = 0, 0
        self._searched: list[tuple[int, list[np.ndarray]]] = []
        self._open()

    def _open(self) -> None:
        self._find_state: Any = find_state_of(self._game)
        self._pool = TaskPool(self._threads)
        self._workspaces: list[tuple[Any, Finder]] = []

    def _part(self) -> None:
        super()._part()
        self._evaluator = deepcopy(self._evaluator)
        self._trees = {}

    @alone
    def follow(self, position: Position) -> None:
        self._evaluator.follow(position)

    def reseed(self, games: np.ndarray, seeds: Sequence[int]) -> None:
        super().reseed(games, seeds)
        self._evaluator.forget(games)
        self._drop_trees(games)

    def _keys(self, games: np.ndarray) -> list[Key]:
        """The keys under which the trees of these games are stored."""
        return [(game, number) for game in games.tolist() for number in range(self._trees_each)]

    def _drop_trees(self, games: np.ndarray) -> None:
        for key in self._keys(games):
            self._trees.pop(key, None)

    def _decide(
        self, batch: Batch, games: np.ndarray, generators: np.ndarray, actions: np.ndarray
    ) -> None:
        check_variant(self._game, batch)
        self._forget_if_others(batch.options_record)
        with self._workspace(batch.options_record) as (scratch, _):
            self._evaluator.recall(batch, games, scratch)
        self._search(batch, games, generators, actions)
        with self._workspace(batch.options_record) as (scratch, _):
            self._evaluator.note(batch, games, scratch, actions)

    def _search(
        self, batch: Batch, games: np.ndarray, generators: np.ndarray, actions: np.ndarray
    ) -> None:
        """Search in each game with a choice, and write the actions."""
        actions[:] = batch.action_mask[games].argmax(axis=1)
        rows = np.flatnonzero(batch.legal_count[games] > 1)
        known = self._evaluator.known(batch, games[rows])
        found = zip(rows.tolist(), known, strict=True)
        exact = [(row, [children]) for row, children in found if children is not None]
        self._drop_trees(games[[row for row, _ in exact]])
        rows = rows[[children is None for children in known]]
        keys = self._keys(games[rows])
        seeds = np.empty(len(keys), np.uint64)
        draw_seeds(generators, rows, seeds)
        stop = Event()
        self._pool.run(self._search_some, len(keys), batch, keys, seeds, stop, stop=stop.set)
        self._shape, self._searched = (games.size, batch.num_actions), exact
        for row, first in zip(rows.tolist(), range(0, len(keys), self._trees_each), strict=True):
            children = [self._trees[key].children for key in keys[first : first + self._trees_each]]
            self._searched.append((row, children))
        for row, children in self._searched:
            actions[row] = most_visited(children)
        if getattr(batch, "limits", None) is not None:  # trees under limits are not reused
            self._drop_trees(games[rows])

    @property
    def visits(self) -> np.ndarray:
        """``int32[k, A]``: visits to the actions of the last decisions, in all trees.

        Including those kept from earlier searches; zeros if there was no choice.
        """
        visits = np.zeros(self._shape, np.int32)
        for row, children in self._searched:
            visits[row, children[0]["choice"]] = added([each["visits"] for each in children])
        return visits

    @property
    def action_values(self) -> np.ndarray:
        """``float32[k, A]``: values of these actions for the player who acted, -1 to 1.

        NaN if unknown.
        """
        values = np.full(self._shape, np.nan, np.float32)
        for row, children in self._searched:
            values[row, children[0]["choice"]] = self._evaluator.values_of(children)
        return values

    def best_line(self, batch: Batch, game: int) -> list[int]:
        """The line of play that the last search expects: actions, up to the next roll.

        Args:
            batch: the batch of the last choice.
            game: index of a game in it; the line is empty if there was no choice in that game.
        """
        tree = self._trees.get((game, 0))
        if tree is None:
            return []
        line, node = [], 0
        option, state = batch.options_record[0], tree.state.copy()
        while tree.nodes["children"][node] > 0 and self._game.chance.weight(state[0], option) == 0:
            first = int(tree.nodes["first"][node])
            visits = tree.nodes["visits"][first : first + tree.nodes["children"][node]]
            if visits.max() == 0:
                break
            node = first + int(visits.argmax())
            line.append(int(tree.nodes["choice"][node]))
            self._game.play(state[0], option, line[-1])
        return line

    def _forget_if_others(self, options: np.ndarray) -> None:
        """Forget the trees if these are other options than the last ones."""
        if options.tobytes() != self._options:
            self._trees.clear()
            self._workspaces.clear()
            self._options = options.tobytes()

    def _search_some(
        self, first: int, last: int, batch: Batch, keys: list[Key], seeds: np.ndarray, stop: Event
    ) -> None:
        """Grow the trees of some keys, one after the other."""
        options = batch.options_record
        most = min(SLICE, self._budget.simulations or SLICE)
        with self._workspace(options) as (scratch, finder):
            for row in range(first, last):
                key, (game, _) = keys[row], keys[row]
                state = batch.states[game : game + 1]
                limited = limits.begin(self._game, batch, options, game)
                if limited:  # nodes visited by an earlier search may break the limits
                    self._trees.pop(key, None)
                mask = batch.action_mask[game]
                allowed = self._evaluator.begin(scratch, options, state, game, mask)
                tree = self._root(key, options, state, allowed, finder)
                slack = 2 * most * (int(batch.legal_count[game]) + self._game.chance.outcomes)
                generator = seeds[row : row + 1]
                grown = self._grow(tree, options, scratch, generator, slack, stop, limited)
                if stop.is_set():
                    return
                self._trees[key] = grown

    @contextmanager
    def _workspace(self, options: np.ndarray) -> Iterator[tuple[Any, Finder]]:
        """Scratch memory that no other thread uses, kept from search to search."""
        try:
            workspace = self._workspaces.pop()
        except IndexError:
            workspace = self._evaluator.scratch(options), Finder.of(self._game)
        yield workspace
        self._workspaces.append(workspace)

    def _root(
        self,
        key: Key,
        options: np.ndarray,
        state: np.ndarray,
        allowed: np.ndarray,
        finder: Finder,
    ) -> Tree:
        """The root of a state, reusing the old tree if possible."""
        known = self._trees.pop(key, None)
        target = state.copy()
        if known is not None and self._reuse:
            node = self._find_state(known, options, target, target.view(np.uint8), finder)
            if node >= 0:
                tree = known.moved_to(node, target, allowed)
                # An earlier search of this state with fewer allowed actions lacks the others.
                if tree.children.size in (0, allowed.sum()):
                    return tree
        return Tree.at(target, FIRST_ROOM, allowed)

    def _grow(
        self,
        tree: Tree,
        options: np.ndarray,
        scratch: Any,
        generator: np.ndarray,
        slack: int,
        stop: Event,
        limited: LimitedTree | None,
    ) -> Tree:
        """Simulate until the budget is used up; leave room for ``slack`` nodes between slices.

        Returns the tree, which may have moved.
        """
        walk, begun, done, most = Walk.empty(), perf_counter(), 0, 1
        now, evaluator = begun, self._evaluator
        while not stop.is_set():
            simulations = self._budget.next_slice(most, done, now - begun)
            if simulations == 0:
                break
            tree = tree.with_room(min(int(tree.used[0]) + slack, self._most_nodes))
            if limited is not None:
                simulations = 1
            run = evaluator.simulate(
                tree,
                options,
                evaluator.selection,
                evaluator.parameters,
                walk,
                *scratch,
                generator,
                simulations,
            )
            if limited is None or (run and limited.review(tree, walk, scratch[0].returns)):
                done += run
            before, now = now, perf_counter()
            most = min(SLICE, 2 * most) if 2 * (now - before) < SLICE_SECONDS else max(1, most // 2)
        return tree


def _processors() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@rule
def draw_seeds(generators: np.ndarray, rows: np.ndarray, seeds: np.ndarray) -> None:
    """Draw seeds, the same number from the generator of each row."""
    each = seeds.size // max(rows.size, 1)
    for number in range(seeds.size):
        row = rows[number // each]
        high = random_bits(generators, row)
        seeds[number] = np.uint64((high << 32) | random_bits(generators, row))
