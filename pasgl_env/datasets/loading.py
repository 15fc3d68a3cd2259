"""Data sets in memory: rows as NumPy arrays and tensors, with observations made by the rules."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from pasgl_env.contract.game import checked_number
from pasgl_env.datasets.checksums import checked_sums
from pasgl_env.datasets.folder import DATA, SPLITS, TRAIN, files_of
from pasgl_env.datasets.reading import read_rows
from pasgl_env.datasets.rows import arrow, observed, player_of, ruleset_of
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.dice import checked_seed

_MOST_ROWS = 10**9
_INTEGERS = ("game", "step", "turn", "player", "action", "outcome", "turns_left")


class DataSet:
    """The rows of a split, one for each action of a player.

    A number, a slice or an array of numbers selects rows; :meth:`batches` and :meth:`loader`
    iterate over them. Each way gives a dictionary of arrays:

    ===============  =================  ==========================================================
    ``observation``  uint8[k, C, H, W]  the view of the player to act, made by the rules
    ``action_mask``  uint8[k, A]        1 for legal actions
    ``action``       int64[k]           the action played
    ``policy``       float32[k, A]      each action's share of the search's visits; 1 for the
                                        action played where no action was visited
    ``outcome``      int64[k]           1 if the player to act wins, -1 if it loses, otherwise 0
    ``turns_left``   int64[k]           turns from here to the end of the game
    ===============  =================  ==========================================================

    and also ``game``, ``step``, ``turn``, ``player``, int64[k], and ``truncated``, bool[k], as
    docs/datasets.md defines them.

    Args:
        table: rows, a ``pyarrow.Table`` with the columns of docs/datasets.md.

    Attributes:
        ruleset: the variant under its options.
        player: the name of the player that played all games; empty for records.
        table: all columns.
        columns: the columns of numbers and truth values, as arrays ``[n]``, int64 or bool.
        states: records ``[n]``: the positions, as :attr:`pasgl_env.Batch.states` has them.
    """

    def __init__(self, table: Any) -> None:
        self.table = table.combine_chunks()
        self.ruleset = ruleset_of(table.schema)
        self.player = player_of(table.schema)
        kind = self.ruleset.game.state
        self.states = np.frombuffer(_content(self.table["state"]), kind, count=len(self.table))
        self.columns = {name: self.table[name].to_numpy().astype(np.int64) for name in _INTEGERS}
        self.columns["truncated"] = self.table["truncated"].to_numpy()
        self._searches = self.table.select(["legal", "visits"])
        self._batch = Batch(self.ruleset, 1, seed=0)

    def __len__(self) -> int:
        return self.states.size

    def __getitem__(self, index: Any) -> dict[str, np.ndarray]:
        rows = np.arange(len(self))[index]
        if rows.ndim == 0:
            return {name: values[0] for name, values in self[[rows]].items()}
        if rows.size > len(self._batch):
            self._batch = Batch(self.ruleset, rows.size, seed=0)
        observation, mask = observed(self._batch, self.states[rows])
        columns = {name: values[rows] for name, values in self.columns.items()}
        return {
            "observation": observation,
            "action_mask": mask,
            **columns,
            "policy": self._policy(rows, columns["action"]),
        }

    def batches(self, size: int, *, seed: int | None = None) -> Iterator[dict[str, np.ndarray]]:
        """All rows once, ``size`` at a time; the last batch may be smaller.

        Args:
            size: rows in a batch.
            seed: of their order; None: as they are.

        Raises:
            ValueError: if ``size`` is not a positive integer, or ``seed`` a negative or no integer.
        """
        size = checked_number("size", size, 1, _MOST_ROWS)
        return self._batches(size, None if seed is None else checked_seed(seed))

    def _batches(self, size: int, seed: int | None) -> Iterator[dict[str, np.ndarray]]:
        order = np.arange(len(self))
        if seed is not None:
            np.random.default_rng(seed).shuffle(order)
        for first in range(0, order.size, size):
            yield self[order[first : first + size]]

    def loader(self, batch_size: int, *, shuffle: bool = True, **settings: Any) -> Any:
        """A ``torch.utils.data.DataLoader`` of batches as dictionaries of tensors; needs PyTorch.

        Args:
            batch_size: rows in a batch.
            shuffle: whether to draw another order in each epoch.
            settings: further arguments of the loader, such as ``num_workers``.
        """
        from torch.utils.data import BatchSampler, DataLoader, RandomSampler, SequentialSampler

        order = RandomSampler(self) if shuffle else SequentialSampler(self)
        batches = BatchSampler(order, batch_size, drop_last=False)
        return DataLoader(self, sampler=batches, batch_size=None, **settings)  # type: ignore[arg-type]

    def to_minari(self, dataset_id: str, **about: Any) -> Any:
        """Write the games as episodes of a Minari dataset, two for each game, one a side.

        They are as the variant's Gymnasium environment gives them to a learner that plays this side
        against the other: docs/datasets.md describes them.

        Args:
            dataset_id: name for Minari, such as ``"pasgl312/search-v0"``.
            about: further arguments of ``minari.create_dataset_from_buffers``, such as ``author``.

        Returns:
            The ``minari.MinariDataset``.

        Raises:
            ImportError: without Minari, of the extra ``minari``.
            ValueError: if Minari has a dataset of this name.
        """
        from pasgl_env.datasets.episodes import write_minari

        return write_minari(self, dataset_id, **about)

    def __getstate__(self) -> Any:
        return self.table

    def __setstate__(self, table: Any) -> None:
        self.__init__(table)  # type: ignore[misc]

    def _policy(self, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """``float32[k, A]``: shares of visits, or of the action played."""
        policy = np.zeros((rows.size, self.ruleset.spaces.actions), np.float32)
        found = self._searches.take(rows)
        legal, visits = (found[name].combine_chunks() for name in ("legal", "visits"))
        counts = visits.value_lengths().fill_null(0).to_numpy()
        at = np.repeat(np.arange(rows.size), counts)
        policy[at, legal.filter(visits.is_valid()).flatten().to_numpy()] = visits.flatten()
        totals = policy.sum(axis=1, keepdims=True)
        np.divide(policy, totals, out=policy, where=totals > 0)
        unvisited = totals[:, 0] == 0  # also by a search that only looked at the root
        policy[unvisited, actions[unvisited]] = 1
        return policy


def load(folder: str | PathLike[str], split: str = "train") -> DataSet:
    """Load a split of a data set.

    Args:
        folder: of `pasgl dataset`, or a copy of it, such as one downloaded from a hub.
        split: ``"train"``, ``"validation"`` or ``"test"``.

    Raises:
        ImportError: without pyarrow.
        OSError: if a file cannot be opened.
        ValueError: if the folder is no data set, no position is in this split, or a file is
            missing, damaged, by its checksum or otherwise, or holds something else.
    """
    arrow()
    if split not in SPLITS:
        raise ValueError(f"there is no split {split!r}; the splits are {', '.join(SPLITS)}")
    checked_sums(Path(folder), f"{DATA}/{split}/")
    files = files_of(Path(folder), split)
    if not files and not files_of(Path(folder), TRAIN):
        raise ValueError(f"{folder} holds no data set")
    if not files:
        raise ValueError(f"none of the games of {folder} is in the split {split!r}: it has too few")
    return DataSet(read_rows(files))


def _content(column: Any) -> memoryview:
    """The bytes of a column of binary values of one size."""
    array = column.combine_chunks()
    if not len(array):
        return memoryview(b"")
    size = array.type.byte_width
    return memoryview(array.buffers()[1])[array.offset * size :]
