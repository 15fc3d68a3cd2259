"""The results of a tournament or benchmark so far, stored in a file of JSON lines.

The first line identifies the run, and every other one is a :class:`Part`. The file only grows: each
line is written at once and in full, and one cut off by a kill or a full disk is dropped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from pasgl_env.contract.game import brief
from pasgl_env.evaluation.match import MatchResult
from pasgl_env.storage.runs import BadRun, JsonLines

FORMAT = "pasgl_env tournament 1"

OUTCOMES = {"1": 1.0, "=": 0.5, "-": 0.5, "0": 0.0}
"""The first player's score for each of :attr:`Part.outcomes`."""
Key = tuple[str, str, int]


@dataclass(frozen=True)
class Part:
    """Some of the games of a pairing, which is played in parts.

    Attributes:
        first: the player with the first seat in the even games.
        second: the opponent.
        number: index of the part, from 0.
        outcomes: one character per game, even in number: ``1`` if the first player won, ``0`` if
            the second did, ``=`` for a draw, ``-`` for a truncated game.
        endings: hashes of the final positions, one per game.
        actions: number of actions by each of the two players.
        thinking: seconds that each player took for these actions.
        seconds: total time of the part.
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
        """The key that identifies the part."""
        return self.first, self.second, self.number

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.outcomes)

    @classmethod
    def of_match(
        cls, first: str, second: str, number: int, result: MatchResult, seconds: float
    ) -> Part:
        """The part that a match was; it took this number of seconds."""
        one, other = result.thinking.seconds
        return cls(
            first,
            second,
            number,
            outcomes_of(result),
            tuple(f"{ending:016x}" for ending in result.games["ending"].tolist()),
            result.thinking.actions,
            (round(one, 6), round(other, 6)),
            round(seconds, 6),
        )

    @classmethod
    def of_json(cls, value: Any) -> Part:
        """Parse the output of :meth:`to_json`; ``ValueError`` if it is not a part."""
        try:
            part = cls(**value)
            lists = "endings", "actions", "thinking"
            own: dict[str, Any] = {name: tuple(getattr(part, name)) for name in lists}
            part = replace(part, **own)
            is_sound = _is_sound(part)
        except (TypeError, AttributeError):
            is_sound = False
        if not is_sound:
            raise ValueError(f"not a part of a tournament: {brief(value)}")
        return part

    def to_json(self) -> dict[str, Any]:
        """The part as JSON values."""
        return asdict(self)


def _is_sound(part: Any) -> bool:
    """Whether the values of a part read from a file have valid types."""
    games = len(part.outcomes)
    return (
        isinstance(part.outcomes, str)
        and games % 2 == 0 < games
        and set(part.outcomes) <= OUTCOMES.keys()
        and len(part.endings) == games
        and all(isinstance(ending, str) for ending in part.endings)
        and len(part.actions) == len(part.thinking) == 2
        and all(isinstance(count, int) and 0 <= count < 2**53 for count in part.actions)
        and all(0 <= seconds < np.inf for seconds in (*part.thinking, part.seconds))
        and isinstance(part.number, int)
        and isinstance(part.first, str)
        and isinstance(part.second, str)
    )


def outcomes_of(result: MatchResult) -> str:
    """The outcomes of a match as text, one character per game."""
    return "".join(
        "-" if game["truncated"] else {1: "1", -1: "0", 0: "="}[int(game["outcome"])]
        for game in result.games
    )


def pair_points(outcomes: str) -> np.ndarray:
    """The first player's points in each pair of games: ``float64[games / 2]``.

    >>> pair_points("101=-0")
    array([1. , 1.5, 0.5])
    """
    scores = np.array([OUTCOMES[outcome] for outcome in outcomes], np.float64)
    return scores.reshape(-1, 2).sum(axis=1)


class JournalEntry(Protocol):
    """What a journal keeps."""

    @property
    def key(self) -> Key: ...

    @property
    def games(self) -> int: ...

    def to_json(self) -> dict[str, Any]: ...


Kept = TypeVar("Kept", bound=JournalEntry)


class Journal(Generic[Kept]):
    """The results so far of a run that is played in parts, stored in a file, or in memory only.

    Raises:
        BadRun: if the file holds no results, damaged ones or those of another run.
        OSError: if it cannot be read or written.
    """

    def __init__(
        self, file: Path | None, kind: str, about: Mapping[str, Any], read: Callable[[Any], Kept]
    ) -> None:
        self._results: dict[Key, Kept] = {}
        self._lines: JsonLines | None = None
        if file is None:
            return
        self._lines = JsonLines(file, kind, about)
        for number, line in enumerate(self._lines.lines, 2):
            try:
                self._keep(read(json.loads(line)))
            except (ValueError, RecursionError) as error:
                raise BadRun(
                    f"{file}, line {number}, is damaged: delete the line to continue"
                ) from error

    def get(self, key: Key) -> Kept | None:
        """A result; None if it has not been played."""
        return self._results.get(key)

    @property
    def keys(self) -> Iterable[Key]:
        """The keys of all results."""
        return self._results.keys()

    def add(self, result: Kept) -> None:
        """Store a result and wait until it is on disk; ``OSError`` if it cannot be written."""
        if self._lines is not None:
            self._lines.add(result.to_json())
        self._keep(result)

    def _keep(self, result: Kept) -> None:
        # A longer part starts with the games of a shorter one.
        known = self._results.get(result.key)
        if known is None or known.games < result.games:
            self._results[result.key] = result
