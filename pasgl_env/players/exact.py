"""The player that looks up the exact values of positions in a table."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pasgl_env.contract.game import Game
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.loops import random_bits
from pasgl_env.engine.position import Position
from pasgl_env.players.player import SeededPlayer
from pasgl_env.solving.iteration import CERTAIN, SAME
from pasgl_env.solving.loops import MISSING
from pasgl_env.solving.table import ValueTable


class ExactPlayer(SeededPlayer):
    """Plays perfectly, by a table of all positions that can be reached from one.

    It wins as soon as it can, loses as late as it can, and breaks ties at random. With dice, it
    plays for the best expected result.

    Args:
        game: a variant, from :func:`pasgl_env.contract.variants.find`.
        seed: seed of its generators; None draws one.
        table: a table, or its file.

    Raises:
        OSError: if the file cannot be read.
        ValueError: without a table, or if it is of another variant. Choosing raises it, too, for
            other options, and for positions that are not in the table.
    """

    kind = "exact"
    settings = ("table",)

    def __init__(
        self, game: Game, seed: int | None = None, *, table: str | Path | ValueTable = ""
    ) -> None:
        super().__init__(seed)
        if table == "":
            raise ValueError("exact needs the file of a table: exact:table=FILE; see pasgl solve")
        self.table = ValueTable.of(table)
        self.name = self.kind if isinstance(table, ValueTable) else f"{self.kind}:table={table}"
        self.table.check_variant(game.name)

    def _decide(
        self, batch: Batch, games: np.ndarray, generators: np.ndarray, actions: np.ndarray
    ) -> None:
        self.table.check(batch.ruleset)
        for row, game in enumerate(games):
            legal = np.flatnonzero(batch.action_mask[game])
            state, side = batch.states[game : game + 1], int(batch.teams[batch.to_move[game]])
            known = exact_choices(self.table, state, legal, side)
            if known is None:
                raise ValueError(
                    f"game {game}: the position is not in the table, which begins at"
                    f" {self.table.position(0).text!r}"
                )
            best = known[1]
            actions[row] = legal[best[(random_bits(generators, row) * best.size) >> 32]]


def choices_at(table: ValueTable, position: Position) -> tuple[np.ndarray, np.ndarray] | None:
    """What a table says of the legal actions in a position, as :func:`exact_choices`."""
    assert position.to_move is not None
    legal, side = np.array(position.legal_actions()), position.ruleset.teams[position.to_move]
    return exact_choices(table, position.state, legal, side)


def exact_choices(
    table: ValueTable, state: np.ndarray, legal: np.ndarray, side: int
) -> tuple[np.ndarray, np.ndarray] | None:
    """What a table says of the legal actions in a state; None if it does not decide.

    It does if it has what follows from every action, or from one that wins for certain.

    Args:
        table: of exact values.
        state: an array of one record.
        legal: ``int64[k]``, the legal actions.
        side: the team to act.

    Returns:
        ``float64[k]``: the values of the actions for the team, not a number where the table has
        none. ``int64[b]``: the indices of the best ones: those who win hurry, those who lose do
        not.
    """
    found, completed = (each[legal] for each in table.follow(state))
    values = np.where(found == MISSING, np.nan, (1 - 2 * side) * table.values[found].astype(float))
    highest = np.fmax.reduce(values)
    if np.isnan(values).any() and not highest >= CERTAIN:
        return None
    best = np.flatnonzero(values >= highest - SAME)
    if table.turns.size and values[best[0]] != 0:
        turns = (table.turns[found[best]] + completed[best]) * int(values[best[0]])
        best = best[turns == turns.min()]
    return values, best
