"""Lawson's diagram of PASGL 312 Chess."""

import re

import pytest

from pasgl_env import Position
from pasgl_env.games.pasgl312.position_text import stack
from pasgl_env.games.pasgl312.rules.board import CAR_AT, HEAD_CAR, INDEX, TAIL_CAR

from ...rows import rows
from ...steering import games
from ...suites import SUITES
from .positions import SYMBOL, place

pytestmark = pytest.mark.jitfree

# As on Lawson's page, but for blanks at the ends of lines.
START = """\
     z      a      b      c      d      e      f      g      h       x
         +------+------+------+------+------+------+------+------+
         |      |      |      |      |      |      |      |      |
8        |  t   |  s   |  f   |  h   |  b   |  d   |  w   |  t   |        8
         |      |      |      |      |      |      |      |      |
         +------+------+------+------+------+------+------+------+
         |      |      |      |      |      |      |      |      |
7        |  p   |  p   |  p   |  p   |  p   |  p   |  p   |  p   |        7
         |      |      |      |      |      |      |      |      |
         +------+------+------+------+------+------+------+------+
         |      |      |      |      |      |      |      |      |
6        |      |      |      |      |      |      |      |      |        6
         |      |      |      |      |      |      |      |      |
  +======+------+------+------+------+------+------+------+------+======+
  |      |      |      |      |      |      |      |      |      |      |
5 |      >      >      >      >      >      >      >      >      >      | 5
  |      |      |      |      |     *|*     |      |      |      |      |
  +--^^--+------+------+------+------*------+------+------+------+--VV--+
  |      |      |      |      |     *|*     |      |      |      |      |
4 |      <      <      <      <      <      <      <      <      <      | 4
  |      |      |      |      |      |      |      |      |      |      |
  +======+------+------+------+------+------+------+------+------+======+
         |      |      |      |      |      |      |      |      |
3        |      |      |      |      |      |      |      |      |        3
         |      |      |      |      |      |      |      |      |
         +------+------+------+------+------+------+------+------+
         |      |      |      |      |      |      |      |      |
2        |  P   |  P   |  P   |  P   |  P   |  P   |  P   |  P   |        2
         |      |      |      |      |      |      |      |      |
         +------+------+------+------+------+------+------+------+
         |      |      |      |      |      |      |      |      |
1        |  T   |  S   |  F   |  H   |  B   |  D   |  W   |  T   |        1
         |      |      |      |      |      |      |      |      |
         +------+------+------+------+------+------+------+------+
     z       a      b      c      d      e      f      g      h       x"""


def drawn(critters: str, **rest) -> list[str]:
    return str(Position.from_text("pasgl312", place(critters, **rest))).splitlines()


def squares(lines: list[str]) -> dict[str, list[str]]:
    """The three lines of each square, without blanks and stars of the campfire."""
    edges = [match.start() for match in re.finditer(r"\+", lines[13])]
    cells = {}
    for rank in range(1, 9):
        top = 2 + 4 * (8 - rank)
        rows = [line.ljust(len(lines[13])) for line in lines[top : top + 3]]
        for file, start, end in zip("zabcdefghx", edges, edges[1:], strict=False):
            cells[f"{file}{rank}"] = [row[start + 1 : end].strip() for row in rows]
    return {
        name: ["" if line == "*" else line for line in cell]
        for name, cell in cells.items()
        if name in INDEX
    }


def test_starting_position_is_that_of_lawsons_page():
    lines = str(Position("pasgl312")).splitlines()
    assert lines[:35] == START.splitlines()
    assert lines[35:] == [
        "Turn 1, White to move. White 0, Black 0.",
        "Train X (phase 1): head x4, tail x5; head car empty, tail car empty.",
        "Off the board: nobody.",
    ]


def test_square_of_lawsons_page():
    lines = drawn("-We7 Fe7 *de7 te7")
    assert [line[37:45] for line in lines[5:10]] == [
        "+------+",
        "| -W F |",
        "|      |",
        "| *d t |",
        "+------+",
    ]


