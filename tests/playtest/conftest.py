"""What tests of the laboratory have in common."""

import zlib

import numpy as np
import pytest

from pasgl_env import Dice, Position

START_TURN = 5


@pytest.fixture
def start():
    """The text of a position of Pachessi after some turns."""
    position, dice = Position("pachessi"), Dice(3)
    while position.turns < START_TURN:
        if position.is_chance:
            position.roll(dice)
        else:
            position.play_action(position.legal_actions()[0])
    return position.text


@pytest.fixture
def known_games(monkeypatch):
    """Have experiments play games that the first mover wins with a known chance."""
    pytest.importorskip("scipy")
    from pasgl_env.playtest import experiment
    from pasgl_env.playtest.trials import Chunk

    def install(chance, length=lambda trial: 20, **more):
        def play_chunk(trial, number, **noted):
            rng = np.random.default_rng((number, zlib.crc32(repr(trial).encode())))
            marks = np.where(rng.random(trial.chunk) < chance(trial), "1", "0")
            turns = length(trial) + rng.integers(-5, 6, trial.chunk)
            return Chunk(number, "".join(marks), turns.tolist(), [0] * trial.chunk, **more)

        monkeypatch.setattr(experiment, "play_chunk", play_chunk)

    return install
