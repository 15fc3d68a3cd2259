"""Self-play and temporal-difference learning, whole games in one compiled loop.

The players choose one ply ahead, with some exploration; then the game's states learn, the last one
first, by TD(λ) (Sutton, 1988). If an action was not the best one, the rest of the game carries no
information about the state before it: the return is cut, and that state learns from the best
action's value. Adagrad (Duchi, Hazan and Singer, 2011) updates only the weights of features that
were present.
"""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract.game import Game, Spaces, options_array
from pasgl_env.engine.loops import random_bits
from pasgl_env.jit.compiled import bind, compile_once, rule, with_helpers
from pasgl_env.players.values.choices import soft_choice
from pasgl_env.players.values.memory import Memory, memory_rules
from pasgl_env.players.values.network import (
    BASE,
    Network,
    ValueScratch,
    features_of,
    list_actions,
)

WAITS = -1
"""The length of a game that waits for its rival."""
MOST_STATES = 4096
"""Maximum number of states per game; the game is cut off there."""
EPSILON = np.float32(1e-6)


class Play(NamedTuple):
    """Settings of play and learning.

    Attributes:
        exploration: probability of drawing an action by its value instead of playing the best.
        temperature: temperature of these draws; values range from -1 to 1.
        opening: maximum number of uniformly random actions at the start.
        decay: λ.
        step: Adagrad's step size.
        rival_share: share of games in which one team, drawn uniformly, plays by the rival's values.
        horizon: number of turns after the start of learning at which a game is cut off, as at the
            turn limit.
        truncated_value: largest value of a game that is cut off, by the hand-written evaluation;
            a win counts 1.
        discount: discount factor per turn.
        asks: whether the rival is another player, who is asked, instead of values.
    """

    exploration: float
    temperature: float
    opening: int
    decay: float
    step: float
    rival_share: float
    horizon: int
    truncated_value: float
    discount: float
    asks: bool = False


class Track(NamedTuple):
    """The states of a game.

    Attributes:
        indices: ``int32[MOST_STATES, most]``, their features.
        counts: ``int32[MOST_STATES]``, their numbers of features.
        sides: ``int8[MOST_STATES]``, the team of the viewpoint.
        bases: ``float32[MOST_STATES]``, the hand-written evaluation for that team.
        values: ``float32[MOST_STATES]``, their values for the first team.
        cuts: ``float32[MOST_STATES + 1]``, the value of the best action before each state, for the
            first team; NaN if that action was played.
        turns: ``int64[MOST_STATES + 1]``, the turns before each state, and before the end.
        stage: ``int64[5]``, how far the game is: the number of random actions at its start; the
            rival's team, -1 for none; the numbers of states and of actions so far; the turns before
            learning starts.
    """

    indices: np.ndarray
    counts: np.ndarray
    sides: np.ndarray
    bases: np.ndarray
    values: np.ndarray
    cuts: np.ndarray
    turns: np.ndarray
    stage: np.ndarray

    @classmethod
    def of(cls, game: Game) -> Track:
        """Arrays for one game at a time."""
        return cls(
            np.zeros((MOST_STATES, features_of(game).most), np.int32),
            np.zeros(MOST_STATES, np.int32),
            np.zeros(MOST_STATES, np.int8),
            np.zeros(MOST_STATES, np.float32),
            np.zeros(MOST_STATES, np.float32),
            np.zeros(MOST_STATES + 1, np.float32),
            np.zeros(MOST_STATES + 1, np.int64),
            np.zeros(5, np.int64),
        )


class LearningTotals(NamedTuple):
    """Totals of the games played.

    Attributes:
        counts: ``int64[5]``: games, decisions, learned states, games won by the first team, games
            cut off.
        errors: ``float64[1]``: sum of squared differences between values and returns.
    """

    counts: np.ndarray
    errors: np.ndarray

    @classmethod
    def zeros(cls) -> LearningTotals:
        """The totals of no games."""
        return cls(np.zeros(5, np.int64), np.zeros(1))


