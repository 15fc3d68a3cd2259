"""The folder of a data set: Parquet files, one for each shard and split.

A shard whose file of the split ``train`` is there is complete, because that is written last. So the
files themselves are the state from which an interrupted run continues.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from pasgl_env.datasets.reading import count_rows
from pasgl_env.datasets.rows import arrow
from pasgl_env.storage.files import write_whole
from pasgl_env.storage.runs import BadRun

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
    """The files of a split that belong to complete shards, in order.

    Raises:
        BadRun: if the ``train`` file of a shard is missing, though those of later ones are there.
    """
    complete = _complete(folder)
    return sorted(file for file in _files(folder, split) if file.name in complete)


def _files(folder: Path, split: str) -> Iterator[Path]:
    """The files with the names of shards: others are the user's."""
    return (folder / DATA / split).glob(_ANY_SHARD)


def _complete(folder: Path) -> frozenset[str]:
    """The names of files of complete shards."""
    names = sorted(file.name for file in _files(folder, TRAIN))
    for number, name in enumerate(names):
        if name != _name(number):
            file = folder / DATA / TRAIN / _name(number)
            raise BadRun(f"{file} is missing, but {name} is there: restore it, or move {name} away")
    return frozenset(names)


def _name(number: int) -> str:
    return f"{number:05d}.parquet"


class DataFolder:
    """The files of a run.

    Raises:
        OSError: if a file cannot be opened.
        ValueError: if a file's footer is damaged, or a shard is missing, as :func:`files_of` says.

    Attributes:
        shards: the number of complete shards.
        rows: the number of their rows.
    """

    def __init__(self, path: Path, seed: int) -> None:
        self._path, self._seed = path, seed
        self.shards = len(files_of(path, TRAIN))
        self.rows = sum(count_rows(file) for split in SPLITS for file in files_of(path, split))

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
            for file in {*_files(self._path, split)}.difference(files_of(self._path, split)):
                file.unlink()

    def _file(self, split: str, number: int) -> Path:
        return self._path / DATA / split / _name(number)


def parquet_of(table: Any) -> memoryview:
    """A table as the content of a Parquet file."""
    from pyarrow import parquet

    sink = arrow().BufferOutputStream()
    parquet.write_table(table, sink, compression="zstd")
    return memoryview(sink.getvalue())
