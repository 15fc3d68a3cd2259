"""Counting sequences of actions, compiled for a game when it is first asked for."""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from pasgl_env.contract.game import Game, options_array
from pasgl_env.engine.loops import acts, rules_of
from pasgl_env.jit.compiled import bind, compile_once, with_helpers
from pasgl_env.jit.slices import Slices

_DONE, _NOT_BEGUN = -1, -2  # instead of a level


def perft(game: Game, states: np.ndarray, options: np.ndarray, actions: int, depth: int) -> int:
    """Number of sequences of ``depth`` actions and outcomes of chance from the first state.

    Args:
        game: the game.
        states: a record.
        options: the options, an array of one record.
        actions: the size of the action space.
        depth: at least 1.
    """
    loop, arguments, found = _loop_of(game), *_arguments(game, states, options, actions, depth)
    Slices().run(lambda steps: bool(loop(*arguments, found, steps)))
    return int(found[1])


def _arguments(
    game: Game, states: np.ndarray, options: np.ndarray, actions: int, depth: int
) -> tuple[tuple[Any, ...], np.ndarray]:
    """The arguments of :func:`count_sequences`, except the number of steps."""
    masks = np.zeros((depth, max(actions, game.chance.outcomes)), np.uint8)
    cursor = np.zeros(depth, np.int64)
    found = np.array([_NOT_BEGUN, 0])
    return (np.repeat(states[:1], depth), options, actions, masks, cursor, depth), found


@cache
def _loop_of(game: Game) -> Any:
    """``count_sequences`` for one game, compiled."""
    namespace = with_helpers(rules_of(game), game.cache_name, acts, branches)
    loop = bind(count_sequences, game.cache_name, namespace)
    options = options_array(game, {})
    actions = game.spaces(options[0]).actions
    arguments, found = _arguments(game, np.zeros(1, game.state), options, actions, 1)
    compile_once(f"{game.cache_name}-perft", lambda: loop(*arguments, found, 1), [loop])
    return loop


def branches(state: Any, option: Any, actions: int, mask: np.ndarray) -> int:
    """Mark the legal actions, or the outcomes at a chance node; return their number."""
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
    found: np.ndarray,
    steps: int,
) -> bool:
    """Count sequences of actions and outcomes of a given length from ``stack[0]``.

    ``found`` holds the level reached and the number so far. Returns whether all were counted within
    a number of steps; otherwise the next call continues.
    """
    option = options[0]
    level, total = found[0], found[1]
    if level == _NOT_BEGUN:
        total = branches(stack[0], option, actions, masks[0])
        level = _DONE
        if depth > 1:
            total = level = cursor[0] = 0
    while level >= 0 and steps > 0:
        steps -= 1
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
    found[0], found[1] = level, total
    return level < 0