CROWDS = {
    "Te6": ["", "T", ""],
    "Te6 he6": ["", "T h", ""],
    "Te6 he6 *de6": ["", "T *d h", ""],
    "Te6 De6 he6 de6": ["D T", "", "h d"],
    "he6 de6 fe6 we6": ["h d", "", "f w"],
    "*-De6 *-Fe6 *-We6": ["*-D", "*-F", "*-W"],
    "Te6 he6 de6 fe6": ["T", "", "h d f"],
    "he6 de6 fe6 we6 se6": ["h d f", "", "w s"],
    "Te6 De6 Fe6 he6 de6 fe6": ["D F T", "", "h d f"],
    "Te6 De6 Fe6 he6 de6 fe6 we6": ["D F T", "h", "d f w"],
    "Te6 De6 Fe6 We6 he6 de6 fe6 we6 se6": ["D F W", "T h d", "f w s"],
    "Te6 De6 Fe6 We6 he6 de6 fe6 we6 se6 te6": ["DFWT", "h d", "fwst"],
}


@rows("critters", CROWDS)
def test_crowd(critters):
    assert squares(drawn(critters))["e6"] == CROWDS[critters]


def test_more_than_fit_without_spaces_widen_the_file():
    fitting = drawn("*-He6 *-De6 *-Fe6 *-We6")
    assert squares(fitting)["e6"] == ["*-H*-D", "", "*-F*-W"]
    assert fitting[13] == START.splitlines()[13]
    lines = drawn("*-He6 *-De6 *-Fe6 *-We6 *Te6 *Te6 -Se6")
    assert squares(lines)["e6"] == ["*-H*-D*-F", "*-W -S *T", "*T"]
    assert {len(line) for line in lines[13:22:4]} == {len(START.splitlines()[13]) + 3}


RIDERS = {
    "T@head f@head S@tail": (["T", "XX", "f"], ["S", "XX", ""]),
    "T@head f@head w@head": (["T f", "XX", "w"], ["", "XX", ""]),
    "T@tail f@tail w@tail D@tail m@tail m@tail": (
        ["", "XX", ""],
        ["D T f", "XX", "w m m"],
    ),
    "T@tail f@tail w@tail D@tail m@tail m@tail M@tail": (
        ["", "XX", ""],
        ["DTMf", "XX", "w m m"],
    ),
}


@rows("critters", RIDERS)
def test_riders(critters):
    cells = squares(drawn(critters, phase=4))
    assert (cells["f4"], cells["g4"]) == RIDERS[critters]


def test_who_stands_in_a_terminal_stands_beside_the_train():
    cells = squares(drawn("Tz4 ~mz4 fz5 S@head t@tail", phase=10))
    assert cells["z4"] == ["S", "XXT~m", ""]
    assert cells["z5"] == ["", "f", ""]
    assert cells["a4"] == ["t", "XX", ""]


@rows("phase", [1, 11])
def test_an_empty_train_within_a_terminal_is_not_drawn(phase):
    assert "XX" not in "".join(drawn("Te3", phase=phase))
    assert "".join(drawn("Te3 S@tail", phase=phase)).count("XX") == 2


def test_the_campfire_gives_way_to_critters():
    lines = drawn("De5 Fe5 he5 *de5")
    assert lines[16][30:45] == "|     *| *d h |"


def test_everybody_is_drawn_where_it_is():
    """In odd positions too, such as those in which all stand on a few squares."""
    for position, _ in games(SUITES["pasgl312"], 5, 30, most_actions=3):
        state, cells = position.state[0], squares(str(position).splitlines())
        for name, square in INDEX.items():
            expected = stack(state, square)
            for number, car in enumerate((HEAD_CAR, TAIL_CAR)):
                expected += stack(state, car) if CAR_AT[state.phase, number] == square else ""
            seen = "".join(cells[name]).replace("XX", "")
            assert sorted(SYMBOL.findall(seen)) == sorted(SYMBOL.findall(expected)), name


def test_notes_tell_of_turn_score_train_and_the_dead():
    critters = "Tz4 ~mz4 px5 S@head t@tail Pe4 *-Fc3 Mc3 -wc3 pc3 Hd5"
    lines = drawn(critters, phase=8, mover="b", score="3:12", passes=2, turns=71)
    assert lines[35:] == [
        "Turn 72, Black to move. White 3, Black 12. 2 passes in a row.",
        "Train X (phase 8): head b4, tail c4; head car S, tail car t.",
        "Off the board: DWTPPPPPPhdfstppppp.",
    ]
