import json

import pytest

pytest.importorskip("scipy")

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
    assert "and 4 games, played with version" in checked.stdout
    pasgl("benchmark", "--leaderboard", str(page), str(file))
    assert "| 1 | mine |" in page.read_text()
    assert "1,000,000 | rules, values" in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("nobody", "no player 'nobody'"),
        ("greedy --tasks chess", "no task 'chess' in the benchmark"),
        ("greedy --track fast", "the track must be policy or search, not 'fast'"),
        ("greedy --uses books", "an entry uses rules or values, not 'books'"),
        ("greedy --link mine", "a link begins with https://, not 'mine'"),
        ("none.zip", "none.zip: No such file"),
        ("greedy greedy", "two of the agents are the same"),
        ("--check no.json", "no.json: No such file"),
        ("--leaderboard page.md pyproject.toml", "pyproject.toml: "),
    ],
)
def test_wrong_input(refused, arguments, complaint):
    assert complaint in refused("benchmark", *arguments.split())
