"""Learning curves of values: matches of those that a run kept at points of its training."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pasgl_env.cli.output import say
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.evaluation.match import MatchResult, play_match
from pasgl_env.evaluation.openings import EVEN_OPENINGS
from pasgl_env.players.values.weights import read_tensors


@dataclass(frozen=True)
class Point:
    """A point of the learning curve.

    Attributes:
        games: number of games learned from.
        minutes: duration of the training.
        match: the match of its values.
    """

    games: int
    minutes: float
    match: MatchResult


def measure_point(file: Path, ruleset: Ruleset, seed: int, opponent: str, games: int) -> Point:
    """Play a match of the values that were kept in a file."""
    _, about = read_tensors(file)
    match = from_even_openings(ruleset, f"td:values={file}", opponent, games, seed)
    say(f"after {int(about['games']):,} games: {match}")
    return Point(int(about["games"]), float(about["minutes"]), match)


def from_even_openings(
    ruleset: Ruleset, first: str, second: str, games: int, seed: int
) -> MatchResult:
    """Play pairs of games from even openings."""
    return play_match(ruleset, first, second, games, seed=seed, paired=True, starts=EVEN_OPENINGS)
