"""Conclusions from the games of a run, and warnings about them, in sentences.

There is a verdict about the first move only if the games vary, neither side is restricted, games
begin at the variant's usual start or shortly after it with the same side to act, and the games that
were cut off could not reverse it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, NamedTuple

from pasgl_env.evaluation.ladder import strength
from pasgl_env.evaluation.match import hardly_vary, sides
from pasgl_env.evaluation.openings import UNIFORM
from pasgl_env.players.levels import LIKE_PEOPLE, player_at
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.restrict import FIRST, SECOND
from pasgl_env.playtest.results import Results
from pasgl_env.playtest.variety import LEAST_LINES, LINES_TURN
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.texts import estimate_text

LEAST_UNITS = 20
"""Fewer independent pairs or groups of games, or openings, are too few for a verdict."""
MOST_CUT_OFF = 0.1
"""If a larger share of the games was cut off, they cannot show that there is no advantage."""
_OF_FIRST_MOVE = "first_mover_score", "ended_first_mover_score"
_ADVICE = "Let them begin differently, for example with openings of 4 turns"


Side = Literal["above", "below", "within", "unknown"]


def side_of(estimate: Estimate, threshold: float, margin: float | None = None) -> Side:
    """On which side of a threshold a whole interval is: every verdict on a number is this one.

    >>> score = Estimate(0.55, 0.52, 0.58)
    >>> side_of(score, 0.5), side_of(however_ended(score, cut_off=0.1, even=0.5), 0.5)
    ('above', 'unknown')

    Args:
        estimate: the number; of a score with games that were cut off, with the bounds of
            :func:`however_ended`.
        threshold: the number that it is compared with.
        margin: how far from the threshold still counts as even; None: nothing does.

    Returns:
        ``within`` if the interval is within the margin, ``unknown`` if nothing is shown.
    """
    least, most = estimate.low, estimate.high
    if least is None or most is None:
        return "unknown"
    if least > threshold or most < threshold:
        return "above" if least > threshold else "below"
    return "within" if is_within(estimate, threshold, margin) else "unknown"


def is_within(estimate: Estimate, threshold: float, margin: float | None) -> bool:
    """Whether a whole interval is less than a margin away from a threshold.

    >>> is_within(Estimate(0.52, 0.51, 0.54), 0.5, 0.05), is_within(Estimate(0.52), 0.5, 0.05)
    (True, False)
    """
    if margin is None or estimate.low is None or estimate.high is None:
        return False
    return max(estimate.high - threshold, threshold - estimate.low) < margin


def however_ended(estimate: Estimate, cut_off: float, even: float) -> Estimate:
    """A score with bounds that hold however the games that were cut off had ended.

    Args:
        estimate: the score.
        cut_off: the share of games that were cut off.
        even: what these count.
    """
    if estimate.low is None or estimate.high is None:
        return estimate
    low, high = estimate.low - cut_off * even, estimate.high + cut_off * (1 - even)
    return replace(estimate, low=low, high=high)


class Remark(NamedTuple):
    """A sentence or two; ``warns`` if it is a warning about the games."""

    text: str
    warns: bool = False


def remarks(results: Results) -> Iterator[Remark]:
    """The conclusions and warnings, the most important first."""
    if doubt := doubt_of(results):
        yield Remark(doubt, warns=True)
    yield Remark(_who_played(results))
    plan = results.plan
    if plan.untrained:
        yield Remark(
            f"{' and '.join(plan.untrained)} learned with other rules than these, so the games"
            " differ from those under the usual rules in the player, too: learned values give way"
            " to the hand-written evaluation, and a network plays as if the rules were its own.",
            warns=True,
        )
    if plan.learned:
        yield Remark(f"For these rules it learned from {plan.learned_text}.")
    if not plan.openings.is_usual:
        yield Remark(_openings(plan))
    yield from _of_restrictions(results)
    if not is_one_sided(plan):
        yield _of_first_move(results)
    if plan.players[0] != plan.players[1]:
        yield Remark(f"{plan.players[0]} scored {_score(results, 'first_player_score')}.")
    yield from _of_endings(results)
    yield Remark(_length(results))
    yield from _of_assessment(results)


def doubt_of(results: Results) -> str:
    """The reason why there can be no verdict, too few games or too little variety; else empty."""
    variety = results.variety
    if variety.lines < min(LEAST_LINES, variety.games / 2):
        shared = variety.shared_turns
        line = f"all share one line through turn {shared}; " if shared > 0 else ""
        early, late = map(_positions, variety.different[[LINES_TURN, 2 * LINES_TURN]])
        return (
            f"These games hardly vary, so they show nothing about the game in general: {line}after"
            f" {LINES_TURN} turns the first {variety.games:,} are in {early}, after"
            f" {2 * LINES_TURN} in {late}. {_ADVICE}."
        )
    distinct = results.totals.counts.distinct
    if hardly_vary(distinct, results.units):
        return (
            f"Only {distinct} different last positions in {results.games:,} games: the players"
            f" hardly vary, so the intervals are too narrow. {_ADVICE}."
        )
    if results.units < LEAST_UNITS:
        what = "openings" if results.plan.openings.clusters else _plural(results.plan.group)
        return f"{results.units} {what} are too few for a verdict: {LEAST_UNITS} are needed."
    return ""


def doubt_about(results: Results, measure: str) -> str:
    """The reason why there can be no verdict on a measure; else empty."""
    doubt, plan = doubt_of(results), results.plan
    if doubt or measure not in _OF_FIRST_MOVE or shows_first_move(results):
        return doubt
    if gives_move_away(plan):
        return (
            "After some of these random openings another side has the first considered move. Play"
            " the same number of random turns for every side, such as openings of 4 turns, or let a"
            " player choose them."
        )
    why = "they begin at given positions" if plan.openings.texts else "a restriction binds one side"
    return f"These games show nothing about moving first: {why}."


def _plural(group: str) -> str:
    """A pair or group of games, in the plural."""
    first, rest = group.split(" ", 1)
    return f"{first}s {rest}"


def shows_first_move(results: Results) -> bool:
    """Whether the games may say anything about moving first."""
    plan = results.plan
    is_about_others = plan.openings.texts or is_one_sided(plan) or gives_move_away(plan)
    return not (doubt_of(results) or is_about_others)


def gives_move_away(plan: Plan) -> bool:
    """Whether random turns of an opening leave the first considered move to the other side."""
    fewest, most = plan.openings.turns
    players = plan.ruleset.spaces.players
    return plan.openings.player == UNIFORM and (fewest != most or most % players != 0)


def is_one_sided(plan: Plan) -> bool:
    """Whether a restriction binds one side only."""
    seats = set(plan.ruleset.seats)
    bound: defaultdict[tuple[str, bool], set[str]] = defaultdict(set)
    for each in plan.restrictions:
        bound[each.pattern, each.of_turns].add(each.who)
    return any(not (seats <= who or {FIRST, SECOND} <= who) for who in bound.values())


def player_text(plan: Plan, name: str) -> str:
    """A player with its strength, if it is on the ladder.

    >>> player_text(Plan.of("pasgl312", ("random", "random")), "random")
    'random (under -... Elo, greedy being 0)'
    """
    elo = strength(name, plan.ruleset)
    if (shown := plan.shown(name)) != name:
        return shown
    if name == player_at(LIKE_PEOPLE, plan.ruleset.name):
        return f"{name} (the level {LIKE_PEOPLE!r}, for people who know the game)"
    if elo is None:
        return f"{name} (not on the ladder)"
    return f"{name} ({elo} Elo, greedy being 0)" if name != "greedy" else "greedy (0 Elo)"


def _who_played(results: Results) -> str:
    one, other = results.plan.players
    against = "itself" if one == other else player_text(results.plan, other)
    text = f"{player_text(results.plan, one)} played {against} in {results.games:,} games."
    teams = sides(results.plan.ruleset)
    if len(teams) > 2 and one != other:
        text += f" {one} played one side, each in turn, and {other} all others."
    if any(" and " in team for team in teams):
        text += f" {teams[0]} are a team, and so are {', '.join(teams[1:])}."
    return text


def _openings(plan: Plan) -> str:
    openings = plan.openings
    if openings.turns[1]:
        each = "game" if plan.is_self_play else plan.group
        return f"Every {each} begins after an opening of its own: {openings}."
    if len(openings.texts) == 1:
        return f"All games begin at {openings}."
    who = "games" if plan.is_self_play else _plural(plan.group)
    return f"{who.capitalize()} take turns at {openings}."


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
    """The score of a seat, or of the first or second player."""
    if who not in (FIRST, SECOND):
        return _share(results.figure("score", seat=who).estimate)
    first = results.figure("first_player_score").estimate
    return _share(first if who == FIRST else first.map(lambda score: 1 - score))


def _of_first_move(results: Results) -> Remark:
    """The score of moving first between these players, with a verdict if there can be one."""
    plan, measure = results.plan, "first_mover_score"
    share = f", an equal share being {plan.even:.0%}" if plan.sides > 2 else ""
    scored = f"scored {_score(results, measure)}{share}"
    if doubt := doubt_about(results, measure):
        known = doubt_of(results)  # and said before
        return Remark(f"The side that moved first {scored}: no verdict.{f' {doubt}' * (not known)}")
    one, other = (player_text(plan, name) for name in plan.players)
    meeting = f"When {one} plays itself" if one == other else f"Between {one} and {other}"
    said = f"{meeting}, the side that moves first {scored}"
    estimate = results.figure(measure).estimate
    cut_off, seen = cut_off_of(results), side_of(estimate, plan.even)
    if seen == "unknown" and cut_off > MOST_CUT_OFF:
        return Remark(
            f"{said}: no verdict, since many games were cut off and count an equal share."
        )
    if seen == "unknown":
        return Remark(f"{said}: these games show neither an advantage nor a disadvantage.")
    if side_of(however_ended(estimate, cut_off, plan.even), plan.even) == "unknown":
        return Remark(f"{said}: no verdict, since the games that were cut off could reverse it.")
    return Remark(
        f"{said}: for these players moving first is"
        f" {'an advantage' if seen == 'above' else 'a disadvantage'}. Other players may differ."
    )


def cut_off_in(results: Results, measure: str) -> float:
    """The share of games that were cut off and count an equal share in a measure; 0 in others."""
    return cut_off_of(results) if counts_cut_off(measure) else 0.0


def counts_cut_off(measure: str) -> bool:
    """Whether games that were cut off count an equal share in a measure.

    >>> counts_cut_off("first_mover_score"), counts_cut_off("ended_first_mover_score")
    (True, False)
    """
    return measure.endswith("score") and not measure.startswith("ended")


def cut_off_of(results: Results) -> float:
    """The share of games that were cut off."""
    return results.figure("truncations").estimate.value or 0.0


def _of_endings(results: Results) -> Iterator[Remark]:
    cut_off = results.figure("truncations")
    if not cut_off.total:
        yield Remark("Every game ended by the rules.")
        return
    score = results.figure("first_mover_score").estimate.value or 0.0
    cut, even, teams = cut_off_of(results), results.plan.even, results.plan.sides
    part = "half a" if teams == 2 else f"1/{teams} of a"
    limit = results.plan.ruleset.options["turn_limit"]
    low, high = f"{score - cut * even:.0%}", f"{score + cut * (1 - even):.0%}"
    between = f"; had they all gone one way, its score would be anything from {low} to {high}"
    without = (
        " Without them the side that moves first scored"
        f" {_score(results, 'ended_first_mover_score')}{between * (low != high)}."
    )
    yield Remark(
        f"{_share(cut_off.estimate)} of the games did not end: they were cut off by the turn"
        f" limit of {limit} or for lack of room for their history."
        f" They count {part} point for each side, which draws scores towards {even:.0%}, and make"
        " games seem shorter."
        f"{without if shows_first_move(results) else ''}"
    )


def _length(results: Results) -> str:
    median, low, high, turns, decisions, minutes = (
        results.figure(name).estimate.value or 0.0
        for name in ("turns_median", "turns_5th", "turns_95th", "turns", "actions", "minutes")
    )
    would = f", which would take people about {minutes:,.0f} minutes"
    if "random" in results.plan.players:
        would = "; random play says little about people's games"
    return (
        f"A typical game has {median:,.0f} turns of all players together; nine games in ten have"
        f" {low:,.0f} to {high:,.0f}. On average a game has {turns:,.0f} turns and"
        f" {decisions:,.0f} decisions{would}."
    )


def _of_assessment(results: Results) -> Iterator[Remark]:
    """Remarks on the games as ``td`` sees them."""
    seen = results.assessment
    if seen is None or seen.one_sensible.value is None:
        return
    player = player_text(results.plan, "td")
    text = f"{player} sees one sensible move in {_share(seen.one_sensible)} of turns"
    if seen.known.value is not None:
        text += f", and knows the winner after {_share(seen.known)} of a game"
    yield Remark(f"{text}.")


def _score(results: Results, measure: str) -> str:
    return _share(results.figure(measure).estimate)


def _share(estimate: Estimate) -> str:
    return estimate_text(estimate, True, "an unknown share")
