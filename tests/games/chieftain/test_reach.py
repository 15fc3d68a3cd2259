"""Sets of squares in reach are what the rules of movement say."""

import re

import numpy as np

from pasgl_env import Position
from pasgl_env.engine.compiled import JIT
from pasgl_env.games.bits import size
from pasgl_env.games.chieftain.rules.board import BORDER, FILES
from pasgl_env.games.chieftain.rules.reach import ROWS, add_reach, reach, write_empty
from pasgl_env.games.chieftain.rules.state import cell_at, kind_at

from ...rows import rows
from .positions import fields

MOVE = re.compile(r"[A-Z]([a-x]\d+)[-x]([a-x]\d+)")
EMPTY, ONCE, TWICE = 0, ROWS, 2 * ROWS


def members(sets, at):
    """The squares of a set that are on Overlord's board."""
    return {
        f"{FILES[file]}{rank + 1}"
        for rank in range(16)
        for file in range(24)
        if sets[at + BORDER + rank] >> file & 1
    }


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
        state, options = position.state[0], position.options_record[0]
        own = pieces(position, int(state["mover"]))
        targets = moves_of(position)
        twice: set[str] = set()
        every: set[str] = set()
        total = np.zeros(3 * ROWS, np.int32)
        write_empty(state, options, total, EMPTY)
        for file, rank in own:
            sets = np.zeros(3 * ROWS, np.int32)
            write_empty(state, options, sets, EMPTY)
            kind = kind_at(state, cell_at(file, rank))
            squares = reach(sets, EMPTY, kind, file, rank)
            add_reach(sets, ONCE, squares, file, rank)
            add_reach(total, ONCE, squares, file, rank)
            found = members(sets, ONCE)
            free = {f"{FILES[f]}{r + 1}" for f, r in own}
            assert found - free == targets.get(f"{FILES[file]}{rank + 1}", set())
            twice |= every & found
            every |= found
            reached += len(found)
        assert members(total, TWICE) == twice
    assert reached > (10_000 if JIT else 1_000)


@rows("numbers", [set(), {0}, {31}, {0, 1, 2, 8, 23}, set(range(32))])
def test_the_size_of_a_set(numbers):
    assert size(sum(1 << number for number in numbers)) == len(numbers)
