"""Thousands of malformed texts, labels, options and actions of each game.

Each gives the documented exception, with one short line that says what is wrong, and changes
nothing.
What a mutation happens to leave sound has to work.
"""

from __future__ import annotations

import os
import string
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from pasgl_env import Batch, IllegalMove, Position
from pasgl_env.contract.game import AnyOption, Choice, Option, UnknownOption, no_derived
from pasgl_env.contract.variants import find, names
from pasgl_env.jit.compiled import JIT

from . import steering
from .steering import Beginning
from .suites import SUITES, Suite, over_all_games

pytestmark = pytest.mark.skipif(not JIT, reason="slow as plain Python")

# For each game; PASGL_TEST_SHARE=8 takes eight times as many.
SHARE = int(os.environ.get("PASGL_TEST_SHARE", "1"))
TEXTS, LABELS, OPTIONS, ACTIONS, BATCH_ACTIONS = (
    SHARE * number for number in (1_500, 500, 1_000, 250, 1_000)
)
LONGEST_MESSAGE = 500

# Digits and letters that are not ASCII, controls, halves of surrogate pairs, look-alikes of / and :
STRANGE = "٣²Ⅷ１９ｗКВі\0\n\r\t\x0b\x1c\x85\u2028\u200b\ud800\udfff\ufeff\u2215\uff0f\uff1a"
SIGNS = "[]()./:,;*-~^+_ '\"\\%{}" + string.digits + string.ascii_letters
NUMBERS = ["-1", "00", "01", "1e3", "0x1", "+1", "1_0", "999999999", "1000000000", "9" * 50, "½"]


