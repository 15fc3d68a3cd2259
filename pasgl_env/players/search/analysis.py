"""Live analysis of a position by the search, for web pages, notebooks and annotation.

>>> from itertools import islice
>>> from pasgl_env import Position
>>> *_, last = islice(analyse(Position("pachessi").play("roll 2 6"), seed=1), 3)
>>> last.lines[0].label in Position("pachessi").play("roll 2 6").legal_moves()
True
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pasgl_env.contract import variants
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.position import Position
from pasgl_env.players.search.tree_search import TreeSearchPlayer

SLICE_SECONDS = 0.02


class Line(NamedTuple):
    """A candidate action.

    Attributes:
        action: index in the action space.
        label: its label.
        visits: number of visits by the search.
        value: value for the player to act, -1 to 1; NaN if unknown.
    """

    action: int
    label: str
    visits: int
    value: float


class Analysis(NamedTuple):
    """The current state of a search.

    Attributes:
        visits: simulations so far.
        value: value of the best candidate, for the player to act, -1 to 1.
        lines: all candidates, the most visited first.
        expected: labels of the line of play that the search expects, up to the next roll.
    """

    visits: int
    value: float
    lines: tuple[Line, ...]
    expected: tuple[str, ...]


def analyse(
    position: Position,
    *,
    values: str | Path | None = None,
    seed: int | None = None,
    every: float = SLICE_SECONDS,
) -> Iterator[Analysis]:
    """Search a position indefinitely, and yield analyses; stop iterating to end the search.

    The search pauses between iterations, so closing the iterator ends it at once. If only one
    action is legal, there is nothing to search and only one analysis.

    Args:
        position: a position in which a player is to act. It is not changed.
        values: a file of weights, or the folder of a run; None for the shipped ones.
        seed: seed of the search; None draws one.
        every: seconds of search between two analyses.

    Raises:
        ValueError: if the game is over or dice are due, or the file has no values for the variant.
        OSError: if the file cannot be read.
    """
    if position.is_over or position.is_chance:
        what = "the game is over" if position.is_over else "dice are due"
        raise ValueError(f"{what}: there is nothing to analyse")
    game = variants.find(position.variant)
    player = TreeSearchPlayer(game, seed, seconds=every, values=values, threads=1)
    batch = Batch(position.variant, 1, **position.options)
    batch.states = position.state
    return _search(player, batch, position.copy())


def _search(player: TreeSearchPlayer, batch: Batch, position: Position) -> Iterator[Analysis]:
    first = np.zeros(1, np.int64)
    legal = np.flatnonzero(batch.action_mask[0]).tolist()
    while True:
        player.choose(batch, first)
        visits, values = player.visits[0], player.action_values[0]
        lines = sorted(
            (
                Line(action, position.label(action), int(visits[action]), float(values[action]))
                for action in legal
            ),
            key=lambda line: (-line.visits, -np.nan_to_num(line.value)),
        )
        expected, after = [], position.copy()
        for action in player.best_line(batch, 0):
            expected.append(after.label(action))
            after.play_action(action)
        yield Analysis(int(visits.sum()), lines[0].value, tuple(lines), tuple(expected))
        if len(legal) == 1:
            return
