"""A turn, which notations write and read."""

from __future__ import annotations

from dataclasses import dataclass

from pasgl_env.engine.position import Position


@dataclass(frozen=True)
class Turn:
    """A turn, or the rest of one if a game began in mid-turn.

    Attributes:
        before: the position at its start.
        labels: the labels of its actions and outcomes.
        after: the position at its end.
    """

    before: Position
    labels: tuple[str, ...]
    after: Position

    @classmethod
    def begin(cls, position: Position) -> Turn:
        """An empty turn."""
        return cls(position.copy(), (), position.copy())

    def play(self, label: str) -> Turn:
        """The turn with one more action or outcome.

        Raises:
            IllegalMove: if no legal action has this label.
        """
        return Turn(self.before, (*self.labels, label), self.after.copy().play(label))

    @property
    def is_complete(self) -> bool:
        """Whether the turn or the game has ended."""
        return self.after.is_over or self.after.turns != self.before.turns
