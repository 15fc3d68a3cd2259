"""What the oracles share, which is nothing of the rules: moves, counts and errors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self


class IllegalMove(ValueError):
    """The label is not legal in this position."""


def bad(field: str, reason: str) -> ValueError:
    """Return the error for a bad field."""
    return ValueError(f"{field}: {reason}")


class Reference(ABC):
    """One game, with the interface of the package's ``Position``."""

    mover: int
    labels: list[str]

    @abstractmethod
    def __init__(self, variant: str, **options: Any) -> None:
        """Set up the start position."""

    @abstractmethod
    def _read(self, text: str) -> None:
        """Read a position text."""

    @abstractmethod
    def _play(self, label: str) -> None:
        """Play a legal action in place."""

    @abstractmethod
    def copy(self) -> Reference:
        """Return an independent copy."""

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @abstractmethod
    def legal_moves(self) -> list[str]:
        """The distinct labels that may be played now, sorted."""

    @classmethod
    def from_text(cls, variant: str, text: str, **options: Any) -> Self:
        """Read a canonical position text; a ValueError names the field that is bad."""
        position = cls(variant, **options)
        if not isinstance(text, str):
            raise ValueError(f"text: must be a string, not {type(text).__name__}")
        position._read(text)
        return position

    @property
    def is_chance(self) -> bool:
        """Whether dice are due; most games have none."""
        return False

    @property
    def to_move(self) -> int | None:
        """The player who acts, -1 for the dice, None once the game is over."""
        if self.is_over:
            return None
        return -1 if self.is_chance else self.mover

    def play(self, label: str) -> Self:
        """Play one action in place; IllegalMove, and nothing changed, if it is not legal here."""
        legal = self.legal_moves()
        if label not in legal:
            raise IllegalMove(f"{label!r} is not legal here; legal: {', '.join(legal) or 'none'}")
        self._play(label)
        return self

    def perft(self, depth: int) -> int:
        """The number of sequences of this many labels."""
        if depth < 0:
            raise ValueError(f"depth: {depth} is less than 0")
        if depth == 0:
            return 1
        labels = self.legal_moves()
        if depth == 1:
            return len(labels)
        return sum(self.copy().play(label).perft(depth - 1) for label in labels)

    def _read_labels(self, field: str) -> None:
        """Words: labels played so far in this turn; one that completes it does not belong here."""
        for label in field.split(","):
            try:
                self.play(label)
            except IllegalMove as error:
                raise bad("labels", str(error)) from error
            if not self.labels:
                raise bad("labels", f"{label!r} completes the turn")
