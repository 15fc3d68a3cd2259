from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("scipy")

from pasgl_env.playtest.folder import Totals
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.results import Results
from tools.findings.question import Played
from tools.findings.questions import QUESTIONS, chosen

QUESTIONS_BY_KEY = [pytest.param(each, id=each.key) for each in QUESTIONS]


def test_keys_tell_questions_apart():
    keys = [question.key for question in QUESTIONS]
    assert len(set(keys)) == len(keys)
    assert all(each.key.split(".")[0] == each.runs[0].variant for each in QUESTIONS)


def test_questions_of_a_variant_stand_together():
    order = [question.runs[0].variant for question in QUESTIONS]
    assert order == sorted(order, key=order.index)


def test_an_unknown_question_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"no question 'pasgl': pasgl312.deer, "):
        chosen(["pasgl"])


@pytest.mark.parametrize("question", QUESTIONS_BY_KEY)
def test_numbers_are_such_as_playtests_have(question):
    variant = question.runs[0].variant
    plan = Plan.of(variant, ("random", "random"))
    results = Results.of(plan, Totals.none(plan))
    played = Played(question.runs[0], results, Path("nowhere"))
    for column in question.all_columns:
        with suppress(FileNotFoundError):  # some are read off the games themselves
            assert column.read(played).value is None


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS_BY_KEY)
def test_all_runs_can_be_played(question):
    for run in question.runs:
        assert run.plan(seed=0).variant == run.variant
