"""Learned values in compiled code: a small network over sparse features of a state.

The network adds up a row of numbers for each feature that is present: one for each of the game's
:attr:`Features.units`, and a last one. All sums but the last are rectified and weighted; the last
sum is added as it is, and so is the game's hand-written ``evaluate`` as a fraction of a decisive
lead. The result is the logit of winning for the player of the viewpoint (Tesauro, "Temporal
difference learning and TD-Gammon", CACM 1995; the sparse first layer is that of Nasu's NNUE, 2018).
"""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract.base import Features
from pasgl_env.contract.game import Game, Spaces
from pasgl_env.jit.compiled import rule, with_helpers
from pasgl_env.players.rules import search_rules

BASE = 2.0
"""The initial weight of the hand-written evaluation: a decisive lead is a logit of 2, as with its
``tanh`` in the other searches."""
MOST_BASE = 4.0
"""Leads are clipped to this multiple of a decisive lead."""


class Network(NamedTuple):
    """The weights, ``float32``.

    Attributes:
        rows: ``[features, units + 1]``, the numbers that each feature adds.
        bias: ``[units + 1]``, the initial sums.
        out: ``[units + 1]``, the weights of the rectified sums; the last one weights ``evaluate``.
    """

    rows: np.ndarray
    bias: np.ndarray
    out: np.ndarray

    @classmethod
    def zeros(cls, features: int, units: int) -> Network:
        """A network of zeros."""
        shapes = ((features, units + 1), (units + 1,), (units + 1,))
        return cls(*(np.zeros(shape, np.float32) for shape in shapes))


