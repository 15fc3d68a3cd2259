from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("scipy")

from pasgl_env.playtest.folder import Totals
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.results import Results
from studies.findings.numbers import Played, read
from studies.findings.page import UNITS
from studies.findings.question import questions, remarks, runs_of

QUESTIONS = [pytest.param(each, id=each.key) for each in questions()]


def test_keys_tell_questions_apart():
    keys = [question.key for question in questions()]
    assert len(set(keys)) == len(keys)


def test_a_variants_name_picks_all_its_questions():
    assert {each.variant for each in questions(["spalding"])} == {"spalding"}
    assert len(questions(["spalding", "pasgl312.deer"])) == len(questions(["spalding"])) + 1


def test_an_unknown_question_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"no question 'pasgl': pasgl312.deer, "):
        questions(["pasgl"])


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_whole(question):
    assert question.asked
    assert "{" not in question.title + question.method
    for number in question.numbers:
        assert number.unit in UNITS
        claims = {number.above, number.below, number.unknown}
        assert len(claims - {""}) == (0 if number.threshold is None else 3)
        assert bool(number.within) == (number.margin is not None)


def test_a_run_gets_the_games_of_the_question_that_asks_for_most():
    length, train = questions(["pasgl312.length", "pasgl312.train"])
    assert length.games > train.games
    fewer = {"search:400": 40}
    assert runs_of([train]) == {
        each.run: fewer.get(each.run.player, train.games) for each in train.asked
    }
    assert runs_of([length, train]) == runs_of([length])


def test_remarks_are_on_claims_that_are_made():
    numbers = {(each.key, n.heading): n for each in questions() for n in each.numbers}
    for remark in remarks():
        number = numbers[remark.question, remark.heading]
        for side in {*remark.good, *remark.change}:
            assert getattr(number, side)


@pytest.mark.parametrize("question", QUESTIONS)
def test_numbers_are_such_as_playtests_have(question):
    plan = Plan.of(question.variant, ("random", "random"))
    results = Results.of(plan, Totals.none(plan))
    played = Played(results, Path("nowhere"))
    for number in question.numbers:
        with suppress(FileNotFoundError):  # some are read off the games themselves
            assert read(number, played).value is None


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
def test_all_runs_can_be_played(question):
    for asked in question.asked:
        assert asked.run.plan(seed=0).ruleset.name == question.variant
