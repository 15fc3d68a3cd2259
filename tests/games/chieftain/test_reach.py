"""Sets of squares in reach are what the rules of movement say."""

import re

import numpy as np

from pasgl_env import Position
from pasgl_env.contract.bits import size
from pasgl_env.games.chieftain.rules.board import FILES
from pasgl_env.games.chieftain.rules.reach import (
    BLOCK,
    EMPTY,
    MARGIN,
    ONCE,
    PIECES,
    ROWS,
    TWICE,
    write_reach,
    write_reach_by_ways,
)
from pasgl_env.games.chieftain.rules.state import cell_at, kind_at
from pasgl_env.jit.compiled import JIT

from ...rows import rows
from .positions import fields

MOVE = re.compile(r"[A-Z]([a-x]\d+)[-x]([a-x]\d+)")
RANKS = 16
OVERLORD = Position("overlord").options_record[0]


def members(block, at):
    """The squares of a set that are on Overlord's board."""
    return {
        f"{FILES[file]}{rank + 1}"
        for rank in range(RANKS)
        for file in range(24)
        if block[at + MARGIN + rank] >> file & 1
    }


def block_of(state, pieces):
    """The squares that some pieces reach."""
    block = np.zeros(BLOCK, np.int32)
    occupants = state["occupants"].astype(np.int32)
    first = EMPTY + MARGIN
    block[first : first + RANKS] = 0xFFFFFF & ~(occupants[0] | occupants[1])[:RANKS]
    for file, rank in pieces:
        kind = kind_at(state, cell_at(file, rank))
        block[PIECES + ROWS * kind + MARGIN + rank] |= 1 << file
    by_ways = block.copy()
    write_reach(block, RANKS)
    write_reach_by_ways(OVERLORD, by_ways)
    assert np.array_equal(block[EMPTY:], by_ways[EMPTY:])
    for at in (ONCE, TWICE):
        assert members(block, at) == members(by_ways, at)
    return block


def moves_of(position):
    """Where each piece of the mover can go, by its square."""
    targets: dict[str, set[str]] = {}
    for label in position.legal_moves():
        move = MOVE.fullmatch(label)
        if move:
            targets.setdefault(move[1], set()).add(move[2])
    return targets


def pieces(position, side):
    """(file, rank) of each piece of a side."""
    files = position.state[0]["occupants"][side]
    return [(file, rank) for rank in range(24) for file in range(24) if files[rank] >> file & 1]


def test_reach_is_where_a_piece_can_move_and_what_it_guards():
    random, reached = np.random.default_rng(5), 0
    position = Position("overlord", command_range=23)
    for _ in range(400 if JIT else 60):
        position.play(str(random.choice(position.legal_moves())))
        if position.is_over or fields(position).labels:
            continue
        state = position.state[0]
        own = pieces(position, int(state["mover"]))
        free = {f"{FILES[f]}{r + 1}" for f, r in own}
        targets = moves_of(position)
        once: set[str] = set()
        twice: set[str] = set()
        for file, rank in own:
            found = members(block_of(state, [(file, rank)]), ONCE)
            assert found - free == targets.get(f"{FILES[file]}{rank + 1}", set())
            twice |= once & found
            once |= found
            reached += len(found)
        every = block_of(state, own)
        assert members(every, ONCE) == once
        assert members(every, TWICE) == twice
    assert reached > (10_000 if JIT else 1_000)


@rows("numbers", [set(), {0}, {31}, {0, 1, 2, 8, 23}, set(range(32))])
def test_the_size_of_a_set(numbers):
    assert size(sum(1 << number for number in numbers)) == len(numbers)
