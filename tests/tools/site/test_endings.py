"""Endings on a page without a server are judged as by a server."""

from random import Random

import pytest

from pasgl_env.engine.dice import Dice
from pasgl_env.jit.compiled import JIT
from pasgl_env.puzzles.endings import ENDINGS, WORDS, tree

from .node import NODE, in_node, write_rules

pytestmark = [
    pytest.mark.skipif(not JIT, reason="there is nothing to compile without Numba's compiler"),
    pytest.mark.skipif(not NODE, reason="Node is not installed"),
]


def tries_of(ending, rng):
    """The actions that win, and others here and there, as far as they are legal."""
    line = ending.attempt([]).line
    yield from (line[:number] for number in range(len(line) + 1))
    for _ in range(20):
        labels = list[str]()
        while len(labels) < 2 * len(line):
            so_far = ending.attempt(labels)
            position = ending.start()
            for label in so_far.labels:
                position.play(label)
            if not so_far.line:
                break
            other = rng.choice(position.legal_moves())
            labels.append(rng.choice([so_far.line[0], other]))
            yield tuple(labels)


def told_of(ending, labels):
    attempt, position = ending.attempt(labels), ending.start()
    seen = [seen_of(position), *(seen_of(position.play(label)) for label in attempt.labels)]
    return {
        "verdict": attempt.verdict,
        "happened": list(attempt.happened),
        "line": list(attempt.line),
        "seen": [seen[number] for number in attempt.shown],
    }


def seen_of(position):
    return [position.turns, position.labels, position.to_move]


def check_ending(ending, folder):
    write_rules(ending.ruleset, folder)
    tries = sorted(set(tries_of(ending, Random(1))))
    expected = [told_of(ending, labels) for labels in tries]
    about = {"text": ending.text, "dice": str(Dice(0).generator[0]), "words": WORDS}
    said = in_node("end.mjs", folder, {**about, **tree(ending), "tries": tries})
    for labels, found, each in zip(tries, said, expected, strict=True):
        assert found == each, labels
    assert {each["verdict"] for each in expected} == {"open", "wrong", "done"}


def test_an_ending_with_dice_is_judged_the_same_in_node(tmp_path):
    check_ending(next(each for each in ENDINGS if each.variant == "pachessi"), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS, ids=str)
def test_every_ending_is_judged_the_same_in_node(ending, tmp_path):
    check_ending(ending, tmp_path)
