"""Games as ``td`` sees them: turns that leave a choice, the time the winner is known.

The player's view is the value that ``td`` plays by, calibrated: the score, from 0 to 1, that the
side to act may expect from each legal action. Three of the measures are those of Browne,
*Automatic Generation and Evaluation of Recombination Games* (thesis, Queensland University of
Technology, 2008), as Ludii defines them for its concepts (Piette, Stephenson, Soemers and Browne,
"General board game concepts", IEEE Conference on Games, 2021), with this value as the evaluation of
a state: clarity by its narrowness, drama, and the threshold of decisiveness.

Needs SciPy.
"""

# The template's free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract import variants
from pasgl_env.contract.counters import Counter
from pasgl_env.contract.game import Game
from pasgl_env.jit.compiled import bind, compile_once, wrapping
from pasgl_env.jit.slices import slices
from pasgl_env.players.values.calibration import RAW, ValueCurve, calibrated, calibration_of
from pasgl_env.players.values.network import Network, ValueScratch, list_actions, value_rules
from pasgl_env.players.values.weights import read_network, shipped, unlearned
from pasgl_env.playtest.counting import usual_start
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.positions import chunks
from pasgl_env.records.binary import StoredGame
from pasgl_env.statistics.clustered import ratio, share, sums_of
from pasgl_env.statistics.estimates import Estimate

MOST_DECISIONS = 20_000
"""The first games of a run are assessed, up to this number of decisions."""
SENSIBLE = 0.05
"""A sensible action is expected to score at most this much less than the best one."""
KNOWN = 0.9
"""The winner is known while it is expected to score at least this much."""

MEASURES = (
    Counter(
        "one_sensible_turns",
        "Turns in which every decision left one sensible action: all others are expected to score"
        " at least 5 percentage points less.",
        "share of turns",
        is_share=True,
        title="Turns with one sensible move",
    ),
    Counter(
        "known_share",
        "The part of a decisive game after which its winner was always expected to score 90% or"
        " more.",
        "share of a game's turns",
        is_share=True,
        title="Winner known after",
    ),
    Counter(
        "drama",
        "The mean, over the turns of a decisive game, of the score by which its winner was expected"
        " to be behind the loser; 0 where it was not behind.",
        "points of the outcome",
    ),
    Counter(
        "loser_most",
        "The highest score that the loser of a decisive game was expected to reach at the start of"
        " a turn: the threshold of decisiveness.",
        "share of what could be scored",
        is_share=True,
        title="The loser's best chance",
    ),
)
"""The measures of :class:`Assessment`."""


class Course(NamedTuple):
    """A game as the player sees it.

    Attributes:
        unit: the number of the game's pair, or of its cluster of pairs.
        winner: the team that won; -1 for a draw.
        scores: ``float64[turns]``: the score that team 0 could expect when each turn began.
        is_single: ``bool[turns]``: whether each decision of a turn left one sensible action.
    """

    unit: int
    winner: int
    scores: np.ndarray
    is_single: np.ndarray


class Assessment(NamedTuple):
    """The number of assessed games, and the measures of :data:`MEASURES`."""

    games: int
    one_sensible: Estimate
    known: Estimate
    drama: Estimate
    loser_most: Estimate


def assess(plan: Plan, file: Path) -> Assessment | None:
    """Assess the first games of a run; None if no values were learned for the game.

    Raises:
        OSError: if the file cannot be read.
        RecordError: if it is damaged.
    """
    game = plan.ruleset.game
    network = None
    if plan.learned:
        network = read_network(plan.learned[0], game.name)[0]
    elif game.features:
        network = shipped(plan.ruleset)
    if network is None:
        return None
    return measures(list(_courses(plan, game, network, _first_games(plan, file))))


def measures(courses: Sequence[Course]) -> Assessment:
    """The measures of some games."""
    won = [course for course in courses if course.winner >= 0]
    scores = [each.scores if each.winner == 0 else 1 - each.scores for each in won]
    return Assessment(
        len(courses),
        _ratio(
            share,
            courses,
            [course.is_single.sum() for course in courses],
            [course.is_single.size for course in courses],
        ),
        _ratio(share, won, [_known_after(own) for own in scores]),
        _ratio(ratio, won, [np.maximum(1 - 2 * own, 0).mean() for own in scores]),
        _ratio(share, won, [(1 - own).max() for own in scores]),
    )


def _known_after(scores: np.ndarray) -> float:
    """The share of turns after which the winner, with these expected scores, stayed known."""
    unknown = np.flatnonzero(scores < KNOWN)
    return (unknown[-1] + 1) / scores.size if unknown.size else 0.0


