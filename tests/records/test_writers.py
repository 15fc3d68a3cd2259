"""Several writers of one record file: each game of each writer is kept, or a writer is refused."""

import os
import subprocess
import sys
from collections import Counter

import pytest

from pasgl_env import Batch, Position
from pasgl_env.records import (
    BatchRecorder,
    GameRecord,
    RecordError,
    RecordWriter,
    read_records,
    write_records,
)
from pasgl_env.records.files import write_whole_records
from pasgl_env.storage.files import InUse

from .test_files import FORMS, over_all_forms

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
    files = [tmp_path / name for name in FORMS]
    begun = [subprocess.Popen([sys.executable, "-c", WRITE, who, *files]) for who in "abc"]
    assert [process.wait(60) for process in begun] == [0, 0, 0]
    written = Counter(f"{who}{number}" for number in range(GAMES) for who in "abc")
    assert all(Counter(names_in(file)) == written for file in files)
    assert set(tmp_path.iterdir()) == set(files)


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
