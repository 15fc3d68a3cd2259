"""What the games of a run show, in sentences: for whom, how surely, and what they do not show.

A verdict about the first move is given only where the games bear it: they vary, neither side is
restricted, they begin at the variant's usual start or shortly after it, and games that were cut off
could not turn it round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pasgl_env import variants
from pasgl_env.evaluation.ladder import strength
from pasgl_env.evaluation.match import hardly_vary, sides
from pasgl_env.evaluation.openings import Openings
from pasgl_env.games.contract import options_array
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.restrict import FIRST, SECOND, Restriction
from pasgl_env.playtest.results import Results
from pasgl_env.playtest.variety import LEAST_LINES, LINES_TURN
from pasgl_env.statistics.estimates import Estimate

EVEN = 0.5
LEAST_UNITS = 20
"""Of fewer independent pairs of games, or openings, nothing is said."""
MOST_CUT_OFF = 0.1
"""Where a larger share of the games was cut off, they are not said to show no advantage."""
_FINE = 0.01
"""Narrower intervals are written with decimals of a percent."""
_ADVICE = "Let them begin differently, for example with --opening-plies 2..6"


class Remark(NamedTuple):
    """A sentence or two; ``warns`` if it says what the games do not show."""

    text: str
    warns: bool = False


def remarks(results: Results) -> Iterator[Remark]:
    """What to look at first, the most important before the rest."""
    if doubt := doubt_of(results):
        yield Remark(doubt, warns=True)
    yield Remark(_who_played(results))
    plan = results.plan
    if not plan.openings.is_usual:
        yield Remark(_openings(plan.openings))
    yield from _of_restrictions(results)
    if not is_one_sided(plan):
        yield _of_first_move(results)
    if plan.players[0] != plan.players[1]:
        yield Remark(f"{plan.players[0]} scored {_score(results, 'first_player_score')}.")
    yield from _of_endings(results)
    yield Remark(_length(results))
    yield from _of_judge(results)


def doubt_of(results: Results) -> str:
    """Why the games vary too little, or are too few, for any verdict; empty if they do not."""
    variety = results.variety
    if variety.lines < min(LEAST_LINES, variety.games / 2):
        return (
            "These games hardly vary, so they show nothing of the game in general:"
            f" {_shared(results)} after {LINES_TURN} turns the {variety.games:,} looked at are in"
            f" {_positions(int(variety.different[LINES_TURN]))}, after 20 in"
            f" {_positions(int(variety.different[2 * LINES_TURN]))}. {_ADVICE}."
        )
    if hardly_vary(results.totals.counts.distinct, results.units):
        return (
            f"Only {results.totals.counts.distinct} different last positions in {results.games:,}"
            f" games: the players hardly vary, so the intervals are too narrow. {_ADVICE}."
        )
    if results.units < LEAST_UNITS:
        what = "openings" if results.plan.openings.clusters else "pairs of games"
        return f"{results.units} {what} are too few for a verdict: {LEAST_UNITS} are needed."
    return ""


def shows_first_move(results: Results) -> bool:
    """Whether the games may say anything about moving first."""
    return not (doubt_of(results) or results.plan.openings.texts or is_one_sided(results.plan))


def is_one_sided(plan: Plan) -> bool:
    """Whether somebody may not do what everybody else may."""
    game = variants.find(plan.variant)
    seats = set(game.seats(options_array(game, plan.options)[0]))
    return any(
        not (seats <= bound or {FIRST, SECOND} <= bound)
        for bound in (_bound(plan.restrictions, each.pattern) for each in plan.restrictions)
    )


def player_text(plan: Plan, name: str) -> str:
    """A player and, where the ladder knows it, how strong it is.

    >>> player_text(Plan.of("pasgl312", ("random", "random")), "random")
    'random (under -698 Elo, greedy being 0)'
    """
    elo = strength(name, plan.variant, plan.options)
    if elo is None:
        return f"{name} (not on the ladder)"
    return f"{name} ({elo} Elo, greedy being 0)" if name != "greedy" else "greedy (0 Elo)"


def _who_played(results: Results) -> str:
    one, other = results.plan.players
    against = "itself" if one == other else player_text(results.plan, other)
    text = f"{player_text(results.plan, one)} played {against} in {results.games:,} games."
    teams = sides(results.plan.variant, results.plan.options)
    if any(" and " in team for team in teams):
        text += f" {teams[0]} are a team, and so are {teams[1]}."
    return text


def _openings(openings: Openings) -> str:
    """Where games begin."""
    if openings.turns[1]:
        return f"Every pair of games begins after an opening of its own: {openings}."
    if len(openings.texts) == 1:
        return f"All games begin at {openings}."
    return f"Pairs of games take turns at {openings}."


def _shared(results: Results) -> str:
    turns = results.variety.shared_turns
    return f"all share one line through turn {turns}, and" if turns > 0 else "as few as"


def _positions(number: int) -> str:
    return "one position" if number == 1 else f"{number:,} positions"


def _of_restrictions(results: Results) -> Iterator[Remark]:
    for each in results.plan.restrictions:
        whole = "turns like " if each.of_turns else ""
        yield Remark(f"Forbidden to {each.who}: {whole}{each.pattern}.")
    if is_one_sided(results.plan):
        bound = dict.fromkeys(each.who for each in results.plan.restrictions)
        yield Remark("; ".join(f"{who} scored {_score_of(results, who)}" for who in bound) + ".")
        yield Remark(
            "Compare that with games without the restriction: the difference is what the"
            " restriction costs. It says nothing about moving first."
        )


def _score_of(results: Results, who: str) -> str:
    """What a seat scored, or the first or second player."""
    if who not in (FIRST, SECOND):
        return _percents(results.figure("score", seat=who).estimate)
    value, low, high = results.figure("first_player_score").estimate.__dict__.values()
    if who == SECOND and value is not None:
        value, low, high = (None if end is None else 1 - end for end in (value, high, low))
    return _percents(Estimate(value, low, high))


def _bound(restrictions: Sequence[Restriction], pattern: str) -> set[str]:
    return {each.who for each in restrictions if each.pattern == pattern}


def _of_first_move(results: Results) -> Remark:
    """What these players scored by moving first, and what follows from it if anything does."""
    plan, measure = results.plan, "first_mover_score"
    scored = f"scored {_score(results, measure)}"
    if plan.openings.texts:
        return Remark(
            f"Who was to act where the games began {scored}. Given positions say nothing about the"
            " first move of the game."
        )
    if not shows_first_move(results):
        return Remark(f"The side that moved first {scored}: no verdict.")
    one, other = (player_text(plan, name) for name in plan.players)
    meeting = f"When {one} plays itself" if one == other else f"Between {one} and {other}"
    said = f"{meeting}, the side that moves first {scored}"
    direction = _direction(results.figure(measure).estimate)
    if not direction and (results.figure("truncations").estimate.value or 0.0) > MOST_CUT_OFF:
        return Remark(f"{said}: no verdict, for many games were cut off and count half.")
    if not direction:
        return Remark(f"{said}: these games show neither an advantage nor a disadvantage.")
    if _direction(_at_worst(results, direction)) != direction:
        return Remark(f"{said}: no verdict, for the games that were cut off could turn it round.")
    return Remark(
        f"{said}: for these players moving first is {direction}. Others may find otherwise."
    )


def _direction(estimate: Estimate) -> str:
    if estimate.low is not None and estimate.low > EVEN:
        return "an advantage"
    if estimate.high is not None and estimate.high < EVEN:
        return "a disadvantage"
    return ""


def _at_worst(results: Results, direction: str) -> Estimate:
    """The first mover's score if all games that were cut off had gone the other way."""
    score = results.figure("first_mover_score").estimate
    half = (results.figure("truncations").estimate.value or 0.0) / 2
    shift = -half if direction == "an advantage" else half
    return Estimate(*(None if end is None else end + shift for end in score.__dict__.values()))


