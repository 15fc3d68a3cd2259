"""Which tests of the rules also run without the JIT, to measure coverage."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
# These files and tests play too much for plain Python.
NEED_THE_JIT = {
    "test_perft.py",
    "test_long_games.py",
    "test_laps_are_the_crossings_of_the_ray_through_the_starting_square",
    "test_reach_is_where_a_piece_can_move_and_what_it_guards",
    "test_text_of_any_position_of_a_game_is_read_again",
}
NOT_OF_RULES = tuple(
    f"test_{part}.py" for part in ("drawing", "diagram", "notation", "summary", "statistics")
)
# Of tests that are played from every side, those of the last one: its board is turned round.
LAST = {
    "side": ("black",),
    "seat": ((2, "yellow"), (4, "red")),
    "seat_of_two": ((2, "yellow"),),
    "seat_of_four": ((4, "red"),),
}


def is_of_the_last_side(item):
    params = item.callspec.params if hasattr(item, "callspec") else {}
    return all(params[name] in last for name, last in LAST.items() if name in params)


def pytest_collection_modifyitems(items):
    for item in items:
        is_of_rules = item.path.parent.parent == HERE and item.path.name not in NOT_OF_RULES
        needs_jit = NEED_THE_JIT & {item.path.name, getattr(item, "originalname", None)}
        if is_of_rules and not needs_jit and is_of_the_last_side(item):
            item.add_marker(pytest.mark.jitfree)
