"""The key of compiled code: what changes it and what does not."""

from types import FunctionType

import numba
import numpy as np
import pytest

from pasgl_env import variants
from pasgl_env.engine.loops import _bound_loops
from pasgl_env.jit.cache_key import _content, _with_calls, key_of
from pasgl_env.jit.compiled import JIT, inlined_rule, rule

RULES = """
STEPS = 1
TABLE = np.arange(3)

@rule
def board(state):
    return TABLE[0] + state

@rule
def legal(state):
    "Moves."
    return board(state) + STEPS

@rule
def evaluate(state):
    return 0

def label(state):
    return "move"
"""

pytestmark = pytest.mark.skipif(not JIT, reason="about compiled code")


def module(text: str) -> dict[str, object]:
    """The keys of a module with these rules."""
    names = {"__name__": "chesslike", "np": np, "rule": rule, "inlined_rule": inlined_rule}
    exec(text, names)
    return names


def key(text: str = RULES, name: str = "legal") -> str:
    function = getattr(module(text)[name], "py_func", None)
    assert isinstance(function, FunctionType)
    return key_of([function])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("board(state) + STEPS", "board(state) - STEPS"),
        ("STEPS = 1", "STEPS = 2"),
        ("STEPS = 1", "STEPS = 1.0"),
        ("TABLE[0] + state", "TABLE[1] + state"),
        ("np.arange(3)", "np.arange(1, 4)"),
        ("np.arange(3)", "np.arange(3, dtype=np.int8)"),
        ("@rule\ndef board", "@inlined_rule\ndef board"),
    ],
    ids=[
        "itself",
        "constant",
        "type of a constant",
        "callee",
        "table",
        "type of a table",
        "inlined callee",
    ],
)
def test_an_edit_of_what_is_compiled_gives_another_key(old, new):
    assert old in RULES
    assert key(RULES.replace(old, new)) != key()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return 0", "return 1"),
        ('return "move"', 'return "Move"'),
        ('"Moves."', '"Legal moves."  # all of them'),
        ("STEPS = 1", "STEPS = 1\nOTHER = 2"),
        ("\nSTEPS", "\n\n\nSTEPS"),
    ],
    ids=["another rule", "text", "comment and docstring", "another constant", "line numbers"],
)
def test_any_other_edit_gives_the_same_key(old, new):
    assert old in RULES
    assert key(RULES.replace(old, new)) == key()


def test_a_docstring_where_there_was_none_gives_the_same_key():
    """It moves the numbers of the constants in the byte code."""
    text = "@rule\ndef legal(state):\n    return None if state else 1000\n"
    assert key(text) == key(text.replace("\n    ", '\n    "Moves."\n    '))
    assert key(text) != key(text.replace("1000", "1001"))


def test_two_functions_of_the_same_code_have_keys_of_their_own():
    """Compiled code carries its function's name."""
    assert key(RULES + "\n@rule\ndef other(state):\n    return 0\n", "other") != key(
        name="evaluate"
    )


def test_functions_that_call_each_other_have_a_key():
    text = (
        "@rule\ndef one(n): return two(n)\n\n@rule\ndef two(n): return n if n < 2 else one(n - 1)"
    )
    assert key(text, "one") != key(text.replace("n - 1", "n - 2"), "one")


def test_another_numba_or_python_gives_another_key(monkeypatch):
    seen = {key()}
    monkeypatch.setattr(numba, "__version__", "99.0")
    seen.add(key())
    monkeypatch.setattr("sys.implementation.cache_tag", "cpython-399")
    seen.add(key())
    assert len(seen) == 3


def test_other_settings_give_another_key():
    function = module(RULES)["legal"].py_func  # type: ignore[attr-defined]
    assert key_of([function], "fast") != key_of([function], "checked")


@pytest.mark.parametrize("game", ["pasgl312", "spalding", "chieftain", "pachessi"])
def test_of_a_game_are_its_rules_the_loops_and_nothing_else(game):
    """Editing a game's drawings, texts and pages, or another game, recompiles nothing."""
    loops = _bound_loops(variants.find(game))
    modules = {function.__module__ for function in _with_calls(loop.py_func for loop in loops)}
    own = {name for name in modules if name.startswith(f"pasgl_env.games.{game}.rules.")}
    assert {f"pasgl_env.games.{game}.rules.{part}" for part in ("state", "legal", "play")} <= own
    assert modules - own <= {
        "pasgl_env.jit.compiled",
        "pasgl_env.engine.loops",
        "pasgl_env.engine.results",
        "pasgl_env.contract.base",
        "pasgl_env.contract.bits",
    }


def test_keys_of_games_are_the_same_in_every_process():
    """The key contains no memory addresses."""
    for name in variants.names():
        for function in _with_calls(loop.py_func for loop in _bound_loops(variants.find(name))):
            assert " at 0x" not in _content(function).text


INTRINSIC = """
@intrinsic
def add(_, array, index, value):
    def generate(context, builder, signature, arguments):
        return builder.atomic_rmw("add", *arguments, "seq_cst")
    return value(array, index, value), generate

@rule
def legal(array):
    return add(array, 0, 1)
"""


def test_an_edit_of_an_intrinsic_gives_another_key():
    imports = "from numba.extending import intrinsic\n"

    changed = INTRINSIC.replace('"add"', '"sub"')
    assert key(imports + changed) != key(imports + INTRINSIC)
    assert key(imports + "\n" + INTRINSIC) == key(imports + INTRINSIC)
