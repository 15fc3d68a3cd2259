"""All commands but `play`."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pasgl_env import Position, __version__, variants
from pasgl_env.cli import ignore_impossible_sizes
from pasgl_env.cli.arguments import check_new, check_writable

from .runner import run

START = Position("pasgl312").text
BEARS = "4b3/8/8/8/8/8/8/4B3 ./././. ./. 3 w 7:5 0 42"
COMMANDS = [
    "variants",
    "learn",
    "rules",
    "show",
    "play",
    "watch",
    "evaluate",
    "benchmark",
    "playtest",
    "compare",
    "balance",
    "strength",
    "depth",
    "tune",
    "first-moves",
    "judge",
]


def fits(text, width=80):
    return all(len(line.rstrip()) <= width for line in text.splitlines())


def test_alone_it_says_what_it_can_do(pasgl):
    assert pasgl().stdout == pasgl("--help").stdout
    assert all(command in pasgl().stdout for command in COMMANDS)


def test_help_is_shown_without_loading_what_compiles_rules():
    # That of `train` does: its options are made from the settings of runs.
    code = """import contextlib, sys
from pasgl_env.cli import main
from pasgl_env.cli.app import COMMANDS
for words in [], *([name] for name in COMMANDS if name != "train"):
    sys.argv[1:] = [*words, "--help"]
    with contextlib.suppress(SystemExit):
        main()
    print("numba" in sys.modules, *words)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr == ""
    assert not re.search("^True.*", done.stdout, re.MULTILINE)


def test_version(pasgl):
    assert pasgl("--version").stdout == f"pasgl_env {__version__}\n"


@pytest.mark.parametrize("size", ["0", "-5", "many", "²", "9" * 12, ""])
def test_a_size_that_no_terminal_has_is_ignored(monkeypatch, size):
    sizes = "COLUMNS", "LINES", "TERMINAL_WIDTH"
    for name in sizes:
        monkeypatch.setenv(name, size)
    ignore_impossible_sizes()
    assert not set(sizes) & os.environ.keys()


def test_with_such_a_size_commands_and_help_fit(monkeypatch):
    for name in ("COLUMNS", "LINES", "TERMINAL_WIDTH"):
        monkeypatch.setenv(name, "9" * 12)
    for command in (["show", "pasgl312"], ["--help"]):
        done = subprocess.run(
            [sys.executable, "-c", "from pasgl_env.cli import main; main()", *command],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="has no such pipes")
def test_what_can_be_written_is_checked_without_opening_pipes(tmp_path, monkeypatch):
    """A reader would take that for the whole content."""
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(tmp_path / "nowhere" / "file")
    check_new(pipe, force=False)
    with pytest.raises(FileNotFoundError):
        check_writable(link)
    monkeypatch.setattr(Path, "open", None)
    check_writable(pipe)


def test_child_processes_import_nothing_from_the_working_directory(tmp_path):
    """Those of `pasgl serve` and of multiprocessing would, in a folder of downloads."""
    (tmp_path / "planted.py").touch()
    parent = (
        "import subprocess, sys, pasgl_env.cli.app as commands; from pasgl_env.cli import main;"
        "commands.app = lambda: subprocess.run([sys.executable, '-c', 'import planted']); main()"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", parent],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "No module named 'planted'" in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples_and_fits(pasgl, command):
    text = pasgl(command, "--help").stdout
    assert f"  pasgl {command}" in text.partition("Examples:")[2]
    assert fits(text)


def test_variants(pasgl):
    result = pasgl("variants")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in variants.names())
    assert fits(result.stdout)


def test_variants_tells_of_one(pasgl, every_variant):
    text = pasgl("variants", every_variant).stdout
    for option in variants.find(every_variant).options:
        assert option.name in text
    assert fits(text)


def test_variants_tells_what_an_option_may_be(pasgl):
    assert "1 to 255" in pasgl("variants", "pasgl312").stdout


def test_rules_of_every_variant(pasgl, every_variant):
    result = pasgl("rules", every_variant)
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) > 10
    assert fits(result.stdout)


@pytest.mark.parametrize("setting", [(), ("--set", "hunter_range=5")])
def test_rules_under_the_options_set(pasgl, setting):
    result = pasgl("rules", "pasgl312", *setting)
    assert result.exit_code == 0
    assert fits(result.stdout)
    assert "TRAIN SCHEDULE" in result.stdout
    assert ("->(R5)" in result.stdout) is bool(setting)


def test_show_the_start(pasgl):
    text = pasgl("show", "pasgl312").stdout
    assert str(Position("pasgl312")) in text
    assert f"Text: {START}\n" in text
    assert "To act: White\n" in text
    assert "36 legal actions:\n  Be1d1 Be1d2 Be1e2 Be1f1 Be1f2\n  Df1c7" in text
    assert "Options" not in text
    assert "Turn limit: 1000, a limit of this suite and not a rule of the game\n" in text
    assert "\x1b" not in text


