"""Games on a GPU are those of `Batch`, byte for byte.

`make tests` runs this file in the simulator; without it and without a GPU it is skipped.
"""

import copy

import numpy as np
import pytest
from numba import cuda

from pasgl_env import Batch, IllegalMove, variants
from pasgl_env.cuda import CudaBatch, DeviceArray
from pasgl_env.cuda.device import SIMULATED

from ..engine.test_batch import OF_THE_ENDED, OUTPUTS
from ..one_of_each import ONE_OF_EACH_GAME

pytestmark = [
    pytest.mark.skipif(
        not cuda.is_available(), reason="needs a GPU, or the simulator: NUMBA_ENABLE_CUDASIM=1"
    ),
    pytest.mark.filterwarnings("ignore:overflow encountered"),  # of generators, as plain Python
]
on_a_gpu = pytest.mark.skipif(SIMULATED, reason="needs a GPU")

# In the simulator, where rules are plain Python, those that share them differ in their boards only.
NAMES = ONE_OF_EACH_GAME if SIMULATED else variants.names()
GAMES = [*((name, {}) for name in NAMES), ("pachessi", {"players": 4})]
over_all_games = pytest.mark.parametrize(
    ("variant", "options"), GAMES, ids=[*NAMES, "pachessi for four"]
)
RECORDS = (*OF_THE_ENDED, "states", "length", "first_states", "first_dice", "final_action_mask")


def settings_of(variant):
    return {"reward": "points"} if variants.find(variant).has_points else {}


def compare(batch, on_gpu):
    """Whether all common outputs are equal."""
    for name in OUTPUTS:
        here, there = getattr(batch, name), getattr(on_gpu, name).copy_to_host()
        assert (here.dtype, here.shape) == (there.dtype, there.shape), name
        assert here.tobytes() == there.tobytes(), name
    for name in RECORDS:
        assert getattr(batch, name).tobytes() == getattr(on_gpu, name).tobytes(), name


def step_both(batch, on_gpu, actions=None):
    if actions is None:
        actions = batch.sample()
        assert on_gpu.sample().copy_to_host().tobytes() == actions.tobytes()
    batch.step(actions)
    on_gpu.step(actions)
    compare(batch, on_gpu)


def before_the_end(variant, options, wanted):
    """States in which an action ends the game, and these actions."""
    batch = Batch(variant, 64, seed=1, **options)
    states: list[np.record] = []
    ends: list[int] = []
    while len(states) < wanted:
        before, actions = batch.states.copy(), batch.sample()
        batch.step(actions)
        for game in np.flatnonzero(batch.terminated):
            states.append(before[game])
            ends.append(actions[game])
    return np.array(states[:wanted], batch.states.dtype), np.array(ends[:wanted])


@over_all_games
def test_plays_the_same_bytes(variant, options):
    """From the start, from mid-game to the turn limit, and where games end by their rules."""
    last, ends = before_the_end(variant, options, 3)
    middle = Batch(variant, 4, seed=2, **options)
    for _ in range(40):
        middle.step(middle.sample())
    turns = [int(variants.find(variant).turns(state)) for state in middle.states]
    settings = {**options, **settings_of(variant), "turn_limit": max(turns) + 1, "seed": 3}

    batch, on_gpu = Batch(variant, 4, **settings), CudaBatch(variant, 4, **settings)
    compare(batch, on_gpu)
    batch.states = on_gpu.states = middle.states
    compare(batch, on_gpu)
    truncated = 0
    for _ in range(12):
        step_both(batch, on_gpu)
        truncated += batch.truncated.sum()
    assert truncated
    on_gpu.reset(seed=4)
    batch.reset(seed=4)
    compare(batch, on_gpu)

    settings["turn_limit"] = 0
    batch, on_gpu = Batch(variant, 3, **settings), CudaBatch(variant, 3, **settings)
    batch.states = on_gpu.states = last
    step_both(batch, on_gpu, ends)
    assert batch.terminated.all()
    step_both(batch, on_gpu)


@pytest.fixture
def pair():
    """The same games in both, some steps in: more than a tile holds, the last one not full."""
    batch, on_gpu = (kind("pachessi", 7, seed=5, turn_limit=4) for kind in (Batch, CudaBatch))
    for _ in range(6):
        step_both(batch, on_gpu)
    return batch, on_gpu


def test_some_games_can_be_stepped(pair):
    batch, on_gpu = pair
    for games in ([1, 2, 6], [0], []):
        actions = batch.sample()[games]
        on_gpu.sample()
        batch.step_some(games, actions)
        on_gpu.step_some(np.array(games, np.int64), actions)
        compare(batch, on_gpu)


@pytest.mark.parametrize("dtype", [np.int64, np.int32])
def test_what_ended_outlasts_the_callers_array(pair, dtype):
    batch, on_gpu = pair
    every, games = np.arange(7), DeviceArray(cuda.to_device(np.arange(7, dtype=dtype)))
    ended = 0
    while not ended:
        actions = batch.sample()
        on_gpu.sample()
        batch.step_some(every, actions)
        on_gpu.step_some(games, actions)
        ended = batch.ended.size
    games.array.copy_to_device(np.zeros(7, dtype))
    compare(batch, on_gpu)


