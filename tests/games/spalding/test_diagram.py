"""The diagram of Captain Spalding Chess."""

from pasgl_env import Position

from .positions import place

# Betza's, letter for letter.
START = """\
   +---+---+---+---+---+---+---+---+
8  | j |:::|   |:x:|   |:::|   |:p:|
   +---+---+---+---+---+---+---+---+
7  |:::|   |:::|   |:::|   |:::|   |
   +---+---+---+---+---+---+---+---+
6  |   |:::|   |:::|   |:::|   |:::|
   +---+---+---+---+---+---+---+---+
5  |:::|   |:::|   |:::|   |:::|   |
   +---+---+---+---+---+---+---+---+
4  |   |:::|   |:::|   |:::|   |:::|
   +---+---+---+---+---+---+---+---+
3  |:::|   |:::|   |:::|   |:::|   |
   +---+---+---+---+---+---+---+---+
2  |   |:::|   |:::|   |:::|   |:::|
   +---+---+---+---+---+---+---+---+
1  |:P:|   |:::|   |:X:|   |:::| J |
   +---+---+---+---+---+---+---+---+
     a   b   c   d   e   f   g   h
"""


def notes(position: Position) -> list[str]:
    """What stands below the board."""
    return str(position).splitlines()[18:]


def test_the_start_is_his_letter_for_letter():
    assert str(Position("spalding")).startswith(START)


def test_every_piece_has_its_letter_and_dark_squares_their_colons():
    text = place("Pa1 Jb1 Rc1 Hd1 Ve1 Wf1 Cg1 Ma2 Lb2 Ec2 Nd2 Be2 Df2 vg2 xh8 Xh1")
    lines = str(Position.from_text("spalding", text)).splitlines()
    assert lines[13:16:2] == [
        "2  | M |:L:| E |:N:| B |:D:| v |:::|",
        "1  |:P:| J |:R:| H |:V:| W |:C:| X |",
    ]


def test_what_can_still_be_found():
    assert notes(Position("spalding")) == [
        "Turn 1, White to move.",
        "Still to be found once: White RHE, Black RHE.",
    ]
    text = place(mover="b", left="Hr", turns=7)
    assert notes(Position.from_text("spalding", text)) == [
        "Turn 8, Black to move.",
        "Still to be found once: White H, Black R.",
    ]
    nobodys = Position.from_text("spalding", text, box_headless=False)
    assert notes(nobodys)[1] == "Still to be found once: White -, Black R."


def test_what_is_asked_in_the_middle_of_a_turn():
    asked = notes(Position("spalding").play("Jh1-g2"))
    assert asked[-1] == "Asked: what comes out of the Great Pajama, and where?"


def test_who_has_lost_the_box():
    position = Position.from_text("spalding", "8/8/8/8/8/8/8/7X b - 7")
    assert notes(position)[0] == "Turn 7, Black has lost its Box."
