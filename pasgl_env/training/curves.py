"""Matches from even openings that measure a run, and the values that it kept at points."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.evaluation.match import MatchResult, play_match
from pasgl_env.evaluation.openings import EVEN_OPENINGS
from pasgl_env.players.values.weights import read_tensors
from pasgl_env.statistics.estimates import Estimate


class Point(NamedTuple):
    """A point of a learning curve.

    Attributes:
        minutes: duration of the training.
        done: number of games or decisions learned from.
        score: the score of what was learned so far.
    """

    minutes: float
    done: int
    score: Estimate


def measure_point(file: Path, ruleset: Ruleset, seed: int, opponent: str, games: int) -> Point:
    """Play a match of the values that were kept in a file."""
    _, about = read_tensors(file)
    match = from_even_openings(ruleset, f"td:values={file}", opponent, games, seed)
    return Point(float(about["minutes"]), int(about["games"]), match.all.score_rate)


def from_even_openings(
    ruleset: Ruleset, first: str, second: str, games: int, seed: int
) -> MatchResult:
    """Play pairs of games from even openings."""
    return play_match(ruleset, first, second, games, seed=seed, paired=True, starts=EVEN_OPENINGS)
