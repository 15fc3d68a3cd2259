"""The kernels of every game compile for two architectures, which needs no GPU."""

import inspect
import re
from types import SimpleNamespace

import numpy as np
import pytest
from numba import cuda, typeof, types

from pasgl_env import variants
from pasgl_env.contract.game import options_array
from pasgl_env.cuda import kernels
from pasgl_env.cuda.device import SIMULATED

from ..suites import Suite, over_all_games

pytest.importorskip("numba_cuda")

import numba.cuda.dispatcher

pytestmark = pytest.mark.skipif(SIMULATED, reason="the simulator compiles nothing")
# Turing, which `make cuda` compiles for, and Hopper.
for_each_architecture = pytest.mark.parametrize(
    ("name", "architecture"),
    [("sm_75", (7, 5)), pytest.param("sm_90", (9, 0), marks=pytest.mark.slow)],
)
INTEGERS = dict.fromkeys(
    ("games", "actions", "first_wrong", "chosen", "source", "target"), types.int64[::1]
)


def types_of(game):
    """The type of each parameter of a kernel, by name."""
    options = options_array(game, {})
    shape = game.spaces(options[0]).observation
    states = typeof(np.zeros(1, game.state))
    word = kernels.word_of(int(np.prod(shape)))
    return INTEGERS | {
        "action_mask": types.Array(types.uint8, 2, "A"),
        "by_points": types.boolean,
        "concludes": types.boolean,
        "dice": types.uint64[::1],
        "final_length": types.int32[::1],
        "final_states": states,
        "first_dice": types.uint64[::1],
        "first_states": states,
        "generators": types.uint64[::1],
        "in_tile": types.int64,
        "legal_count": types.int32[::1],
        "length": types.int32[::1],
        "mask_words": types.int64[:, ::1],
        "mover": types.int8[::1],
        "options": typeof(options),
        "restarts": types.boolean,
        "reward": types.float32[:, ::1],
        "row_words": types.int64[:, ::1] if word == types.int64 else types.int8[:, ::1],
        "shape": types.UniTuple(types.int64, 3),
        "states": states,
        "terminated": types.boolean[::1],
        "truncated": types.boolean[::1],
        "truncates_for": types.int8[::1],
    }


def ptx_of(kernel, known, architecture, monkeypatch):
    # Device functions ask the device what they are compiled for, whoever calls them.
    device = SimpleNamespace(compute_capability=architecture)
    monkeypatch.setattr(numba.cuda.dispatcher, "get_current_device", lambda: device)
    parameters = [known[name] for name in inspect.signature(kernel.py_func).parameters]
    signature = types.void(*parameters)
    ptx, _ = cuda.compile(
        kernel.py_func, signature, device=False, cc=architecture, output="ptx", abi="numba"
    )
    return ptx


def bytes_in(ptx, space):
    """The total size of all arrays in a GPU memory space."""
    return sum(map(int, re.findall(rf"\.{space} [^=\[]*\[(\d+)\]", ptx)))


@for_each_architecture
@over_all_games
def test_compiles(suite: Suite, name, architecture, monkeypatch):
    game = variants.find(suite.variants[0])
    known = types_of(game)
    word = kernels.word_of(int(np.prod(game.spaces(options_array(game, {})[0]).observation)))
    for kernel in kernels.kernels_of(game, word):
        ptx = ptx_of(kernel, known, architecture, monkeypatch)
        assert f".target {name}" in ptx
        assert ptx.count(".visible .entry") == 1
        # A rule's local arrays would lie in the slowest memory; NumPy's reshape has small ones.
        assert bytes_in(ptx, "local") <= 256
        # Tables of the rules; a GPU does not load more.
        assert bytes_in(ptx, "const") <= 65536


@for_each_architecture
@pytest.mark.parametrize(
    "kernel",
    [kernels.accept, kernels.copy_integers, kernels.draw_kernel],
    ids=["accept", "copy", "draw"],
)
def test_kernels_of_all_games_compile(kernel, name, architecture, monkeypatch):
    ptx = ptx_of(kernel, types_of(variants.find("pachessi")), architecture, monkeypatch)
    assert f".target {name}" in ptx