def test_show_a_position_with_options(pasgl):
    text = pasgl("show", "pasgl312", BEARS, "--set", "win_margin=9", "--set", "fox_range=1").stdout
    assert f"Text: {BEARS}\n" in text
    assert "Options: win_margin=9 (not 30), fox_range=1 (not 3)\n" in text


def test_show_a_finished_game(pasgl):
    text = pasgl("show", "pasgl312", "8/8/8/8/8/8/8/4B3 ./././. ./. 1 b 25:3 0 7").stdout
    assert text.endswith("White wins after 7 turns, 25 to 3 points.\n")


def test_show_a_draw(pasgl):
    text = pasgl("show", "pasgl312", "4b3/8/8/8/8/8/8/4B3 ./././. ./. 1 w 3:3 40 80").stdout
    assert text.endswith("A draw after 80 turns, 3 to 3 points.\n")


@pytest.mark.parametrize(
    ("board", "labels", "asked"),
    [
        ("4b3/8/8/8/8/8/4H3/4B3", "Be1e2", "White, after Be1e2: where does White's Hunter go?"),
        ("4b3/8/8/8/8/8/3[hwt]4/2F1B3", "Fc1d2", "White, after Fc1d2: which critter on d2?"),
    ],
)
def test_show_asks_what_is_to_be_chosen(pasgl, board, labels, asked):
    text = pasgl("show", "pasgl312", f"{board} ./././. ./. 1 w 0:0 0 0 {labels}").stdout
    assert f"To act: {asked}\n" in text


def test_watch_to_the_end(pasgl):
    result = pasgl("watch", "pasgl312", "random", "random", "--seed", "3")
    assert result.exit_code == 0
    assert "White (random): " in result.stdout
    assert result.stdout.splitlines()[-1].endswith("points.")


def test_watch_a_few_turns_and_go_on(pasgl):
    text = pasgl("watch", "pasgl312", "random", "greedy", "--turns", "3", "--seed", "1").stdout
    assert text.count("White (random)") == 2
    assert text.count("Black (greedy)") == 1
    position = text.splitlines()[-1].split("'")[1]
    again = pasgl("watch", "pasgl312", "--from", position, "--turns", "0")
    assert position in again.stdout


def test_watch_stops_at_the_turn_limit(pasgl):
    text = pasgl("watch", "pasgl312", "random", "random", "--set", "turn_limit=4").stdout
    assert text.splitlines()[-1].startswith("Cut off at the turn limit, 4, a limit of this suite")


def test_watch_is_repeatable(pasgl, variant):
    one, other = (pasgl("watch", variant, "--turns", "20", "--seed", "8") for _ in range(2))
    assert one.exit_code == 0
    assert one.stdout == other.stdout


def test_watch_waits(pasgl, monkeypatch):
    naps: list[float] = []
    monkeypatch.setattr("time.sleep", naps.append)
    pasgl("watch", "pasgl312", "--turns", "2", "--delay", "1.5")
    pasgl("watch", "pasgl312", "--turns", "1")
    assert naps == [1.5, 1.5, 0]


def test_evaluate(pasgl, tmp_path):
    file = tmp_path / "result.json"
    result = pasgl("evaluate", "pasgl312", "greedy", "random", "--games", "10", "--json", str(file))
    assert result.exit_code == 0
    assert "greedy against random" in result.stdout
    assert "95% interval" in result.stdout
    assert fits(result.stdout)
    told = json.loads(file.read_text())
    assert (told["all"]["games"], told["seed"], told["first"]) == (10, 0, "greedy")


def test_evaluate_replaces_results_only(refused, tmp_path):
    file = tmp_path / "games.pgr"
    file.write_text('[Variant "pasgl312"]\n')
    arguments = "pasgl312", "greedy", "random", "--games", "2", "--json", str(file)
    assert "holds something else than results" in refused("evaluate", *arguments)
    assert file.read_text() == '[Variant "pasgl312"]\n'


def test_evaluate_begins_pairs_of_games_at_openings(pasgl, tmp_path):
    openings, file = tmp_path / "openings.txt", tmp_path / "result.json"
    openings.write_text(Position("chieftain").text.replace("w 0 0", "w 0 98"))
    arguments = ["evaluate", "chieftain", "random", "random", "--openings", str(openings)]
    arguments += ["--set", "turn_limit=100", "--json", str(file)]
    assert pasgl(*arguments, "--games", "5").exit_code == 0
    found = json.loads(file.read_text())["all"]
    assert found["games"] == 6, "rounded up to whole pairs"
    assert 2 <= found["actions"]["value"] <= 10


