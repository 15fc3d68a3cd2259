"""Rules, "Board": squares, terminals, the start."""

from pasgl_env import Position

from ...rows import rows
from .positions import place

START = "tsfhbdwt/pppppppp/8/8/8/8/PPPPPPPP/TSFHBDWT ./././. ./. 1 w 0:0 0 0"
START_MOVES = """
    Be1d1 Be1d2 Be1e2 Be1f1 Be1f2
    Df1d2 Df1d5 Df1c7 Df1e3 Df1g3 Df1h2 Df1h5
    Fc1b2 Fc1d2 Wg1g3 Sb1a1 Sb1b2 Sb1c1 Ta1a2 Ta1b1 Th1g1 Th1h2
    Pa2b3 Pb2a3 Pb2c3 Pc2b3 Pc2d3 Pd2c3 Pd2e3 Pe2d3 Pe2f3 Pf2e3 Pf2g3 Pg2f3 Pg2h3 Ph2g3
"""


def test_start():
    assert Position("pasgl312").text == START


def test_white_moves_first_then_black():
    position = Position("pasgl312")
    assert position.to_move == 0
    assert position.play("Pa2b3").to_move == 1
    assert position.play("pa7b6").to_move == 0


def test_moves_of_the_start():
    assert Position("pasgl312").legal_moves() == sorted(START_MOVES.split())


@rows(
    ("square", "phase", "reached"),
    [
        ("a3", 1, "b2 b4 z4"),
        ("a5", 1, "b4 b6 z4"),
        ("a4", 1, "b3 b5 z5"),
        ("a6", 1, "b5 b7 z5"),
        ("h3", 11, "g2 g4 x4"),
        ("h5", 11, "g4 g6 x4"),
        ("h4", 11, "g3 g5 x5"),
        ("h6", 11, "g5 g7 x5"),
        ("a2", 1, "b1 b3"),
        ("a7", 1, "b6 b8"),
        ("h2", 11, "g1 g3"),
        ("h7", 11, "g6 g8"),
    ],
)
def test_moves_reach_terminals_by_geometry(side, square, phase, reached):
    assert side.targets(f"M{square}", f"M{square}", phase=phase) == reached


@rows(
    ("square", "phase", "reached"),
    [
        ("b4", 1, "a4 b1 b2 b3 b5 b6 b7 c4 d4 e4 z4"),
        ("b5", 1, "a5 b2 b3 b4 b6 b7 b8 c5 d5 e5 z5"),
        ("g4", 11, "d4 e4 f4 g1 g2 g3 g5 g6 g7 h4 x4"),
        ("g5", 11, "d5 e5 f5 g2 g3 g4 g6 g7 g8 h5 x5"),
        ("b3", 1, "a3 b1 b2 b4 b5 b6 c3 d3 e3"),
        ("g6", 11, "d6 e6 f6 g3 g4 g5 g7 g8 h6"),
    ],
)
def test_only_ranks_4_and_5_lead_straight_into_terminals(side, square, phase, reached):
    assert side.targets(f"T{square}", f"T{square}", phase=phase) == reached


@rows("square", [file + rank for file in "abcdefgh" for rank in "12345678"])
def test_every_board_square_holds_a_critter(square):
    text = place(f"T{square} Bd1 bd8" if square in "e1 e8" else f"T{square}")
    assert Position.from_text("pasgl312", text).text == text


@rows(
    ("square", "points"),
    [
        ("d4", "2:0"),
        ("e4", "2:0"),
        ("d5", "2:0"),
        ("e5", "2:0"),
        ("c4", "0:0"),
        ("f5", "0:0"),
        ("d3", "0:0"),
        ("e6", "0:0"),
    ],
)
def test_campfire_squares(side, square, points):
    assert side.score(f"T{square} Mb2", "Mb2a1") == points