class Workspace(NamedTuple):
    """The arrays that one thread plays and learns in.

    Attributes:
        start: where games begin, an array of one record.
        track: of the current game.
        scratch: of the current state.
        memory: of the current game, a row for each team.
        generator: ``uint64[1]``.
        tally: of the games played.
    """

    start: np.ndarray
    track: Track
    scratch: ValueScratch
    memory: Memory
    generator: np.ndarray
    tally: LearningTotals

    @classmethod
    def of(cls, game: Game, options: np.ndarray) -> Workspace:
        """The arrays for a game with these options."""
        start = np.zeros(1, game.state)
        game.start(start[0], options[0])
        spaces: Spaces = game.spaces(options[0])
        return cls(
            start=start,
            track=Track.of(game),
            scratch=ValueScratch.of(game, spaces),
            memory=Memory.of(game, spaces.players),
            generator=np.zeros(1, np.uint64),
            tally=LearningTotals.zeros(),
        )


def self_play(
    options: np.ndarray,
    network: Network,
    squares: Network,
    rival: Network,
    settings: Play,
    space: Workspace,
    games: int,
    stop: np.ndarray,
) -> None:
    """Play games and learn from each; ``squares`` are Adagrad's sums of squared gradients.

    Another thread may set ``stop[0]``: then nothing is learned from the current game.
    """
    for _ in range(games):
        begin(settings, space)
        advance(options, network, squares, rival, settings, space, stop, -1)
        if stop[0]:
            return


def advance(
    options: np.ndarray,
    network: Network,
    squares: Network,
    rival: Network,
    settings: Play,
    space: Workspace,
    stop: np.ndarray,
    answer: int,
) -> bool:
    """Play a game on, until it has ended and was learned from; or, then true, waits for its rival.

    It waits at ``space.scratch.states[0]`` for the ``answer``, which is -1 until it has waited.
    """
    length, result = play_on(options[0], network, rival, settings, space, stop, answer)
    if length == WAITS:
        return True
    if not stop[0]:
        learn(network, squares, settings, space, length, result)
    return False


@rule
def begin(settings: Play, space: Workspace) -> None:
    """Begin a game."""
    track, memory = space.track, space.memory
    space.scratch.states[0] = space.start[0]
    memory.counts[:] = 0
    memory.last[:] = 0
    phases = draw_phases(settings, space.generator)
    track.stage[0], track.stage[1] = phases.opening, phases.rivals_team
    track.stage[2:] = 0
    track.cuts[0] = np.nan


def play_on(
    option: Any,
    network: Network,
    rival: Network,
    settings: Play,
    space: Workspace,
    stop: np.ndarray,
    answer: int,
) -> tuple[int, float]:
    """Play a game on; return the number of states and its result for the first team.

    If it waits for its rival, the number is :data:`WAITS`; the next call gives the ``answer``.
    """
    track, scratch, counts = space.track, space.scratch, space.tally.counts
    state = scratch.states[0]
    phases = Phases(track.stage[0], track.stage[1])
    length, played, first_turn = track.stage[2], track.stage[3], track.stage[4]
    while True:
        if HAS_CHANCE:
            resolve_chance(state, option, space.generator, 0)
        if stop[0]:
            return length, 0.0
        if legal_actions(state, option, scratch.masks[0]) == 0:
            result = outcome_of(state, option, 0)
            counts[0] += 1
            counts[3] += result > 0
            return length, result
        is_late = 0 < settings.horizon <= turns(state) - first_turn or length == MOST_STATES
        if length > 0 and (is_late or is_truncated(state, option)):
            counts[0] += 1
            counts[4] += 1
            return length, settings.truncated_value * standing_of(state, option)
        count = list_actions(scratch.masks, scratch.words, 0, scratch.choices)
        is_rivals = team(to_move(state)) == phases.rivals_team
        if settings.asks and is_rivals and played >= phases.opening and count > 1:
            if answer < 0:
                track.stage[2], track.stage[3], track.stage[4] = length, played, first_turn
                return WAITS, 0.0
            action, answer = answer, -1
        else:
            choice = choose(option, count, played, phases, network, rival, settings, space, length)
            action = scratch.choices[choice]
        play(state, option, action)
        played += 1
        counts[1] += 1
        if played <= phases.opening:
            first_turn = turns(state)
        elif (
            not is_rivals and is_quiescent(state) and not has_ended(state, option, scratch.masks[3])
        ):
            note_state(state, option, network, space, length)
            length += 1
            track.cuts[length] = np.nan
        track.turns[length] = turns(state)


