"""A turn: what notations write and read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pasgl_env.engine.position import Position


@dataclass(frozen=True)
class Turn:
    """A turn, or the rest of one that was under way when a game began.

    Attributes:
        before: where it begins.
        labels: what was played and rolled.
        after: where it ends.
    """

    before: Position
    labels: tuple[str, ...]
    after: Position

    @classmethod
    def begin(cls, position: Position) -> Turn:
        """A turn in which nothing has been played yet."""
        return cls(position.copy(), (), position.copy())

    def play(self, label: str) -> Turn:
        """The turn with one action or outcome more.

        Raises:
            IllegalMove: if no legal action has this label.
        """
        return Turn(self.before, (*self.labels, label), self.after.copy().play(label))

    @property
    def is_complete(self) -> bool:
        """Whether the turn, or the game, has ended."""
        return self.after.is_over or self.after.turns != self.before.turns


def complete_turns(before: Position, allows: Callable[[Turn, str], bool]) -> Iterator[Turn]:
    """All ways to complete a turn, each legal step of which is allowed, depth first.

    Args:
        before: where the turn begins; may be in the middle of one.
        allows: whether a label may come next in a turn that is under way.
    """
    pending = [Turn.begin(before)]
    while pending:
        turn = pending.pop()
        if turn.labels and turn.is_complete:
            yield turn
            continue
        pending += [
            turn.play(label) for label in turn.after.legal_moves()[::-1] if allows(turn, label)
        ]
