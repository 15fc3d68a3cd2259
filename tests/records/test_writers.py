"""Several writers of one record file: each game of each writer is kept, or a writer is refused."""

import os
import subprocess
import sys
from collections import Counter
from errno import ENOSPC

import numpy as np
import pytest

from pasgl_env import Batch, Position
from pasgl_env.evaluation.recorder import MatchRecorder
from pasgl_env.records import (
    BatchRecorder,
    GameRecord,
    RecordError,
    RecordWriter,
    files,
    read_records,
    write_records,
)
from pasgl_env.records.files import write_whole_records
from pasgl_env.storage import files as storage_files
from pasgl_env.storage.files import InUse, SharedFile, held

from .test_files import FORMS, over_all_forms

NO_SPACE = OSError(ENOSPC, "No space left on device")
GAMES = 60
WRITE = f"""
import sys
from pasgl_env import Position
from pasgl_env.records import GameRecord, RecordWriter
for file in sys.argv[2:]:
    for first in range(0, {GAMES}, {GAMES} // 3):
        with RecordWriter(file, append=True) as writer:
            for number in range(first, first + {GAMES} // 3):
                who = f"{{sys.argv[1]}}{{number}}"
                game = GameRecord.of(Position("pasgl312"), ["Df1d5", "pd7e6"], players=(who, "Bob"))
                writer.write(game)
"""


def of(who, variant="pasgl312"):
    return GameRecord.of(Position(variant), [], players=(who, "Bob"))


def names_in(file):
    return [game.players[0] for game in read_records(file)]


def test_all_games_of_several_processes_are_kept(tmp_path):
    shared = [tmp_path / name for name in FORMS]
    begun = [subprocess.Popen([sys.executable, "-c", WRITE, who, *shared]) for who in "abc"]
    assert [process.wait(60) for process in begun] == [0, 0, 0]
    written = Counter(f"{who}{number}" for number in range(GAMES) for who in "abc")
    assert all(Counter(names_in(file)) == written for file in shared)
    assert set(tmp_path.iterdir()) == set(shared)


@over_all_forms
def test_games_end_in_any_order(name, tmp_path):
    file = tmp_path / name
    with RecordWriter(file, append=True) as one:
        with RecordWriter(file, append=True) as other:
            for number in range(3):
                other.write(of(f"other{number}"))
            other.flush()
            one.write(of("one"))
            one.flush()
            other.write(of("other3"))
        one.write(of("one again", "spalding"))
    assert names_in(file) == ["other0", "other1", "other2", "one", "other3", "one again"]


@over_all_forms
def test_what_a_killed_writer_left_is_no_part_of_the_next_game(name, tmp_path):
    file = tmp_path / name
    with RecordWriter(file, append=True) as writer:
        writer.write(of("one"))
        writer.flush()
        whole = file.read_bytes()
        write_records(file, [of("killed")], append=True)
        os.truncate(file, len(whole) + 20)
        writer.write(of("two"))
    games = list(read_records(file, on_error=list[RecordError]().append))
    assert [game.players[0] for game in games if game.players] == ["one", "two"]


@over_all_forms
def test_a_file_in_use_is_not_replaced(name, tmp_path):
    file = tmp_path / name
    with RecordWriter(file, append=True) as writer:
        writer.write(of("one"))
        with pytest.raises(InUse, match=f"another process writes to .*{name}"):
            write_records(file, [], overwrite=True)
        with pytest.raises(InUse):
            RecordWriter(file, overwrite=True)
    with RecordWriter(file, overwrite=True) as writer:
        with pytest.raises(InUse):
            RecordWriter(file, append=True)
        writer.write(of("two"))
    assert names_in(file) == ["two"]


@over_all_forms
def test_a_file_that_appeared_meanwhile_is_not_replaced(name, tmp_path):
    file = tmp_path / name

    def games():
        yield of("mine")
        write_records(file, [of("other")])

    for overwrite in (False, True):
        with pytest.raises(FileExistsError, match=name):
            write_whole_records(file, games(), overwrite=overwrite)
        assert names_in(file) == ["other"]
        assert [each.name for each in tmp_path.iterdir()] == [name]
        file.unlink()


@over_all_forms
def test_games_go_to_the_file_that_has_the_name(name, tmp_path):
    file = tmp_path / name
    with RecordWriter(file, append=True) as writer:
        writer.write(of("one"))
        writer.flush()
        file.rename(tmp_path / f"old_{name}")
        writer.write(of("two"))
    assert (names_in(tmp_path / f"old_{name}"), names_in(file)) == (["one"], ["two"])


def test_a_binary_file_repeats_a_heading_only_after_other_writers(tmp_path):
    alone, shared = tmp_path / "alone.pgb", tmp_path / "shared.pgb"
    write_records(alone, [of("one")] * 3)
    with RecordWriter(shared, append=True) as one, RecordWriter(shared, append=True) as other:
        for writer in (one, one, other, one):
            writer.write(of("one"))
    assert names_in(shared) == ["one"] * 4
    headings = [file.read_bytes().count(b'"format":1') for file in (alone, shared)]
    assert headings == [1, 3]


