"""The folder of a data set: Parquet files, one for each shard and split.

A shard whose file of the split ``train`` is there is complete, because that is written last. So the
files themselves are the state from which an interrupted run continues.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from pasgl_env.datasets.reading import count_rows
from pasgl_env.datasets.rows import arrow
from pasgl_env.storage.files import write_whole

DATA = "data"
_ANY_SHARD = "[0-9]" * 5 + ".parquet"
TRAIN, VALIDATION, TEST = SPLITS = ("train", "validation", "test")
BLOCK = 10
"""Games of which one is for validation, one for the test, and the others for training."""


def split_of(game: int, seed: int) -> str:
    """The split of a game.

    >>> sorted(split_of(game, 0) for game in range(10)).count("train")
    8
    """
    block, number = divmod(game, BLOCK)
    drawn = int(np.random.default_rng((seed, block)).permutation(BLOCK)[number])
    return {0: VALIDATION, 1: TEST}.get(drawn, TRAIN)


def files_of(folder: Path, split: str) -> list[Path]:
    """The files of a split that belong to complete shards, in order."""
    return sorted(file for file in _files(folder, split) if _is_complete(folder, file))


def _files(folder: Path, split: str) -> Iterator[Path]:
    """The files with the names of shards: others are the user's."""
    return (folder / DATA / split).glob(_ANY_SHARD)


def _is_complete(folder: Path, file: Path) -> bool:
    return (folder / DATA / TRAIN / file.name).exists()


class DataFolder:
    """The files of a run.

    Raises:
        OSError: if a file cannot be opened.
        ValueError: if a file's footer is damaged.

    Attributes:
        shards: the number of complete shards.
        rows: the number of their rows.
    """

    def __init__(self, path: Path, seed: int) -> None:
        self._path, self._seed = path, seed
        self.shards = self.rows = 0
        for number in self._complete():
            self.shards = number + 1
            self.rows += sum(
                count_rows(file) for split in SPLITS if (file := self._file(split, number)).exists()
            )

    def add(self, table: Any) -> None:
        """Write the rows of the next shard.

        Raises:
            OSError: if they cannot be written; earlier shards are safe.
        """
        numbers, inverse = np.unique(table["game"].to_numpy(), return_inverse=True)
        splits = np.array([split_of(game, self._seed) for game in numbers.tolist()])[inverse]
        for split in (VALIDATION, TEST, TRAIN):
            rows = np.flatnonzero(splits == split)
            if rows.size or split == TRAIN:
                file = self._file(split, self.shards)
                file.parent.mkdir(parents=True, exist_ok=True)
                write_whole(file, parquet_of(table.take(rows)))
        self.shards += 1
        self.rows += table.num_rows

    def remove_incomplete(self) -> None:
        """Remove the files of a shard that was not completed."""
        for split in (VALIDATION, TEST):
            for file in [*_files(self._path, split)]:
                if not _is_complete(self._path, file):
                    file.unlink()

    def _complete(self) -> Iterator[int]:
        for number in count():
            if not self._file(TRAIN, number).exists():
                return
            yield number

    def _file(self, split: str, number: int) -> Path:
        return self._path / DATA / split / f"{number:05d}.parquet"


def parquet_of(table: Any) -> memoryview:
    """A table as the content of a Parquet file."""
    from pyarrow import parquet

    sink = arrow().BufferOutputStream()
    parquet.write_table(table, sink, compression="zstd")
    return memoryview(sink.getvalue())
