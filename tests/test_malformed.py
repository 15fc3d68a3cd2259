"""A hundred thousand malformed texts, labels, options and actions.

Each gives the documented exception, with one short line that says what is wrong, and changes
nothing.
What a mutation happens to leave sound has to work.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from pasgl_env import Batch, IllegalMove, Position
from pasgl_env.engine.compiled import JIT
from pasgl_env.variants import find

from . import steering
from .steering import START

pytestmark = pytest.mark.skipif(not JIT, reason="slow as plain Python")

TEXTS, LABELS, OPTIONS, ACTIONS, BATCH_ACTIONS = 40_000, 15_000, 20_000, 5_000, 20_000
assert TEXTS + LABELS + OPTIONS + ACTIONS + BATCH_ACTIONS >= 100_000
LONGEST_MESSAGE = 400

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
    """Whether the call is refused; if so, as it should be."""
    try:
        call(*given, **more)
    except ValueError as error:
        message = str(error)
        assert type(error) is expected
        assert 0 < len(message) < LONGEST_MESSAGE
        assert message.isprintable()
        return True
    return False


def sound_positions(seed: int, number: int) -> list[Position]:
    """Positions of all sorts, those in the middle of a turn among them."""
    found = []
    for position, _ in steering.games(seed, number, most_actions=30):
        if position.in_turn or position.turns % 7 == 0:
            found.append(position.copy())
    return found


def test_texts():
    rng = Random(1)
    texts = [position.text for position in sound_positions(1, 60)] + [START] * 20
    sound = 0
    for _ in range(TEXTS):
        text = mutated(rng, rng.choice(texts))
        if refused(ValueError, Position.from_text, "pasgl312", text):
            continue
        position = Position.from_text("pasgl312", text)
        assert position.text == text
        assert bool(position.legal_actions()) != position.is_over
        sound += 1
    assert 100 < sound < TEXTS / 4


@pytest.mark.parametrize("unit", ["8", "/", " ", "[", "P", "~", "*-", "9", "٣", "\0", "\ud800"])
def test_long_texts(unit):
    """A megabyte in every field."""
    for field in range(9):
        fields = [*START.split(" "), "Th1h2"]
        fields[field] = unit * (2**20 // len(unit))
        text = " ".join(fields)
        assert refused(ValueError, Position.from_text, "pasgl312", text)


def few_moves(seed: int) -> list[Position]:
    """Positions with few legal labels: messages list them, and that takes time."""
    return [
        position for position in sound_positions(seed, 150) if len(position.legal_actions()) < 9
    ]


def test_labels():
    rng = Random(2)
    positions = few_moves(2)
    assert any(position.in_turn for position in positions)
    for _ in range(LABELS):
        position = rng.choice(positions)
        legal = position.legal_moves()
        label = mutated(rng, rng.choice(legal or ["pass"]))
        before = position.state.tobytes()
        if label in legal:
            position.copy().play(label)
        else:
            assert refused(IllegalMove, position.play, label)
            assert position.state.tobytes() == before
            assert position.legal_moves() == legal


def test_long_labels():
    for label in ("T" * 2**20, "Th1h2" * 2**18, "\ud800" * 2**20):
        assert refused(IllegalMove, Position("pasgl312").play, label)


NO_ACTIONS = [-1, 1165, 2**31, -(2**63), 2**64, 10**60, 1.0, 3.5, float("nan"), "3", "", None, b"3"]


def test_actions():
    rng = Random(3)
    positions = few_moves(3)
    for _ in range(ACTIONS):
        position = rng.choice(positions)
        action = rng.choice([rng.randrange(-2000, 2000), rng.choice(NO_ACTIONS)])
        if action in position.legal_actions():
            continue
        before = position.state.tobytes()
        assert refused(IllegalMove, position.play_action, action)
        assert position.state.tobytes() == before


def test_actions_of_batches():
    rng = Random(4)
    batch = Batch("pasgl312", 4, seed=1)
    for _ in range(BATCH_ACTIONS):
        actions = batch.sample()
        game = rng.randrange(4)
        actions[game] = rng.choice([rng.randrange(-2000, 2000), rng.randrange(-(2**63), 2**63)])
        before = batch.states.tobytes(), batch.observation.tobytes(), batch.action_mask.tobytes()
        if 0 <= actions[game] < 1165 and batch.action_mask[game, actions[game]]:
            batch.step(actions)
            continue
        assert refused(IllegalMove, batch.step, actions)
        after = batch.states.tobytes(), batch.observation.tobytes(), batch.action_mask.tobytes()
        assert after == before
        if rng.random() < 0.1:
            batch.step(batch.sample())


VALUES: list[Any] = [
    *(None, True, False, "", "3", "٣", b"3", 3.0, 3.5, float("nan"), float("inf"), 1j),
    *([], [3], (3,), {}, {3}, object, np.float64(3), np.bool_(True), np.zeros(2), "x\ny\0\ud800"),
    *(10**9, -(10**9), 2**31, 2**32 + 3, 2**63, 10**60, np.int64(-1), np.uint64(2**63)),
]
ALLOWED = {option.name: range(option.low, option.high + 1) for option in find("pasgl312").options}


def test_options():
    rng = Random(5)
    sound = 0
    for _ in range(OPTIONS):
        name = rng.choice(list(ALLOWED))
        value: Any = rng.choice([rng.randrange(-300, 300), rng.choice(VALUES)])
        if rng.random() < 0.4:
            name = mutated(rng, name)
        options = {name: value}
        if type(value) is int and value in ALLOWED.get(name, ()):
            assert Position("pasgl312", **options).options[name] == value
            sound += 1
        elif name not in ("self", "variant"):
            assert refused(ValueError, Position, "pasgl312", **options)
    assert sound > OPTIONS / 20


def test_variants():
    rng = Random(6)
    for _ in range(2_000):
        name = mutated(rng, "pasgl312")
        if name != "pasgl312":
            assert refused(ValueError, Position, name)


LONG = ["x" * 10_000, "\n" * 10_000, 10**4_000, -(10**4_000), [0] * 5_000]


@pytest.mark.parametrize(
    "call",
    [
        lambda value: Position("pasgl312", win_margin=value),
        lambda value: Position("pasgl312", **{str(value): 1}),
        lambda value: Position(value),
        lambda value: Position("pasgl312").perft(value),
        lambda value: Position("pasgl312").observation(value),
        lambda value: Batch("pasgl312", value),
        lambda value: Batch("pasgl312", 1, threads=value),
        lambda value: Batch("pasgl312", 1, seed=value),
        lambda value: Batch("pasgl312", 1, reward=value),
    ],
    ids="option option_name variant perft observation games threads seed reward".split(),
)
def test_long_values_make_no_long_messages(call):
    for value in LONG:
        if not isinstance(value, int) or value < 0:
            assert refused(ValueError, call, value)


def test_an_action_of_more_digits_than_python_writes():
    assert refused(IllegalMove, Position("pasgl312").play_action, 10**5_000)


@pytest.mark.parametrize("name", [[], {}, np.zeros(2)], ids=["list", "dict", "array"])
def test_variants_that_cannot_be_hashed(name):
    assert refused(ValueError, Position, name)
