"""Random and damaged state records are refused, or are positions that can be played.

Without the JIT, whatever reads or writes beyond the end of an array is an error.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np
import pytest

from pasgl_env import Batch, Position
from pasgl_env.contract.variants import find
from pasgl_env.jit.compiled import JIT

from . import steering
from .steering import Beginning, has_history
from .suites import Suite, over_all_games

RECORDS = 1_000 if JIT else 60
TELLING = [0, 1, 2, 63, 64, 127, 128, 254, 255]


class Group(NamedTuple):
    """Many unfinished states of one variant under the same options."""

    variant: str
    options: dict[str, Any]
    states: np.ndarray


def groups_of_states(suite: Suite) -> list[Group]:
    """Half of each group are in the middle of a turn, if any is."""
    found = defaultdict(list)
    options = {}
    for position, _ in steering.games(suite, 11, 60 if JIT else 3, most_actions=60):
        if not (position.is_over or position.is_chance):
            key = (position.variant, *position.options.values())
            if key not in options:
                options[key] = {**Beginning.at(position).options, "turn_limit": 0}
            found[key].append((position.in_turn, position.state[0]))
    return [Group(key[0], options[key], with_many_in_turn(found[key])) for key in found]


def with_many_in_turn(found: list[tuple[bool, np.record]]) -> np.ndarray:
    states = np.array([state for _, state in found])
    in_turn = states[[in_turn for in_turn, _ in found]]
    return np.concatenate([states, np.resize(in_turn, states.size * bool(in_turn.size))])


def damaged(rng: np.random.Generator, sound: np.ndarray, count: int) -> np.ndarray:
    """Records: an eighth all random, the others with one to three bytes or bits changed."""
    states, others = (sound[rng.integers(sound.size, size=count)] for _ in range(2))
    rows, donors = (records.view(np.uint8).reshape(count, -1) for records in (states, others))
    # Numbers are few bytes, sets and boards many: each field is as likely.
    dtypes: Any = sound.dtype.fields
    fields = [(first, field.itemsize) for field, first in dtypes.values()]
    for row, donor in zip(rows, donors, strict=True):
        if rng.integers(8) == 0:
            row[:] = rng.integers(256, size=row.size)
        for _ in range(rng.integers(1, 4)):
            first, size = fields[rng.integers(len(fields))]
            where, elsewhere = first + rng.integers(size, size=2)
            kind = rng.integers(3)
            if kind == 0:
                row[where] ^= 1 << rng.integers(8)
            elif kind == 1:
                row[where] = TELLING[rng.integers(len(TELLING))]
            else:
                row[where] = (int(donor[elsewhere]) + rng.integers(-1, 2)) % 256
    return states


@pytest.mark.jitfree
@over_all_games
def test_are_refused_or_played(suite: Suite):
    rng = np.random.default_rng(12)
    groups = groups_of_states(suite)
    accepted = 0
    for group in groups:
        batch = Batch(group.variant, 1, seed=1, **group.options)
        for state in damaged(rng, group.states, RECORDS // len(groups)):
            before = batch.states.tobytes(), batch.observation.tobytes()
            try:
                batch.put([0], state[None])
            except ValueError:
                assert before == (batch.states.tobytes(), batch.observation.tobytes())
                continue
            accepted += 1
            check_playable(batch, state, group.options)
    assert accepted > RECORDS / 250


def check_playable(batch: Batch, state: np.record, options: dict[str, Any]) -> None:
    """The state equals the record put there, and games play on from it."""
    if find(batch.variant).to_move(state) >= 0:
        assert batch.states.tobytes() == state.tobytes()
    check_text(batch, options)
    for _ in range(4):
        assert batch.legal_count[0] == batch.action_mask.sum() > 0
        assert batch.observation.max() == 1
        batch.step(batch.sample())
        batch.states = batch.states


def check_text(batch: Batch, options: dict[str, Any]) -> None:
    """At the start of a turn, a record is accepted if its text is, and has the same moves."""
    game = find(batch.variant)
    if game.in_turn(batch.states[0]):
        return
    text = game.texts.write(batch.states[0], batch.options_record[0])
    # Records hold greater numbers than texts.
    if re.search(r"\d{10}", text):
        return
    position = Position.from_text(batch.variant, text, **options)
    assert position.text == text
    fewer = len(position.legal_actions()) - batch.legal_count[0]
    assert fewer >= 0 if has_history(batch.variant) else fewer == 0
