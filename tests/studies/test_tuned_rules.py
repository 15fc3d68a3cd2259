"""The page of rules found, and the searches that it is made of."""

import shlex

import pytest

pytest.importorskip("scipy")
pytest.importorskip("optuna")

from typer.testing import CliRunner

from pasgl_env import variants
from pasgl_env.cli import tune
from pasgl_env.cli.app import app
from studies.entries import entries_file, read_entries
from studies.findings.question import remarks
from studies.tuned_rules import PAGE, SEARCHES, Answer, page


def test_the_page_is_made_from_the_numbers_beside_it():
    answers = read_entries(entries_file(PAGE), "answers", lambda given: Answer(**given))
    commands = {each.key: each.command(0) for each in SEARCHES}
    assert {name: each.command for name, each in answers.items()} == commands
    assert PAGE.read_text() == page(answers)


def test_remarks_on_changes_cite_aims_of_searches():
    aims = {(each.variant, aim) for each in SEARCHES for aim in map(str, each.tuning(0).aims)}
    cited = {(each.question.split(".")[0], each.tried) for each in remarks() if each.tried}
    assert {aim for _, aim in cited} == {aim for _, aim in cited & aims}


def test_every_game_has_a_question():
    assert {each.variant for each in SEARCHES} == {*variants.names()}


@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: search.key)
def test_the_command_on_the_page_searches_the_same(search, monkeypatch):
    searched = []
    monkeypatch.setattr(tune, "run", lambda tuning, *given, **how: searched.append(tuning))
    CliRunner().invoke(app, shlex.split(search.command(3))[1:])
    assert searched == [search.tuning(3)]
