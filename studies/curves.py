"""Learning curves of values: matches of those that a run kept at points of its training."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pasgl_env.cli.output import say
from pasgl_env.evaluation.duel import Duel, duel
from pasgl_env.games.contract import OptionValue
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
    match: Duel


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
    match = duel(variant, f"td:values={file}", opponent, games, seed=seed, **options)
    say(f"after {int(told['games']):,} games: {match}")
    return Point(int(told["games"]), float(told["minutes"]), match)