def test_evaluate_plays_even_openings_and_times_actions(pasgl, tmp_path):
    pytest.importorskip("scipy")
    file = tmp_path / "match.json"
    arguments = "evaluate", "pachessi", "greedy", "random", "--games", "4", "--openings", "even"
    result = pasgl(*arguments, "--time", "--json", str(file))
    assert result.exit_code == 0
    assert "time per action" in result.stdout
    told = json.loads(file.read_text())
    assert all(seconds > 0 for seconds in told.pop("seconds_per_action"))
    pasgl(*arguments, "--json", str(file))
    assert json.loads(file.read_text()) == told


def test_evaluate_is_repeatable_and_takes_options(pasgl):
    arguments = ["evaluate", "pasgl312", "random", "random", "--games", "6"]
    assert pasgl(*arguments).stdout == pasgl(*arguments, "--seed", "0", "--threads", "2").stdout
    assert pasgl(*arguments).stdout != pasgl(*arguments, "--seed", "1").stdout
    limited = pasgl(*arguments, "--set", "turn_limit=2").stdout
    assert "cut off at the turn limit" in limited
    [turns] = re.findall(r"turns in a game +(\S+)", limited)
    assert turns == "2"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("frobnicate", "No such command 'frobnicate'"),
        ("--frob", "No such option: --frob"),
        ("variants chess", "no variant 'chess'"),
        ("show", "Missing argument 'VARIANT' (see pasgl show --help)"),
        ("show pasgl31", "did you mean 'pasgl312'?"),
        ("show pasgl312 nonsense", "a position text of pasgl312 has 8 fields"),
        ("show pasgl312 a b", "unexpected extra argument"),
        ("show pasgl312 --set", "--set"),
        ("show pasgl312 --set bear_bonus", "an option must look like NAME=VALUE"),
        ("show pasgl312 --set =3", "an option must look like NAME=VALUE"),
        ("show pasgl312 --set bear_bonus=3 --set bear_bonus=4", "bear_bonus is set twice"),
        ("show pasgl312 --set bears=3", "no option 'bears'; did you mean 'bear_bonus'"),
        ("show pasgl312 --set variant=3", "no option 'variant'"),
        ("show pasgl312 --set bear_bonus=many", "must be an integer from 0 to 255, not 'many'"),
        ("show pasgl312 --set bear_bonus=256", "an integer from 0 to 255, not 256"),
        ("rules", "Missing argument 'VARIANT' (see pasgl rules --help)"),
        ("rules chess", "no variant 'chess'"),
        ("rules pasgl312 --set hunter_range=8", "an integer from 0 to 7, not 8"),
        ("play pasgl312 --side green", "--side must be white, black or both, not 'green'"),
        ("play pasgl312 --player nobody", "nobody"),
        ("play pasgl312 --side both --player random", "leave out --player"),
        ("play pasgl312 --from nonsense", "8 fields"),
        ("play pasgl312 --seed -1", "--seed"),
        ("watch chess", "no variant 'chess'"),
        ("watch pasgl312 nobody", "nobody"),
        ("watch pasgl312 random nobody", "nobody"),
        ("watch pasgl312 --delay nan", "nan is not from 0 to 3600"),
        ("watch pasgl312 --delay -1", "-1.0 is not from 0 to 3600"),
        ("watch pasgl312 --delay long", "--delay"),
        ("watch pasgl312 --turns -1", "--turns"),
        ("evaluate pasgl312 random", "Missing argument 'SECOND'"),
        ("evaluate chess random random", "no variant 'chess'"),
        ("evaluate pasgl312 random nobody", "nobody"),
        ("evaluate pasgl312 random random --games 0", "--games"),
        ("evaluate pasgl312 random random --games many", "--games"),
        ("evaluate pasgl312 random random --games 100000000000000", "from 1 to 1000000000"),
        ("evaluate pasgl312 random random --seed -1", "--seed"),
        ("evaluate pasgl312 random random --threads 0", "--threads"),
        ("evaluate pasgl312 random random --json nowhere/at/all.json", "nowhere/at/all.json"),
        ("evaluate pasgl312 random random --json .", "Is a directory"),
    ],
)
def test_wrong_input(refused, arguments, complaint):
    assert complaint in refused(*arguments.split())


def test_a_field_that_is_wrong_is_named(refused):
    assert "phase: 21 is not from 1 to 20" in refused(
        "show", "pasgl312", BEARS.replace(" 3 ", " 21 ")
    )


def test_control_characters_do_not_reach_the_terminal(refused):
    assert "\\x1b[2J" in refused("show", "pasgl\x1b[2J\n312")


def test_only_variants_for_two_are_watched(refused, monkeypatch):
    monkeypatch.setattr(Position, "teams", (0, 1, 2))
    assert "not for two players" in refused("watch", "pasgl312")


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_shown_or_refused(text):
    assert run("show", "pasgl312", "--", text).exit_code in (0, 2)


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_setting_is_taken_or_refused(setting):
    assert run("show", "pasgl312", "--set", setting).exit_code in (0, 2)
