"""The value of states of Chieftain: what is better than what, for both sides."""

import numpy as np

from pasgl_env import Batch, Position, players, variants
from pasgl_env.contract.game import options_array
from pasgl_env.games.chieftain.rules.board import CHIEFTAIN
from pasgl_env.games.chieftain.rules.legal import reaches
from pasgl_env.games.chieftain.rules.state import (
    VALUE,
    cell_at,
    file_of,
    kind_at,
    rank_of,
    side_at,
)
from pasgl_env.jit.compiled import JIT

from ...rows import rows
from .positions import place

GAME = variants.find("chieftain")
SIZE = "12x12"
# All that the positions below are made of; the values of positions of one setup can be compared.
SETUP = place("Ca1 Cb1 Mc1 Nd1 He1 Sf1 Bg1 Rh1 ca12 cb12 mc12 nd12 he12 sf12 bg12 rh12", SIZE)
OPTIONS = options_array(GAME, {"setup": SETUP})[0]


def value(pieces, player=0, rest="w 0 0"):
    text = f"{place(pieces, SIZE)} {rest}"
    state = Position.from_text("chieftain", text, setup=SETUP).state[0]
    return GAME.evaluate(state, OPTIONS, player)


@rows(
    ("better", "worse"),
    [
        ("Ca1 Ma2 cl12", "Ca1 cl12"),
        ("Ca1 cl12", "Ca1 cl12 ml11"),
        ("Ca1 Na2 cl12", "Ca1 Ma2 cl12"),
        ("Ca1 Ha2 cl12", "Ca1 Na2 cl12"),
        ("Ca1 Ra2 cl12", "Ca1 Sa2 cl12"),
        ("Ca1 Cb1 cl12", "Ca1 Bb1 cl12"),
        # Nearer to the enemy's Chieftain; and not too far away from the own one.
        ("Ca1 Nl8 Mb4 cl12", "Ca1 Nl8 Ma2 cl12"),
        ("Ca1 Ha6 cl12", "Ca1 Ha7 cl12"),
        # A Chieftain goes where the enemy is.
        ("Cb6 Ml9 cl12", "Ca1 Ml9 cl12"),
    ],
)
def test_what_is_better(better, worse):
    assert value(better) > value(worse)
    assert value(better, player=1) < value(worse, player=1)


@rows(("rest", "best"), [("w 0 0", "Ca1 cc3"), ("b 0 0", "Ca1 ce1")])
def test_a_threat_weighs_more_on_who_is_not_to_move(rest, best):
    pieces = ["Ca1 cc3", "Ca1 ce1"]
    assert max(pieces, key=lambda each: value(each, rest=rest)) == best


def test_a_piece_without_command_threatens_nobody():
    assert value("Ca1 na3 cl12") > value("Ca1 nb3 cd6")


@rows(
    ("pieces", "rest", "wanted"),
    [
        ("Ca1 Ma2", "b 0 9", 1000),
        ("ca1 Ma2", "w 0 9", -1000),
        ("Ca1 Ra2 cl12", "w 2 9", 0),
    ],
)
def test_the_end_is_worth_more_than_anything(pieces, rest, wanted):
    assert value(pieces, rest=rest) == wanted


def test_what_is_good_for_one_is_bad_for_the_other():
    batch = Batch("chieftain", 4, seed=1)
    options = batch.options_record[0]
    for _ in range(100 if JIT else 10):
        batch.step(batch.sample())
        for state in batch.states:
            value = GAME.evaluate(state, options, 0)
            assert value == -GAME.evaluate(state, options, 1)
            assert value * 128 == np.round(value * 128)


def slow_value(state, options, player):
    """The page of :mod:`pasgl_env.games.chieftain.rules.evaluation`, piece by piece."""
    pieces = [
        (side_at(state, cell), kind_at(state, cell), cell)
        for rank in range(int(options.ranks))
        for file in range(int(options.files))
        if state.board[cell := cell_at(file, rank)]
    ]
    lost = [0.0, 0.0]
    for side, kind, cell in pieces:
        enemies = [each for each in pieces if each[0] != side]
        to_enemy = min(steps(cell, there) for _, _, there in enemies)
        if kind == CHIEFTAIN:
            lost[side] += max(to_enemy - options.command_range, 0) / 4
            if any(threatens(state, options, enemy, cell) for enemy in enemies):
                lost[side] += VALUE[CHIEFTAIN] / (8 if side == state.mover else 2)
            continue
        lost[side] += min(steps(cell, there) for _, its, there in enemies if its == CHIEFTAIN) / 128
        own = min(
            steps(cell, there) for its, what, there in pieces if (its, what) == (side, CHIEFTAIN)
        )
        if own > options.command_range + 2:
            lost[side] += VALUE[kind] / 32
    lead = int(state.score[player]) - int(state.score[1 - player])
    return lead - lost[player] + lost[1 - player]


def steps(cell, other):
    return max(abs(file_of(cell) - file_of(other)), abs(rank_of(cell) - rank_of(other)))


def threatens(state, options, piece, cell):
    side, _, origin = piece
    return reaches(state, options, side, origin, cell) and any(
        max(abs(file_of(own) - file_of(origin)), abs(rank_of(own) - rank_of(origin)))
        <= (options.leader_range if state.board[own] & 8 else options.command_range)
        for own in map(int, state.chieftain_cell[side, : state.chieftains[side]])
    )


@rows(
    ("variant", "options"),
    [
        ("chieftain", {}),
        ("chieftain", {"command_range": 1}),
        ("chieftain", {"command_range": 23, "activations": 2}),
        ("chieftain", {"setup": "cnhs/1m2/2M1/CRBN"}),
        ("chieftain", {"setup": "lnhsc/1m3/2M2/5/CRBNL", "leader_range": 1}),
        ("chieftain", {"setup": "cnhs/1m2/2M1/CRBN", "man_range": 3, "bishopy_range": 1}),
        ("overlord", {}),
    ],
)
def test_a_value_is_what_the_page_says(variant, options):
    batch = Batch(variant, 8, seed=1, **options)
    player = players.make("greedy", variant, seed=1)
    record = batch.options_record[0]
    for step in range(60 if JIT else 2):
        # The greedy player leads to threats, but takes a second an action without the JIT.
        batch.step(players.choose(player, batch, np.arange(8)) if JIT else batch.sample())
        for state in batch.states[: 2 if step % 4 == 1 else 0]:
            assert GAME.evaluate(state, record, 0) == slow_value(state, record, 0)
            assert GAME.evaluate(state, record, 1) == slow_value(state, record, 1)


def test_who_activates_a_piece_does_not_matter():
    batch = Batch("chieftain", 16, seed=1, command_range=6)
    record, asked = batch.options_record[0], 0
    for _ in range(100 if JIT else 5):
        batch.step(batch.sample())
        for game in np.flatnonzero([not GAME.is_quiescent(state) for state in batch.states]):
            state = batch.states[game]
            values = {
                after(state, GAME.play, record, action)
                for action in np.flatnonzero(batch.action_mask[game])
            }
            assert values == {after(state, GAME.close_choices, record)}
            asked += 1
    assert asked


def after(state, rule, record, *action):
    """The value of a state after a rule has changed it and left nothing to ask."""
    changed = state.copy()
    rule(changed, record, *action)
    assert GAME.is_quiescent(changed)
    return GAME.evaluate(changed, record, 0)
