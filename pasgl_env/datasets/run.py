"""Making data sets: of self-play, or of records."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any

from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.datasets.card import write_card
from pasgl_env.datasets.checksums import checked_sums
from pasgl_env.datasets.folder import TRAIN, DataFolder, files_of
from pasgl_env.datasets.play import PositionShard, games_in, play_here, shards_of
from pasgl_env.datasets.rows import FinishedGame, arrow, table_of
from pasgl_env.evaluation.progress import Pace, Report
from pasgl_env.playtest.cluster import PlayShards
from pasgl_env.playtest.play import Plan
from pasgl_env.records import read_records
from pasgl_env.records.files import form_of
from pasgl_env.records.game import UNFINISHED
from pasgl_env.storage import runs
from pasgl_env.storage.files import beginning, sha256_of
from pasgl_env.version import __version__

KIND, FORMAT = "data set", "pasgl_env data set 1"

Tables = Callable[[int, Pace], Iterator[Any]]
"""The tables of all shards from a number on; may report the progress of the next one."""


def of_self_play(
    plan: Plan,
    positions: int,
    folder: Path,
    *,
    threads: int = 1,
    play_shards: PlayShards[PositionShard, Any] = play_here,
    command: Sequence[str] = (),
    report: Report = lambda progress: None,
) -> int:
    """Make a data set of the games of a player against itself, or continue one.

    What an earlier run has finished is first read to compare it with its checksums.

    Args:
        plan: of the games; both players are the same.
        positions: the least number of rows; games and shards are never cut off.
        folder: for the data set.
        threads: number of threads; results do not depend on it.
        play_shards: plays the shards.
        command: the command line, for the manifest.
        report: called as rows are made; it counts them, not games.

    Returns:
        The number of rows in the folder.

    Raises:
        BadRun: if the folder holds another data set or other files, or lacks some of its own.
        ImportError: without pyarrow.
        InUse: if another process uses the folder.
        OSError: if something cannot be written; earlier shards are safe.
        ValueError: if a file of the folder is damaged.
    """

    def tables(begin: int, pace: Pace) -> Iterator[Any]:
        return play_shards(shards_of(plan, begin, threads), pace.tell)

    played = {**plan.to_dict(), "shard": None}
    source = (
        f"The player `{played['players'][0]}` of pasgl_env {played['version']} played against"
        f" itself, with seed {plan.seed}. Openings: {plan.openings}."
    )
    about = {"plan": played}
    return _make(about, source, plan.ruleset, plan.seed, positions, folder, tables, command, report)


def of_records(
    file: Path,
    variant: str,
    folder: Path,
    *,
    seed: int = 0,
    positions: int | None = None,
    command: Sequence[str] = (),
    report: Report = lambda progress: None,
) -> int:
    """Make a data set of the finished games in a record file; unfinished ones are left out.

    What is appended to the file after the beginning does not count, also when a run continues.

    Args:
        file: the records, all of one ruleset; no pipe, because it is read several times.
        variant: its variant.
        folder: for the data set.
        seed: of the splits.
        positions: stop after the shard with this number of rows; None for all.
        command: the command line, for the manifest.
        report: called as rows are made.

    Returns:
        The number of rows in the folder.

    Raises:
        ValueError: if games have other rules, no game is finished, or as :func:`read_records`.
        Exception: further ones as :func:`of_self_play`.
    """
    size = _size_of(file, folder)
    ruleset = _rules_in(file, size, variant)

    def tables(begin: int, pace: Pace) -> Iterator[Any]:
        games = finished_games(file, size, ruleset)
        first = sum(map(games_in, range(begin)))
        next(islice(games, first, first), None)
        while some := list(islice(games, games_in(begin))):
            yield table_of(ruleset, some)
            begin += 1

    about = {
        "records": {"name": file.name, "bytes": size, "sha256": sha256_of(file, size)},
        "version": __version__,
        "variant": ruleset.name,
        "options": dict(ruleset.options),
        "seed": seed,
    }
    source = f"The games are those of the record file `{file.name}`."
    return _make(about, source, ruleset, seed, positions, folder, tables, command, report)


def _size_of(file: Path, folder: Path) -> int:
    """Size in bytes of a record file when a data set of it was begun, which may be now."""
    form_of(file)
    about = file.stat()
    if not stat.S_ISREG(about.st_mode):
        raise ValueError(f"{file} must be a file, which can be read several times")
    known = (runs.read_manifest(folder, KIND, FORMAT) or {}).get("records")
    if not files_of(folder, TRAIN):
        return about.st_size
    size = known.get("bytes") if isinstance(known, dict) else None
    return min(size, about.st_size) if type(size) is int and size >= 0 else about.st_size


def _rules_in(file: Path, size: int, variant: str) -> Ruleset:
    """The ruleset of the first game of a record file."""
    with beginning(file, size) as stream:
        for record in read_records(stream):
            if record.ruleset.name != variant:
                raise ValueError(f"{file} holds games of {record.ruleset.name}, not {variant}")
            return record.ruleset
    raise ValueError(f"{file} holds no games")


def finished_games(file: Path, size: int, ruleset: Ruleset) -> Iterator[FinishedGame]:
    """The finished games in the first bytes of a record file, numbered from 0.

    Raises:
        ValueError: if one has other rules than ``ruleset``; as :func:`read_records`.
    """
    with beginning(file, size) as stream:
        yield from _finished(file, stream, ruleset)


def _finished(file: Path, stream: IO[bytes], ruleset: Ruleset) -> Iterator[FinishedGame]:
    number = 0
    for place, record in enumerate(read_records(stream), 1):
        if record.ruleset != ruleset:
            raise ValueError(f"{file}, game {place} is of {record.ruleset}, not {ruleset}")
        if record.termination != UNFINISHED:
            returns = record.returns
            yield FinishedGame(number, record.begin(), record.choices, returns=returns)
            number += 1


def _make(
    about: Mapping[str, Any],
    source: str,
    ruleset: Ruleset,
    seed: int,
    positions: int | None,
    folder: Path,
    tables: Tables,
    command: Sequence[str],
    report: Report,
) -> int:
    """Write the tables that a folder lacks, up to a number of rows or all, and its card."""
    arrow()
    with runs.opened(folder, KIND):
        data = DataFolder(folder, seed)
        if data.shards:
            runs.check_manifest(folder, KIND, FORMAT, about)
        else:  # there is nothing yet that other rows could be mixed with
            runs.read_manifest(folder, KIND, FORMAT)
        known = checked_sums(folder)
        runs.write_manifest(folder, FORMAT, about, command)  # from here on, files are changed
        data.remove_incomplete()
        pace = Pace(positions, report)
        pace.resume(data.rows)
        if positions is None or data.rows < positions:
            for table in tables(data.shards, pace):
                data.add(table)
                pace.add(table.num_rows)
                if positions is not None and data.rows >= positions:
                    break
        if data.rows == 0:
            raise ValueError("there are no finished games to make a data set of")
        write_card(folder, ruleset, about, source, known)
    return data.rows
