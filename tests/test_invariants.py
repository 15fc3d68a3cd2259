"""What holds in every game after every action, whatever is played."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from pasgl_env import Position
from pasgl_env.engine.compiled import JIT
from pasgl_env.games.contract import options_array
from pasgl_env.games.pasgl312.board import CAMPFIRE, DEAD
from pasgl_env.games.pasgl312.state import BEARS, SIDE_MASK
from pasgl_env.variants import find

from . import steering

GAME = find("pasgl312")
# No database and no random seed: every run makes the same games.
EVERY_RUN_ALIKE = settings(
    max_examples=40 if JIT else 12, deadline=None, derandomize=True, database=None
)

beginnings = st.builds(lambda seed: steering.beginning(Random(seed)), st.integers(0, 2**32 - 1))
moods = st.sampled_from(steering.MOODS)
lucks = st.lists(st.integers(0, 999).map(lambda part: part / 1000), min_size=20, max_size=80)


def played(beginning, mood, lucks):
    """A game's position before each of its actions, with the action; it is played on in place."""
    position = beginning.position()
    note(repr(position))
    for luck in lucks:
        if position.is_over:
            return
        action = steering.steered(position, luck, mood)
        note(position.label(action))
        yield position, action
        position.play_action(action)


def critters(position):
    """Number of living critters by slot kind: a Chipmunk counts as the Shrew that it was."""
    alive = (position.state["where"][0] != DEAD).reshape(2, 16)
    return [*alive[:, :6].astype(int).ravel(), *alive[:, 6:8].sum(1), *alive[:, 8:].sum(1)]


def check_state(position):
    (state,) = position.state
    assert GAME.is_possible(state, options_array(GAME, position.options)[0])
    for place, standing in enumerate(state.standing.tolist()):
        assert standing == sum(1 << c for c in np.flatnonzero(state.where == place).tolist())


def check_moves(position):
    """Labels, actions and the mask name the same things."""
    actions, moves = position.legal_actions(), position.legal_moves()
    labels = [position.label(action) for action in actions]
    assert position.action_mask.dtype == np.uint8
    assert actions == np.flatnonzero(position.action_mask == 1).tolist()
    assert position.action_mask.sum() == len(actions)
    assert sorted(labels) == moves
    assert len(set(labels)) == len(labels)
    assert position.perft(1) == len(moves)
    assert bool(moves) == (not position.is_over)
    if actions:
        assert position.action(labels[-1]) == actions[-1]


def check_text(position):
    again = Position.from_text("pasgl312", position.text, **position.options)
    assert again.text == position.text
    assert again.legal_moves() == position.legal_moves()
    assert (again.to_move, again.is_over) == (position.to_move, position.is_over)
    assert again.in_turn == position.in_turn == (position.text.count(" ") == 8)


def check_result(position):
    if not position.is_over:
        assert position.to_move in (0, 1)
        assert position.returns is None
        return
    white, black = position.points
    assert position.to_move is None
    assert position.returns == (np.sign(white - black), np.sign(black - white))


@pytest.mark.jitfree
@EVERY_RUN_ALIKE
@given(beginnings, moods, lucks)
def test_positions_are_sound(beginning, mood, lucks):
    for position, _ in played(beginning, mood, lucks):
        check_state(position)
        check_moves(position)
        check_text(position)
        check_result(position)


class Before:
    """What a position was before an action."""

    def __init__(self, position):
        self.state = position.state[0]
        self.critters = critters(position)
        self.points = position.points


def check_counts(before, position):
    assert all(np.array(critters(position)) <= before.critters)
    assert position.turns - before.state.turn_count == (not position.in_turn)


def check_middle_of_turn(before, position):
    """Until the last choice of a turn nothing happens but choices."""
    state = position.state[0]
    choices = ("choice", "actor", "target", "pushed", "push_to")
    for field in GAME.state.fields or ():
        assert field in choices or (state[field] == before.state[field]).all(), field


def check_end_of_turn(before, position, label):
    state, mover = position.state[0], before.state.mover
    assert state.mover == 1 - mover
    assert state.pass_count == (before.state.pass_count + 1 if label == "pass" else 0)
    check_train(before, state)
    check_score(before, position)


def check_train(before, state):
    """The Train advances after Black's turn, unless that killed a Bear."""
    ahead = before.state.phase % 20 + 1
    died_now = int(state.standing[DEAD]) & BEARS
    if before.state.mover == 0:
        assert state.phase == before.state.phase
    elif died_now:
        assert state.phase in (before.state.phase, ahead)
    else:
        assert state.phase == ahead


def check_score(before, position):
    """Only the mover scores, for its own by the fire; a dead Bear pays its enemy alone."""
    gains = np.subtract(position.points, before.points)
    mover = before.state.mover
    dead = int(position.state[0].standing[DEAD]) & BEARS
    if dead:
        winner = 1 if dead & int(SIDE_MASK[0]) else 0
        assert gains[winner] == position.options["bear_bonus"]
        assert gains[1 - winner] == 0
        assert position.is_over
        return
    by_the_fire = np.bitwise_or.reduce(before.state.standing[CAMPFIRE])
    assert gains[1 - mover] == 0
    assert 0 <= gains[mover] <= 99 * (int(by_the_fire) & int(SIDE_MASK[mover])).bit_count()


@pytest.mark.jitfree
@EVERY_RUN_ALIKE
@given(beginnings, moods, lucks)
def test_actions_change_what_they_may(beginning, mood, lucks):
    for position, action in played(beginning, mood, lucks):
        before, label, text = Before(position), position.label(action), position.text
        after = position.copy().play_action(action)
        assert (position.state[0], position.text) == (before.state, text)
        assert after.text == position.copy().play(label).text
        check_counts(before, after)
        if after.in_turn:
            check_middle_of_turn(before, after)
            assert after.text == text + (f",{label}" if position.in_turn else f" {label}")
        else:
            check_end_of_turn(before, after, label)


@settings(EVERY_RUN_ALIKE, max_examples=15)
@given(beginnings, moods, lucks)
def test_perft_of_two_is_the_sum_over_the_moves(beginning, mood, lucks):
    for position, _ in played(beginning, mood, lucks[:20]):
        after = [position.copy().play_action(action) for action in position.legal_actions()]
        assert position.perft(2) == sum(len(each.legal_actions()) for each in after)
