"""Turns to be written and read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pasgl_env import Position
from pasgl_env.records import notation
from pasgl_env.records.notation import NotationError
from pasgl_env.records.turn import Turn

from .. import steering
from ..suites import Suite


def turns_of(suite: Suite, seed: int, number: int, most_actions: int) -> Iterator[Turn]:
    """The complete turns of some steered games."""
    turn = None
    for position, action in steering.games(suite, seed, number, most_actions):
        if action is None:
            turn = None
            continue
        turn = (turn or Turn.begin(position)).play(position.label(action))
        if turn.is_complete:
            yield turn
            turn = None


def complete_turns(before: Position) -> Iterator[Turn]:
    """All ways to complete a turn, depth first."""
    pending = [Turn.begin(before)]
    while pending:
        turn = pending.pop()
        if turn.labels and turn.is_complete:
            yield turn
        else:
            pending += [turn.play(label) for label in turn.after.legal_moves()[::-1]]


def played(before: Position, *labels: str) -> Turn:
    """A turn of which these labels have been played."""
    turn = Turn.begin(before)
    for label in labels:
        turn = turn.play(label)
    return turn


def refusal(before: Position, word: str) -> NotationError:
    """Why a word is refused; the position stays unchanged."""
    text = before.text
    with pytest.raises(NotationError) as caught:
        notation.read(before, word)
    assert before.text == text
    assert 0 <= caught.value.column <= len(word)
    return caught.value
