"""Sets of squares and king's steps are what the rules say."""

import re
from collections import defaultdict

import numpy as np

from pasgl_env import Position
from pasgl_env.games.chieftain.rules.board import STRIDE
from pasgl_env.games.chieftain.rules.reach import ONCE, ROWS, TWICE
from pasgl_env.games.chieftain.rules.sets import (
    ATTACK,
    END,
    OCCUPIED,
    SQUARES,
    STEPS,
    write_sets,
    write_steps,
)
from pasgl_env.games.chieftain.rules.state import file_of, rank_of
from pasgl_env.jit.compiled import JIT

from .test_reach import members

CAPTURE = re.compile(r"[A-Z]([a-x]\d+)x([a-x]\d+)")


SMALL = "hcs1chs/nm1mnm1/7/7/1MNM1MN/SHC1SCH"


def random_positions(variant, steps, **options):
    """Positions at the beginnings of orders."""
    random, position = np.random.default_rng(9), Position(variant, **options)
    for _ in range(steps):
        if position.is_over:
            position = Position(variant, **options)
        position.play(str(random.choice(position.legal_moves())))
        if not position.is_over and not position.state[0]["origin"]:
            yield position


def test_a_piece_is_attacked_by_those_that_can_capture_it_now():
    found = 0
    for position in random_positions("chieftain", 1_500 if JIT else 80, setup=SMALL):
        state, options = position.state[0], position.options_record[0]
        sets = np.zeros(END, np.int32)
        mover = int(state["mover"])
        write_sets(state, options, mover, sets)
        captors = defaultdict(set)
        for label in position.legal_moves():
            if capture := CAPTURE.fullmatch(label):
                captors[capture[2]].add(capture[1])
        enemies = members(sets, OCCUPIED + ROWS * (1 - mover))
        assert members(sets, ATTACK + ONCE) & enemies == captors.keys()
        twice = {square for square, own in captors.items() if len(own) > 1}
        assert members(sets, ATTACK + TWICE) & enemies == twice
        found += len(captors) + len(twice)
    assert found > (1_000 if JIT else 50)


def test_steps_are_those_of_a_king_to_the_nearest_chieftain():
    for position in list(random_positions("overlord", 300 if JIT else 30))[::10]:
        state, options = position.state[0], position.options_record[0]
        sets = np.zeros(END, np.int32)
        write_steps(state, options, sets)
        steps = sets[STEPS:END].view(np.uint8).reshape(2, -1, STRIDE)
        assert steps[0].size == SQUARES
        for side in range(2):
            cells = state["chieftain_cell"][side][: state["chieftains"][side]].tolist()
            for rank in range(16):
                for file in range(24):
                    away = (max(abs(file_of(c) - file), abs(rank_of(c) - rank)) for c in cells)
                    assert steps[side, rank, file] == min(away)
