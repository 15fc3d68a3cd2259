"""John Lawson's notation of PASGL 312 Chess.

``Te3e4``, ``Be1d2_P,fe4_,Wd4``, ``He4:de7``, ``Df1d5:P-f``, ``Fc1b4:-w``,
``Wg6^d3-s*De4,We5,Te4``: ``docs/notation.md`` explains them.

>>> from pasgl_env import Position
>>> from pasgl_env.records import notation
>>> position = Position.from_text("pasgl312", "4b3/6W1/8/8/3s4/4T3/8/4B3 ./././. ./. 1 w 0:0 0 0")
>>> notation.read(position, "Wg7-g6")
('Wg7g6',)
"""

from __future__ import annotations

import re

from pasgl_env.games.pasgl312.notation.reading import read
from pasgl_env.games.pasgl312.notation.word import PASS
from pasgl_env.games.pasgl312.notation.writing import score_word, train_word, word_of
from pasgl_env.records.turn import Turn

__all__ = ["COLUMNS", "is_remark", "read", "remarks", "write"]

COLUMNS = ("Train", "Score")
_REMARK = re.compile(r"X([a-h][1-8]|[xz][45])[\w;,*-]*|[WB]:[0-9]+")


def write(turn: Turn) -> str:
    """A complete turn in Lawson's notation; case tells the sides, as in his diagrams."""
    word = word_of(turn)
    return PASS if word is None else str(word)


def remarks(turn: Turn) -> tuple[str, ...]:
    """The Train's move and the score, after Black's turns and the last of a game."""
    if turn.before.to_move == 1 or turn.after.is_over:
        return train_word(turn), score_word(turn.after)
    return ()


def is_remark(word: str) -> bool:
    """Whether a word looks like a move of the Train or half of a score."""
    return _REMARK.fullmatch(word) is not None
