"""Lessons are right: positions are possible, tasks are solved as they say, and by nothing else."""

from __future__ import annotations

import re

import pytest

from pasgl_env import render
from pasgl_env.engine.errors import IllegalMove
from pasgl_env.lessons import Step, Verdict, lesson

from .rows import rows

_SQUARE = re.compile(r"\b[a-x][0-9]{1,2}\b")


def step(variant: str, title: str) -> Step:
    (found,) = (each for each in lesson(variant).steps if each.title == title)
    return found


def finished(each: Step, labels: list[str]) -> Verdict:
    """The verdict on a turn that begins with these labels and goes on without capturing."""
    while (attempt := each.attempt(labels)).verdict == Verdict.OPEN:
        moves = attempt.positions[-1].legal_moves()
        labels = [*labels, next(label for label in reversed(moves) if "x" not in label)]
    return attempt.verdict


def test_every_answer_does_its_task_and_nothing_else_does(every_variant):
    for each in lesson(every_variant).steps:
        answers = [each.own(answer) for answer in each.answers]
        begun = {tuple(answer[:length]) for answer in answers for length in range(len(answer))}
        for before in begun:
            position = each.attempt(list(before)).positions[-1]
            for label in position.legal_moves():
                labels = [*before, label]
                verdict = each.attempt(labels).verdict
                if labels in answers:
                    assert verdict == Verdict.DONE, (each.title, labels)
                elif not each.has_goal:
                    is_begun = tuple(labels) in begun
                    assert verdict == (Verdict.OPEN if is_begun else Verdict.WRONG), labels
        if each.has_goal:
            others = each.start().legal_moves()
            assert any(finished(each, [label]) == Verdict.WRONG for label in others), each.title


def test_texts_are_short_and_name_squares_of_the_board(every_variant):
    course = lesson(every_variant)
    how = " ".join(f"{heading} {text}" for heading, text in course.how.items())
    assert len(how.split()) <= 150
    assert len(course.aim.split()) <= 25
    titles = [each.title for each in course.steps]
    assert 6 <= len(titles) <= 12 and len(set(titles)) == len(titles)
    for each in course.steps:
        squares = render.places(each.start().ruleset)
        texts = {"title": 6, "say": 60, "signs": 20, "task": 20, "done": 35, "help": 35}
        for name, most in texts.items():
            text = getattr(each, name)
            assert len(text.split()) <= most, (each.title, name)
            assert set(_SQUARE.findall(text)) <= set(squares), (each.title, name)


def test_others_and_chance_play_their_part_of_an_answer():
    attempt = step("pasgl312", "The Train").attempt(["Td4d5"])
    assert attempt.verdict == Verdict.DONE
    assert [position.last_turn for position in attempt.positions] == [["Td4d5"], ["be8d8"]]
    push = step("pasgl312", "The Bear pushes").attempt(["Be2e3", "hd4"])
    assert any("Black's Hunter" in line for line in push.happened)
    assert step("pasgl312", "The Train").attempt([]).happened == ()
    staying = step("pasgl312", "The Train").attempt(["Be1d1"])
    assert staying.happened[-1] == "The Train would run over your Turkey on d4."
    robbed = step("pasgl312", "The Skunk sprays").attempt(["Dd2c4"])
    assert ["stole" in line for line in robbed.happened] == [True, False], "first theft, then spray"
    first = step("pachessi", "Taking").attempt(["3:Eb7-b4"])
    assert first.verdict == Verdict.OPEN
    assert first.positions[-1].labels == ["3:Eb7-b4", "roll 4"]


@rows(
    ("variant", "title", "labels", "verdict"),
    [
        ("chieftain", "One order each", ["Mc2xd3"], "open"),
        ("chieftain", "One order each", ["Mc2xd3", "end"], "wrong"),
        ("chieftain", "Who gives the order?", ["Mc2xd3", "by e1", "Ca1-a2"], "wrong"),
        ("chieftain", "Both of them", ["Hc2xc5", "Ng2xh4"], "done"),
        ("pasgl312", "The campfire", ["Be1f2"], "done"),
        ("pasgl312", "The campfire", ["Td4d5"], "wrong"),
    ],
)
def test_a_goal_must_be_reached_within_the_turn(variant, title, labels, verdict):
    assert step(variant, title).attempt(labels).verdict == verdict


def test_what_is_not_legal_is_no_attempt():
    with pytest.raises(IllegalMove):
        step("pasgl312", "Lunch").attempt(["-Hd2d5"])


def test_a_game_without_lessons_says_so(swapped):
    with pytest.raises(NotImplementedError, match="swapped has no lesson"):
        lesson("swapped")
