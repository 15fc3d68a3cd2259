"""Position in lockstep with a slow reference that shares no code with it.

`PASGL_TEST_GAMES=5000 pytest -m slow tests/test_differential.py` compares that number of games of
each; a thousand take some minutes.
"""

from __future__ import annotations

import os
from random import Random

import pytest

from pasgl_env import Position
from pasgl_env.jit.compiled import JIT

from . import steering
from .steering import Beginning, has_history
from .suites import Suite, over_all_games
from .test_malformed import mutated, sound_positions


def facts(position):
    return {
        "text": position.text,
        "to move": position.to_move,
        "chance": position.is_chance,
        "over": position.is_over,
        "returns": position.returns,
        "legal": position.legal_moves(),
    }


def compare(suite: Suite, seed: int, games: int, most_actions: int) -> None:
    """Compare after every action; the message of a difference begins with the last text agreed on.

    Now and then the reference reads the position from its text, so that reading is compared too;
    not where a text is not all that counts.
    """
    reference, begun = None, ""
    for count, (position, action) in enumerate(steering.games(suite, seed, games, most_actions)):
        variant, text, options = Beginning.at(position)
        if reference is None or (count % 10 == 0 and not has_history(variant)):
            reference = suite.reference.from_text(variant, text, **options)
        assert facts(position) == facts(reference), f"after {begun}, {variant} with {options}"
        begun = position.text
        if action is None:
            reference = None
        else:
            reference.play(position.label(action))


@over_all_games
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_agrees_with_the_reference(suite: Suite, seed):
    compare(suite, seed, games=10, most_actions=70)


@pytest.mark.jitfree
@pytest.mark.skipif(JIT, reason="compared compiled above")
@over_all_games
def test_uncompiled_rules_agree_with_the_reference(suite: Suite):
    compare(suite, seed=5, games=4, most_actions=30)


@over_all_games
def test_starts_where_the_reference_does(suite: Suite):
    for variant in suite.variants:
        assert facts(Position(variant)) == facts(suite.reference(variant))


def is_accepted(read, beginning: Beginning) -> bool:
    try:
        read(beginning.variant, beginning.text, **beginning.options)
    except ValueError:
        return False
    return True


@over_all_games
def test_accepts_the_texts_that_the_reference_accepts(suite: Suite):
    rng = Random(6)
    beginnings = [Beginning.at(position) for position in sound_positions(suite, 6, 40)]
    accepted = 0
    for _ in range(1_000):
        like = rng.choice(beginnings)
        mutant = like._replace(text=mutated(rng, like.text))
        mine = is_accepted(Position.from_text, mutant)
        assert mine == is_accepted(suite.reference.from_text, mutant), mutant
        accepted += mine
    assert accepted > 25


@pytest.mark.slow
@over_all_games
@pytest.mark.parametrize("seed", range(100, 110))
def test_agrees_with_the_reference_for_long(suite: Suite, seed):
    games = int(os.environ.get("PASGL_TEST_GAMES", "1000")) // 10
    compare(suite, seed, games, most_actions=300)
