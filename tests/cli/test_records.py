"""Records made, shown, checked and converted on the command line."""

import errno

import pytest

from pasgl_env import Position, players
from pasgl_env.records import GameRecord, read_records, write_records

LABELS = ["Df1d5", "pd7e6", "Be1d1", "Hd2", "ph7g6"]


@pytest.fixture
def game():
    comments = {1: ("a remark",)}
    return GameRecord.of(Position("pasgl312"), LABELS, players=("Ann", "Bob"), comments=comments)


@pytest.fixture
def file(tmp_path, game):
    write_records(tmp_path / "games.pgr", [game, game])
    return tmp_path / "games.pgr"


@pytest.mark.parametrize("command", ["replay", "check", "convert"])
def test_help_has_examples(pasgl, command):
    assert f"  pasgl {command}" in pasgl(command, "--help").stdout.partition("Examples:")[2]


@pytest.mark.parametrize("suffix", ["pgr", "pgr.gz", "pgb"])
def test_watch_records(pasgl, tmp_path, suffix):
    file = str(tmp_path / f"games.{suffix}")
    for variant in ("pachessi", "pasgl312"):
        watch = ["watch", variant, "random", "greedy", "--turns", "3", "--seed", "2"]
        assert pasgl(*watch, "--record", file).exit_code == 0
    one, other = read_records(file)
    assert (one.ruleset.name, other.ruleset.name) == ("pachessi", "pasgl312")
    assert one.players == other.players == ("random", "greedy")
    assert one.final.turns == other.final.turns == 3
    assert (one.seed, one.termination) == (2, "unfinished")


def test_play_records_what_was_not_taken_back(pasgl, tmp_path):
    file = str(tmp_path / "games.pgr")
    typed = ["Df1d5", "pd7e6", "Th1h2", "undo", "Be1d1", "quit"]
    assert pasgl("play", "pasgl312", "--side", "both", "--record", file, typed=typed).exit_code == 0
    (game,) = read_records(file)
    assert [turn.labels for turn in game.turns()] == [("Df1d5",), ("pd7e6",), ("Be1d1",)]
    assert game.players == ("person", "person")
    assert not list(game.turns())[-1].is_complete