def mutated(rng: Random, text: str) -> str:
    """The text with one to three changes."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        text = rng.choice(MUTATIONS)(rng, text)
    return text


def cut(rng: Random, text: str) -> tuple[int, int]:
    first, last = sorted(rng.randint(0, len(text)) for _ in range(2))
    return first, last


def exchanged_sign(rng: Random, text: str) -> str:
    at = rng.randint(0, max(0, len(text) - 1))
    return text[:at] + rng.choice(SIGNS) + text[at + 1 :]


def flipped_bit(rng: Random, text: str) -> str:
    if not text:
        return text
    at = rng.randrange(len(text))
    return text[:at] + chr(ord(text[at]) ^ 1 << rng.randrange(7)) + text[at + 1 :]


def inserted(rng: Random, text: str) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice(SIGNS) + text[at:]


def strange(rng: Random, text: str) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice(STRANGE) + text[at + rng.randrange(2) :]


def deleted(rng: Random, text: str) -> str:
    first, last = cut(rng, text)
    return text[:first] + text[min(last, first + rng.randint(1, 4)) :]


def truncated(rng: Random, text: str) -> str:
    return text[: cut(rng, text)[0]]


def doubled(rng: Random, text: str) -> str:
    first, last = cut(rng, text)
    return text[:last] + text[first:]


def swapped(rng: Random, text: str) -> str:
    separator = rng.choice(" /,:")
    parts = text.split(separator)
    i, j = rng.randrange(len(parts)), rng.randrange(len(parts))
    parts[i], parts[j] = parts[j], parts[i]
    return separator.join(parts)


def renumbered(rng: Random, text: str) -> str:
    parts = text.split(" ")
    parts[rng.randrange(len(parts))] = rng.choice(NUMBERS)
    return " ".join(parts)


def other_case(rng: Random, text: str) -> str:
    first, last = cut(rng, text)
    return text[:first] + text[first:last].swapcase() + text[last:]


MUTATIONS = [
    exchanged_sign,
    exchanged_sign,
    flipped_bit,
    inserted,
    strange,
    deleted,
    truncated,
    doubled,
    swapped,
    renumbered,
    other_case,
]


def refused(expected: type[Exception], call: Callable[..., Any], *given: Any, **more: Any) -> bool:
    """Whether a call is refused; if so, with the documented exception."""
    try:
        call(*given, **more)
    except ValueError as error:
        message = str(error)
        assert type(error) in (expected, UnknownOption)
        assert 0 < len(message) < LONGEST_MESSAGE
        assert message.isprintable()
        return True
    return False


def sound_positions(suite: Suite, seed: int, number: int) -> list[Position]:
    """Various positions, some in the middle of a turn."""
    found = []
    for position, _ in steering.games(suite, seed, number, most_actions=30):
        if position.in_turn or position.turns % 7 == 0:
            found.append(position.copy())
    return found


def starts(suite: Suite) -> list[Position]:
    return [Position(variant) for variant in suite.variants]


@over_all_games
def test_texts(suite: Suite):
    rng = Random(1)
    positions = sound_positions(suite, 1, 60) + starts(suite) * 20
    beginnings = [Beginning.at(position) for position in positions]
    sound = 0
    for _ in range(TEXTS):
        variant, text, options = rng.choice(beginnings)
        text = mutated(rng, text)
        if refused(ValueError, Position.from_text, variant, text, **options):
            continue
        position = Position.from_text(variant, text, **options)
        assert position.text == text
        assert bool(position.legal_actions()) != position.is_over
        sound += 1
    assert TEXTS / 30 < sound < TEXTS / 4


@over_all_games
@pytest.mark.parametrize("unit", ["8", "/", " ", "[", "P", "~", "*-", "9", "٣", "\0", "\ud800"])
def test_long_texts(suite: Suite, unit):
    """A megabyte in every field."""
    for start in starts(suite):
        fields = [*start.text.split(" "), start.legal_moves()[0]]
        for field in range(len(fields)):
            long = unit * (2**20 // len(unit))
            text = " ".join([*fields[:field], long, *fields[field + 1 :]])
            assert refused(ValueError, Position.from_text, start.variant, text)


@cache
def few_moves(name: str) -> list[Position]:
    """Positions with few legal labels: messages list them, and that takes time."""
    positions = sound_positions(SUITES[name], 2, 60)
    few = sorted(positions, key=lambda position: len(position.legal_actions()))[:40]
    assert any(each.in_turn for each in few) == any(each.in_turn for each in positions)
    return few


@over_all_games
def test_labels(suite: Suite):
    rng = Random(2)
    positions = [(position, position.legal_moves()) for position in few_moves(suite.name)]
    for _ in range(LABELS):
        position, legal = rng.choice(positions)
        label = mutated(rng, rng.choice(legal or ["pass"]))
        before = position.state.tobytes()
        if label in legal:
            position.copy().play(label)
        else:
            assert refused(IllegalMove, position.play, label)
            assert position.state.tobytes() == before
    assert all(position.legal_moves() == legal for position, legal in positions)


@over_all_games
def test_long_labels(suite: Suite):
    for start in starts(suite):
        for unit in ("T", start.legal_moves()[0], "\ud800"):
            assert refused(IllegalMove, start.play, unit * (2**20 // len(unit)))


NO_ACTIONS = [2**31, -(2**63), 2**64, 10**60, 1.0, 3.5, float("nan"), "3", "", None, b"3"]


@over_all_games
def test_actions(suite: Suite):
    rng = Random(3)
    positions = few_moves(suite.name)
    for _ in range(ACTIONS):
        position = rng.choice(positions)
        size = position.action_mask.size
        near = rng.choice([rng.randrange(-2 * size, 2 * size), -1, size])
        action = rng.choice([near, rng.choice(NO_ACTIONS)])
        if action in position.legal_actions():
            continue
        before = position.state.tobytes()
        assert refused(IllegalMove, position.play_action, action)
        assert position.state.tobytes() == before


def outputs(batch: Batch) -> list[bytes]:
    return [array.tobytes() for array in (batch.states, batch.observation, batch.action_mask)]


@over_all_games
def test_actions_of_batches(suite: Suite):
    rng = Random(4)
    batches = [Batch(variant, 4, seed=1) for variant in suite.variants]
    for _ in range(BATCH_ACTIONS):
        batch = rng.choice(batches)
        size = batch.num_actions
        actions = batch.sample()
        game = rng.randrange(4)
        anything = rng.randrange(-(2**63), 2**63)
        actions[game] = rng.choice([rng.randrange(-2 * size, 2 * size), anything])
        before = outputs(batch)
        if 0 <= actions[game] < size and batch.action_mask[game, actions[game]]:
            batch.step(actions)
            continue
        assert refused(IllegalMove, batch.step, actions)
        assert outputs(batch) == before
        if rng.random() < 0.1:
            batch.step(batch.sample())


VALUES: list[Any] = [
    *(None, True, False, "", "3", "٣", b"3", 3.0, 3.5, float("nan"), float("inf"), 1j),
    *([], [3], (3,), {}, {3}, object, np.float64(3), np.bool_(True), np.zeros(2), "x\ny\0\ud800"),
    *(10**9, -(10**9), 2**31, 2**32 + 3, 2**63, 10**60, np.int64(-1), np.uint64(2**63)),
]


def is_allowed(option: AnyOption | None, value: Any) -> bool | None:
    """Whether an option has this value; None for texts, of which it is not known."""
    if isinstance(option, Option):
        is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        return is_whole and bool(option.low <= value <= option.high)
    if isinstance(option, Choice):
        types = (bool, int) if option.values == (False, True) else (type(option.values[0]),)
        return type(value) in types and value in option.values
    return None if option and isinstance(value, str) else False


@over_all_games
def test_options(suite: Suite):
    rng = Random(5)
    sound = 0
    for _ in range(OPTIONS):
        variant = rng.choice(suite.variants)
        known = {option.name: option for option in find(variant).options}
        name = rng.choice(list(known))
        value = any_value(rng, known[name])
        if rng.random() < 0.4:
            name = mutated(rng, name)
        if name in ("self", "variant"):
            continue
        allowed = is_allowed(known.get(name), value)
        if allowed and find(variant).derive is no_derived:
            assert Position(variant, **{name: value}).options[name] == value
            sound += 1
        elif not refused(ValueError, Position, variant, **{name: value}):
            # Options that are possible one by one need not go together.
            assert allowed is not False
            assert Position(variant, **{name: value}).options[name] == value
            sound += 1
    assert sound > OPTIONS / 20


def any_value(rng: Random, option: AnyOption) -> Any:
    if not isinstance(option, Option) and rng.random() < 0.5:
        value = rng.choice(option.values) if isinstance(option, Choice) else option.default
        return mutated(rng, value) if isinstance(value, str) and rng.random() < 0.5 else value
    return rng.choice([rng.randrange(-300, 300), rng.choice(VALUES)])


def test_variants():
    rng = Random(6)
    for _ in range(2_000):
        name = mutated(rng, rng.choice(names()))
        if name not in names():
            assert refused(ValueError, Position, name)


LONG = ["x" * 10_000, "\n" * 10_000, 10**4_000, -(10**4_000), [0] * 5_000]


CALLS: dict[str, Callable[[str, Any], Any]] = {
    "option_name": lambda variant, value: Position(variant, **{str(value): 1}),
    "variant": lambda variant, value: Position(value),
    "text": Position.from_text,
    "perft": lambda variant, value: Position(variant).perft(value),
    "observation": lambda variant, value: Position(variant).observation(value),
    "games": Batch,
    "threads": lambda variant, value: Batch(variant, 1, threads=value),
    "seed": lambda variant, value: Batch(variant, 1, seed=value),
    "reward": lambda variant, value: Batch(variant, 1, reward=value),
}


@over_all_games
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_long_values_make_no_long_messages(suite: Suite, call):
    for value in LONG:
        if not isinstance(value, int) or value < 0:
            assert refused(ValueError, call, suite.variants[0], value)


@over_all_games
def test_long_values_of_options_make_no_long_messages(suite: Suite):
    for variant in suite.variants:
        for option in find(variant).options:
            for value in LONG:
                assert refused(ValueError, Position, variant, **{option.name: value})


def test_an_action_of_more_digits_than_python_writes():
    for variant in names():
        assert refused(IllegalMove, Position(variant).play_action, 10**5_000)


@pytest.mark.parametrize("name", [[], {}, np.zeros(2)], ids=["list", "dict", "array"])
def test_variants_that_cannot_be_hashed(name):
    assert refused(ValueError, Position, name)
