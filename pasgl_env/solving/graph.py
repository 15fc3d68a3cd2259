"""All positions that can be reached from one, and what follows from each."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

import numpy as np

from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.jit.compiled import wrapping
from pasgl_env.jit.slices import Slices
from pasgl_env.solving.loops import (
    DONE,
    EDGES,
    NEEDS_COLUMNS,
    NEEDS_ROOM,
    NO_HISTORY,
    NODE,
    NODES,
    Edges,
    Scratch,
    empty_edges,
    solver_loops,
)
from pasgl_env.solving.rows import empty_rows, indexed, with_columns

Report = Callable[[float, str], None]
"""Takes the part of the work that is done, from 0 to 1, and a line of text."""

_FIRST_ROOM = 1 << 12


class TooMany(ValueError):
    """More positions can be reached than were allowed."""


class Graph:
    """The positions that can be reached from a state, in the order in which they were found.

    Attributes:
        rows: the positions, packed.
        edges: what follows from each.
        count: number of positions.
        levels: number of positions found with each number of actions from the start, in order.

    Raises:
        TooMany: if there are more positions; says how their number grew.
        ValueError: if the record has no room for the history of a game.
    """

    def __init__(self, ruleset: Ruleset, state: np.ndarray, most: int, report: Report) -> None:
        self._ruleset, self._most, self._report = ruleset, most, report
        self._loops = solver_loops(ruleset.game)
        self._scratch = Scratch.of(ruleset.game, ruleset.spaces)
        self._has_chance = ruleset.game.chance.outcomes > 0
        self._choices = max(ruleset.spaces.actions, ruleset.game.chance.outcomes)
        self._scratch.here[:] = state
        with wrapping():
            ruleset.game.forget(self._scratch.here[0], ruleset.record[0])
            base = self._scratch.here_words.copy()
            self.rows = indexed(empty_rows(base, _FIRST_ROOM, 1), 1, _FIRST_ROOM)
            self.edges = empty_edges(_FIRST_ROOM, _FIRST_ROOM, self._has_chance)
            self._progress = np.array([0, 1, 0])
            self.levels = [1]
            self._explore()

    @property
    def count(self) -> int:
        """The number of positions found so far."""
        return int(self._progress[NODES])

    @property
    def _zeros(self) -> np.ndarray:
        return np.zeros(self.rows.words.shape[1], np.int64)

    def _explore(self) -> None:
        while self._progress[NODE] < self.count:
            before = self.count
            Slices().run(self._expand_to(before))
            if self.count > before:
                self.levels.append(self.count - before)
        rows, edges = self.count, int(self._progress[EDGES])
        self.edges = Edges(
            self.edges.owner[:rows],
            self.edges.outcome[:rows],
            self.edges.first[: rows + 1],
            self.edges.targets[:edges],
            self.edges.weights[:edges],
        )

    def _expand_to(self, last: int) -> Callable[[int], bool]:
        """A slice of the expansion of all positions before one."""

        def call(steps: int) -> bool:
            code = NEEDS_ROOM
            while code in (NEEDS_ROOM, NEEDS_COLUMNS):
                code = self._loops.expand(
                    *(self._scratch, self._ruleset.record, self.rows, self._zeros),
                    *(self.edges, self._progress, last, steps),
                )
                if code == NEEDS_ROOM:
                    self._make_room()
                elif code == NEEDS_COLUMNS:
                    self._add_columns()
            if code == NO_HISTORY:
                raise ValueError(
                    f"after {self.count:,} positions, a game is longer than the record of"
                    f" {self._ruleset.name} has room for"
                )
            if self.count > self._most:
                self._give_up()
            done = int(self._progress[NODE])
            self._report(done / self._most, f"{done:,} positions of {self.count:,} found so far")
            return bool(code == DONE)

        return call

    def _make_room(self) -> None:
        """Double what is full."""
        most = self.count + self._choices
        rows, edges = self.rows, self.edges
        if most > edges.owner.size:
            room = 2 * max(most, edges.owner.size)
            words = _longer(rows.words, room)
            rows = rows._replace(words=words, columns=words.view(np.uint8))
            edges = edges._replace(
                owner=_longer(edges.owner, room),
                outcome=_longer(edges.outcome, room),
                first=_longer(edges.first, room + 1),
            )
        if 2 * most > rows.slots.size:
            rows = indexed(rows, self.count, most)
        if (room := int(self._progress[EDGES]) + self._choices) > edges.targets.size:
            room += edges.targets.size
            weights = _longer(edges.weights, room * self._has_chance)
            edges = edges._replace(targets=_longer(edges.targets, room), weights=weights)
        self.rows, self.edges = rows, edges

    def _add_columns(self) -> None:
        """Give columns to the bytes of the last position that lack one."""
        difference = (self._scratch.there_words ^ self.rows.base).view(np.uint8)
        used = self.rows.byte_of[self.rows.byte_of >= 0].tolist()
        missing = [byte for byte in np.flatnonzero(difference).tolist() if byte not in used]
        self.rows = with_columns(self.rows, [*used, *missing])

    def _give_up(self) -> NoReturn:
        grown = np.divide(self.levels[1:], self.levels[:-1])[-4:]
        shown = ", ".join(f"{factor:.2f}" for factor in grown) or "unknown"
        raise TooMany(
            f"more than {self._most:,} positions can be reached: {self.count:,} were found with up"
            f" to {len(self.levels)} actions, the last of which added"
            f" {shown} times as many as the action before"
        )


def _longer(array: np.ndarray, rows: int) -> np.ndarray:
    """A copy with room for more rows, the new ones 0."""
    longer = np.zeros((rows, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer
