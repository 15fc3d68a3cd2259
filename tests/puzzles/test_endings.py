"""Endings that are played out."""

import json

import numpy as np
import pytest

from pasgl_env.lessons import Verdict
from pasgl_env.puzzles.endings import ENDINGS, FILE, nodes
from tools.endings import tree


@pytest.mark.parametrize("ending", ENDINGS, ids=str)
def test_an_ending_is_won_by_its_line_of_play_and_can_be_given_away(ending):
    start = ending.start()
    line = ending.attempt([]).line
    assert len(line) >= 2
    for played in range(1, len(line)):
        assert ending.attempt(line[:played]).verdict == Verdict.OPEN
    won = ending.attempt(line)
    assert won.verdict == Verdict.DONE and won.shown[-1] == len(won.labels)
    worst = np.argmin(nodes(ending)[0].after)
    lost = ending.attempt([start.label(start.legal_actions()[worst])])
    assert (lost.verdict, lost.line) == (Verdict.WRONG, ())
    assert lost.happened[-1].startswith("That gave the win away: now ")


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ("Mc2xc3", "That was the best turn. 4 turns of both sides to go."),
        (
            "Mc2xc3 Mc3-d4",
            "That wins, too, with 6 turns of both sides to go. The best turn leaves 2.",
        ),
        (
            "Mc2xc3 Cc1-b1 Cb1-d3",
            "That wins, too, with 6 turns of both sides to go. The best turn wins at once.",
        ),
        ("Mc2xc3 Cc1-b1 Cb1xa3", "That was the best turn."),
        ("Mc2-b1", "That gave the win away: now it is a draw."),
        ("Cc1-b3", "That gave the win away: now the other side wins."),
    ],
)
def test_a_turn_is_compared_with_the_best_one(labels, told):
    assert ENDINGS[0].attempt(labels.split()).happened[-1] == told


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(ENDINGS)))
def test_what_is_kept_of_an_ending_is_what_exact_values_say(number):
    found = tree(ENDINGS[number])._asdict()
    assert json.loads(FILE.read_bytes())[number] == found
