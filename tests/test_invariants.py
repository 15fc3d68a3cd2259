"""Properties of every game after every action."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

import numpy as np
from hypothesis import given, note, settings
from hypothesis import strategies as st

from pasgl_env import Position
from pasgl_env.contract.events import sentences
from pasgl_env.contract.game import options_array
from pasgl_env.contract.variants import find
from pasgl_env.engine.position import text_fields

from . import steering
from .steering import has_history
from .suites import Suite, over_all_games

# No database and no random seed: every run makes the same games.
EVERY_RUN_ALIKE = settings(max_examples=12, deadline=None, derandomize=True, database=None)


class Plan(NamedTuple):
    """A game's recipe: its start, its aim, and a number for each action."""

    seed: int
    mood: int
    lucks: list[float]


plans = st.builds(
    Plan,
    st.integers(0, 2**32 - 1),
    st.integers(0, 5),
    st.lists(st.integers(0, 999).map(lambda part: part / 1000), min_size=20, max_size=80),
)


def played(suite: Suite, plan: Plan) -> Iterator[tuple[Position, int]]:
    """A game's position before each of its actions, with the action; it is played on in place."""
    position = suite.steering.beginning(Random(plan.seed)).position()
    note(f"{position!r} {position.options}")
    mood = suite.steering.MOODS[plan.mood % len(suite.steering.MOODS)]
    for luck in plan.lucks:
        if position.is_over:
            return
        action = suite.steering.steered(position, luck, mood)
        note(position.label(action))
        yield position, action
        position.play_action(action)


def check_record(position):
    game = find(position.variant)
    assert game.accepts(position.state[0], options_array(game, position.options)[0])


def check_moves(position):
    """Labels, actions and the mask agree."""
    actions, moves = position.legal_actions(), position.legal_moves()
    labels = [position.label(action) for action in actions]
    assert position.action_mask.dtype == np.uint8
    marked = [] if position.is_chance else actions
    assert marked == np.flatnonzero(position.action_mask == 1).tolist()
    assert position.action_mask.sum() == len(marked)
    assert sorted(labels) == moves
    assert len(set(labels)) == len(labels)
    assert position.perft(1) == len(moves)
    assert bool(moves) == (not position.is_over)
    if actions:
        assert position.action(labels[-1]) == actions[-1]


def check_text(position):
    again = Position.from_text(position.variant, position.text, **position.options)
    fields = text_fields(position.ruleset.game)
    assert again.text == position.text
    if has_history(position.variant):
        assert set(again.legal_moves()) >= set(position.legal_moves())
    else:
        assert again.legal_moves() == position.legal_moves()
        assert (again.to_move, again.is_over) == (position.to_move, position.is_over)
    in_turn = len(position.text.split(" ", fields)) > fields
    assert again.in_turn == position.in_turn == in_turn


def check_result(position):
    players = len(position.seats)
    if not position.is_over:
        assert position.to_move in range(-1, players)
        assert position.is_chance == (position.to_move == -1)
        assert position.returns is None
        return
    assert position.to_move is None
    assert not position.is_chance
    assert len(position.returns) == players
    assert set(position.returns) in ({0.0}, {1.0, -1.0})


def check(suite, position):
    check_record(position)
    check_moves(position)
    check_text(position)
    check_result(position)
    suite.invariants.check_state(position)


@over_all_games
@EVERY_RUN_ALIKE
@given(plan=plans)
def test_positions_are_sound(suite: Suite, plan):
    for position, action in played(suite, plan):
        check(suite, position)
        after = position.copy().play_action(action)
        if after.is_over:
            check(suite, after)


@over_all_games
@EVERY_RUN_ALIKE
@given(plan=plans)
def test_actions_change_what_they_may(suite: Suite, plan):
    for position, action in played(suite, plan):
        before, label = position.copy(), position.label(action)
        after = position.copy().play_action(action)
        assert (position.state[0], position.text) == (before.state[0], before.text)
        assert after.text == position.copy().play(label).text
        assert 0 <= after.turns - before.turns <= (not after.in_turn)
        if after.in_turn:
            start = before.text + ("," if before.in_turn else " ")
            assert after.text == start + label
            assert after.to_move == before.to_move
        check_turn(before, after, label)
        suite.invariants.check_action(before, after, label)


def check_turn(before, after, label):
    """The labels of a turn are known during the turn, and then as the last turn."""
    played_in_turn = [*before.labels, label]
    if after.is_over or after.turns > before.turns:
        assert (after.labels, after.last_turn) == ([], played_in_turn)
    else:
        assert (after.labels, after.last_turn) == (played_in_turn, before.last_turn)


@over_all_games
@EVERY_RUN_ALIKE
@given(plan=plans)
def test_events_account_for_every_piece_and_point(suite: Suite, plan):
    for position, action in played(suite, plan):
        if position.is_chance:
            continue
        told, after = position.effects(action), position.copy().play_action(action)
        pieces, points = suite.invariants.on_board(position), list(position.points)
        for event in told:
            if event.piece:
                icon = event.piece.icon or event.piece.text
                pieces[icon] += event.kind.gains - event.kind.loses - (event.becomes is not None)
            if event.becomes:
                pieces[event.becomes.icon or event.becomes.text] += 1
            if event.kind.scores:
                assert event.seat is not None
                points[event.seat] += event.number
        assert (+pieces, points) == (suite.invariants.on_board(after), list(after.points))
        assert all(line[-1] in ".:" for line in sentences(told, position.seats))


COPIES: list[Callable[[Position], Position]] = [
    Position.copy,
    copy.deepcopy,
    lambda position: pickle.loads(pickle.dumps(position)),
]


@settings(EVERY_RUN_ALIKE, max_examples=5)
@over_all_games
@given(plan=plans)
def test_copies_are_equal_and_independent(suite: Suite, plan):
    for position, action in played(suite, plan._replace(lucks=plan.lucks[:20])):
        text, state, moves = position.text, position.state, position.legal_moves()
        for twin in [copied(position) for copied in COPIES]:
            assert (twin.text, twin.state, twin.legal_moves()) == (text, state, moves)
            assert twin.play_action(action).text != text
        assert (position.text, position.state, position.legal_moves()) == (text, state, moves)


@settings(EVERY_RUN_ALIKE, max_examples=12)
@over_all_games
@given(plan=plans)
def test_perft_of_two_is_the_sum_over_the_moves(suite: Suite, plan):
    for position, _ in played(suite, plan._replace(lucks=plan.lucks[:20])):
        after = [position.copy().play_action(action) for action in position.legal_actions()]
        assert position.perft(2) == sum(len(each.legal_actions()) for each in after)


@over_all_games
def test_every_position_can_be_drawn_and_asks_what_is_open(suite: Suite):
    for position, _ in steering.games(suite, 7, 5, most_actions=12):
        drawn = str(position).splitlines()
        assert len(drawn) > 5
        assert all(line == line.rstrip() for line in drawn)
        assert ("?" in position.question) == position.in_turn
