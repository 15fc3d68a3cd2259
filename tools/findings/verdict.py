"""Sentences that follow from numbers and their intervals, and from nothing else.

A claim holds, or its contrary does, if all of a 95% interval is on one side of a threshold; else it
is not known. How an answer changes with the strength of the players is judged by the difference
between the weakest and the strongest. The interval of a difference is made of those of its parts
(Newcombe, "Interval estimation for the difference between independent proportions", Statistics in
Medicine 17, 1998; for other numbers Zou and Donner, "Construction of confidence limits about effect
measures", Statistics in Medicine 27, 2008).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from pasgl_env.statistics.estimates import Estimate
from tools.findings.question import Claim, Trend, Unit

LEAST_GAMES = 40
"""A player with fewer has no say: intervals from a few pairs rest on hardly any knowledge of how
much pairs differ."""


class Answer(Enum):
    """What an interval says about a threshold."""

    ABOVE = "above"
    BELOW = "below"
    UNKNOWN = "unknown"


class Row(NamedTuple):
    """A number as games of a player told it.

    Attributes:
        player: who played, against itself.
        games: how many.
        estimate: the number; without an interval if there are too few games for one.
    """

    player: str
    games: int
    estimate: Estimate

    @property
    def is_told(self) -> bool:
        """Whether there are enough games for a verdict."""
        is_bounded = self.estimate.low is not None and self.estimate.high is not None
        return is_bounded and self.games >= LEAST_GAMES


def answer(estimate: Estimate, threshold: float) -> Answer:
    """What an estimate says.

    >>> answer(Estimate(0.22, 0.18, 0.27), 0.5)
    <Answer.BELOW: 'below'>
    >>> answer(Estimate(0.48, 0.44, 0.52), 0.5)
    <Answer.UNKNOWN: 'unknown'>
    """
    if estimate.low is None or estimate.high is None:
        return Answer.UNKNOWN
    if estimate.low > threshold:
        return Answer.ABOVE
    return Answer.BELOW if estimate.high < threshold else Answer.UNKNOWN


def difference(one: Estimate, other: Estimate) -> Estimate:
    """One number less another, of independent runs.

    >>> difference(Estimate(0.5, 0.4, 0.6), Estimate(0.2, 0.1, 0.4))
    Estimate(value=0.3, low=0.0763..., high=0.4414...)
    """
    if one.value is None or other.value is None:
        return Estimate(None)
    value = one.value - other.value
    if None in (one.low, one.high, other.low, other.high):
        return Estimate(value)
    down = hypot(one.value - (one.low or 0.0), (other.high or 0.0) - other.value)
    up = hypot((one.high or 0.0) - one.value, other.value - (other.low or 0.0))
    return Estimate(value, value - down, value + up)


def verdict(statement: Claim | Trend, rows: Sequence[Row]) -> str:
    """What follows.

    Args:
        statement: what is to be judged.
        rows: its number for each player, the weakest first.
    """
    told = [row for row in rows if row.is_told]
    if not told:
        lead = f"**{statement.unknown}** " if isinstance(statement, Claim) else ""
        return f"{lead}No player has played enough games."
    sentences = [_main(statement, told[-1], "" if rows[-1].is_told else " with enough games")]
    if isinstance(statement, Claim):
        sentences += _others(statement, told)
    if len(told) > 1:
        sentences.append(_trend(statement.column.unit, told))
    return " ".join(sentences)


def _main(statement: Claim | Trend, strongest: Row, of_whom: str) -> str:
    """What the games of the strongest player say."""
    column = statement.column
    number = f"{column.heading} {column.unit.write_estimate(strongest.estimate)}"
    said = f"The strongest player{of_whom}, `{strongest.player}`: {number}."
    return f"**{_text(statement, strongest)}** {said}" if isinstance(statement, Claim) else said


def _text(claim: Claim, row: Row) -> str:
    texts = {
        Answer.ABOVE: claim.above,
        Answer.BELOW: claim.below,
        Answer.UNKNOWN: claim.unknown,
    }
    return texts[answer(row.estimate, claim.threshold)]


def _others(claim: Claim, told: Sequence[Row]) -> list[str]:
    """What the games of the other players say, those that say the same together."""
    own = _text(claim, told[-1])
    players: dict[str, list[str]] = {}
    for row in reversed(told[:-1]):
        players.setdefault(_text(claim, row), []).append(f"`{row.player}`")
    sentences = []
    if own in players:
        sentences.append(f"Same answer from {_listed(players.pop(own))}.")
    sentences += [f"Answer from {_listed(names)}: {text}" for text, names in players.items()]
    return sentences


def _listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> _listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _trend(unit: Unit, told: Sequence[Row]) -> str:
    """Whether a number changes with the strength of the players."""
    change = difference(told[-1].estimate, told[0].estimate)
    shown = unit._replace(is_signed=True).write_estimate(change)
    overall = answer(change, 0.0)
    steps = {answer(difference(b.estimate, a.estimate), 0.0) for a, b in pairwise(told)}
    is_steady = steps <= {overall, Answer.UNKNOWN}
    ends = f"From `{told[0].player}` to `{told[-1].player}`"
    if overall is Answer.UNKNOWN:
        unsteady = "" if is_steady else ", but there is between other players"
        return f"{ends} there is no clear change: {shown}{unsteady}."
    verb = "rises" if overall is Answer.ABOVE else "falls"
    return f"{ends} it {verb} by {shown}{'' if is_steady else ', but not steadily'}."
