"""The player that maximises the evaluation at the end of its own turn."""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from pasgl_env.contract.game import Game
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import Batch
from pasgl_env.jit.compiled import bind, compile_once, with_helpers
from pasgl_env.jit.slices import slices
from pasgl_env.players.player import SeededPlayer, check_variant
from pasgl_env.players.random import draw
from pasgl_env.players.rules import search_rules

WON = 1e9
"""The value of a game that is won: more than any evaluation."""


class GreedyPlayer(SeededPlayer):
    """Plays the action that leads to the best state for it, by the game's ``evaluate``.

    It looks ahead to the end of the choices that the action requires, assuming the best choice each
    time, and no further: in a turn of several moves it plays each as if it were the last. If the
    game ends there, the result counts. It breaks ties at random.
    """

    name = "greedy"
    _derived = frozenset({"_loop"})

    def __init__(self, game: Game, seed: int | None = None) -> None:
        super().__init__(seed)
        self._game = game
        self._open()

    def _open(self) -> None:
        self._loop = loop_of(self._game)

    def _decide(
        self, batch: Batch, games: np.ndarray, generators: np.ndarray, actions: np.ndarray
    ) -> None:
        check_variant(self._game, batch)
        _run(self._loop, self._game, batch, games, generators, actions)


def choose_best(
    states: np.ndarray,
    options: np.ndarray,
    action_mask: np.ndarray,
    trial: np.ndarray,
    trial_masks: np.ndarray,
    values: np.ndarray,
    best: np.ndarray,
    generators: np.ndarray,
    actions: np.ndarray,
) -> None:
    """Choose for every state; the arguments between mask and generators are scratch memory."""
    for row in range(states.size):
        appraise(states[row], options, action_mask[row], trial, trial_masks, values)
        highest = values[values.argmax()]
        for action in range(best.size):
            best[action] = values[action] == highest
        actions[row] = draw(best, generators, row)


def appraise(
    state: Any,
    options: np.ndarray,
    action_mask: np.ndarray,
    trial: np.ndarray,
    trial_masks: np.ndarray,
    values: np.ndarray,
) -> None:
    """Write the value of each action for the player to act; -inf for illegal actions."""
    player = to_move(state)
    for action in range(values.size):
        values[action] = -np.inf
        if action_mask[action]:
            trial[0] = state
            play(trial[0], options[0], action)
            quiesce(trial, options, trial_masks, player)
            values[action] = rate(trial[0], options[0], player, trial_masks[1])


def rate(state: Any, option: Any, player: int, mask: np.ndarray) -> float:
    """How good a quiescent state is for a player; ``mask`` is scratch memory."""
    if has_ended(state, option, mask):
        return WON * outcome_of(state, option, team(player))
    return evaluate(state, option, player)


def quiesce(trial: np.ndarray, options: np.ndarray, trial_masks: np.ndarray, player: int) -> None:
    """Make the choices that an action requires, the best one each time.

    The state is ``trial[0]``.
    """
    while not is_quiescent(trial[0]):
        legal_actions(trial[0], options[0], trial_masks[0])
        highest, choice = -np.inf, 0
        for action in range(trial_masks.shape[1]):
            if trial_masks[0, action]:
                trial[1] = trial[0]
                play(trial[1], options[0], action)
                while not is_quiescent(trial[1]):
                    legal_actions(trial[1], options[0], trial_masks[1])
                    play(trial[1], options[0], trial_masks[1].argmax())
                value = rate(trial[1], options[0], player, trial_masks[1])
                if value > highest:
                    highest, choice = value, action
        play(trial[0], options[0], choice)


def quiesce_anyhow(
    trial: np.ndarray, options: np.ndarray, trial_masks: np.ndarray, player: int
) -> None:
    """Make any choices; for games in which all lead to the same state."""
    if not is_quiescent(trial[0]):
        choose(trial[0], options[0])


@cache
def appraise_of(game: Game) -> Any:
    """``appraise`` for one game."""
    namespace = {**search_rules(game), "choose": game.close_choices}
    close = quiesce if game.close_choices is None else quiesce_anyhow
    namespace = with_helpers(namespace, game.cache_name, rate, quiesce=close)
    return with_helpers(namespace, game.cache_name, appraise)["appraise"]


@cache
def loop_of(game: Game) -> Any:
    """``choose_best`` for one game, compiled."""
    loop = bind(choose_best, game.cache_name, {"appraise": appraise_of(game), "draw": draw})
    compile_once(f"{game.cache_name}-players", lambda: warm_up(game, loop), [loop])
    return loop


def warm_up(game: Game, loop: Any) -> None:
    """Run the loop once with the types that the player uses."""
    batch, first = Batch(Ruleset.of(game, {}), 1), np.zeros(1, np.int64)
    _run(loop, game, batch, first, np.zeros(1, np.uint64), first.copy())


def _run(
    loop: Any,
    game: Game,
    batch: Batch,
    games: np.ndarray,
    generators: np.ndarray,
    actions: np.ndarray,
) -> None:
    """Call the loop for some games of a batch, with scratch memory."""
    scratch = np.zeros((3, batch.num_actions), np.uint8)
    trial, values = np.zeros(2, game.state), np.empty(batch.num_actions)
    for part in slices(games.size):
        loop(
            batch.states[games[part]],
            batch.options_record,
            batch.action_mask[games[part]],
            trial,
            scratch[:2],
            values,
            scratch[2],
            generators[part],
            actions[part],
        )