def _of_endings(results: Results) -> Iterator[Remark]:
    cut_off = results.figure("truncations")
    if not cut_off.total:
        yield Remark("Every game came to an end by the rules.")
        return
    score = results.figure("first_mover_score").estimate.value or 0.0
    half = (cut_off.estimate.value or 0.0) / 2
    without = (
        " Without them the side that moves first scored"
        f" {_score(results, 'ended_first_mover_score')}; had they all gone one way, its score would"
        f" be anything from {score - half:.0%} to {score + half:.0%}."
    )
    yield Remark(
        f"{_percents(cut_off.estimate)} of the games came to no end: they were cut off by the turn"
        f" limit of {results.plan.options['turn_limit']} or for want of room. They count half a"
        " point for each side, which draws scores towards 50%, and make games seem shorter."
        f"{without if shows_first_move(results) else ''}"
    )


def _length(results: Results) -> str:
    median, low, high = (
        results.figure(f"turns_{name}").estimate.value or 0.0 for name in ("median", "5th", "95th")
    )
    turns = results.figure("turns").estimate.value or 0.0
    minutes = results.figure("minutes").estimate.value or 0.0
    decisions = results.figure("actions").estimate.value or 0.0
    return (
        f"A typical game has {median:,.0f} turns of all players together; nine games in ten have"
        f" {low:,.0f} to {high:,.0f}. On average a game has {turns:,.0f} turns and"
        f" {decisions:,.0f} decisions, which would take people about {minutes:,.0f} minutes."
    )


def _of_judge(results: Results) -> Iterator[Remark]:
    """How a strong player sees the games."""
    seen = results.judged
    if seen is None or seen.one_sensible.value is None:
        return
    text = f"A strong player (td) sees one sensible move in {_percents(seen.one_sensible)} of turns"
    if seen.known.value is not None:
        text += f", and knows the winner after {_percents(seen.known)} of a game"
    yield Remark(f"{text}.")


def _score(results: Results, measure: str) -> str:
    return _percents(results.figure(measure).estimate)


def _percents(estimate: Estimate) -> str:
    if estimate.value is None:
        return "an unknown share"
    if estimate.low is None or estimate.high is None or estimate.low == estimate.high:
        return f"{estimate.value:.0%}"
    decimals = 0 if estimate.high - estimate.low > _FINE else 1
    ends = f"{estimate.low:.{decimals}%} to {estimate.high:.{decimals}%}"
    return f"{estimate.value:.{decimals}%} (95% interval {ends})"