@over_all_forms
def test_batches_of_two_recorders(name, tmp_path):
    file = tmp_path / name
    batches = [Batch("pachessi", 4, seed=seed, turn_limit=3) for seed in (1, 2)]
    recorders = [
        BatchRecorder(batch, file, players=(who, who), append=True)
        for batch, who in zip(batches, "ab", strict=True)
    ]
    for _ in range(60):
        for batch, recorder in zip(batches, recorders, strict=True):
            recorder.step(batch.sample())
    for recorder in recorders:
        recorder.close()
    games = dict(zip("ab", (recorder.games for recorder in recorders), strict=True))
    assert Counter(names_in(file)) == games


@pytest.fixture
def full_disk(monkeypatch):
    """A function that lets the next writes fail with an error."""
    failures = list[BaseException]()
    append = SharedFile.append

    def fails_first(file, data, heading=b""):
        if failures:
            raise failures.pop()
        append(file, data, heading)

    def fail(times, error=NO_SPACE):
        failures.extend([error] * times)

    monkeypatch.setattr(SharedFile, "append", fails_first)
    return fail


@pytest.mark.parametrize("error", [NO_SPACE, KeyboardInterrupt()])
@over_all_forms
def test_games_that_could_not_be_written_are_written_later(name, error, tmp_path, full_disk):
    file, games = tmp_path / name, [of("one"), of("two", "spalding"), of("three", "spalding")]
    with RecordWriter(file) as writer:
        writer.write(games[0])
        writer.flush()
        full_disk(1, error)
        with pytest.raises(type(error)):
            writer.write(games[1])
            writer.flush()
        assert names_in(file) == ["one"]
        writer.write(games[2])
    assert writer.games == 3
    assert list(read_records(file)) == games


@over_all_forms
def test_to_close_again_writes_what_could_not_be_written(name, tmp_path, full_disk):
    writer = RecordWriter(tmp_path / name)
    full_disk(2)
    with pytest.raises(OSError, match="No space left"):
        writer.write(of("one"))
        writer.flush()
    with pytest.raises(OSError, match="No space left"):
        writer.close()
    writer.close()
    assert names_in(tmp_path / name) == ["one"]


@over_all_forms
def test_a_game_that_others_kept_from_the_file_is_written_later(name, tmp_path, monkeypatch):
    monkeypatch.setattr(storage_files, "SECONDS_TO_WAIT", 0.0)
    file = tmp_path / name
    with RecordWriter(file, append=True) as writer:
        writer.write(of("one", "spalding"))
        with held(tmp_path / f".{name}.lock"), pytest.raises(InUse):
            writer.write(of("two"))
            writer.flush()
        write_records(file, [of("other", "pachessi")], append=True)
    found = {game.players[0]: game.ruleset.name for game in read_records(file)}
    assert found == {"one": "spalding", "other": "pachessi", "two": "pasgl312"}


@over_all_forms
def test_a_file_kept_by_another_writer_is_followed_later(name, tmp_path):
    file = tmp_path / name
    with RecordWriter(file) as writer:
        file.rename(tmp_path / f"old_{name}")
        with RecordWriter(file, overwrite=True), pytest.raises(InUse):
            writer.write(of("one"))
            writer.flush()
    assert names_in(file) == ["one"]


@over_all_forms
def test_a_recorder_writes_later_what_it_could_not_write(name, tmp_path, full_disk, monkeypatch):
    monkeypatch.setattr(files, "_ENOUGH", 10_000)
    batch, ended = Batch("pachessi", 64, seed=1, turn_limit=3), 0
    with BatchRecorder(batch, tmp_path / name, players=("a", "b")) as recorder:
        full_disk(1)
        with pytest.raises(OSError, match="No space left"):
            while True:
                recorder.step(batch.sample())
                ended += len(batch.ended)
        ended += len(batch.ended)
    games = list(read_records(tmp_path / name))
    assert len(games) == recorder.games == ended
    assert {game.players for game in games} == {("a", "b")}


@over_all_forms
def test_a_match_goes_on_after_a_write_that_failed(name, tmp_path, full_disk, monkeypatch):
    monkeypatch.setattr(files, "_ENOUGH", 0)  # so that every game is written at once
    batch, slots, ended = Batch("pachessi", 8, seed=1, turn_limit=3), np.arange(8), 0
    with MatchRecorder(tmp_path / name, batch, ("a", "b"), 1) as recorder:
        full_disk(1)
        with pytest.raises(OSError, match="No space left"):
            while True:
                recorder.step(slots, batch.sample())
                ended += len(batch.ended)
        ended += len(batch.ended)
        while ended < 64:
            recorder.step(slots, batch.sample())
            ended += len(batch.ended)
    games = list(read_records(tmp_path / name))
    assert [game.tags["Round"] for game in games] == [str(each + 1) for each in range(ended)]
    assert [game.players for game in games[:2]] == [("a", "b"), ("b", "a")]
