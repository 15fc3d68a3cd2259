"""The page, and that the one in the documentation is one that the command has written."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("scipy")

from typer.testing import CliRunner

from pasgl_env.playtest import play
from pasgl_env.statistics.estimates import Estimate
from tools.findings import __main__ as command
from tools.findings import laboratory, questions
from tools.findings import page as pages
from tools.findings.question import (
    COUNT,
    SHARE,
    Claim,
    Column,
    Question,
    Quotation,
    Run,
    Trend,
)
from tools.findings.questions import QUESTIONS
from tools.findings.readings import figure

RUNNER = CliRunner()
PAGE = Path(__file__).parents[3] / "docs" / "findings.md"

SHORT = (("turn_limit", 40),)
CUT_OFF = Question(
    "pachessi.cut",
    "Is it cut off?",
    (Quotation("may run forever", "Peter Aronson", "PACHESSI"),),
    "A game against itself.",
    tuple(Run("pachessi", player, SHORT) for player in ("random", "greedy")),
    (
        Claim(
            Column("cut off", "By the limit.", figure("truncations"), SHARE),
            0.5,
            "It is.",
            "It is not.",
            "Nobody knows.",
        ),
        Trend(Column("turns", "Of both.", figure("turns"), COUNT)),
    ),
)


@pytest.fixture
def short(monkeypatch):
    """A single question, little to play, and no time that passes."""
    monkeypatch.setattr(questions, "QUESTIONS", (CUT_OFF,))
    monkeypatch.setattr(play, "RANDOM_SHARD", 40)
    monkeypatch.setattr(laboratory, "MOST_SHARDS", 1)
    monkeypatch.setattr(laboratory, "MOST_RANDOM_SHARDS", 1)
    monkeypatch.setattr(laboratory, "perf_counter", lambda: 0.0)


def asked(folder, *more):
    return RUNNER.invoke(command.app, ["--minutes", "0.01", "--work", str(folder / "work"), *more])


@pytest.mark.usefixtures("short")
def test_the_command_plays_and_answers(tmp_path):
    file = tmp_path / "page.md"
    result = asked(tmp_path, "--out", str(file))
    assert result.exit_code == 0, result.output
    text = file.read_text()
    assert "## Pachessi\n" in text
    assert "### Is it cut off?\n\n> “may run forever”\n>\n> Peter Aronson, *PACHESSI*\n" in text
    assert "| players | games | cut off | turns |\n|---|---:|---:|---:|\n| `random` | " in text
    assert "\n- **It is.** The strongest player, `greedy`: cut off " in text
    assert "--minutes 0.01\n" in text
    assert re.search(r"Versions: pasgl_env \S+,\s+python", text)
    again = asked(tmp_path, "--out", str(file))  # a page of findings may be replaced
    assert again.exit_code == 0, again.output


@pytest.mark.usefixtures("short")
def test_a_page_of_some_questions_does_not_replace_that_of_all(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "PAGE", tmp_path / "docs" / "findings.md")
    assert asked(tmp_path, "pachessi").exit_code == 0
    assert (tmp_path / "work" / "findings.md").exists()
    assert not (tmp_path / "docs").exists()


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("chess",), "no question 'chess': pachessi.cut"),
        (("--out", "diary.md"), "diary.md is no page of findings"),
        (("--minutes", "0"), "minutes"),
    ],
)
def test_wrong_input_is_told_in_a_line_and_nothing_is_lost(words, reason, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("diary.md").write_text("Dear diary")
    result = asked(tmp_path, *words)
    assert result.exit_code == 2
    assert reason in result.stderr
    assert result.stderr.count("\n") == 1
    assert Path("diary.md").read_text() == "Dear diary"
    assert not (tmp_path / "work").exists()


@pytest.mark.usefixtures("short")
def test_after_ctrl_c_it_says_that_it_goes_on(tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(laboratory.Laboratory, "play", interrupted)
    result = asked(tmp_path)
    assert result.exit_code == 130
    assert ": run the same command again to continue" in result.stderr


def played(games, beside=None) -> Any:
    """A run of so many games, with one beside it."""
    numbers = SimpleNamespace(games=games)
    return SimpleNamespace(run=Run("pachessi", "greedy"), results=numbers, beside=beside)


@pytest.mark.parametrize(
    ("run", "games", "own", "compared"),
    [
        (
            played(1200, played(40)),
            "1,200 beside 40",
            "70.0% (60.0 to 80.0)",
            "70.0% (60.0 to 80.0)",
        ),
        (played(40, played(8)), "40 beside 8", "70.0% (60.0 to 80.0)", "–"),
        (played(8), "8", "–", "–"),
    ],
)
def test_numbers_from_too_few_games_are_not_shown(run, games, own, compared):
    def column(heading, compares):
        return Column(heading, "", lambda run: Estimate(0.7, 0.6, 0.8), SHARE, compares)

    question = CUT_OFF._replace(
        statements=(), columns=(column("own", False), column("compared", True))
    )
    assert f"| `greedy` | {games} | {own} | {compared} |" in pages.section(question, [run])


def sections():
    """The sections of the documentation's page, by title."""
    parts = PAGE.read_text(encoding="utf-8").split("\n### ")[1:]
    return {part.split("\n")[0]: part for part in parts}


def test_the_page_answers_every_question_in_order():
    assert list(sections()) == [question.title for question in QUESTIONS]


@pytest.mark.parametrize("question", [pytest.param(each, id=each.key) for each in QUESTIONS])
def test_an_answer_has_the_form_that_the_command_gives_it(question):
    text = sections()[question.title]
    assert pages.wrapped(question.method) in text
    header, *rows = re.findall(r"^\| .*\|$", text, re.MULTILINE)
    assert header == f"| players | games | {' | '.join(e.heading for e in question.all_columns)} |"
    assert [row.split("`")[1] for row in rows] == [run.player for run in question.runs]
    flat = " ".join(text.split())
    for statement in question.statements:
        if isinstance(statement, Claim):
            outcomes = (statement.above, statement.below, statement.unknown)
            assert sum(f"- **{outcome}**" in flat for outcome in outcomes) == 1


def test_the_page_says_how_it_was_made():
    text = PAGE.read_text(encoding="utf-8")
    assert text.startswith(pages.TITLE)
    assert f"\n    {command.COMMAND} --minutes " in text
    assert "Versions: pasgl_env" in text
