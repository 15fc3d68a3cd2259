"""Random play in other suites, at their best, for comparison with this one.

Each peer plays uniformly random legal actions. For every decision it computes the action mask and
the observation tensor of the agent to act, as a learner needs them, through the fastest interface
in its documentation. Chance nodes are not decisions.

A peer is called with the number of seconds to measure. It warms up first and returns decisions per
second; it raises `PeerMissing` if its package is not installed (the extra `peers` has them all).
"""

import gc
import importlib
import random
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np


class PeerMissing(ImportError):
    """A package that a peer needs is not installed; ``name`` says which."""


def pettingzoo_rate(environment: str, seconds: float) -> float:
    """PettingZoo: one game at a time through the AEC interface."""
    return aec_rate(import_peer(f"pettingzoo.classic.{environment}").env(), seconds)


def aec_rate(env: Any, seconds: float) -> float:
    """Any AEC environment, through ``last`` and ``step``."""
    rng = random.Random(0)

    def play_game() -> int:
        decisions = 0
        env.reset(seed=rng.getrandbits(31))
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(drawn(observation["action_mask"], rng))
                decisions += 1
        return decisions

    return rate(play_game, seconds)


def drawn(mask: np.ndarray, rng: random.Random) -> np.int64:
    """A legal action, in a tenth of the time that ``numpy.random.Generator.choice`` takes."""
    legal = mask.nonzero()[0]
    action: np.int64 = legal[int(rng.random() * legal.size)]
    return action


def openspiel_rate(game_name: str, seconds: float) -> float:
    """OpenSpiel: one game at a time, observed into one array that is reused."""
    game = import_peer("pyspiel").load_game(game_name)
    observation = import_peer("open_spiel.python.observation").make_observation(game)
    rng = random.Random(0)

    def play_game() -> int:
        decisions = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, probabilities)[0])
            else:
                observation.set_from(state, state.current_player())
                state.legal_actions_mask()
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return rate(play_game, seconds)


def pgx_rate(game_name: str, batch_size: int, seconds: float, platform: str = "cpu") -> float:
    """Pgx: a batch of games on one of JAX's platforms; one compiled call steps them all."""
    jax = import_peer("jax")
    pgx = import_peer("pgx")
    auto_reset = import_peer("pgx.experimental").auto_reset
    jax.config.update("jax_platforms", platform)
    env = pgx.make(game_name)
    step_all = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def advance(state: Any, key: Any) -> tuple[Any, Any]:
        next_key, action_key, step_key = jax.random.split(key, 3)
        actions = _random_legal(jax, action_key, state.legal_action_mask)
        return step_all(state, actions, jax.random.split(step_key, batch_size)), next_key

    key = jax.random.PRNGKey(0)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, batch_size))

    def play_steps() -> int:
        # Not a compiled loop: as outputs of every call, observations cannot be optimised away.
        nonlocal state, key
        for _ in range(16):
            state, key = advance(state, key)
        jax.block_until_ready(state)
        return 16 * batch_size

    return rate(play_steps, seconds)


# Of the powers of two up to 1024 these batch sizes were among the fastest on a two-core CPU.
PEERS: dict[str, Callable[[float], float]] = {
    "PettingZoo chess_v6": partial(pettingzoo_rate, "chess_v6"),
    "PettingZoo connect_four_v3": partial(pettingzoo_rate, "connect_four_v3"),
    "OpenSpiel chess": partial(openspiel_rate, "chess"),
    "OpenSpiel backgammon": partial(openspiel_rate, "backgammon"),
    "Pgx chess": partial(pgx_rate, "chess", 32),
    "Pgx backgammon": partial(pgx_rate, "backgammon", 256),
}


def import_peer(module: str) -> Any:
    """Import late, so that each peer only needs its own packages."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise PeerMissing(str(error), name=error.name or module) from error


def rate(play: Callable[[], int], seconds: float) -> float:
    """Decisions per second of ``play``, which returns the number of decisions it made."""
    play()  # warm-up: compilation, caches
    gc.freeze()  # or each collection looks through the objects of all imported libraries
    decisions, elapsed, start = 0, 0.0, perf_counter()
    while elapsed < seconds:
        decisions += play()
        elapsed = perf_counter() - start
    return decisions / elapsed


def _random_legal(jax: Any, key: Any, mask: Any) -> Any:
    """One random number per game: `jax.random.categorical` over all actions halves the speed."""
    count_up_to = jax.numpy.cumsum(mask, axis=-1)
    chosen = jax.random.uniform(key, (len(mask), 1)) * count_up_to[:, -1:]
    return jax.numpy.argmax(count_up_to > chosen, axis=-1)
