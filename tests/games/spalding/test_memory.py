"""The history has room for a thousand turns; past that nothing errs."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from pasgl_env import Batch, Position
from pasgl_env.envs.aec import VariantEnv
from pasgl_env.games.spalding import GAME
from pasgl_env.games.spalding.rules.state import TURNS_REMEMBERED
from pasgl_env.jit.compiled import JIT

from ...rows import rows

pytestmark = pytest.mark.skipif(not JIT, reason="thousands of moves as plain Python")

# Pieces that go on for ever: neutral ones, and Boxes that cannot move for want of creations.
ENDLESS = "x6D/8/2B2B2/8/8/2B2D2/8/D6X w - 0"
POOR: dict[str, Any] = dict.fromkeys(("box_bat", "box_crumb"), False)


def quiet(position: Position, random: Random) -> int:
    """A move without a capture, as long as there is one."""
    actions = position.legal_actions()
    calm = [action for action in actions if "-" in position.label(action)]
    return random.choice(calm or actions)


@cache
def long_game(turns: int) -> Position:
    """A position after this many turns; not to be changed."""
    position, random = Position.from_text("spalding", ENDLESS, turn_limit=0, **POOR), Random(1)
    while position.turns < turns:
        position.play_action(quiet(position, random))
    return position


def test_a_game_that_fills_it_is_cut_and_not_before():
    full = TURNS_REMEMBERED - 1
    assert not long_game(full - 1).is_truncated
    assert long_game(full).is_truncated
    assert not long_game(full).is_over


def test_a_position_can_be_played_on_and_remembers_the_later_part():
    position, random = long_game(TURNS_REMEMBERED + 700).copy(), Random(2)
    record = position.state[0]
    assert TURNS_REMEMBERED // 3 < record.history <= TURNS_REMEMBERED
    before = [position.copy().play_action(action).text for action in position.legal_actions()]
    assert before
    # What has just been left cannot come again.
    for _ in range(50):
        seen = position.copy()
        position.play_action(quiet(position, random))
        back = [position.copy().play_action(action) for action in position.legal_actions()]
        assert seen.text.split()[:2] not in [each.text.split()[:2] for each in back]


@rows("turns", [10, TURNS_REMEMBERED - 1, TURNS_REMEMBERED + 700])
def test_records_are_possible_however_full(turns):
    position = long_game(turns)
    batch = Batch("spalding", 1, **POOR)
    assert GAME.accepts(position.state[0], batch.options_record[0])


def test_environments_truncate_there():
    position, random = long_game(TURNS_REMEMBERED - 2), Random(3)
    batch = Batch("spalding", 1, turn_limit=0, **POOR)
    batch.states = position.state
    batch.step([quiet(position, random)])
    assert batch.truncated.tolist() == [True]
    assert batch.outcome.tolist() == [[0, 0]]
    assert batch.states["turn_count"].tolist() == [0]


def test_the_agents_of_pettingzoo_are_told():
    env, random = VariantEnv("spalding", turn_limit=0, **POOR), Random(1)
    env.reset(options={"position": ENDLESS})
    for _ in range(TURNS_REMEMBERED + 1):
        if all(env.truncations.values()):
            break
        env.step(quiet(env.position, random))
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert env.position.turns == TURNS_REMEMBERED - 1


def test_a_captured_pajama_begins_a_new_history():
    """It cannot come back, so that no earlier position can."""
    position = Position.from_text("spalding", "x7/8/8/8/4p3/4R3/8/7X w - 5")
    for label in ("Re3-e2", "Xa8-b8", "/Ca8", "Re2-e3", "Xb8-a7"):
        position.play(label)
    assert position.state["history"] == 4
    position.play("/Cb8").play("Re3xe4")
    assert position.state["history"] == 1
    assert np.count_nonzero(position.state["seen"]) == 1
