"""Record files: suffixes, appending, no overwriting, and always whole."""

import gzip
import io
import os
import subprocess
import sys
from random import Random
from typing import Any

import pytest

from pasgl_env import Dice, Position
from pasgl_env.records import GameRecord, RecordError, RecordWriter, read_records, write_records
from pasgl_env.records.binary import stored_games

from ..suites import over_all_games
from .samples import drawn, scholars_game, steered

FORMS = ["games.pgr", "games.pgr.gz", "games.pgb"]
over_all_forms = pytest.mark.parametrize("name", FORMS)


@over_all_games
def test_converted_there_and_back_nothing_is_lost(suite, tmp_path):
    first, binary, back = (tmp_path / name for name in ("a.pgr", "b.pgb", "c.pgr"))
    games = [*steered(suite, 9, 4, 20), *steered(suite, 10, 4, 20, seed=3, date="today")]
    assert write_records(first, games) == 8
    assert write_records(binary, read_records(first)) == 8
    assert list(read_records(binary)) == games
    assert write_records(back, read_records(binary)) == 8
    assert back.read_bytes() == first.read_bytes()


@over_all_forms
def test_everything_said_of_a_game_is_kept(name, tmp_path):
    games = [scholars_game(), drawn("overlord", Random(1), 5), scholars_game(players=())]
    write_records(tmp_path / name, games)
    assert list(read_records(tmp_path / name)) == games


@over_all_forms
def test_a_file_that_exists_is_left_alone_unless_asked_otherwise(name, tmp_path):
    file, game = tmp_path / name, scholars_game()
    write_records(file, [game])
    before = file.read_bytes()
    with pytest.raises(FileExistsError):
        write_records(file, [game])
    assert file.read_bytes() == before
    write_records(file, [game, game], append=True)
    assert list(read_records(file)) == [game] * 3
    write_records(file, [game], overwrite=True)
    assert file.read_bytes() == before


@pytest.mark.parametrize("file", [b"games.pgb", None, 5])
def test_what_is_neither_a_path_nor_a_stream_is_named(file):
    with pytest.raises(TypeError, match=f"a path or an open stream, not {file}"):
        read_records(file)


@over_all_forms
def test_games_are_added_to_a_new_or_empty_file_too(name, tmp_path):
    file = tmp_path / name
    write_records(file, [], append=True)
    write_records(file, [scholars_game()], append=True)
    (tmp_path / "other").touch()
    os.replace(tmp_path / "other", file)
    write_records(file, [scholars_game()], append=True)
    assert list(read_records(file)) == [scholars_game()]


@over_all_forms
def test_nothing_is_added_to_a_file_of_something_else(name, tmp_path):
    file = tmp_path / name
    file.write_text("a diary\n")
    with pytest.raises(RecordError):
        write_records(file, [scholars_game()], append=True)
    assert file.read_text() == "a diary\n"


def test_a_binary_file_that_was_cut_off_goes_on_after_its_whole_games(tmp_path):
    file, game = tmp_path / "games.pgb", scholars_game()
    write_records(file, [game, game])
    whole = file.read_bytes()
    for end in range(len(whole) - 30, len(whole), 7):
        file.write_bytes(whole[:end])
        errors = list[RecordError]()
        assert list(read_records(file, on_error=errors.append)) == [game]
        assert "ends in the middle of a game; 1 game before is whole" in str(errors[0])
        write_records(file, [game], append=True)
        assert list(read_records(file)) == [game, game]


def test_a_text_that_was_cut_off_can_be_added_to(tmp_path):
    file, game = tmp_path / "games.pgr", scholars_game()
    write_records(file, [game, game])
    file.write_bytes(file.read_bytes()[:-90])
    write_records(file, [game], append=True)
    errors = list[RecordError]()
    assert list(read_records(file, on_error=errors.append)) == [game, game]
    assert len(errors) == 1


def test_compressed_data_that_were_cut_off(tmp_path):
    file, game = tmp_path / "games.pgr.gz", scholars_game()
    for _ in range(2):
        write_records(file, [game], append=True)
    file.write_bytes(file.read_bytes()[:-9])
    errors = list[RecordError]()
    games = list(read_records(file, on_error=errors.append))
    assert games[0] == game
    assert "the compressed data are damaged" in errors[-1].reason
    with pytest.raises(RecordError, match="the compressed data are damaged"):
        write_records(file, [game], append=True)


@over_all_forms
def test_to_add_and_to_replace_at_once_is_refused(name, tmp_path):
    write_records(tmp_path / name, [scholars_game()])
    with pytest.raises(ValueError, match="not both"):
        write_records(tmp_path / name, [], append=True, overwrite=True)
    assert list(read_records(tmp_path / name)) == [scholars_game()]