def test_truncates_for_a_team(pair):
    batch, on_gpu = pair
    batch.truncates_for[:] = awaited = np.array([0, 1, 0, 1, -1, 0, 1], np.int8)
    on_gpu.truncates_for.array.copy_to_device(awaited)
    for _ in range(12):
        step_both(batch, on_gpu)


def test_an_illegal_action_changes_nothing(pair):
    batch, on_gpu = pair
    actions = batch.sample()
    actions[4] = np.flatnonzero(batch.action_mask[4] == 0)[0]
    with pytest.raises(IllegalMove) as here:
        batch.step(actions)
    for wrong in (actions, actions.astype(np.int32), cuda.to_device(actions)):
        with pytest.raises(IllegalMove) as there:
            on_gpu.step(wrong)
        assert str(there.value) == str(here.value)
    compare(batch, on_gpu)


@pytest.mark.parametrize("action", [-1, 393, 2**40])
def test_an_action_that_does_not_exist_is_illegal(pair, action):
    with pytest.raises(IllegalMove, match=f"game 2: action {action} is not legal"):
        pair[1].step_some([2], [action])


@pytest.mark.parametrize("games", [[2, 1], [3, 3], [-1, 2], [0, 7]])
def test_games_must_ascend(pair, games):
    with pytest.raises(ValueError, match="ascending indices below 7"):
        pair[1].step_some(games, [0, 0])


@pytest.mark.parametrize("actions", [[0], [[0] * 7], [0.5] * 7])
def test_actions_must_be_as_many_whole_numbers(pair, actions):
    with pytest.raises(ValueError, match="actions"):
        pair[1].step(actions)


def test_states_must_be_possible(pair):
    batch, on_gpu = pair
    states = on_gpu.states
    states["mover"][1] = 77
    with pytest.raises(ValueError, match="record 1: not a possible position"):
        on_gpu.states = states
    compare(batch, on_gpu)


def test_goes_on_as_a_batch(pair):
    _, on_gpu = pair
    batch = on_gpu.to_batch()
    for _ in range(5):
        actions = batch.sample()
        assert on_gpu.sample().copy_to_host().tobytes() == actions.tobytes()
        batch.step(actions)
        on_gpu.step(actions)
        assert batch.states.tobytes() == on_gpu.states.tobytes()
        assert batch.first_dice.tobytes() == on_gpu.first_dice.tobytes()


def test_without_checks_plays_the_same():
    batch = Batch("pachessi", 3, seed=6)
    on_gpu = CudaBatch("pachessi", 3, seed=6, checks=False)
    for _ in range(3):
        batch.step(batch.sample())
        on_gpu.step(on_gpu.sample())
    compare(batch, on_gpu)


def test_arrays_are_shared(pair):
    _, on_gpu = pair
    for name in OUTPUTS:
        array = getattr(on_gpu, name)
        there = shared(array)
        assert there.shape == array.shape
        assert np.array_equal(host(there), array.copy_to_host()), name
    before = host(shared(on_gpu.action_mask)).copy()
    seen = shared(on_gpu.action_mask)
    on_gpu.step(on_gpu.sample())
    assert np.array_equal(host(seen), on_gpu.action_mask.copy_to_host())
    assert not np.array_equal(host(seen), before)


def shared(array):
    """The array as seen by another library through DLPack."""
    if SIMULATED:
        return np.from_dlpack(array)
    return pytest.importorskip("torch").from_dlpack(array)


def host(array):
    return array if SIMULATED else array.cpu().numpy()


def test_arrays_outlive_their_batch():
    on_gpu = CudaBatch("pachessi", 2, seed=7)
    seen, content = shared(on_gpu.observation), on_gpu.observation.copy_to_host()
    del on_gpu
    assert np.array_equal(host(copy.copy(seen)), content)


@on_a_gpu
@pytest.mark.slow
@over_all_games
def test_ten_million_actions(variant, options):
    settings = {**options, **settings_of(variant), "seed": 8}
    games, steps = 1 << 13, 1221
    batch, on_gpu = Batch(variant, games, **settings), CudaBatch(variant, games, **settings)
    for _ in range(steps):
        actions, there = batch.sample(), on_gpu.sample()
        assert actions.tobytes() == there.copy_to_host().tobytes()
        batch.step(actions)
        on_gpu.step(there)
        for name in OUTPUTS:
            here, there = getattr(batch, name), getattr(on_gpu, name).copy_to_host()
            assert np.array_equal(here, there), name
    assert batch.states.tobytes() == on_gpu.states.tobytes()


@on_a_gpu
def test_pytorch_sees_the_same_memory():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("needs a build of PyTorch for CUDA")
    on_gpu = CudaBatch("pasgl312", 64, seed=9)
    seen = torch.as_tensor(on_gpu.observation, device="cuda")
    assert seen.data_ptr() == on_gpu.observation.__cuda_array_interface__["data"][0]
    on_gpu.step(torch.as_tensor(on_gpu.action_mask, device="cuda").float().argmax(1))
    assert np.array_equal(seen.cpu().numpy(), on_gpu.observation.copy_to_host())
