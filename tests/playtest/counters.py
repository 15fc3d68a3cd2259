"""What a table of counters counts while a position is played on, by the labels of its cells."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from pasgl_env import Position, variants
from pasgl_env.contract import parts
from pasgl_env.contract.counters import first_cells

from ..steering import games
from ..suites import Suite


class Counted(NamedTuple):
    """A tally, and what its cells are."""

    counters: Any
    tally: np.ndarray

    def array(self, name: str) -> np.ndarray:
        """A counter's cells, with an axis for each of its own."""
        counter = next(counter for counter in self.counters if counter.name == name)
        first = first_cells(self.counters)[name]
        shape = [len(axis.labels) for axis in counter.axes]
        return self.tally[first : first + counter.cells].reshape(shape)

    def cells(self, name: str) -> dict[tuple[str, ...], float]:
        """The counts that are not 0, by their labels."""
        counter = next(counter for counter in self.counters if counter.name == name)
        labels = product(*(axis.labels for axis in counter.axes))
        counts = zip(labels, self.array(name).ravel().tolist(), strict=True)
        return {label: count for label, count in counts if count}

    def words(self, name: str) -> str:
        """The same in words: ``1 Turkey shot`` for a count of 1, ``2 times 1 Turkey shot``."""
        return "; ".join(
            " ".join([*([f"{count:g} times"] if count != 1 or not labels else []), *labels])
            for labels, count in self.cells(name).items()
        )


class Counting:
    """Counts while actions are played, as the laboratory does: once chance has acted."""

    def __init__(self, position: Position):
        module = parts.counters(variants.find(position.variant))
        cells = sum(counter.cells for counter in module.COUNTERS)
        self.counted = Counted(module.COUNTERS, np.zeros(cells))
        self._count = module.count
        self._options = position.options_record[0]
        self._pending: tuple[np.ndarray, int] | None = None

    def see(self, position: Position, action: int | None) -> None:
        """A position and what is played there next; None at the end."""
        if self._pending and not (position.is_chance and action is not None):
            before, played = self._pending
            after = position.state[0]
            self._count(before[0], self._options, played, after, self.counted.tally)
            self._pending = None
        if action is not None and not position.is_chance:
            self._pending = position.state, action


def counted(position: Position, *labels: str) -> Counted:
    """What is counted while those actions and outcomes are played."""
    counting = Counting(position)
    for label in labels:
        counting.see(position, position.action(label))
        position.play(label)
    counting.see(position, None)
    return counting.counted


class Played(NamedTuple):
    """A steered game: its positions, what was played in each but the last, and what was counted."""

    positions: list[Position]
    actions: list[int]
    counted: Counted


def played(suite: Suite, seed: int, number: int, most_actions: int = 120) -> Iterator[Played]:
    """Steered games from odd positions."""
    counting = None
    for position, action in games(suite, seed, number, most_actions):
        if counting is None:
            counting, positions, actions = Counting(position), [], []
        counting.see(position, action)
        positions.append(position.copy())
        if action is not None:
            actions.append(action)
        else:
            yield Played(positions, actions, counting.counted)
            counting = None


def check_squares(game: Played, captures: int) -> None:
    """So many captures are counted by square, on squares that the board has."""
    position = game.positions[0]
    own: Any = parts.counters(variants.find(position.variant))
    cells = game.counted.cells("captures_on")
    assert sum(cells.values()) == captures
    assert {square for (square,) in cells} <= own.squares(position.options_record[0])
