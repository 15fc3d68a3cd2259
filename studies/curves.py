"""Learning curves of values: matches of those that a run kept at points of its training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pasgl_env.cli.output import say
from pasgl_env.contract.game import OptionValue
from pasgl_env.evaluation.match import MatchResult, play_match
from pasgl_env.evaluation.openings import EVEN_OPENINGS
from pasgl_env.search.weights import read_tensors


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


def measure_point(
    file: Path,
    variant: str,
    options: dict[str, OptionValue],
    seed: int,
    opponent: str,
    games: int,
) -> Point:
    """Play a match of the values that were kept in a file."""
    told = read_tensors(file)[1]
    match = from_even_openings(variant, f"td:values={file}", opponent, games, seed, options)
    say(f"after {int(told['games']):,} games: {match}")
    return Point(int(told["games"]), float(told["minutes"]), match)


def from_even_openings(
    variant: str, first: str, second: str, games: int, seed: int, options: Mapping[str, OptionValue]
) -> MatchResult:
    """Play pairs of games from even openings."""
    return play_match(
        variant, first, second, games, seed=seed, paired=True, starts=EVEN_OPENINGS, **options
    )
