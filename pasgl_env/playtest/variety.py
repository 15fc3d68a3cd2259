"""The variety of a run's games in their first turns.

>>> marks = np.array([[1, 2, 3], [1, 2, 4], [1, 2, 4], [1, 2, 4]], np.uint64)
>>> variety = Variety.of(marks)
>>> variety.shared_turns, variety.different.tolist(), variety.effective.round(1).tolist()
(1, [1, 1, 2], [1.0, 1.0, 1.6])
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pasgl_env.playtest.counting import MARKS

LINES_TURN = 10
"""Games are compared after this number of turns."""
LEAST_LINES = 20
"""Games vary if their effective number of positions, see :class:`Variety`, is at least this."""
SHOWN_TURNS = (0, 2, 5, 10, 20, MARKS - 1)


class Variety(NamedTuple):
    """The number of positions that games were in after 0, 1, 2 ... turns.

    Attributes:
        games: number of games.
        different: ``int64[MARKS]``: the number of different positions.
        effective: ``float64[MARKS]``: the number of equally frequent positions that are as varied:
            Hill's number of order 2, one over the probability that two games are in the same one
            (Hill, "Diversity and evenness", Ecology 54, 1973).
    """

    games: int
    different: np.ndarray
    effective: np.ndarray

    @classmethod
    def of(cls, marks: np.ndarray) -> Variety:
        """The variety of games whose positions have these hashes: ``uint64[games, MARKS]``."""
        counted = [np.unique(column, return_counts=True)[1] for column in marks.T]
        return cls(
            len(marks),
            np.array([each.size for each in counted]),
            np.array([each.sum() ** 2 / max((each**2).sum(), 1) for each in counted]),
        )

    @property
    def shared_turns(self) -> int:
        """The number of first turns that all games share; -1 if they began differently."""
        # Only the first ones: games that differed may end in the same position.
        return int(np.logical_and.accumulate(self.different == 1).sum()) - 1

    @property
    def lines(self) -> float:
        """The effective number of different games: that of positions, early in the games."""
        return float(self.effective[min(LINES_TURN, len(self.effective) - 1)])

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "games": self.games,
            "shared_turns": self.shared_turns,
            "different": self.different.tolist(),
            "effective": self.effective.tolist(),
        }
