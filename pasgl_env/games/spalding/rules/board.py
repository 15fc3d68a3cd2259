"""Geometry of Captain Spalding Chess: squares and the relative moves of all pieces.

Squares are numbered 0-63, a1, b1 ... h8; ``NONE`` in a table means that there is no such square.
Black sees the board turned by 180°: a square's number is then 63 less the number.

A move is a square and a *direction*, one of 32 relative moves as the moving player sees them::

    25                  Directions 0-4 are the Elephant's step, 5-9 the Great Elephant's leap,
    24                  0 10 11 12 one step of a Rook, 13-20 the Knight's squares, which Rhinos
    23                  reach by a second, diagonal step. Boohs go along 0, 5, 21-25 and along
    22                  11, 26-31.
    21
     9  14   5  13   6
    19   4   0   1  15
        12   o  10
    20   3  11   2  16
     8  18  26  17   7
            27
            28
            29
            30
            31
"""

from __future__ import annotations

import numpy as np

SQUARES = 64
NONE = SQUARES
NAMES = tuple(f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh")
INDEX = {name: square for square, name in enumerate(NAMES)}

_DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
DIRECTIONS = (
    (0, 1),
    *_DIAGONAL,
    (0, 2),
    *((2 * right, 2 * up) for right, up in _DIAGONAL),
    (1, 0),
    (0, -1),
    (-1, 0),
    *((1, 2), (-1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, 1), (-2, -1)),
    *((0, up) for up in range(3, 8)),
    *((0, -down) for down in range(2, 8)),
)
DIRECTION_COUNT = len(DIRECTIONS)
FORWARD, BACKWARD = 0, 11
ELEPHANT_STEPS = 5
GREAT_STEPS = 10
ROOK_STEPS = np.array([0, 10, 11, 12], np.int64)
KING_STEPS = np.array([0, 1, 2, 3, 4, 10, 11, 12], np.int64)
# The two Knight's squares beyond each of ROOK_STEPS.
FIRST_KNIGHT = 13
SLIDES = np.array([[0, 5, 21, 22, 23, 24, 25], [11, 26, 27, 28, 29, 30, 31]], np.int64)


def _square_at(file: int, rank: int) -> int:
    return 8 * rank + file if 0 <= file < 8 and 0 <= rank < 8 else NONE


# TARGET[player, square, direction].
TARGET = np.array(
    [
        [
            [
                _square_at(square % 8 + way * right, square // 8 + way * up)
                for right, up in DIRECTIONS
            ]
            for square in range(SQUARES)
        ]
        for way in (1, -1)
    ],
    np.uint8,
)
# NEIGHBOUR[square, 0-7].
NEIGHBOUR = np.ascontiguousarray(TARGET[0][:, KING_STEPS])
IS_NEXT_TO = np.zeros((SQUARES + 1, SQUARES + 1), np.bool_)
for _square in range(SQUARES):
    IS_NEXT_TO[_square, NEIGHBOUR[_square]] = True
IS_NEXT_TO[:, NONE] = False
LAST_RANK = np.array([7, 0], np.int64)
# The turned board's square is the square's number with these bits flipped.
TURN = np.array([0, 63], np.int64)