def test_a_record_that_fails_does_not_lose_the_game(pasgl, tmp_path, monkeypatch):
    def fail(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pasgl_env.records.RecordWriter.write", fail)
    play = ["play", "pasgl312", "--side", "both", "--record", str(tmp_path / "games.pgr")]
    result = pasgl(*play, typed=["Df1d5", "quit"])
    assert result.exit_code == 2
    assert Position("pasgl312").play("Df1d5").text in result.stdout
    assert result.stderr == "pasgl: No space left on device\n"


def test_a_program_interrupted_in_its_turn_leaves_the_game_with_what_it_played(
    pasgl, tmp_path, monkeypatch
):
    choose, chosen = players.choose_one, list[int]()

    def interrupted(player, position):
        if len(chosen) == 2:
            raise KeyboardInterrupt
        chosen.append(choose(player, position))
        return chosen[-1]

    monkeypatch.setattr(players, "choose_one", interrupted)
    file = str(tmp_path / "games.pgr")
    arguments = "--side", "black", "--player", "random", "--seed", "1", "--record", file
    result = pasgl("play", "chieftain", *arguments)
    [game] = read_records(file)
    assert sum(len(turn.labels) for turn in game.turns()) == 2
    assert game.final.text in result.stdout
    assert f"--side black --player random --record {file}" in result.stdout


def test_play_with_nothing_played_records_nothing(pasgl, tmp_path):
    file = tmp_path / "games.pgr"
    pasgl("play", "pasgl312", "--record", str(file), typed=["quit"])
    assert list(read_records(file)) == []


def test_evaluate_records(pasgl, tmp_path):
    file = str(tmp_path / "games.pgb")
    evaluate = ["evaluate", "pasgl312", "greedy", "random", "--games", "3", "--record", file]
    assert pasgl(*evaluate).exit_code == 0
    assert [game.players[0] for game in read_records(file)] == ["greedy", "random", "greedy"]


def test_a_record_that_cannot_be_written_is_refused_before_the_game(refused, tmp_path):
    assert "end in .pgr" in refused("watch", "pasgl312", "--record", str(tmp_path / "games.txt"))
    assert "No such file" in refused("watch", "pasgl312", "--record", str(tmp_path / "no/a.pgr"))


def test_replay(pasgl, file):
    text = pasgl("replay", str(file), "--game", "2").stdout
    assert text.startswith("Game 2, PASGL 312 Chess (White: Ann, Black: Bob)\n")
    assert "\n1. White: Df1d5\n" in text
    assert "\na remark\n" in text
    assert "\n3. White: Be1d1,Hd2\n" in text
    assert str(Position("pasgl312")) in text
    assert "Unfinished after 4 turns." in text
    assert pasgl("replay", str(file)).stdout.count("Game ") == 2


def test_replay_of_a_part_says_that_the_game_goes_on(pasgl, file):
    text = pasgl("replay", str(file), "--game", "1", "--turns", "1..1").stdout
    assert "The game continues to turn 4." in text
    assert "Unfinished after" not in text


@pytest.mark.parametrize(
    ("plies", "shown"), [("2..3", [2, 3]), ("4..", [4]), ("..1", [1]), ("2", [2]), ("9..", [])]
)
def test_replay_of_some_turns(pasgl, file, plies, shown):
    text = pasgl("replay", str(file), "--game", "1", "--turns", plies).stdout
    assert [n for n in range(1, 6) if f"\n{n}. " in text] == shown


def test_replay_by_keys(pasgl, file):
    text = pasgl("replay", str(file), "--step", typed=" q").stdout
    assert "\n1. White" in text
    assert "\n2. Black" not in text


def test_replay_refuses(refused, file):
    assert "has no game number 3" in refused("replay", str(file), "--game", "3")
    assert "--turns must be A..B" in refused("replay", str(file), "--turns", "x")
    assert "2 comes before 5" in refused("replay", str(file), "--turns", "5..2")


def test_check(pasgl, file):
    result = pasgl("check", str(file))
    assert (result.exit_code, result.stdout) == (
        0,
        f"{file}: 2 correct games (8 turns), 0 errors\n",
    )


def test_check_tells_all_that_is_wrong(pasgl, file, game):
    good = file.read_text()
    file.write_text(good.replace("Df1d5", "Df1d9", 1) + "no game\n" + good)
    result = pasgl("check", str(file), str(file))
    assert result.exit_code == 1
    assert result.stdout == f"{file}: 3 correct games (12 turns), 2 errors\n" * 2
    assert f"{file}:8:7: expected a square" in result.stderr
    assert f"{file}:19:1: a game must start with tags" in result.stderr


def test_check_goes_on_after_a_file_that_cannot_be_read(pasgl, file, tmp_path):
    result = pasgl("check", str(tmp_path / "none.pgr"), str(tmp_path), str(file))
    assert result.exit_code == 1
    assert result.stdout.endswith(f"{file}: 2 correct games (8 turns), 0 errors\n")
    assert "none.pgr: No such file or directory" in result.stderr
    assert f"{tmp_path}: Is a directory" in result.stderr


def test_convert(pasgl, file, tmp_path):
    names = [str(tmp_path / name) for name in ("a.pgb", "b.pgr.gz", "c.pgr")]
    for source, target in zip([str(file), *names], names, strict=False):
        result = pasgl("convert", source, target)
        assert (result.exit_code, result.stdout) == (0, f"{target}: 2 games\n")
    assert (tmp_path / "c.pgr").read_bytes() == file.read_bytes()
    assert pasgl("convert", names[0], "-").stdout == file.read_text()


def test_convert_says_nothing_if_its_output_is_closed(pasgl, file, monkeypatch):
    def close(*arguments, **options):
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    monkeypatch.setattr("pasgl_env.records.write_records", close)
    result = pasgl("convert", str(file), "-")
    assert (result.exit_code, result.stderr) == (1, "")


def test_convert_leaves_nothing_behind_if_a_game_is_damaged(refused, file, tmp_path):
    file.write_text(file.read_text()[:-40])
    assert f"{file}:" in refused("convert", str(file), str(tmp_path / "a.pgb"))
    assert [each.name for each in tmp_path.iterdir()] == [file.name]


def test_convert_overwrites_nothing_unasked(pasgl, refused, file, tmp_path):
    target = tmp_path / "a.pgb"
    target.write_text("precious")
    assert "exists; --force replaces it" in refused("convert", str(file), str(target))
    assert target.read_text() == "precious"
    assert pasgl("convert", str(file), str(target), "--force").exit_code == 0
    assert len(list(read_records(target))) == 2
    file.write_text(file.read_text()[:-40])
    assert f"{file}:" in refused("convert", str(file), str(target), "--force")
    assert len(list(read_records(target))) == 2
    assert {each.name for each in tmp_path.iterdir()} == {file.name, target.name}
    assert "into itself" in refused("convert", str(file), str(file), "--force")
