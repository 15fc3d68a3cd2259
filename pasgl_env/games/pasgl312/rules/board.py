"""Geometry of PASGL 312 Chess: squares, steps, leaps, the railway.

Places are numbered: 0-63 the squares a1, b1 ... h8 (rank by rank), 64-67 the terminal squares z4,
z5, x4, x5, then the two cars of the Train and the dead. All tables are plain integer arrays, so
that the compiled rules treat them as constants. ``NONE`` in a table means that there is no such
square.
"""

from __future__ import annotations

import numpy as np

BOARD_SQUARES = 64
SQUARES = 68
HEAD_CAR = 68
TAIL_CAR = 69
DEAD = 70
PLACES = 71
NONE = PLACES

TERMINALS = ("z4", "z5", "x4", "x5")
NAMES = tuple(f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh") + TERMINALS
INDEX = {name: square for square, name in enumerate(NAMES)}

_FILES = "zabcdefghx"
_COORDINATES = [(_FILES.index(name[0]), int(name[1]) - 1) for name in NAMES]
_SQUARE_AT = {coordinates: square for square, coordinates in enumerate(_COORDINATES)}

ROOK = ((0, 1), (1, 0), (0, -1), (-1, 0))
# Clockwise: the diagonals at right angles to number d are d ^ 1 and d ^ 3.
BISHOP = ((1, 1), (1, -1), (-1, -1), (-1, 1))
KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def _targets(offsets: tuple[tuple[int, int], ...]) -> np.ndarray:
    """Table [square, direction] -> square reached by that offset, or NONE; NONE from NONE, too."""
    table = np.full((NONE + 1, len(offsets)), NONE, np.uint8)
    for square, (file, rank) in enumerate(_COORDINATES):
        for direction, (right, up) in enumerate(offsets):
            table[square, direction] = _SQUARE_AT.get((file + right, rank + up), NONE)
    return table


def _scaled(offsets: tuple[tuple[int, int], ...], *lengths: int) -> tuple[tuple[int, int], ...]:
    return tuple((right * n, up * n) for n in lengths for right, up in offsets)


def _longer_step(leap: tuple[int, int]) -> tuple[int, int]:
    """The square that a knight's leap passes over: one step in its longer direction."""
    right, up = leap
    return (right // 2, 0) if abs(right) == 2 else (0, up // 2)


ROOK_STEP = _targets(ROOK)
BISHOP_STEP = _targets(BISHOP)
KING_STEP = _targets(ROOK + BISHOP)
DABBABA_LEAP = _targets(_scaled(ROOK, 2))
# CHUCK_TARGET[square, distance less 2, direction].
CHUCK_TARGET = _targets(_scaled(BISHOP, 2, 3, 4, 5, 6, 7)).reshape(NONE + 1, 6, 4)
CHUCK_TARGET[CHUCK_TARGET >= BOARD_SQUARES] = NONE  # nobody can be hit in a terminal
SHOT_STEP = ROOK_STEP.copy()
SHOT_STEP[SHOT_STEP >= BOARD_SQUARES] = NONE  # or shot
KNIGHT_LEAP = _targets(KNIGHT)
KNIGHT_OVER = _targets(tuple(_longer_step(leap) for leap in KNIGHT))

# ROOK_STEP's direction that leads backward for each player.
BACKWARD = np.array([2, 0], np.int8)
# ROOK_STEP's directions along a rank.
RIGHT, LEFT = 1, 3
# BISHOP_STEP's two directions that lead forward for each player.
FORWARD_DIAGONALS = np.array([[0, 3], [1, 2]], np.int8)
# TINY_STEP[player, square, direction]: a Shrew's steps; in row CHIPMUNK_STEPS a Chipmunk's.
CHIPMUNK_STEPS = 2
TINY_STEP = np.stack([np.full_like(BISHOP_STEP, NONE)] * 2 + [BISHOP_STEP])
for _player, _forward in enumerate(FORWARD_DIAGONALS):
    TINY_STEP[_player][:, _forward] = BISHOP_STEP[:, _forward]
LAST_RANK = np.array([7, 0], np.int8)
RANK = np.array([rank for _, rank in _COORDINATES], np.int8)
FILE = np.array([file - 1 for file, _ in _COORDINATES], np.int8)
HALF = np.array([0 if rank < 4 else 1 for _, rank in _COORDINATES], np.int8)

# BEAR_STEP[player, square, direction]: KING_STEP within the own half, without terminals.
BEAR_STEP = np.array(
    [
        [
            [to if to < BOARD_SQUARES and HALF[to] == player else NONE for to in row]
            for row in KING_STEP
        ]
        for player in range(2)
    ],
    np.uint8,
)

# The other square of the same terminal.
ACROSS = np.array([NONE] * BOARD_SQUARES + [65, 64, 67, 66], np.uint8)


def _reached_places(place: int, free: int) -> int:
    """The places of a line that a slide from one of them reaches: up to the first not free."""
    reached = 0
    for step in (-1, 1):
        to = place + step
        while 0 <= to < LINE:
            reached |= 1 << to
            if not free >> to & 1:
                break
            to += step
    return reached


# A line is a rank or file of the board as a set of places: 1-8 are its squares, 0 and 9 are beyond,
# where a rank has its terminals. REACHED[place, free squares of the line's 8] -> set of places.
LINE = 10
REACHED = np.array(
    [[_reached_places(place, free << 1) for free in range(256)] for place in range(LINE)], np.uint16
)

CAMPFIRE = np.array([INDEX[name] for name in ("d4", "e4", "d5", "e5")], np.int8)

# TURNED[player, square]: ranks mirrored for Black, so that both play up the board. It has a column
# for NONE too, so that rules need not check before looking up a square.
TURNED = np.zeros((2, NONE + 1), np.uint16)
TURNED[0, :SQUARES] = range(SQUARES)
TURNED[1, :SQUARES] = [_SQUARE_AT[file, 7 - rank] for file, rank in _COORDINATES]

# PLACE_ORDER[player, place]: the order in which look-alikes are numbered, from the player's view;
# after the squares come the cars, then the dead.
PLACE_ORDER = np.array([[*TURNED[player, :SQUARES], HEAD_CAR, TAIL_CAR, DEAD] for player in (0, 1)])
PLACE_ORDER = PLACE_ORDER.astype(np.uint8)

# The railway. CAR_AT[phase, car]: the square of a car in phases 1-20 (index 0 unused); car 0 is the
# head, the others follow a square apart, so that the tail is on c5 in phase 15 (Ruling 13).
PHASES = 20
PICK_UP_PHASES = (1, 11)
MOST_CARS = 3
_CIRCUIT = "x4 h4 g4 f4 e4 d4 c4 b4 a4 z4 z5 a5 b5 c5 d5 e5 f5 g5 h5 x5".split()
CAR_AT = np.full((PHASES + 1, MOST_CARS), NONE, np.uint8)
for _car in range(MOST_CARS):
    CAR_AT[1:, _car] = np.roll([INDEX[name] for name in _CIRCUIT], _car)
TRAIN_HEAD = CAR_AT[:, 0].copy()


def train_squares(cars: int) -> np.ndarray:
    """Table [phase, part] -> set of the squares under a Train of this length: a-h, terminals."""
    table = np.zeros((PHASES + 1, 2), np.int64)
    for phase, squares in enumerate(CAR_AT[1:, :cars].tolist(), 1):
        for square in squares:
            table[phase, square >> 6] |= np.int64(1) << np.int64(square & 63)
    return table
