"""Counting sequences of actions, compiled for a game when it is first asked for."""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from pasgl_env.engine.compiled import bind, compile_once
from pasgl_env.engine.loops import acts, rules_of
from pasgl_env.games.contract import Game, options_array


def perft(game: Game, states: np.ndarray, options: np.ndarray, actions: int, depth: int) -> int:
    """Number of sequences of ``depth`` actions and outcomes of chance from the first state.

    Args:
        game: the game.
        states: a record.
        options: the options, an array of one record.
        actions: the size of the action space.
        depth: at least 1.
    """
    return int(_loop_of(game)(*_arguments(game, states, options, actions, depth)))


def _arguments(
    game: Game, states: np.ndarray, options: np.ndarray, actions: int, depth: int
) -> tuple[Any, ...]:
    """The arguments of :func:`count_sequences`."""
    masks = np.zeros((depth, max(actions, game.outcomes)), np.uint8)
    cursor = np.zeros(depth, np.int64)
    return np.repeat(states[:1], depth), options, actions, masks, cursor, depth


@cache
def _loop_of(game: Game) -> Any:
    """``count_sequences`` for one game, compiled."""
    namespace = rules_of(game)
    for helper in (acts, branches):
        namespace[helper.__name__] = bind(helper, game.rules, namespace)
    loop = bind(count_sequences, game.rules, namespace)
    options = options_array(game, {})
    actions = game.spaces(options[0]).actions
    arguments = _arguments(game, np.zeros(1, game.state), options, actions, 1)
    compile_once(f"{game.rules}-perft", lambda: loop(*arguments), [loop])
    return loop


def branches(state: Any, option: Any, actions: int, mask: np.ndarray) -> int:
    """Mark the legal actions, or the outcomes at a chance node; return how many there are."""
    count = chance_weight(state, option) if HAS_CHANCE else 0
    if count == 0:
        return legal_actions(state, option, mask[:actions])
    mask[:] = 0
    different = 0
    for number in range(count):
        outcome = chance_outcome(state, option, number)
        different += 1 - mask[outcome]
        mask[outcome] = 1
    return different


def count_sequences(
    stack: np.ndarray,
    options: np.ndarray,
    actions: int,
    masks: np.ndarray,
    cursor: np.ndarray,
    depth: int,
) -> int:
    """Number of sequences of actions and outcomes of a given length from ``stack[0]``."""
    option = options[0]
    total = branches(stack[0], option, actions, masks[0])
    if depth == 1:
        return total
    total = level = cursor[0] = 0
    while level >= 0:
        action = cursor[level]
        while action < masks.shape[1] and masks[level, action] == 0:
            action += 1
        cursor[level] = action + 1
        if action == masks.shape[1]:
            level -= 1
            continue
        stack[level + 1] = stack[level]
        acts(stack[level + 1], option, action)
        count = branches(stack[level + 1], option, actions, masks[level + 1])
        if level + 2 == depth:
            total += count
        else:
            level += 1
            cursor[level] = 0
    return total
