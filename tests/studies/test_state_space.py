"""Bounds on the number of positions, against numbers that are known."""

from itertools import product

from pasgl_env import solve, variants
from studies.state_space import PAGE, Kind, arrangements, most, power


def test_arrangements_are_those_that_an_enumeration_finds():
    """Two pieces alike, one with two states on the board and three beyond it, and a filler."""
    found = set()
    for board in product(".aAbo", repeat=3):  # A and b: a piece in two states
        if board.count("o") <= 2 and board.count("A") + board.count("b") <= 1:
            states = 1 if "A" in board or "b" in board else 3
            found |= {(board, state) for state in range(states)}
    assert arrangements(3, [Kind(2), Kind(1, on=2, off=3)], others=1) == len(found)


def test_a_bound_holds_where_all_positions_are_known():
    """A turn of a single Chieftain is one action, so no position is within a turn."""
    table = solve("chieftain", setup="c3/4/4/3C")
    assert len(table) <= most(table.ruleset) == 2 * (16 * 15 + 2 * 16 + 1)


def test_the_page_has_the_bound_of_every_game():
    text = PAGE.read_text()
    for name in variants.names():
        ruleset = variants.ruleset(name)
        (row,) = (row for row in text.splitlines() if row.startswith(f"| {ruleset.game.title} |"))
        assert row.endswith(f"| {power(most(ruleset))} |")