class ValueScratch(NamedTuple):
    """Scratch memory of one thread.

    Attributes:
        indices: ``int32[most + memory]``, the features that are present.
        sums: ``float32[units + 1]``.
        before: ``int32[players, most + memory]``, the features of the state whose actions are
            appraised, from the point of view of each player; unused if all features are always
            written.
        sums_before: ``float32[players, units + 1]``, their sums.
        is_before: ``bool[players]``, whether these are known.
        gone: ``int32[most]``, features of that state that an action has removed.
        urgency: ``float64[1]``, the value of a step nearer to the enemy, as a logit.
        root: record ``[1]``, the state from which such steps count.
        states: records ``[4]``: the state searched, and three to try actions in.
        masks: ``uint8[4, A]``: their legal actions, padded with zeros to a multiple of 8.
        words: ``int64[4, A / 8]``: the same memory.
        choices: ``int32[A]``: legal actions.
        values: ``float64[A]``: the values of these actions.
        priors: ``float64[A]``: for a search, the values of a leaf's actions.
        returns: ``float64[teams]``: for a search, the result of a simulation for each team.
    """

    indices: np.ndarray
    sums: np.ndarray
    before: np.ndarray
    sums_before: np.ndarray
    is_before: np.ndarray
    gone: np.ndarray
    urgency: np.ndarray
    root: np.ndarray
    states: np.ndarray
    masks: np.ndarray
    words: np.ndarray
    choices: np.ndarray
    values: np.ndarray
    priors: np.ndarray
    returns: np.ndarray

    @classmethod
    def of(cls, game: Game, spaces: Spaces) -> ValueScratch:
        """Scratch memory for a game under some options."""
        masks = np.zeros((4, -(-spaces.actions // 8) * 8), np.uint8)
        features = features_of(game)
        return cls(
            np.zeros(features.most + features.memory, np.int32),
            np.zeros(features.units + 1, np.float32),
            np.zeros((spaces.players, features.most + features.memory), np.int32),
            np.zeros((spaces.players, features.units + 1), np.float32),
            np.zeros(spaces.players, np.bool_),
            np.zeros(features.most, np.int32),
            np.zeros(1),
            np.zeros(1, game.state),
            np.zeros(4, game.state),
            masks,
            masks.view(np.int64),
            np.zeros(spaces.actions, np.int32),
            np.zeros(spaces.actions),
            np.zeros(spaces.actions),
            np.zeros(1 + max(game.team(player) for player in range(spaces.players))),
        )


def features_of(game: Game) -> Features:
    """The features of a game for learned values.

    Raises:
        NotImplementedError: if the game has no features.
    """
    if game.features is None:
        raise NotImplementedError(
            f"{game.name} has no features for learned values: random, greedy and mcts need none"
        )
    return game.features


def base_of(state: Any, option: Any) -> float:
    """The hand-written evaluation as a fraction of a decisive lead, for the viewpoint."""
    return as_fraction(evaluate(state, option, viewpoint(state)), DECISIVE)


def base_written(state: Any, option: Any, viewer: int, indices: np.ndarray) -> float:
    """The same, of the state whose features were written last."""
    return as_fraction(evaluate_written(state, option, viewer, indices), DECISIVE)


@rule
def as_fraction(lead: float, decisive: float) -> float:
    """A lead as a fraction of a decisive one, clipped."""
    return min(max(lead / decisive, -MOST_BASE), MOST_BASE)


def evaluate_anew(state: Any, option: Any, player: int, indices: np.ndarray) -> float:
    """The hand-written evaluation, for games in which written features do not help."""
    return evaluate(state, option, player)


@rule
def no_approach(start: Any, state: Any, options: Any, player: int) -> int:
    """The :attr:`Features.approach` of games without one."""
    return 0


def forward(network: Network, indices: np.ndarray, count: int, sums: np.ndarray) -> float:
    """Write the sums; return the logit without the hand-written evaluation."""
    rows = network.rows
    for unit in range(WIDTH):
        sums[unit] = network.bias[unit]
    # Four rows at a time: the sums are read and written a quarter as often, in a third of the time.
    whole = count - count % 4
    for number in range(0, whole, 4):
        one, two = rows[indices[number]], rows[indices[number + 1]]
        three, four = rows[indices[number + 2]], rows[indices[number + 3]]
        for unit in range(WIDTH):
            sums[unit] += (one[unit] + two[unit]) + (three[unit] + four[unit])
    for number in range(whole, count):
        row = rows[indices[number]]
        for unit in range(WIDTH):
            sums[unit] += row[unit]
    return rectified(network, sums)


def forward_from(
    network: Network,
    before: np.ndarray,
    gone: np.ndarray,
    less: int,
    indices: np.ndarray,
    more: int,
    sums: np.ndarray,
) -> float:
    """The same, from the sums before some features were removed and others added."""
    rows = network.rows
    for unit in range(WIDTH):
        sums[unit] = before[unit]
    both = min(less, more)
    for number in range(both):
        old, new = rows[gone[number]], rows[indices[number]]
        for unit in range(WIDTH):
            sums[unit] += new[unit] - old[unit]
    for number in range(both, less):
        row = rows[gone[number]]
        for unit in range(WIDTH):
            sums[unit] -= row[unit]
    for number in range(both, more):
        row = rows[indices[number]]
        for unit in range(WIDTH):
            sums[unit] += row[unit]
    return rectified(network, sums)


def rectified(network: Network, sums: np.ndarray) -> float:
    """The logit that follows from the sums."""
    logit = sums[UNITS]
    for unit in range(UNITS):
        logit += network.out[unit] * max(sums[unit], np.float32(0.0))
    return np.float64(logit)


def viewer_of(state: Any, side: int, scratch: ValueScratch) -> int:
    """The player from whose point of view a state is valued for a team.

    What one of two teams wins, the other loses. Of more, each has a value of its own.
    """
    if scratch.returns.size == 2:
        return viewpoint(state)
    player = 0
    while team(player) != side:
        player += 1
    return player


def value_of(state: Any, option: Any, side: int, network: Network, scratch: ValueScratch) -> float:
    """The value of a quiescent state for a team, from -1, lost, to 1, won."""
    if has_ended(state, option, scratch.masks[3]):
        return outcome_of(state, option, side)
    viewer = viewer_of(state, side, scratch)
    count = write_features(state, option, viewer, scratch.indices)
    logit = forward(network, scratch.indices, count, scratch.sums)
    return squashed(state, option, side, viewer, logit, network, scratch)


def squashed(
    state: Any,
    option: Any,
    side: int,
    viewer: int,
    logit: float,
    network: Network,
    scratch: ValueScratch,
) -> float:
    """The value for a team, of a state with a logit without the hand-written evaluation.

    The logit and ``scratch.indices`` are from the point of view of ``viewer``.
    """
    logit += network.out[UNITS] * base_written(state, option, viewer, scratch.indices)
    if PRESSES and scratch.urgency[0] > 0.0:
        own = to_move(scratch.root[0])
        gain = scratch.urgency[0] * approach(scratch.root[0], state, option, own)
        logit += gain if viewer == own else -gain
    value = np.tanh(0.5 * logit)
    return value if team(viewer) == side else -value


def value_from(
    state: Any, option: Any, side: int, network: Network, scratch: ValueScratch
) -> float:
    """The value of a quiescent state that an action has led to from ``scratch.states[0]``."""
    if has_ended(state, option, scratch.masks[3]):
        return outcome_of(state, option, side)
    viewer = viewer_of(state, side, scratch)
    before, sums = scratch.before[viewer], scratch.sums_before[viewer]
    if not scratch.is_before[viewer]:
        count = write_features(scratch.states[0], option, viewer, before)
        forward(network, before, count, sums)
        scratch.is_before[viewer] = True
    less, more = write_changes(
        scratch.states[0], state, option, viewer, before, scratch.indices, scratch.gone
    )
    logit = forward_from(network, sums, scratch.gone, less, scratch.indices, more, scratch.sums)
    return squashed(state, option, side, viewer, logit, network, scratch)


@rule
def list_actions(masks: np.ndarray, words: np.ndarray, row: int, choices: np.ndarray) -> int:
    """Write the actions in a row of the masks; return their number."""
    count = 0
    for word in range(words.shape[1]):
        if words[row, word] != 0:
            for action in range(8 * word, 8 * word + 8):
                if masks[row, action]:
                    choices[count] = action
                    count += 1
    return count


def appraise(option: Any, count: int, network: Network, scratch: ValueScratch) -> None:
    """Write the values of the first choices, in ``scratch.states[0]``, for the team to act."""
    scratch.is_before[:] = False
    for number in range(count):
        appraise_one(option, number, network, scratch)


def appraise_one(option: Any, number: int, network: Network, scratch: ValueScratch) -> None:
    """Write the value of another choice, after :func:`appraise`."""
    states = scratch.states
    side = team(to_move(states[0]))
    states[1] = states[0]
    play(states[1], option, scratch.choices[number])
    close_choices(option, side, network, scratch)
    scratch.values[number] = value_after(states[1], option, side, network, scratch)


def close_best(option: Any, side: int, network: Network, scratch: ValueScratch) -> None:
    """Make the choices that ``scratch.states[1]`` requires, the best one each time."""
    states, masks = scratch.states, scratch.masks
    while not is_quiescent(states[1]):
        legal_actions(states[1], option, masks[1])
        highest, choice = -np.inf, 0
        for action in range(masks.shape[1]):
            if masks[1, action]:
                states[2] = states[1]
                play(states[2], option, action)
                while not is_quiescent(states[2]):
                    legal_actions(states[2], option, masks[2])
                    play(states[2], option, masks[2].argmax())
                value = value_of(states[2], option, side, network, scratch)
                if value > highest:
                    highest, choice = value, action
        play(states[1], option, choice)


def close_any(option: Any, side: int, network: Network, scratch: ValueScratch) -> None:
    """Make any choices; for games in which all lead to the same value."""
    if not is_quiescent(scratch.states[1]):
        close_choices(scratch.states[1], option)


@cache
def value_rules(game: Game) -> dict[str, Any]:
    """The names in templates of learned players: a game's rules, and helpers bound to them."""
    features = features_of(game)
    namespace = search_rules(game) | {
        "DECISIVE": game.decisive_lead,
        "UNITS": features.units,
        "WIDTH": features.units + 1,
        "write_features": features.write,
        "write_changes": features.changes,
        "PRESSES": features.approach is not None,
        "approach": features.approach or no_approach,
        "viewpoint": features.viewpoint,
        "close_choices": game.close_choices,
    }
    name = game.cache_name
    namespace = with_helpers(namespace, name, rectified, forward, forward_from)
    if features.evaluate is None:
        namespace = with_helpers(namespace, name, evaluate_written=evaluate_anew)
    else:
        namespace["evaluate_written"] = features.evaluate
    namespace = with_helpers(
        namespace,
        name,
        *(base_of, base_written, squashed, viewer_of, value_of),
        value_after=value_of if features.changes is None else value_from,
        close_choices=close_best if game.close_choices is None else close_any,
    )
    return with_helpers(namespace, name, appraise_one, appraise)
