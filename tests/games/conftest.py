"""Tests of rules: from which sides they are played, and which also run without the JIT."""

from inspect import signature
from pathlib import Path

import pytest

from .sides import Sides

HERE = Path(__file__).parent
# These files and tests play too much for plain Python, where coverage is measured.
NEED_THE_JIT = {
    "test_perft.py",
    "test_long_games.py",
    "test_laps_are_the_crossings_of_the_ray_through_the_starting_square",
    "test_text_of_any_position_of_a_game_is_read_again",
}
NOT_OF_RULES = tuple(
    f"test_{part}.py" for part in ("drawing", "diagram", "notation", "summary", "statistics")
)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Play a test of a rule from every side."""
    names = signature(pyfuncitem.obj).parameters
    arguments = {name: pyfuncitem.funcargs[name] for name in names}
    sided = [name for name, value in arguments.items() if isinstance(value, Sides)]
    if not sided:
        return None
    (name,) = sided
    for side in arguments[name]:
        try:
            pyfuncitem.obj(**{**arguments, name: side})
        except BaseException as error:
            error.add_note(f"with {name}: {side}")
            raise
    return True


def pytest_collection_modifyitems(items):
    for item in items:
        is_of_rules = item.path.parent.parent == HERE and item.path.name not in NOT_OF_RULES
        needs_jit = NEED_THE_JIT & {item.path.name, getattr(item, "originalname", None)}
        if is_of_rules and not needs_jit:
            item.add_marker(pytest.mark.jitfree)
