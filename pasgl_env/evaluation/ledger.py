"""What a tournament has come to so far, kept in a file of JSON lines as its parts end.

The first line says which tournament it is, every other one is a :class:`Part`. Lines are only ever
added, each at once and in full; what a kill or a full disk left of a line is dropped.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pasgl_env.evaluation.match import MatchResult
from pasgl_env.games.contract import brief
from pasgl_env.storage.runs import BadRun, Lines

FORMAT = "pasgl_env tournament 1"

_OUTCOMES = {"1": 1.0, "=": 0.5, "-": 0.5, "0": 0.0}
Key = tuple[str, str, int]


@dataclass(frozen=True)
class Part:
    """Some games of a pairing, which is played in parts.

    Attributes:
        first: who has the first seat in the even games.
        second: the opponent.
        number: of the part, from 0.
        outcomes: a character for each game, even in number: ``1`` the first won, ``0`` the second,
            ``=`` nobody, ``-`` the turn limit cut it off.
        endings: hashes of the last positions, one for each game.
        actions: how often each of the two chose.
        thinking: seconds that they took for it.
        seconds: that the part took in all.
    """

    first: str
    second: str
    number: int
    outcomes: str
    endings: tuple[str, ...]
    actions: tuple[int, int]
    thinking: tuple[float, float]
    seconds: float

    @property
    def key(self) -> Key:
        """What tells it from the others."""
        return self.first, self.second, self.number

    @property
    def games(self) -> int:
        """How many."""
        return len(self.outcomes)

    @classmethod
    def of_json(cls, value: Any) -> Part:
        """The part that :meth:`to_json` wrote.

        Raises:
            ValueError: if it is none.
        """
        try:
            part = cls(**value)
            lists = "endings", "actions", "thinking"
            own: dict[str, Any] = {name: tuple(getattr(part, name)) for name in lists}
            part = replace(part, **own)
            is_sound = _is_sound(part)
        except (TypeError, AttributeError):
            is_sound = False
        if not is_sound:
            raise ValueError(f"no part of a tournament: {brief(value)}")
        return part

    def to_json(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self)


def _is_sound(part: Any) -> bool:
    """Whether the values of a part, read from a file, are of their kinds."""
    games = len(part.outcomes)
    return (
        isinstance(part.outcomes, str)
        and games % 2 == 0 < games
        and set(part.outcomes) <= set(_OUTCOMES)
        and len(part.endings) == games
        and all(isinstance(ending, str) for ending in part.endings)
        and len(part.actions) == len(part.thinking) == 2
        and all(isinstance(count, int) and count >= 0 for count in part.actions)
        and all(0 <= seconds < np.inf for seconds in (*part.thinking, part.seconds))
        and isinstance(part.number, int)
        and isinstance(part.first, str)
        and isinstance(part.second, str)
    )


def outcomes_of(result: MatchResult) -> str:
    """The outcomes of a match as a text, a character for each game."""
    return "".join(
        "-" if game["truncated"] else {1: "1", -1: "0", 0: "="}[int(game["outcome"])]
        for game in result.games
    )


def pair_points(outcomes: str) -> np.ndarray:
    """What the first player scored in each pair of games: ``float64[games / 2]``.

    >>> pair_points("101=-0")
    array([1. , 1.5, 0.5])
    """
    scores = np.array([_OUTCOMES[outcome] for outcome in outcomes], np.float64)
    return scores.reshape(-1, 2).sum(axis=1)


class Ledger:
    """The parts of a tournament that have been played; kept in a file.

    Args:
        file: where they are and go; None keeps them in memory only. A new file is made at once.
        about: which tournament it is, ready for JSON.

    Raises:
        BadRun: if the file holds no results, damaged ones, or those of another tournament.
        OSError: if it cannot be read or written.
    """

    def __init__(self, file: Path | None, about: Mapping[str, Any]) -> None:
        self._parts: dict[Key, Part] = {}
        self._lines: Lines | None = None
        if file is None:
            return
        self._lines = Lines(file, "tournament", {"format": FORMAT, **about})
        for number, line in enumerate(self._lines.lines, 2):
            self._keep(_read_part(file, number, line))

    def get(self, key: Key) -> Part | None:
        """A part, if it has been played."""
        return self._parts.get(key)

    def add(self, part: Part) -> None:
        """Keep a part, on disk when this returns.

        Raises:
            OSError: if it cannot be written.
        """
        if self._lines is not None:
            self._lines.add(part.to_json())
        self._keep(part)

    def _keep(self, part: Part) -> None:
        # A longer one begins with the games of the shorter.
        known = self._parts.get(part.key)
        if known is None or known.games < part.games:
            self._parts[part.key] = part


def _read_part(file: Path, number: int, line: bytes) -> Part:
    try:
        return Part.of_json(json.loads(line))
    except (ValueError, RecursionError) as error:
        raise BadRun(f"{file}, line {number}, is damaged: delete the line to continue") from error
