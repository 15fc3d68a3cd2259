"""What holds in every game of Chieftain."""

from __future__ import annotations

from collections import Counter

import numpy as np

from pasgl_env import Position

from .positions import FILES, fields, listed
from .steering import is_capture

WORTH = {"C": 8, "H": 3, "S": 3, "N": 2, "M": 1, "B": 4, "R": 4, "L": 8}


def pieces(position: Position) -> dict[tuple[int, int], str]:
    """What the diagram shows: the letter on each square (file, rank) that has a piece."""
    ranks = [line for line in str(position).splitlines() if " | " in line]
    found = {}
    for rank, line in enumerate(reversed(ranks)):
        cells = line[5 : line.rindex("|")]
        for file, letter in enumerate(cells[::2]):
            if letter not in ".:":
                found[file, rank] = letter
    return found


def on_board(position: Position) -> Counter[str]:
    return Counter(pieces(position).values())


def of_side(here: dict[tuple[int, int], str], side: int) -> dict[tuple[int, int], str]:
    return {square: letter for square, letter in here.items() if letter.islower() == bool(side)}


def square(cell: int) -> tuple[int, int]:
    """File and rank of a cell."""
    rank, file = divmod(int(cell), 32)
    return file - 4, rank - 4


def check_state(position: Position) -> None:
    state, here = position.state[0], pieces(position)
    for side in range(2):
        own = of_side(here, side)
        chieftains = [at for at, letter in own.items() if letter in "CcLl"]
        listed_cells = state.chieftain_cell[side, : state.chieftains[side]]
        assert sorted(map(square, listed_cells.tolist())) == sorted(chieftains)
        assert {
            (file, rank)
            for rank, files in enumerate(state.occupants[side].tolist())
            for file in range(32)
            if files >> file & 1
        } == set(own)
    check_points(position, here)
    check_command(position)
    check_result(position)
    if not position.in_turn:
        assert listed(fields(position).board) == " ".join(
            sorted(f"{letter}{FILES[file]}{rank + 1}" for (file, rank), letter in here.items())
        )


def check_points(position: Position, here: dict[tuple[int, int], str]) -> None:
    """Each has what the other has lost since the start."""
    start = pieces(Position(position.variant, **position.options))
    for side in range(2):
        at_start, now = (
            sum(WORTH[letter.upper()] for letter in of_side(which, side).values())
            for which in (start, here)
        )
        assert position.points[1 - side] == at_start - now


def check_command(position: Position) -> None:
    """The squares within range of the Chieftains that have activations left."""
    state, options, here = position.state[0], position.options, pieces(position)
    _, ranks, files = position.observation().shape
    active = [
        square(cell)
        for cell, left in zip(state.chieftain_cell[state.mover].tolist(), state.left, strict=True)
        if left
    ]
    for rank in range(ranks):
        for file in range(files):
            near = any(
                max(abs(file - f), abs(rank - r))
                <= options["leader_range" if here[f, r] in "Ll" else "command_range"]
                for f, r in active
            )
            assert int(state.command[rank]) >> file & 1 == near


def check_result(position: Position) -> None:
    sides = {letter.islower() for letter in pieces(position).values() if letter in "CcLl"}
    if position.is_over:
        expected = {False: (1, -1), True: (-1, 1)}[sides.pop()] if len(sides) == 1 else (0, 0)
        assert position.returns == expected
    else:
        assert len(sides) == 2


def check_action(before: Position, after: Position, label: str) -> None:
    then, now = before.state[0], after.state[0]
    lost = len(pieces(before)) - len(pieces(after))
    if label == "pass":
        assert (now.pass_count, lost) == (then.pass_count + 1, 0)
        assert not before.in_turn
    elif label == "end":
        assert (now.pass_count, lost) == (0, 0)
        assert before.in_turn
    elif now.origin:
        check_question(before, after, label)
    else:
        check_move(before, after, lost, label)
    if not after.in_turn:
        assert now.mover == 1 - then.mover
        assert not now.moved.any()


def check_question(before: Position, after: Position, label: str) -> None:
    """Until it is chosen who activates, nothing else has changed."""
    assert {answer[:3] for answer in after.legal_moves()} == {"by "}
    assert len(after.legal_moves()) > 1
    assert pieces(after) == pieces(before)
    for field in before.state.dtype.names or ():
        if field not in ("origin", "target"):
            assert np.array_equal(before.state[field], after.state[field]), field


def check_move(before: Position, after: Position, lost: int, label: str) -> None:
    """One piece has moved and one activation is spent; a capture takes one enemy."""
    then, now = before.state[0], after.state[0]
    mover = int(then.mover)
    move = before.labels[-1] if label.startswith("by ") else label
    assert lost == is_capture(move)
    assert len(of_side(pieces(after), mover)) == len(of_side(pieces(before), mover))
    assert now.pass_count == 0
    if after.in_turn:
        assert now.move_count == then.move_count + 1
        assert now.left.sum() == then.left.sum() - 1
