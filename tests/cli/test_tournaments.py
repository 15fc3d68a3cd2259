import json
import signal
import sys

import pytest

pytest.importorskip("scipy")

from pasgl_env.evaluation.tournament import RESULTS_FILE

from .runner import stop


def test_two_players_with_an_anchor_are_rated(pasgl, tmp_path):
    file = tmp_path / "standings.json"
    arguments = "evaluate", "pasgl312", "random", "greedy", "--anchor", "greedy", "--games", "20"
    result = pasgl(*arguments, "--json", str(file))
    assert result.exit_code == 0
    assert "20 games in each pairing" in result.stdout
    assert "under" in result.stdout
    assert json.loads(file.read_text())["anchor"] == "greedy"


@pytest.mark.slow
def test_several_players_make_a_round_robin(pasgl):
    """Slow because it compiles the tree search."""
    result = pasgl("evaluate", "pasgl312", "random", "greedy", "mcts:2", "--games", "4")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in ("random", "greedy", "mcts:2"))


def test_a_folder_keeps_results_table_and_numbers(pasgl, tmp_path):
    folder = tmp_path / "ladder"
    arguments = "evaluate", "pasgl312", "random", "greedy", "--games", "10", "--out", str(folder)
    first = pasgl(*arguments)
    kept = (folder / RESULTS_FILE).read_bytes()
    assert pasgl(*arguments).stdout == first.stdout
    assert (folder / RESULTS_FILE).read_bytes() == kept
    assert "| 1 | greedy |" in (folder / "table.md").read_text()
    assert json.loads((folder / "standings.json").read_text())["games"] == 10


def test_a_sequential_test(pasgl, tmp_path):
    file = tmp_path / "decision.json"
    arguments = "evaluate", "pasgl312", "greedy", "random", "--sprt", "-10", "90"
    result = pasgl(*arguments, "--json", str(file))
    assert result.exit_code == 0
    assert "greedy against random: H1, Elo above -10" in result.stdout
    assert json.loads(file.read_text())["verdict"] == "H1"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("random greedy nobody", "no player 'nobody'"),
        ("random greedy random", "'random' is given twice"),
        ("random greedy --anchor mcts", "the anchor 'mcts' is not a player"),
        ("random greedy --games 5 --anchor random", "must be even, not 5"),
        ("random greedy --sprt 5", "--sprt"),
        ("random greedy --anchor greedy --time", "--time is for a match"),
        ("random greedy --sprt 5 0", "elo0 must be below elo1, not 5 and 0"),
        ("random greedy --sprt 0 5 --alpha 1", "alpha must be above 0"),
        ("random greedy --sprt 0 5 --anchor random", "--anchor is for ratings"),
        ("random greedy --alpha 0.1", "--alpha and --beta are for --sprt"),
        ("random greedy mcts:2 --sprt 0 5", "between two players, not 3"),
        ("random greedy --out /dev/null", "/dev/null: must be a folder, not a file"),
        ("random greedy --sprt 0 5 --record games.pgb", "--record is for a match"),
    ],
)
def test_wrong_input(refused, arguments, complaint):
    assert complaint in refused("evaluate", "pasgl312", *arguments.split())


def test_a_foreign_file_is_refused_in_one_line(refused, tmp_path):
    (tmp_path / RESULTS_FILE).write_text("my diary\n")
    complaint = refused("evaluate", "pasgl312", "random", "greedy", "--out", str(tmp_path))
    assert "holds no results of a tournament" in complaint
    assert (tmp_path / RESULTS_FILE).read_text() == "my diary\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_or_killed_it_goes_on(pasgl, tmp_path, interruptible, how):
    folder = tmp_path / "ladder"
    command = "evaluate", "pasgl312", "random", "greedy", "--games", "400000", "--out", str(folder)
    results = folder / RESULTS_FILE
    stop(command, how, results, lambda content: content.count(b"\n") > 1)
    kept = results.read_bytes().splitlines(keepends=True)[:2]
    shown = pasgl(*command[:5], "40", "--out", str(folder))
    assert shown.exit_code == 0
    assert results.read_bytes().splitlines(keepends=True)[:2] == kept
