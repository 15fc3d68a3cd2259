"""The turns with which games began, and what the side that played them scored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.engine.position import Position
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.positions import chunks
from pasgl_env.statistics.clustered import share, sums_of
from pasgl_env.statistics.estimates import Estimate

MOST_SHOWN = 10
MOST_CHUNKS = 8
"""Chunks of games that are looked at, from the first on."""


class FirstTurn(NamedTuple):
    """A turn with which games began.

    Attributes:
        turn: its labels.
        games: their number.
        score: what the side that played it scored in them.
    """

    turn: str
    games: int
    score: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Values for JSON."""
        return {"turn": self.turn, "games": self.games, **self.score.__dict__}


def first_turns(plan: Plan, file: Path) -> tuple[FirstTurn, ...]:
    """The most frequent first turns of the first games of a run.

    None of games that begin with dice, or at different positions.

    Raises:
        OSError: if the file cannot be read.
        RecordError: if it is damaged.
    """
    openings = plan.openings
    start = Position(plan.ruleset)
    if len(openings.texts) == 1:
        start = Position.from_text(plan.ruleset, openings.texts[0])
    if openings.turns[1] or len(openings.texts) > 1 or start.to_move in (None, -1):
        return ()
    side, known = start.teams[start.to_move or 0], dict[tuple[int, ...], str]()
    scores = defaultdict[str, list[float]](list)
    for _, games in islice(chunks(plan, file), MOST_CHUNKS):
        for game in games:
            score = plan.even if game.winner < 0 else float(game.winner == side)
            scores[_first_turn(start, game.choices, known)].append(score)
    most = sorted(scores.items(), key=lambda item: -len(item[1]))[:MOST_SHOWN]
    return tuple(FirstTurn(turn, len(each), _mean(each)) for turn, each in most)


def _first_turn(start: Position, choices: Sequence[int], known: dict[tuple[int, ...], str]) -> str:
    """The labels of the first turn of a game; ``known`` holds those of games looked at before."""
    for length in range(1, len(choices) + 1):
        if (found := known.get(tuple(choices[:length]))) is not None:
            return found
    position, labels = start.copy(), list[str]()
    for choice in choices:
        labels.append(position.label(choice))
        position.play_action(choice)
        if position.is_over or position.turns != start.turns:
            break
    return known.setdefault(tuple(choices[: len(labels)]), " ".join(labels))


def _mean(scores: Sequence[float]) -> Estimate:
    ones = np.ones(len(scores))
    return share(sums_of(np.array(scores), ones), sums_of(ones, ones))
