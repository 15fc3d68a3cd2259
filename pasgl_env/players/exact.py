"""The player that looks up the exact values of positions in a table."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pasgl_env.contract.game import Game
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.loops import random_bits
from pasgl_env.players.player import SeededPlayer
from pasgl_env.solving.loops import MISSING
from pasgl_env.solving.table import ValueTable

_SAME = 1e-9
"""Values that differ by less count as equal: they are not known more exactly."""


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
        self.table = table if isinstance(table, ValueTable) else ValueTable.load(table)
        self.name = self.kind if isinstance(table, ValueTable) else f"{self.kind}:table={table}"
        self.table.check_variant(game.name)

    def _decide(
        self, batch: Batch, games: np.ndarray, generators: np.ndarray, actions: np.ndarray
    ) -> None:
        self.table.check(batch.ruleset)
        for row, game in enumerate(games):
            legal = np.flatnonzero(batch.action_mask[game])
            found, completed = self.table.follow(batch.states[game : game + 1])
            if (found[legal] == MISSING).any():
                raise ValueError(
                    f"game {game}: the position is not in the table, which begins at"
                    f" {self.table.position(0).text!r}"
                )
            sign = 1 if batch.teams[batch.to_move[game]] == 0 else -1
            best = _best(self.table, sign, found[legal], completed[legal])
            actions[row] = legal[best[(random_bits(generators, row) * best.size) >> 32]]


def _best(table: ValueTable, sign: int, found: np.ndarray, completed: np.ndarray) -> np.ndarray:
    """The indices of the best of some actions: the positions after them, whether turns end."""
    values = sign * table.values[found].astype(np.float64)
    best = np.flatnonzero(values >= values.max() - _SAME)
    if table.turns.size and values[best[0]] != 0:
        turns = (table.turns[found[best]] + completed[best]) * int(values[best[0]])
        best = best[turns == turns.min()]
    return best