def _ratio(
    estimate: Callable[[np.ndarray, np.ndarray], Estimate],
    courses: Sequence[Course],
    counted: Sequence[Any],
    divisor: Sequence[Any] | None = None,
) -> Estimate:
    """A count of games divided by another, or by their number, with the interval of units."""
    _, units = np.unique([course.unit for course in courses], return_inverse=True)
    above = np.bincount(units, np.array(counted, np.float64))
    below = np.bincount(units, None if divisor is None else np.array(divisor, np.float64))
    return estimate(sums_of(above, below), sums_of(below, below))


def _first_games(plan: Plan, file: Path) -> Iterator[tuple[int, StoredGame]]:
    """The games to assess, with their numbers, in whole pairs."""
    decisions = 0
    for first, games in chunks(plan, file):
        for number in range(0, len(games), 2):
            pair = games[number : number + 2]
            decisions += sum(len(game.choices) for game in pair)
            if decisions > MOST_DECISIONS and first + number > 0:
                return
            yield from enumerate(pair, first + number)


def _courses(
    plan: Plan, game: Game, network: Network, games: Iterator[tuple[int, StoredGame]]
) -> Iterator[Course]:
    options = plan.ruleset.record
    scratch, loop = ValueScratch.of(game, plan.ruleset.spaces), loop_of(game)
    curve = calibration_of(plan.ruleset).td
    usual = usual_start(plan.ruleset)
    for number, stored in games:
        begins = plan.begins(number, 1)
        choices = np.array(stored.choices, np.uint16)
        values, single = np.zeros(choices.size), np.zeros(choices.size, np.uint8)
        dice, turns = np.array([stored.dice or 0], np.uint64), 0
        start, turn = usual if begins is None else begins.states, np.full(1, -1)
        with wrapping():
            for part in slices(choices.size):
                about = choices[part], dice, network, scratch, curve, 2 * SENSIBLE, values, single
                turns = loop(options, start[:1] if turns == 0 else start[:0], *about, turn, turns)
        scores = (1 + values[:turns]) / 2
        yield Course(plan.cluster(number), stored.winner, scores, single[:turns] == 1)


def assess_game(
    options: np.ndarray,
    start: np.ndarray,
    choices: np.ndarray,
    dice: np.ndarray,
    network: Network,
    scratch: ValueScratch,
    curve: ValueCurve,
    margin: float,
    values: np.ndarray,
    single: np.ndarray,
    turn: np.ndarray,
    begun: int,
) -> int:
    """Replay a part of a game and assess it; return the number of turns begun so far.

    Args:
        options: the options record, an array of one.
        start: where the game began, an array of one; empty to continue it.
        choices: ``uint16``, its next actions.
        dice: ``uint64[1]``, their generator; advanced.
        network: the values.
        scratch: memory to work in.
        curve: calibrates the values.
        margin: the largest difference of a sensible action's value from that of the best one.
        values: written for each turn: the value that team 0 may expect, -1 to 1, when it begins.
        single: written for each turn: 1 if each of its decisions left one sensible action.
        turn: ``int64[1]``, the number of the turn of the last action; updated.
        begun: number of turns that were begun before.
    """
    option, state = options[0], scratch.states[0]
    number = begun - 1
    if start.size > 0:
        scratch.states[0] = start[0]
        if HAS_CHANCE:
            resolve_chance(state, option, dice, 0)
    for choice in choices:
        legal_actions(state, option, scratch.masks[0])
        count = list_actions(scratch.masks, scratch.words, 0, scratch.choices)
        appraise(option, count, network, scratch)
        best, sensible = -1.0, 0
        for index in range(count):
            scratch.values[index] = calibrated(scratch.values[index], curve)
            best = max(best, scratch.values[index])
        for index in range(count):
            sensible += scratch.values[index] >= best - margin
        if turns(state) != turn[0]:
            turn[0], number = turns(state), number + 1
            values[number] = best if team(to_move(state)) == 0 else -best
            single[number] = 1
        if sensible > 1:
            single[number] = 0
        play(state, option, np.int64(choice))
        if HAS_CHANCE:
            resolve_chance(state, option, dice, 0)
    return number + 1


@cache
def loop_of(game: Game) -> Any:
    """``assess_game`` for one game, compiled once for each version of the sources."""
    loop = bind(assess_game, game.cache_name, value_rules(game))
    compile_once(f"{game.cache_name}-assess", lambda: _warm_up(game, loop), [loop])
    return loop


def _warm_up(game: Game, loop: Any) -> None:
    """Run the loop once, with the types that are used."""
    ruleset = variants.ruleset(game.name)
    scratch = ValueScratch.of(game, ruleset.spaces)
    start, choices = usual_start(ruleset), np.zeros(0, np.uint16)
    dice, single = np.zeros(1, np.uint64), np.zeros(0, np.uint8)
    network = unlearned(ruleset)
    about = choices, dice, network, scratch, RAW, 0.0, np.zeros(0), single
    loop(ruleset.record, start, *about, np.zeros(1, np.int64), 0)