class Phases(NamedTuple):
    """The phases of one game.

    Attributes:
        opening: number of uniformly random actions at the start; learning starts after them.
        rivals_team: the team that then plays by the rival's values; -1: none.
    """

    opening: int
    rivals_team: int


@rule
def draw_phases(settings: Play, generator: np.ndarray) -> Phases:
    """Draw the phases of a game."""
    opening = (random_bits(generator, 0) * (settings.opening + 1)) >> 32
    has_rival = random_bits(generator, 0) < settings.rival_share * 2.0**32
    team_drawn = random_bits(generator, 0) >> 31
    return Phases(opening, team_drawn if has_rival else -1)


def standing_of(state: Any, option: Any) -> float:
    """The hand-written evaluation of a game that is cut off, for the first team.

    Learned values would be based only on themselves.
    """
    value = np.tanh(0.5 * BASE * base_of(state, option))
    return value if team(viewpoint(state)) == 0 else -value


def choose(
    option: Any,
    count: int,
    played: int,
    phases: Phases,
    network: Network,
    rival: Network,
    settings: Play,
    space: Workspace,
    length: int,
) -> int:
    """Choose among the listed actions; store the value of a better one in ``track.cuts``."""
    track, scratch, memory, generator = space.track, space.scratch, space.memory, space.generator
    side, values = team(to_move(scratch.states[0])), scratch.values
    if played < phases.opening:
        return (random_bits(generator, 0) * count) >> 32
    if count == 1:
        return 0
    if side == phases.rivals_team:
        appraise(option, count, rival, scratch)
        choice = choose_new(option, count, 0.0, scratch, memory, side, generator, 0)
        note_choice(option, choice, scratch, memory, side)
        return choice
    appraise(option, count, network, scratch)
    choice = choose_new(option, count, 0.0, scratch, memory, side, generator, 0)
    best = choice
    if random_bits(generator, 0) < settings.exploration * 2.0**32:
        choice = soft_choice(values, count, settings.temperature, generator, 0)
    if values[choice] != values[best] and np.isnan(track.cuts[length]):
        track.cuts[length] = values[best] if side == 0 else -values[best]
    note_choice(option, choice, scratch, memory, side)
    return choice


def note_state(state: Any, option: Any, network: Network, space: Workspace, number: int) -> None:
    """Store the data of a state that learning needs."""
    track, scratch = space.track, space.scratch
    viewer = viewpoint(state)
    side = team(viewer)
    count = write_features(state, option, viewer, scratch.indices)
    for each in range(count):
        track.indices[number, each] = scratch.indices[each]
    base = base_written(state, option, viewer, scratch.indices)
    logit = forward(network, scratch.indices, count, scratch.sums)
    value = np.tanh(0.5 * (logit + network.out[UNITS] * base))
    track.counts[number], track.sides[number], track.bases[number] = count, side, base
    track.values[number] = value if side == 0 else -value
    track.turns[number] = turns(state)


