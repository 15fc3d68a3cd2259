"""Position in lockstep with a slow reference that shares no code with it.

`PASGL_TEST_GAMES=5000 pytest -m slow tests/test_differential.py` compares so many games; a thousand
take some minutes.
"""

from __future__ import annotations

import os
from functools import partial
from random import Random

import pytest

from pasgl_env import Position
from pasgl_env.engine.compiled import JIT

from . import steering
from .reference.pasgl312 import ReferencePosition
from .test_malformed import mutated, sound_positions


def facts(position):
    return {
        "text": position.text,
        "to move": position.to_move,
        "over": position.is_over,
        "returns": position.returns,
        "legal": position.legal_moves(),
    }


def compare(seed: int, games: int, most_actions: int) -> None:
    """Compare after every action; the message of a difference begins with the last text agreed on.

    Now and then the reference reads the position from its text, so that reading is compared too.
    """
    reference, begun = None, ""
    for count, (position, action) in enumerate(steering.games(seed, games, most_actions)):
        if reference is None or count % 10 == 0:
            reference = ReferencePosition.from_text(position.text, **rules(position))
        assert facts(position) == facts(reference), f"after {begun}, {rules(position)}"
        begun = position.text
        if action is None:
            reference = None
        else:
            reference.play(position.label(action))


def rules(position) -> dict[str, int]:
    """The options that the rules have; a limit of turns is no rule."""
    return {name: value for name, value in position.options.items() if name != "turn_limit"}


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_the_reference(seed):
    compare(seed, games=15, most_actions=70)


@pytest.mark.jitfree
@pytest.mark.skipif(JIT, reason="compared compiled above")
def test_uncompiled_rules_agree_with_the_reference():
    compare(seed=5, games=30, most_actions=30)


def is_accepted(read, text) -> bool:
    try:
        read(text)
    except ValueError:
        return False
    return True


def test_accepts_the_texts_that_the_reference_accepts():
    rng = Random(6)
    texts = [position.text for position in sound_positions(6, 40)]
    accepted = 0
    for _ in range(6_000):
        text = mutated(rng, rng.choice(texts))
        mine = is_accepted(partial(Position.from_text, "pasgl312"), text)
        assert mine == is_accepted(ReferencePosition.from_text, text), text
        accepted += mine
    assert accepted > 100


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_agrees_with_the_reference_for_long(seed):
    compare(seed, games=int(os.environ.get("PASGL_TEST_GAMES", "1000")) // 10, most_actions=300)
