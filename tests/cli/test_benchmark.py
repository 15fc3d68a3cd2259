import json

import pytest

pytest.importorskip("scipy")

from pasgl_env import benchmark
from pasgl_env.benchmark import Protocol

from ..benchmark.tiny import tiny_protocol


@pytest.fixture(autouse=True)
def shipped(monkeypatch):
    protocol = tiny_protocol()
    monkeypatch.setattr(Protocol, "load", lambda name="v1": protocol)


def test_an_agent_is_evaluated_checked_and_ranked(pasgl, tmp_path):
    file, page, latex = (tmp_path / name for name in ("r.json", "board.md", "r.tex"))
    stated = "--track search --uses rules,values --decisions 1000000 --name mine".split()
    arguments = "benchmark", "greedy", "--tasks", "short", "--out", str(file), "--latex", str(latex)
    result = pasgl(*arguments, *stated)
    assert result.exit_code == 0
    assert "mine, benchmark tiny" in result.stdout
    assert "td" in result.stdout
    assert r"\begin{tabular}" in latex.read_text()
    assert json.loads(file.read_bytes())["entry"]["uses"] == ["rules", "values"]
    checked = pasgl("benchmark", "--check", str(file))
    assert "and in 4 of them, played with version" in checked.stdout
    pasgl("benchmark", "--leaderboard", str(page), str(file))
    assert "| 1 | mine |" in page.read_text()
    assert "1,000,000 | rules, values" in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("nobody", "no player 'nobody'"),
        ("greedy --tasks pachesi", "; did you mean 'pachessi'?"),
        ("greedy --latex nodir/r.tex", "nodir"),
        ("greedy --track fast", "the track must be policy or search, not 'fast'"),
        ("greedy --uses books", "an entry uses rules or values, not 'books'"),
        ("greedy --link mine", "a link begins with https://, not 'mine'"),
        ("none.zip", "none.zip: No such file"),
        ("greedy --hours inf", "a budget must be a number that is not negative, and finite"),
        ("greedy greedy", "two of the agents are the same"),
        ("--check no.json", "no.json: No such file"),
        ("--leaderboard page.md pyproject.toml", "pyproject.toml holds no result of the benchmark"),
        ("--check docs/screenshots/choose-dark.png", "dark.png holds no result of the benchmark"),
        ("--leaderboard README.md page.json", "README.md holds no leaderboard: it would be lost"),
    ],
)
def test_wrong_input(refused, arguments, complaint):
    assert complaint in refused("benchmark", *arguments.split())


@pytest.mark.parametrize("which", ["--check", "--leaderboard page.md"])
@pytest.mark.parametrize(
    "option",
    [
        *("--out foo.json", "--tasks nonsense", "--protocol v1", "--name x", "--track search"),
        *("--uses rules", "--decisions 0", "--hours 0", "--link https://x.org", "--ray local"),
    ],
)
def test_results_that_are_there_are_not_evaluated(refused, which, option):
    message = refused("benchmark", *which.split(), "r.json", *option.split())
    assert "leave out how to evaluate" in message


def test_ctrl_c_ends_a_check_without_advice_on_keeping_results(pasgl, monkeypatch):
    def interrupted(file, report):
        raise KeyboardInterrupt

    monkeypatch.setattr(benchmark, "check_entry", interrupted)
    result = pasgl("benchmark", "--check", "r.json")
    assert result.exit_code == 130
    assert result.stderr == "Interrupted; r.json was not checked to the end.\n"


PROGRAM = """
import sys
class Agent: pass
class Nameless:
    def choose(self, batch, games): return batch.sample()
nameless = Nameless()
def alone(observation): return 0
def lost(observation, action_mask): return {}["key"]
def leaves(observation, action_mask): sys.exit(0)
def bot(observation, action_mask): raise BrokenPipeError(32, "Broken pipe")
def spent(observation, action_mask): return next(iter(()))
def pair(observation, action_mask): return action_mask.argmax(1), None
"""


@pytest.mark.parametrize(
    ("program", "name", "complaint"),
    [
        (PROGRAM, "Agent", "mine.py:Agent: Agent is a class: pass an instance of it"),
        (PROGRAM, "nameless", "Nameless has choose(), but no name"),
        (PROGRAM, "alone", "alone must take two arguments: observation and action_mask"),
        (PROGRAM, "lost", "mine.py, line 8: KeyError: 'key'"),
        (PROGRAM, "leaves", "mine.py, line 9: SystemExit: 0"),
        (PROGRAM, "bot", "mine.py, line 10: BrokenPipeError: [Errno 32] Broken pipe"),
        (PROGRAM, "spent", "mine.py, line 11: RuntimeError: player 'spent' raised StopIteration"),
        (PROGRAM, "pair", "player 'pair' must return an array of integers"),
        (PROGRAM, "sys", "a policy with predict() or a function, not module"),
        (PROGRAM, "los", "; did you mean 'lost'?"),
        ("import no_such_module", "x", "mine.py, line 1: ModuleNotFoundError: No module named"),
        ("1 / 0", "x", "mine.py, line 1: ZeroDivisionError: division by zero"),
        ("def f(:", "x", "mine.py, line 1: invalid syntax"),
        ("raise SystemExit(5)", "x", "mine.py ends the program"),
    ],
)
def test_what_is_wrong_with_a_program_is_said_with_its_place(
    refused, tmp_path, program, name, complaint
):
    file = tmp_path / "mine.py"
    file.write_text(program)
    assert complaint in refused("benchmark", f"{file}:{name}", "--tasks", "pachessi")


@pytest.mark.parametrize(
    "command", [("watch", "pachessi"), ("play", "pasgl312", "--side", "black", "--player")]
)
def test_a_fault_in_a_game_that_is_watched_or_played_is_said_with_its_place(
    pasgl, tmp_path, command
):
    file = tmp_path / "mine.py"
    file.write_text(PROGRAM)
    result = pasgl(*command, f"{file}:lost")
    assert result.exit_code == 2
    assert result.stderr == f"pasgl: {file}, line 8: KeyError: 'key'\n"


def test_a_file_without_results_is_kept(refused, tmp_path):
    file = tmp_path / "notes.md"
    file.write_text("my diary")
    message = refused("benchmark", "greedy", "--out", str(file))
    assert "notes.md holds no results of the benchmark" in message
    assert file.read_text() == "my diary"


def test_the_results_of_another_agent_are_kept(pasgl, refused, tmp_path):
    file = tmp_path / "r.json"
    assert pasgl("benchmark", "greedy", "--tasks", "short", "--out", str(file)).exit_code == 0
    content = file.read_bytes()
    again = refused("benchmark", "random", "--tasks", "short", "--out", str(file))
    assert "holds the results of another agent" in again
    assert file.read_bytes() == content