def learn(
    network: Network,
    squares: Network,
    settings: Play,
    space: Workspace,
    length: int,
    result: float,
) -> None:
    """Learn from the states of a game, the last one first."""
    track, tally, target = space.track, space.tally, np.float64(result)
    for number in range(length - 1, -1, -1):
        if not np.isnan(track.cuts[number + 1]):
            target = np.float64(track.cuts[number + 1])
        else:
            if number + 1 < length:
                later = track.values[number + 1]
                target = settings.decay * target + (1.0 - settings.decay) * later
            target *= settings.discount ** (track.turns[number + 1] - track.turns[number])
        sign = 1.0 if track.sides[number] == 0 else -1.0
        error = step(
            network,
            squares,
            settings.step,
            track.indices[number],
            track.counts[number],
            track.bases[number],
            space.scratch.sums,
            sign * target,
        )
        tally.errors[0] += error * error
    tally.counts[2] += length


def step(
    network: Network,
    squares: Network,
    size: float,
    indices: np.ndarray,
    count: int,
    base: float,
    sums: np.ndarray,
    target: float,
) -> float:
    """Move the value of a state towards a target; return the error."""
    logit = forward(network, indices, count, sums) + network.out[UNITS] * base
    error = np.float64(target - np.tanh(0.5 * logit))
    slope, rate = np.float32(0.5 * error), np.float32(size)
    for unit in range(UNITS):
        # The gradient of a sum, then that of its weight, both from the weights before the step.
        gradient = slope * network.out[unit] if sums[unit] > 0.0 else np.float32(0.0)
        move(network.out, squares.out, unit, slope * max(sums[unit], np.float32(0.0)), rate)
        sums[unit] = gradient
    move(network.out, squares.out, UNITS, slope * np.float32(base), rate)
    sums[UNITS] = slope
    for unit in range(WIDTH):
        move(network.bias, squares.bias, unit, sums[unit], rate)
    for number in range(count):
        row, square = network.rows[indices[number]], squares.rows[indices[number]]
        for unit in range(WIDTH):
            gradient = sums[unit]
            square[unit] += gradient * gradient
            row[unit] += rate * gradient / np.sqrt(square[unit] + EPSILON)
    return error


@rule
def move(weights: np.ndarray, squares: np.ndarray, number: int, gradient: Any, rate: Any) -> None:
    """Update one weight."""
    squares[number] += gradient * gradient
    weights[number] += rate * gradient / np.sqrt(squares[number] + EPSILON)


@cache
def learning_rules(game: Game) -> dict[str, Any]:
    """The names in ``self_play``: a game's rules, and helpers bound to them."""
    helpers = note_state, standing_of, choose, play_on, step, learn, advance
    return with_helpers(memory_rules(game), game.cache_name, *helpers)


@cache
def loop_of(game: Game) -> Any:
    """``self_play`` for one game."""
    loop = bind(self_play, game.cache_name, learning_rules(game))

    def warm_up() -> None:
        options, *networks, space = _for_warm_up(game)
        loop(options, *networks, networks[0], _WARM_UP, space, 1, np.zeros(1, np.int64))

    compile_once(f"{game.cache_name}-td", warm_up, [loop])
    return loop


@cache
def advance_of(game: Game) -> Any:
    """``advance`` for one game."""
    loop = learning_rules(game)["advance"]

    def warm_up() -> None:
        options, *networks, space = _for_warm_up(game)
        settings = _WARM_UP._replace(asks=True)
        begin(settings, space)
        loop(options, *networks, networks[0], settings, space, np.zeros(1, np.int64), -1)

    compile_once(f"{game.cache_name}-td-asking", warm_up, [loop])
    return loop


_WARM_UP = Play(0.0, 1.0, 0, 0.0, 0.0, 0.0, 1, 0.0, 1.0)


def _for_warm_up(game: Game) -> tuple[np.ndarray, Network, Network, Workspace]:
    options, features = options_array(game, {}), features_of(game)
    network, squares = (Network.zeros(features.count(options[0]), features.units) for _ in range(2))
    return options, network, squares, Workspace.of(game, options)
