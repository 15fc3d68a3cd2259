import json
import signal
import sys

import pytest

from pasgl_env.records import read_records

from .runner import stop

pytest.importorskip("scipy")
pytest.importorskip("pyarrow")
pytest.importorskip("jinja2")

SHORT = "--set", "turn_limit=12"


def test_a_playtest_is_shown_and_kept(pasgl, tmp_path):
    folder = tmp_path / "run"
    arguments = "playtest", "pachessi", "--games", "40", "--seed", "3", *SHORT, "--out", str(folder)
    result = pasgl(*arguments)
    assert result.exit_code == 0
    assert "Score of the side that moves first" in result.stdout
    names = {
        *(".lock", "games.pgb", "manifest.json", "report.html"),
        *("results.json", "results.parquet", "totals.npz"),
    }
    assert {each.name for each in folder.iterdir()} == names
    content = json.loads((folder / "results.json").read_bytes())
    assert content["games"] == 40
    assert content["values"]["unit"] == "lap"
    assert "Values of pieces" in result.stdout
    kept = {name: (folder / name).read_bytes() for name in names - {"manifest.json"}}
    assert pasgl(*arguments).stdout == result.stdout
    assert {name: (folder / name).read_bytes() for name in kept} == kept


def test_without_games(pasgl, tmp_path):
    folder = tmp_path / "run"
    result = pasgl(
        "playtest", "pachessi", "--games", "2", *SHORT, "--no-record", "--out", str(folder)
    )
    assert result.exit_code == 0
    assert not (folder / "games.pgb").exists()
    assert json.loads((folder / "results.json").read_bytes())["values"] is None


def test_restrictions_are_told_of(pasgl, refused, tmp_path):
    place = "playtest", "pachessi", "--games", "2", *SHORT, "--out", str(tmp_path / "run")
    result = pasgl(*place, "--forbid", "turn:first:/:S/")
    assert result.exit_code == 0
    assert "The restrictions forbade something at" in result.stderr
    complaint = refused(*place, "--forbid", "first:castels")
    assert "is forbidden by first:castels; labels are such as" in complaint


@pytest.mark.parametrize(
    ("options", "player"),
    [((), "td:temperature="), (("--sweep", "turn_limit=8,9"), "td:temperature="),
     (("--set", "size=9"), "greedy"), (("--sweep", "size=7,9"), "greedy")],
)  # fmt: skip
def test_by_default_a_player_like_people_plays(pasgl, tmp_path, options, player):
    folder = tmp_path / "run"
    result = pasgl("playtest", "pachessi", "--games", "2", *options, "--out", str(folder))
    assert result.exit_code == 0
    plan = json.loads((next(folder.rglob("results.json"))).read_bytes())
    assert plan["players"][0].startswith(player)
    assert plan["untrained"] == []
    assert (plan["openings"] is None) == (player != "greedy")


def test_games_begin_at_a_position(pasgl, refused, tmp_path):
    place = "--games", "2", *SHORT, "--out", str(tmp_path / "run")
    start = "Ra6:0,Eb7:0,Hc7:0,Sd7:0/Rg1:0,Ef1:0,He1:0,Sd1:0 black - i 0"
    assert pasgl("playtest", "pachessi", *place, "--from", start).exit_code == 0
    assert {game.start for game in read_records(tmp_path / "run" / "games.pgb")} == {start}
    assert "another playtest, whose openings is" in refused("playtest", "pachessi", *place)


def test_openings_are_told_of_and_kept(pasgl, tmp_path):
    folder = tmp_path / "run"
    openings = "--opening-turns", "2..3", "--opening-player", "td:temperature=0.3"
    result = pasgl(
        *("playtest", "pachessi", "--games", "8", *SHORT, "--out", str(folder), *openings)
    )
    assert result.exit_code == 0
    assert "2 to 3 turns, td:temperature=0.3" in " ".join(result.stdout.split())
    content = json.loads((folder / "results.json").read_bytes())
    assert content["openings"]["turns"] == [2, 3]
    assert content["variety"]["different"][0] == 8
    assert {game.begin().turns for game in read_records(folder / "games.pgb")} <= {2, 3}


def test_each_arm_of_a_sweep_has_openings(pasgl, tmp_path):
    result = pasgl(
        *("playtest", "pachessi", "--games", "4", "--sweep", "turn_limit=8,9"),
        *("--opening-turns", "2", "--measure", "turns", "--out", str(tmp_path / "sweep")),
    )
    assert result.exit_code == 0
    arm = tmp_path / "sweep" / "turn_limit=8" / "games.pgb"
    assert {game.begin().turns for game in read_records(arm)} == {2}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("--players random", "between two players, not 1"),
        ("--players random,nobody", "no player 'nobody'"),
        ("--set hunters=1", "no option 'hunters'"),
        ("--set turn_limit=x", "turn_limit"),
        ("--forbid *x*", "a restriction is WHO:PATTERN"),
        ("--threads 0", "--threads"),
        ("--out /dev/null", "/dev/null"),
        ("--from nowhere", "position"),
        ("--from nowhere --sweep turn_limit=8,9", "are not for --sweep"),
        ("--from nowhere --openings shipped", "leave one of them out"),
        ("--openings shipped --set hole=1", "no openings of pachessi are shipped for these"),
        ("--openings nowhere.txt", "nowhere.txt"),
        ("--opening-turns x", "turns of an opening are N or LOW..HIGH"),
        ("--opening-player td", "td has no turns to play"),
    ],
)
def test_wrong_input(refused, tmp_path, monkeypatch, arguments, complaint):
    monkeypatch.chdir(tmp_path)
    assert complaint in refused("playtest", "pachessi", *arguments.split())
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_another_run_is_refused(pasgl, refused, tmp_path):
    place = "--out", str(tmp_path / "run")
    pasgl("playtest", "pachessi", "--games", "2", *SHORT, *place)
    complaint = refused("playtest", "pachessi", "--games", "2", "--seed", "1", *SHORT, *place)
    assert "holds another playtest, whose seed is 0, not 1: give another folder" in complaint


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_or_killed_it_goes_on(pasgl, tmp_path, interruptible, how):
    folder = tmp_path / "run"
    command = "playtest", "pachessi", "--players", "random,random", "--out", str(folder), "--games"
    totals = folder / "totals.npz"
    stop([*command, "10000000"], how, totals, lambda content: len(content) >= 100_000)
    less = pasgl(*command, "2")
    assert less.exit_code == 2
    assert "games already, more than 2" in less.stderr
