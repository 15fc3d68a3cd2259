"""Lawson's cheat sheet and schedule of the Train."""

import re

from pasgl_env import Position, render

from ...rows import rows
from .positions import place

# As on Lawson's page, but for the spaces, for turn 15, which has d5,b5 there, and for the column of
# stealing, where he has yes for Woodchuck and Skunk (Ruling 13).
SHEET = """
Bear        B  K      large   disp      yes      no     yes      5     e1
Hunter      H  W      large   ->(R3)    yes      no      no      4     d1
Deer        D  NN     large   steal     yes     yes     yes      3     f1
Fox         F  bWzF3  medium  steal/eat yes     yes     yes      3     c1
Woodchuck   W  WD     medium  ->(AG)    yes    drops     no      3     g1
Skunk       S  R      medium  stink     yes      no     yes      2     b1
Turkey      T  R3     medium  none       no      no     yes      2     a1,h1
Chipmunk    M  F      tiny    none       no      no     yes      1     none
Shrew       P  fF     tiny    none       no      no     yes      0     a2-h2
Train       X                                                          x4&x5
"""
SCHEDULE = """
x4,x5   1  21  41... and so on
h4,x4   2  22  42
g4,h4     3  23  43
f4,g4     4  24  44
e4,f4     5  25  45
d4,e4     6  26  46
c4,d4     7  27  47
b4,c4     8  28  48
a4,b4     9  29  49
z4,a4    10  30  50
z5,z4    11  31  51
a5,z5    12  32  52
b5,a5    13  33  53
c5,b5    14  34  54
d5,c5    15  35  55
e5,d5    16  36  56
f5,e5    17  37  57
g5,f5    18  38  58
h5,g5    19  39  59
x5,h5    20  40  60
"""


def page(**options: int) -> str:
    return render.summary(Position("pasgl312", **options).ruleset)


def words(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


def sheet(**options: int) -> list[str]:
    """The lines of the cheat sheet, two of headings first."""
    return page(**options).partition("CHEAT SHEET\n")[2].partition("\n\n")[0].splitlines()


def test_cheat_sheet_is_lawsons():
    assert words("\n".join(sheet()[2:])) == words(SHEET)


def test_schedule_is_lawsons():
    assert words(page().partition("location  turn")[2]) == words(SCHEDULE)


def test_columns_stand_under_their_headings():
    lines = sheet()
    for heading in ("move ", "size", "attack", "lunch", "occupied", "score", "start"):
        column = lines[1].index(heading)
        for line in lines[2:11]:
            assert line[column - 1] == " " != line[column]


@rows(
    "options",
    [
        {},
        {"win_margin": 255, "bear_bonus": 255, "bear_points": 99, "score_handicap": 254},
        {"train_length": 3, "train_lunch": False, "ride_points": 99, "chuck_reach": 7},
    ],
)
def test_lines_fit(options):
    assert all(line == line.rstrip() and len(line) <= 80 for line in page(**options).splitlines())


@rows(
    ("options", "expected"),
    [
        ({"hunter_range": 5}, "Hunter H W large ->(R5)"),
        ({"hunter_range": 0}, "Hunter H W large none"),
        ({"fox_range": 2}, "Fox F bWzF2"),
        ({"fox_range": 0}, "Fox F bW medium"),
        ({"turkey_range": 7}, "Turkey T R7"),
        ({"turkey_range": 0}, "Turkey T none"),
        ({"chuck_reach": 5}, "Woodchuck W WD medium ->(F2-5) yes drops"),
        ({"chuck_reach": 1}, "Woodchuck W WD medium none yes no"),
        ({"chuck_reach": 5}, "-> acts from afar, F2-5 two to 5 squares like a Bishop."),
        ({"chuck_reach": 2}, "-> acts from afar, A two squares like a Bishop."),
        ({"chuck_reach": 1}, "-> acts from afar. TRAIN"),
        ({"train_length": 3}, "h4,x4,x5 2 22 42"),
        ({"train_length": 1}, "Train X x4 "),
        ({"train_lunch": False}, "Terminals give no lunches."),
        ({"ride_points": 1}, "the Train puts down scores one point for its side."),
        ({"passes": 20}, "by 20 passes in a row"),
        ({"passes": 1}, "by 1 pass in a row"),
        ({"chipmunk_points": 9}, "Chipmunk M F tiny none no no yes 9"),
        ({"win_margin": 15}, "by a lead of 15 points"),
        ({"bear_bonus": 7}, "the other side 7 points"),
        ({"first": "black"}, "Black begins. The Train"),
        ({"score_handicap": 5}, "White begins. Black starts with 5 points."),
        ({"score_handicap": -1}, "White begins. White starts with 1 point."),
    ],
)
def test_options_in_force(options, expected):
    assert expected in " ".join(page(**options).split())
    assert expected not in " ".join(page().split())


# What Betza's letters mean on an empty board: steps, and how often they are taken.
ROOK, BISHOP = [(0, 1), (1, 0), (0, -1), (-1, 0)], [(1, 1), (1, -1), (-1, -1), (-1, 1)]
KNIGHT = [(a * x, b * y) for a, b in ((1, 2), (2, 1)) for x in (1, -1) for y in (1, -1)]
ATOMS = {
    "K": (ROOK + BISHOP, 1),
    "W": (ROOK, 1),
    "F": (BISHOP, 1),
    "D": ([(2 * right, 2 * up) for right, up in ROOK], 1),
    "R": (ROOK, 7),
    "NN": (KNIGHT, 7),
    "bW": ([(0, -1)], 1),
    "fF": ([(1, 1), (-1, 1)], 1),
}


def offsets(letters: str) -> set[tuple[int, int]]:
    found = set()
    for atom, number in re.findall(r"(zF|bW|fF|NN|[KWFDR])(\d?)", letters):
        if atom == "zF":
            found |= zigzags(int(number))
            continue
        steps, most = ATOMS[atom]
        reach = int(number) if number else most
        found |= {(n * x, n * y) for x, y in steps for n in range(1, reach + 1)}
    return found


def zigzags(most: int) -> set[tuple[int, int]]:
    ends = set()
    for x, y in BISHOP:
        for dx, dy in ((x, -y), (-x, y)):
            for n in range(1, most + 1):
                there, aside = (n + 1) // 2, n // 2
                ends.add((there * x + aside * dx, there * y + aside * dy))
    return ends


@rows("options", [{}, {"fox_range": 5, "turkey_range": 1, "hunter_range": 2}])
@rows("letter", "BHDFWSTMP")
def test_moves_are_those_of_the_rules(letter, options):
    """From a square of White's half, on an empty board without a Train nearby."""
    square = "b2" if letter == "B" else "c3"
    (told,) = (line.split()[2] for line in sheet(**options) if line[12:13] == letter)
    bear = "" if letter == "B" else "Bh1"
    position = Position.from_text("pasgl312", place(f"{letter}{square} {bear} bh8"), **options)
    start = f"{letter}{square}"
    legal = {label.removeprefix(start) for label in position.legal_moves() if start in label}
    file, rank = ord(square[0]) - ord("a"), int(square[1]) - 1
    board = {(x, y): f"{'abcdefgh'[x]}{y + 1}" for x in range(8) for y in range(8)} | {
        (-1, 3): "z4",
        (-1, 4): "z5",
    }
    reached = {board.get((file + x, rank + y)) for x, y in offsets(told)} - {None}
    assert legal == reached
