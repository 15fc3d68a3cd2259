"""The environment with PettingZoo's standard checks, compared with PettingZoo's own wrappers."""

import copy
import importlib
import pickle
from random import Random

import numpy as np
import pytest
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from pasgl_env.contract.variants import table
from pasgl_env.envs import aec, pasgl312_v0

STEPS = 400
UNBEGUN = 20  # as many uses before the first reset
NAMES = """
    agents num_agents max_num_agents possible_agents agent_selection rewards terminations
    truncations infos _cumulative_rewards metadata render_mode action_spaces
    observation_spaces state_space position _position agent_name_mapping unheard_of _was_dead_step
""".split()


def stacked(raw):
    """PettingZoo's own wrappers, as its tutorials put them around an environment."""
    env = TerminateIllegalWrapper(raw, illegal_reward=-1)
    env = AssertOutOfBoundsWrapper(env)
    return OrderEnforcingWrapper(env)


@pytest.fixture(autouse=True)
def _pettingzoos_rewards(monkeypatch):
    """PettingZoo's wrapper gives the other agents nothing; everything else is compared."""

    def rewards(game, state, options, player, by_points):
        return [-1.0 if each == player else 0.0 for each in range(game.spaces(options).players)]

    monkeypatch.setattr(aec, "forfeit_rewards", rewards)


class Driven:
    """An environment, its iterator, and the results of all uses of them."""

    def __init__(self, env):
        self.env = env
        self.iterator = iter(())

    def use(self, use):
        """The result or exception of a use, its logged warnings, and the state afterwards."""
        EnvLogger.flush()
        outcome = attempt(lambda: use(self))
        return outcome, list(EnvLogger.mqueue), self.shown()

    def shown(self):
        raw = self.env.unwrapped
        return (
            {name: attempt(lambda name=name: getattr(self.env, name)) for name in NAMES},
            str(self.env),
            type(raw),
            raw.position.text,
            raw.agent_selection,
            raw._cumulative_rewards,
        )


def attempt(use):
    """The result of a call, or its exception, for comparison."""
    try:
        return comparable(use())
    except Exception as error:
        return type(error), str(error)


def comparable(value):
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, value.tobytes()
    if isinstance(value, dict):
        return {key: comparable(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(map(comparable, value))
    if callable(value):
        return value.__qualname__
    return value.text if hasattr(value, "legal_moves") else value


def step(action):
    return lambda driven: driven.env.step(action)


def begin_loop(driven):
    driven.iterator = iter(driven.env.agent_iter())


def a_use(rng, raw, may_reset):
    """A valid or invalid use of an environment."""
    actions = raw.action_space("player_0").n
    if rng.random() < 0.75:
        return step_rightly(rng, raw)
    agent = rng.choice([*raw.possible_agents, "player_9"])
    arguments = rng.choice([{"seed": -1}, {"seed": 3}, {"options": {"position": "nonsense"}}])
    return rng.choice(
        [
            step_rightly(rng, raw),
            step(rng.randrange(actions)),
            step(rng.choice([-1, actions, 10**30, 2.0, "pass", [5], None])),
            step(rng.choice([np.array(0), np.array([0]), np.int8(0), np.uint64(2**63), np.nan])),
            lambda driven: driven.env.last(),
            lambda driven: driven.env.last(observe=False),
            lambda driven: driven.env.observe(agent),
            lambda driven: driven.env.state(),
            lambda driven: driven.env.render(),
            lambda driven: driven.env.action_space(agent),
            lambda driven: driven.env.observation_space(agent),
            lambda driven: driven.env.agent_iter(-1) and None,
            begin_loop,
            lambda driven: next(driven.iterator),
            lambda driven: driven.env.close(),
            *[lambda driven: driven.env.reset(**arguments)] * may_reset,
        ]
    )


def step_rightly(rng, raw):
    """A legal step; None after the end of the game; a new game when all agents have stepped out."""
    if not raw.agents:
        seed = rng.getrandbits(20)
        return lambda driven: driven.env.reset(seed=seed)
    ended = raw.terminations[raw.agent_selection] or raw.truncations[raw.agent_selection]
    return step(None if ended else rng.choice(raw.position.legal_actions()))


@pytest.mark.parametrize(
    ("variant", "reward", "seed"),
    [
        ("pasgl312", "outcome", 0),
        ("pasgl312", "points", 1),
        ("pachessi", "outcome", 2),  # with dice
        ("pachessi", "outcome", 3),
    ],
)
def test_every_use_right_or_wrong_comes_to_what_it_does_in_pettingzoos_stack(variant, reward, seed):
    module = importlib.import_module(f"pasgl_env.envs.{variant}_v{table()[variant].environment}")
    arguments = {"turn_limit": 30, "render_mode": "ansi", "reward": reward}
    ours = Driven(module.env(**arguments))
    theirs = Driven(stacked(copy.deepcopy(ours.env.env)))  # with the same dice
    rng = Random(seed)
    for number in range(STEPS):
        use = a_use(rng, ours.env.unwrapped, may_reset=number > UNBEGUN)
        assert ours.use(use) == theirs.use(use)


def test_only_one_layer_is_around_the_environment_and_it_is_an_order_enforcing_wrapper():
    env = pasgl312_v0.env()
    assert isinstance(env, OrderEnforcingWrapper)
    assert env.env is env.unwrapped


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"]
)
@pytest.mark.parametrize("begun", [False, True])
def test_copy_enforces_the_order_as_the_original_does(copied, begun):
    env = pasgl312_v0.env()
    if begun:
        env.reset()
    twin = copied(env)
    if begun:
        twin.step(twin.unwrapped.position.legal_actions()[0])
    else:
        with pytest.raises(AssertionError, match="reset"):
            twin.step(0)
