"""The rules alone, called as a batch calls them: the time of a step that does nothing else.

A step of a batch also checks the actions, computes rewards, stores finished games and is called
from Python, and before it :meth:`pasgl_env.Batch.sample` draws the actions. The time of both beyond
the rules' own is the suite's overhead.

The rules play the same actions in the same positions as the batch, because a position late in a
game can take half the time of an early one. They write arrays of the same sizes, and nothing reads
these in between, because a mask that was just read is in the cache.
"""

# The template's free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from pasgl_env import Batch, variants
from pasgl_env.contract.game import Game
from pasgl_env.engine.loops import Buffers, draw_outcome, resolve_chance, rules_of
from pasgl_env.jit.compiled import bind, wrapping

UNTIMED, TIMED = 2, 8
"""Steps of a round."""


def play_on(
    states: np.ndarray,
    options: np.ndarray,
    actions: np.ndarray,
    ends: np.ndarray,
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
        if ends[game]:
            start(state, option)
            if HAS_CHANCE:
                resolve_chance(state, option, dice, game)
            legal = legal_actions(state, option, action_mask[game])
        legal_count[game] = legal
        mover[game] = to_move(state)
        observe(state, option, mover[game], observation[game])


class RulesBesideBatch:
    """A batch that plays random actions, and the rules alone, by turns in the same positions."""

    def __init__(self, variant: str, games: int) -> None:
        self._batch = Batch(variant, games, seed=0)
        for _ in range(300):
            self._batch.step(self._batch.sample())
        self._loop = _bound(variants.find(variant))
        buffers = Buffers.of(variants.find(variant), self._batch.options_record, games)
        self._seen = buffers.observation, buffers.action_mask, buffers.legal_count, buffers.to_move
        self._batch_rate = 0.0

    def rules_rate(self, seconds: float) -> float:
        """Play on for at least this time in all; decisions per second of the rules alone."""
        rounds = [self._round()]
        while np.sum(rounds) < seconds:
            rounds.append(self._round())
        by_batch, by_rules = np.sum(rounds, axis=0)
        decisions = len(rounds) * TIMED * len(self._batch)
        self._batch_rate = float(decisions / by_batch)
        return float(decisions / by_rules)

    def batch_rate(self, seconds: float) -> float:
        """Decisions per second of the batch, drawing included, when the rules were last timed."""
        del seconds  # measured then
        return self._batch_rate

    def _round(self) -> tuple[float, float]:
        """Seconds of the batch and of the rules for the timed steps of a round.

        The first steps are not timed: the caches hold the other's arrays.
        """
        batch, loop, seen = self._batch, self._loop, self._seen
        states, dice = batch.states.copy(), batch._buffers.dice.copy()
        played, by_batch, by_rules = [], [], []
        for _ in range(UNTIMED + TIMED):
            begun = perf_counter()
            actions = batch.sample()
            batch.step(actions)
            by_batch.append(perf_counter() - begun)
            played.append((actions, batch.terminated | batch.truncated))
        with wrapping():
            for actions, ends in played:
                begun = perf_counter()
                loop(states, batch.options_record, actions, ends, dice, *seen)
                by_rules.append(perf_counter() - begun)
        return sum(by_batch[UNTIMED:]), sum(by_rules[UNTIMED:])


def _bound(game: Game) -> Callable[..., None]:
    """The loop of a game."""
    namespace = rules_of(game)
    for helper in (draw_outcome, resolve_chance):
        namespace[helper.__name__] = bind(helper, game.cache_name, namespace)
    loop: Callable[..., None] = bind(play_on, game.cache_name, namespace)
    return loop
