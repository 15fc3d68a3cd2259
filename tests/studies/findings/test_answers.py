"""The numbers that the page is made from."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("scipy")

from pasgl_env.statistics.estimates import Estimate
from studies.entries import write_entries
from studies.findings import answers
from studies.findings.answers import Answer, Row, read_answers
from studies.findings.page import Found, section
from studies.findings.question import Number, questions

HIGH = Estimate(0.7, 0.6, 0.8)
QUESTION = replace(
    questions(["pachessi.forever4"])[0],
    numbers=tuple(Number("", "", (), "share", compared=each) for each in (False, True)),
)


def played(games, beside=None) -> Any:
    """A run with this number of games, and one beside it."""
    numbers = SimpleNamespace(
        games=games,
        plan=SimpleNamespace(players=("greedy", "greedy")),
        figure=lambda name: SimpleNamespace(estimate=Estimate(0.25)),
    )
    return SimpleNamespace(results=numbers, beside=beside)


def answer(*rows):
    return Answer("command", 1, {"numpy": "2.0"}, ("cut off", "turns"), rows)


@pytest.mark.parametrize(
    ("run", "games", "own", "compared"),
    [
        (
            played(1200, played(40)),
            "1,200 beside 40",
            "70% (60% to 80%)",
            "70% (60% to 80%)",
        ),
        (played(40, played(8)), "40 beside 8", "70% (60% to 80%)", "–"),
        (played(8), "8", "–", "–"),
    ],
)
def test_numbers_from_too_few_games_are_not_shown(run, games, own, compared, monkeypatch):
    monkeypatch.setattr(answers, "read", lambda number, played: HIGH)
    monkeypatch.setattr(answers, "doubt_of", lambda results: "")
    found = answer(Row.of(QUESTION, run))
    plain, against = QUESTION.numbers[0], replace(QUESTION.numbers[0], compared=True)
    assert found.rows[0].cut_off_of(plain) == 0.25
    assert found.rows[0].cut_off_of(against) == (0.5 if run.beside else 0.25)
    text = section(Found.of(QUESTION, found), found)
    assert f"| `greedy` | {games} | {own} | {compared} |" in text


def test_answers_survive_a_round_trip(tmp_path):
    known = {"one": answer(Row("td", 4, None, (HIGH, Estimate(None)))), "two": answer()}
    write_entries(tmp_path / "answers.json", known)
    assert read_answers(tmp_path / "answers.json") == known
    assert (tmp_path / "answers.json").read_text().count("\n") == 4


def test_without_a_file_there_are_no_answers(tmp_path):
    assert read_answers(tmp_path / "answers.json") == {}


@pytest.mark.parametrize("text", ["{", "[]", '{"one": 1}', '{"one": {}}'])
def test_another_file_is_refused(tmp_path, text):
    (tmp_path / "answers.json").write_text(text)
    with pytest.raises(ValueError, match="is not a file of answers: move it away"):
        read_answers(tmp_path / "answers.json")


def test_an_answer_to_other_numbers_or_of_other_players_does_not_fit():
    (question,) = questions(["pachessi.forever4"])
    rows = tuple(Row(each.run.player, 4, None, ()) for each in question.asked)
    own = replace(answer(*rows), headings=tuple(each.heading for each in question.numbers))
    assert own.fits(question)
    assert not replace(own, headings=("cut off",)).fits(question)
    assert not replace(own, rows=rows[1:]).fits(question)
