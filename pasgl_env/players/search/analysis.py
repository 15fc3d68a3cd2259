"""Live analysis of a position by the search, for web pages, notebooks and annotation.

>>> from itertools import islice
>>> from pasgl_env import Position
>>> *_, last = islice(analyse(Position("pachessi").play("roll 2 6"), seed=1), 3)
>>> last.lines[0].label in Position("pachessi").play("roll 2 6").legal_moves()
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pasgl_env.engine.batch import Batch
from pasgl_env.engine.position import Position
from pasgl_env.players.exact import choices_at
from pasgl_env.players.search.mcts import MctsPlayer
from pasgl_env.players.search.player import TreePlayer
from pasgl_env.players.search.tree_search import TreeSearchPlayer
from pasgl_env.players.values.calibration import (
    UNCALIBRATED,
    Calibration,
    calibrated,
    calibration_of,
)
from pasgl_env.solving.table import ValueTable

SLICE_SECONDS = 0.02
_MOST_EXPECTED = 20


class Basis(StrEnum):
    """What values are based on."""

    EXACT = "exact"
    """A table of exact values, which decided without a search."""
    CALIBRATED = "calibrated"
    """A search whose values were measured: they are the results that strong players get."""
    UNCALIBRATED = "uncalibrated"
    """A search whose values were not measured with these weights and options."""


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
        basis: what the values are based on.
    """

    visits: int
    value: float
    lines: tuple[Line, ...]
    expected: tuple[str, ...]
    basis: Basis


def analyse(
    position: Position,
    *,
    values: str | Path | None = None,
    seed: int | None = None,
    every: float = SLICE_SECONDS,
    tables: Sequence[ValueTable] = (),
) -> Iterator[Analysis]:
    """Search a position indefinitely, and yield analyses; stop iterating to end the search.

    The search pauses between iterations, so closing the iterator ends it at once. If only one
    action is legal, there is nothing to search and only one analysis; likewise if a table of exact
    values decides: it has what follows from each action, or from one that wins. A game without
    features for learned values is searched as :class:`pasgl_env.players.MctsPlayer` does.

    Args:
        position: a position in which a player is to act. It is not changed.
        values: a file of weights, or the folder of a run; None for the shipped ones.
        seed: seed of the search; None draws one.
        every: seconds of search between two analyses.
        tables: of exact values; those of other rules are not looked at. The search looks up what
            it finds in the largest.

    Raises:
        ValueError: if the game is over or dice are due, or the file has no values for the variant.
        OSError: if the file cannot be read.
    """
    if position.is_over or position.is_chance:
        what = "the game is over" if position.is_over else "dice are due"
        raise ValueError(f"{what}: there is nothing to analyse")
    covering = [table for table in tables if table.covers(position.ruleset)]
    for table in covering:
        if (found := choices_at(table, position)) is not None:
            return iter([_looked_up(table, position, *found)])
    game = position.ruleset.game
    player: TreePlayer
    known = UNCALIBRATED
    if game.features is None:
        player = MctsPlayer(game, seed, seconds=every, threads=1)
    else:
        largest = max(covering, key=len, default=None)
        player = TreeSearchPlayer(
            game, seed, seconds=every, values=values, table=largest, threads=1
        )
        if values is None:
            known = calibration_of(position.ruleset)
    batch = Batch(position.variant, 1, **position.options)
    batch.states = position.state
    return _search(player, batch, position.copy(), known)


def _looked_up(
    table: ValueTable, position: Position, values: np.ndarray, best: np.ndarray
) -> Analysis:
    """The analysis of a position by a table of exact values."""
    legal, is_best = position.legal_actions(), np.isin(np.arange(values.size), best)
    order = np.lexsort((-np.nan_to_num(values, nan=-2.0), ~is_best)).tolist()
    lines = tuple(
        Line(legal[row], position.label(legal[row]), 0, float(values[row])) for row in order
    )
    expected, after, action = list[str](), position.copy(), lines[0].action
    while len(expected) < _MOST_EXPECTED:
        expected.append(after.label(action))
        after.play_action(action)
        found = None if after.is_over or after.is_chance else choices_at(table, after)
        if found is None:
            break
        action = after.legal_actions()[found[1][0]]
    return Analysis(0, lines[0].value, lines, tuple(expected), Basis.EXACT)


def _search(
    player: TreePlayer, batch: Batch, position: Position, known: Calibration
) -> Iterator[Analysis]:
    basis = Basis.CALIBRATED if known.is_measured else Basis.UNCALIBRATED
    first = np.zeros(1, np.int64)
    legal = np.flatnonzero(batch.action_mask[0]).tolist()
    while True:
        player.choose(batch, first)
        visits, values = player.visits[0], player.action_values[0]
        value_of = {action: calibrated(float(values[action]), known.search) for action in legal}
        lines = sorted(
            (
                Line(action, position.label(action), int(visits[action]), value_of[action])
                for action in legal
            ),
            key=lambda line: (-line.visits, -np.nan_to_num(line.value)),
        )
        expected, after = [], position.copy()
        for action in player.best_line(batch, 0):
            expected.append(after.label(action))
            after.play_action(action)
        yield Analysis(int(visits.sum()), lines[0].value, tuple(lines), tuple(expected), basis)
        if len(legal) == 1:
            return
