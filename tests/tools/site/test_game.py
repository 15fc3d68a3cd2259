"""What a page without a server shows is what the server's page shows."""

from contextlib import suppress
from random import Random

import pytest

from pasgl_env import Position, render, variants
from pasgl_env.contract import parts
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.dangers import dangers
from pasgl_env.jit.compiled import JIT
from pasgl_env.web import drawings, guides
from tests.pocket import GAME

from .node import NODE, in_node, write_rules

EDITS = 20
"""Edits of the last position of a game."""

pytestmark = [
    pytest.mark.skipif(not JIT, reason="there is nothing to compile without Numba's compiler"),
    pytest.mark.skipif(not NODE, reason="Node is not installed"),
]


def played(ruleset, seed, most):
    """A random game: its choices, and what is seen after each."""
    position, rng = Position(ruleset), Random(seed)
    choices: list[int] = []
    expected = [seen(position)]
    while not position.is_over and len(choices) < most:
        before = position.copy()
        choices.append(rng.choice(position.legal_actions()))
        position.play_action(choices[-1])
        expected.append(seen(position))
    edits = [edited(position, rng) for _ in range(EDITS)] if has_editor(ruleset) else []
    warned = {before.label(each.action): each.in_words(before) for each in dangers(before)}
    told = {label: lines for label, lines in warned.items() if lines}
    texts = [each["text"] for each in expected if each["text"]]
    wrong = [damaged(rng.choice(texts), rng) for _ in range(EDITS if texts else 0)]
    return {
        "choices": choices,
        "expected": expected,
        "edits": edits,
        "dangers": told,
        "texts": [[text, reads(ruleset, text)] for text in wrong],
    }


def has_editor(ruleset):
    with suppress(NotImplementedError):
        return bool(parts.editing(ruleset.game))
    return False


def edited(position, rng):
    """Random changes of a position, and what is seen after them: None if that is impossible."""
    ruleset = position.ruleset
    option, described = ruleset.record[0], parts.description(ruleset.game)
    fields = parts.editing(ruleset.game).fields(option)
    squares = render.places(ruleset).keys() & set(described.SQUARES)
    symbols = ["", "", *(symbol.text for symbol in described.symbols(option))]
    changes = list[guides.Put | guides.FieldValue]()
    for _ in range(rng.randrange(1, 4)):
        if rng.random() < 0.3:
            name = rng.choice(sorted(fields))
            values = fields[name].words or map(str, range(25))
            changes.append(guides.FieldValue(name, rng.choice([*values, "1:30"])))
        else:
            changes.append(guides.Put(rng.choice(sorted(squares)), rng.choice(symbols)))
    try:
        after = guides.edited(position, *changes)
        told = {**seen(after), "fields": guides.fields(after)}
    except ValueError:
        told = None
    return [[as_message(change) for change in changes], told]


def as_message(change):
    if isinstance(change, guides.Put):
        return {"square": change.square, "piece": change.symbol}
    return {"field": change.name, "value": change.value}


def seen(position):
    whole = {**drawings.seen(position), "drawing": drawings.drawing(position)}
    whole["text"] = whole["text"] if says_all(position) else None
    return {name: value for name, value in whole.items() if name != "options"}


def says_all(position):
    """Whether the position's text leads to the same state."""
    if position.in_turn or not has_editor(position.ruleset):
        return False
    again = Position.from_text(position.ruleset, position.text)
    return again.state.tobytes() == position.state.tobytes()


def damaged(text, rng):
    """A text with a sign that is missing, doubled or replaced."""
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(["", 2 * text[at], rng.choice(text)]) + text[at + 1 :]


def reads(ruleset, text):
    with suppress(ValueError):
        return list(Position.from_text(ruleset, text).state.tobytes())
    return None


def check_in_node(ruleset, folder, games, most):
    write_rules(ruleset, folder)
    said = in_node("see.mjs", folder, [played(ruleset, seed, most) for seed in range(games)])
    assert said["count"] > games
    assert said["wrong"] == []


def test_a_strangers_game_is_shown_the_same_in_node(tmp_path):
    check_in_node(Ruleset.of(GAME, {}), tmp_path, 20, 60)


@pytest.mark.slow
@pytest.mark.parametrize("variant", variants.names())
def test_thousands_of_positions_are_shown_the_same_in_node(variant, tmp_path):
    check_in_node(variants.ruleset(variant), tmp_path, 10, 300)
