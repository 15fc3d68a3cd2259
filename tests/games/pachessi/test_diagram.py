"""The diagram of Pachessi, with the inventor's name of the game in the hole."""

from typing import Any

from pasgl_env import Position

from ...rows import rows
from .positions import place

# Aronson's, letter for letter: the starts for two and for four players, the Grand one for four.
STARTS = """\
   +---+---+---+---+---+---+---+     +---+---+---+---+---+---+---+
 7 | R | E | H | S |   |   |   |   7 | R | E | H |   |   |   |*R*|
   +---+---+---+---+---+---+---+     +---+---+---+---+---+---+---+
 6 |   |   |   |   |   |   |   |   6 |   |   |   |   |   |   |*E*|
   +---+---+---+---+---+---+---+     +---+---+---+---+---+---+---+
 5 |   |   |           |   |   |   5 |   |   |           |   |*H*|
   +---+---+           +---+---+     +---+---+           +---+---+
 4 |   |   | PACHESSI  |   |   |   4 |   |   | PACHESSI  |   |   |
   +---+---+           +---+---+     +---+---+           +---+---+
 3 |   |   |           |   |   |   3 |*h*|   |           |   |   |
   +---+---+---+---+---+---+---+     +---+---+---+---+---+---+---+
 2 |   |   |   |   |   |   |   |   2 |*e*|   |   |   |   |   |   |
   +---+---+---+---+---+---+---+     +---+---+---+---+---+---+---+
 1 |   |   |   | s | h | e | r |   1 |*r*|   |   |   | h | e | r |
   +---+---+---+---+---+---+---+     +---+---+---+---+---+---+---+
     a   b   c   d   e   f   g         a   b   c   d   e   f   g
""".splitlines()
FOR_TWO = [line[:34].rstrip() for line in STARTS]
FOR_FOUR = [line[34:] for line in STARTS]
GRAND = """\
    +---+---+---+---+---+---+---+---+---+---+---+
 11 | R | E | H | S |   |   |   |   |   |   |*R*|
    +---+---+---+---+---+---+---+---+---+---+---+
 10 |   |   |   |   |   |   |   |   |   |   |*E*|
    +---+---+---+---+---+---+---+---+---+---+---+
  9 |   |   |   |   |   |   |   |   |   |   |*H*|
    +---+---+---+---+---+---+---+---+---+---+---+
  8 |   |   |   |                   |   |   |*S*|
    +---+---+---+                   +---+---+---+
  7 |   |   |   |                   |   |   |   |
    +---+---+---+      GRAND        +---+---+---+
  6 |   |   |   |     PACHESSI      |   |   |   |
    +---+---+---+                   +---+---+---+
  5 |   |   |   |                   |   |   |   |
    +---+---+---+                   +---+---+---+
  4 |*s*|   |   |                   |   |   |   |
    +---+---+---+---+---+---+---+---+---+---+---+
  3 |*h*|   |   |   |   |   |   |   |   |   |   |
    +---+---+---+---+---+---+---+---+---+---+---+
  2 |*e*|   |   |   |   |   |   |   |   |   |   |
    +---+---+---+---+---+---+---+---+---+---+---+
  1 |*r*|   |   |   |   |   |   | s | h | e | r |
    +---+---+---+---+---+---+---+---+---+---+---+
      a   b   c   d   e   f   g   h   i   j   k
""".splitlines()


@rows(
    ("variant", "players", "diagram"),
    [("pachessi", 2, FOR_TWO), ("pachessi", 4, FOR_FOUR), ("grand_pachessi", 4, GRAND)],
)
def test_the_start_is_his_letter_for_letter(variant, players, diagram):
    drawn = str(Position(variant, players=players)).splitlines()
    assert drawn == [*diagram, "Turn 1, Black to roll."]


def lines_with(word: str, **options: Any) -> list[int]:
    """The lines of the start on which a word stands, from the middle of the board."""
    lines = str(Position("pachessi", **options)).splitlines()
    middle = options["size"]
    return [number - middle for number, line in enumerate(lines) if word in line]


@rows(
    ("size", "hole", "middle"),
    [
        (8, 4, "   +---+---+   PACHESSI    +---+---+"),
        (9, 5, " 5 |   |   |     PACHESSI      |   |   |"),
        (10, 4, "    +---+---+---+   PACHESSI    +---+---+---+"),
    ],
)
def test_the_name_is_in_the_middle_of_other_boards(size, hole, middle):
    lines = str(Position("pachessi", size=size, hole=hole)).splitlines()
    assert lines[size] == middle
    assert lines_with("PACHESSI", size=size, hole=hole) == [0]
    assert lines_with("GRAND", size=size, hole=hole) == []
    assert lines_with("GRAND", size=size, hole=hole, grand=True) == [-1]


@rows("grand", [False, True])
def test_a_hole_without_room_has_no_name(grand):
    small = str(Position("pachessi", size=6, hole=2, grand=grand)).splitlines()
    assert small[4:9] == [
        "   +---+---+---+---+---+---+",
        " 4 |   |   |       |   |   |",
        "   +---+---+       +---+---+",
        " 3 |   |   |       |   |   |",
        "   +---+---+---+---+---+---+",
    ]
    least = str(Position("pachessi", size=5, hole=1, grand=grand)).splitlines()
    assert least[5] == " 3 |   |   |###|   |   |"


@rows(
    ("dice", "roll", "acts"),
    [
        ("-", "i", "Black to roll"),
        ("2,6", "i", "Black to play 2 and 6"),
        ("6", "i+", "Black to play 6"),
        ("-", "g", "Black to roll a grace die"),
        ("4", "g", "Black to play the grace die 4"),
    ],
)
def test_what_the_board_does_not_show_is_told(dice, roll, acts):
    text = place("Ra7:1 Ec6:-1 H@", "R@ Sd1", dice=dice, roll=roll, turns=4)
    assert str(Position.from_text("pachessi", text)).splitlines()[16:] == [
        f"Turn 5, {acts}.",
        "Black: taken H; borne off S; laps of R 1, E -1.",
        "Yellow: taken r; borne off e, h.",
    ]


def test_a_lot_and_the_end():
    lot = Position("pachessi", first="lot")
    assert str(lot).splitlines()[16] == "Turn 1, a lot decides who moves first."
    team = Position("pachessi", players=4, first="team").play("red")
    assert "Turn 1, Red to choose which of the team begins." in str(team).splitlines()
    over = Position.from_text("pachessi", "R*,E*,H*,S*/R@,E@,H@,S@ black - i 4")
    assert str(over).splitlines()[16] == "Turn 5, Black has borne off every piece."
