"""The rules alone, called as a batch calls them: the time of a step that does nothing else.

A step of a batch also checks the actions, computes rewards, stores finished games and is called
from Python, and before it :meth:`pasgl_env.Batch.sample` draws the actions. The time of both beyond
the rules' own is the suite's overhead. The outputs are arrays of the same sizes, with the same load
on memory.
"""

# The template's free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from pasgl_env import Batch, variants
from pasgl_env.engine.compiled import bind, wrapping
from pasgl_env.engine.loops import (
    NOTHING,
    Buffers,
    draw_outcome,
    loops_of,
    resolve_chance,
    sample,
)
from pasgl_env.games.contract import Game

_RULES = (
    "start legal_actions play observe to_move chance_weight chance_outcome apply_chance".split()
)


def play_on(
    states: np.ndarray,
    options: np.ndarray,
    actions: np.ndarray,
    dice: np.ndarray,
    observation: np.ndarray,
    action_mask: np.ndarray,
    legal_count: np.ndarray,
    mover: np.ndarray,
) -> None:
    """Play an action in every game, and write the view and mask of the player to act."""
    option = options[0]
    for game in range(actions.size):
        state = states[game]
        play(state, option, actions[game])
        if HAS_CHANCE:
            resolve_chance(state, option, dice, game)
        legal = legal_actions(state, option, action_mask[game])
        if legal == 0:
            start(state, option)
            if HAS_CHANCE:
                resolve_chance(state, option, dice, game)
            legal = legal_actions(state, option, action_mask[game])
        legal_count[game] = legal
        mover[game] = to_move(state)
        observe(state, option, mover[game], observation[game])


def rules_rate(variant: str, games: int, warm_up: int = 300) -> Callable[[float], float]:
    """Decisions per second of the rules alone, without drawing actions."""
    game = variants.find(variant)
    batch = Batch(variant, games, seed=0)
    for _ in range(warm_up):
        batch.step(batch.sample())
    loop = _bound(game)
    states, options = batch.states.copy(), batch.options_record
    buffers = Buffers.of(game.spaces(options[0]), games)
    dice, generators = np.arange(games, dtype=np.uint64), np.arange(games, dtype=np.uint64)
    everybody, actions = np.arange(games), np.zeros(games, np.int64)
    drawn = np.full(games, NOTHING)
    firsts = states.copy(), dice.copy()
    seen = buffers.observation, buffers.action_mask, buffers.legal_count, buffers.to_move
    with wrapping():
        loops_of(game).refresh(states, options, everybody, dice, *firsts, *buffers[:5], 0, games)

    def step() -> float:
        masks = buffers.action_mask, buffers.legal_count
        with wrapping():
            sample(*masks, generators, drawn, actions, 0, games)
            start = perf_counter()
            loop(states, options, actions, dice, *seen)
            return perf_counter() - start

    def measure(seconds: float) -> float:
        step()
        steps, elapsed = 0, 0.0
        while elapsed < seconds:
            elapsed += step()
            steps += 1
        return steps * games / elapsed

    return measure


def _bound(game: Game) -> Callable[..., None]:
    """The loop of a game."""
    namespace = {name: getattr(game, name) for name in _RULES}
    namespace["HAS_CHANCE"] = game.outcomes > 0
    for helper in (draw_outcome, resolve_chance):
        namespace[helper.__name__] = bind(helper, game.rules, namespace)
    loop: Callable[..., None] = bind(play_on, game.rules, namespace)
    return loop