@over_all_forms
def test_dice_that_did_not_roll_this_are_not_written(name, tmp_path):
    position = Position("pachessi")
    rolled = position.copy().roll(Dice(1))
    label = next(label for label in position.legal_moves() if label != rolled)
    game = GameRecord.of(position, [label], dice=int(Dice(1).generator[0]))
    with pytest.raises(ValueError, match="do not produce the rolls of the game"):
        write_records(tmp_path / name, [game])
    assert list(read_records(tmp_path / name)) == []


@over_all_forms
def test_what_was_written_before_an_error_is_whole(name, tmp_path):
    def games():
        yield scholars_game()
        yield scholars_game()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_records(tmp_path / name, games())
    assert list(read_records(tmp_path / name)) == [scholars_game()] * 2


@pytest.mark.parametrize("name", ["games.pgr", "games.pgb"])
def test_a_full_disk_leaves_whole_games(name, tmp_path):
    file = tmp_path / name
    with RecordWriter(file) as writer:
        writer.write(scholars_game())
        output: Any = writer._file
        stream = output._stream

        class Full:
            def write(self, data):
                if len(data) < 10:
                    raise OSError(28, "No space left on device")
                return stream.write(data[:10])

            def __getattr__(self, name):
                return getattr(stream, name)

        output._stream = Full()
        with pytest.raises(OSError, match="No space left") as caught:
            writer.write(scholars_game())
        assert caught.value.filename == str(file)
        assert list(read_records(file)) == [scholars_game()]
        output._stream = stream
    assert list(read_records(file)) == [scholars_game()] * 2


@pytest.mark.parametrize("name", ["games.txt", "games", "games.pgr.zip", ""])
def test_other_names_are_refused(name):
    with pytest.raises(ValueError, match=r"end in \.pgr, \.pgr\.gz or \.pgb"):
        write_records(name, [])
    with pytest.raises(ValueError, match=r"end in \.pgr, \.pgr\.gz or \.pgb"):
        read_records(name)


def test_what_cannot_be_opened_is_told_at_once(tmp_path):
    (tmp_path / "folder.pgr").mkdir()
    with pytest.raises(FileNotFoundError):
        read_records(tmp_path / "none.pgr")
    with pytest.raises(IsADirectoryError):
        read_records(tmp_path / "folder.pgr")


def test_standard_input_and_output(capsys, monkeypatch):
    assert write_records("-", [scholars_game()]) == 1
    text = capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert list(read_records("-")) == [scholars_game()]


def test_a_game_is_in_the_file_when_it_is_written(tmp_path):
    with RecordWriter(tmp_path / "games.pgr") as writer:
        writer.write(scholars_game())
        assert list(read_records(tmp_path / "games.pgr")) == [scholars_game()]
    assert writer.games == 1


def test_stored_games_are_not_played(tmp_path):
    write_records(tmp_path / "games.pgb", [scholars_game()])
    with (tmp_path / "games.pgb").open("rb") as stream:
        ((_, heading, game),) = stored_games(stream, "games.pgb")
    assert heading.ruleset.name == "pasgl312"
    assert game.choices == scholars_game().choices
    assert not game.rolls_follow


MEASURE = """
import resource, sys
from pasgl_env.records import read_records
for file in sys.argv[1:]:
    count = sum(1 for _ in read_records(file, on_error=lambda error: None))
    print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peaks_of_reading(*files):
    """Of each file: the number of games, and the most kilobytes of memory so far."""
    command = [sys.executable, "-c", MEASURE, *map(str, files)]
    lines = subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()
    return [tuple(map(int, line.split())) for line in lines]


def test_memory_does_not_grow_with_the_file(tmp_path):
    few, many, line = (tmp_path / name for name in ("few.pgr", "many.pgr", "line.pgr"))
    game = GameRecord.of(scholars_game().begin(), [])
    write_records(few, [game])
    many.write_bytes(few.read_bytes() * 2_000)
    with line.open("wb") as stream:
        stream.writelines([b"["] + [b"x" * 1000] * 50_000)
    (one, base), (games, of_many), (none, of_line) = peaks_of_reading(few, many, line)
    assert (one, games, none) == (1, 2_000, 0)
    assert max(of_many, of_line) < base + 10_000


def test_compressed_blocks_are_one_stream(tmp_path):
    write_records(tmp_path / "games.pgr.gz", [scholars_game()] * 300)
    write_records(tmp_path / "games.pgr", [scholars_game()] * 300)
    plain = gzip.decompress((tmp_path / "games.pgr.gz").read_bytes())
    assert plain == (tmp_path / "games.pgr").read_bytes()
