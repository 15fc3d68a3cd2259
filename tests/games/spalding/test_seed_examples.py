"""The inventor's worked examples: his diagram, his lines of moves, and what he says of them.

Three of his moves break his rules; those lines go on from the position that he shows next.
"""

import pytest

from pasgl_env import IllegalMove, Position

from ...rows import rows
from .positions import FILES, fields, listed, place

DIAGRAM = """
    8  | j |:::|   |:x:|   |:::|   |:p:|
    7  |:::|   |:::|   |:::|   |:::|   |
    6  |   |:::|   |:::|   |:::|   |:::|
    5  |:::|   |:::|   |:::|   |:::|   |
    4  |   |:::|   |:::|   |:::|   |:::|
    3  |:::|   |:::|   |:::|   |:::|   |
    2  |   |:::|   |:::|   |:::|   |:::|
    1  |:P:|   |:::|   |:X:|   |:::| J |
"""

START = "Jh1 Pa1 Xe1 ja8 ph8 xd8"


def after(position, line):
    """Plays a line in the inventor's notation: moves and creations in one word."""
    for turn in line.split():
        move, slash, creation = turn.partition("/")
        position.play(move)
        if slash:
            position.play("/" + creation)
    return position


def shown(pieces, *, turns, left):
    """The position that a line shows; the turns say who is to move."""
    text = place(pieces, mover="wb"[turns % 2], left=left, turns=turns)
    return Position.from_text("spalding", text)


def refuses(position, label):
    before = position.text
    with pytest.raises(IllegalMove):
        position.play(label)
    return position.text == before


def test_start_is_that_of_the_diagram():
    drawn = []
    for row in DIAGRAM.split("\n")[1:-1]:
        rank, *squares = row.replace(":", " ").strip(" |").split("|")
        letters = zip(FILES, map(str.strip, squares), strict=False)
        drawn += [letter + file + rank.strip() for file, letter in letters if letter]
    position = Position("spalding")
    assert listed(position) == " ".join(sorted(drawn)) == START
    assert position.text == "j2x3p/8/8/8/8/8/8/P3X2J w RHErhe 0"
    assert position.to_move == 0


def test_box_from_e1_to_d2_with_its_eight_squares():
    position = Position("spalding").play("Xe1-d2")
    squares = "c1 c2 c3 d1 d3 e1 e2 e3".split()
    assert position.legal_moves() == sorted(
        f"/{letter}{square}" for letter in "RHVC" for square in squares
    )


@rows(("mover", "ahead"), [("w", "e5"), ("b", "e3")])
def test_dust_bunny_on_e4(mover, ahead):
    position = Position.from_text("spalding", place("Be4", mover=mover))
    moves = [label for label in position.legal_moves() if label[0] == "B"]
    assert moves == sorted(f"Be4-{square}" for square in ["d3", "d5", "f5", "f3", ahead])


def test_dust_bunny_is_fed_to_a_cookie_monster(side):
    assert side.after("Bd4 me6", "Bd4-d5") == ""


def test_bunny_is_not_moved_to_undo_the_opponents_move(side):
    position = side.position("Be4 Wa1", "Be4-f5")
    assert "Bf5-e4" not in side.moves(position)


# Rhino attack, Cookie Monster defense.

RHINO_ATTACK = "Xe1-e2/Rd3 Xd8-e7/Ce6"


def monster_defense():
    """After 2.Rd3-d5, which a Rhino cannot play, and Black's answer."""
    position = shown("Jh1 Pa1 Rd5 Xe2 ce6 ja8 ph8 xe7", turns=3, left="HErhe")
    return after(position, "Xe7-f7/Me6")


def test_rhino_attack_until_its_slip():
    position = after(Position("spalding"), RHINO_ATTACK)
    assert listed(position) == "Jh1 Pa1 Rd3 Xe2 ce6 ja8 ph8 xe7"
    assert fields(position)[1:] == ("w", "HErhe", "2", "")
    assert refuses(position, "Rd3-d5")


def test_cookie_monster_defense():
    position = monster_defense()
    assert listed(position) == "Jh1 Pa1 Rd5 Xe2 ja8 me6 ph8 xf7"
    after(position, "Rd5-d4 Xf7-g6/Rg5 Jh1-g2/Eg3 Xg6-h5/Hg4 Eg3xg5 Hg4xg5 Rd4xe6 Ph8-g7/Lh6")
    assert listed(position) == "Jg2 Pa1 Re6 Xe2 hg5 ja8 lh6 pg7 xh5"
    after(position, "Re6-f6 Pg7-g6/Nf5 Rf6-f7 Pg6-h7/Ng7")
    assert listed(position) == "Jg2 Nf5 Ng7 Pa1 Rf7 Xe2 hg5 ja8 lh6 ph7 xh5"
    assert fields(position)[1:] == ("w", "He", "16", "")


def test_rhino_on_f6_attacks_the_box():
    position = monster_defense()
    after(position, "Rd5-d4 Xf7-g6/Rg5 Jh1-g2/Eg3 Xg6-h5/Hg4 Eg3xg5 Hg4xg5 Rd4xe6 Ph8-g7/Lh6")
    after(position, "Re6-f6 Pg7-f8/Nf7 Rf6xh5")
    assert position.returns == (1, -1)


def test_great_elephant_defense_threatens_the_great_pajama():
    position = after(monster_defense(), "Rd5-c7 Ja8-c6/Ed5")
    assert listed(position) == "Jh1 Pa1 Rc7 Xe2 ed5 jc6 me6 ph8 xf7"
    after(position, "Pa1-a2/Na1 Ed5-f3 Pa2-a3/Na2")
    assert {"Ef3xh1", "Ef3xe2"} <= set(position.legal_moves())


# Great Elephant attack, Rhino pack defense.

RHINO_PACK = "Jh1-f3/Ee4 Xd8-d7/Hd6 Ee4-e5 Xd7-c6/Rd5"


def test_rhino_pack_defense():
    position = after(Position("spalding"), RHINO_PACK)
    assert listed(position) == "Ee5 Jf3 Pa1 Xe1 hd6 ja8 ph8 rd5 xc6"
    assert fields(position)[1:] == ("w", "RHe", "4", "")


def test_headless_rhino_and_rhino_defend_each_other():
    position = after(Position("spalding"), f"{RHINO_PACK} Ee5xd6")
    assert "Rd5xd6" in position.legal_moves()
    elephant_on_d5 = shown("Ed5 Pa1 Xe1 hd6 xc6", turns=1, left="-")
    assert "Hd6xd5" in elephant_on_d5.legal_moves()


def test_great_elephant_advances_too_far_until_the_slip():
    position = after(Position("spalding"), f"{RHINO_PACK} Ee5-g7")
    assert listed(position) == "Eg7 Jf3 Pa1 Xe1 hd6 ja8 ph8 rd5 xc6"
    assert refuses(position, "Ph8-g8")


# All-out attack.

ALL_OUT = "Jh1-f3/Ee4 Xd8-d7/Hd6 Xe1-d2/Rd3"


def all_out():
    """After 2...Ja8-b8/Ec7, which a Great Pajama cannot play."""
    return shown("Ee4 Jf3 Pa1 Rd3 Xd2 ec7 hd6 jb8 ph8 xd7", turns=4, left="Hr")


def test_all_out_attack_until_its_slip():
    position = after(Position("spalding"), ALL_OUT)
    assert listed(position) == "Ee4 Jf3 Pa1 Rd3 Xd2 hd6 ja8 ph8 xd7"
    assert fields(position)[1:] == ("b", "Hre", "3", "")
    assert refuses(position, "Ja8-b8")


@rows(
    ("line", "pieces"),
    [
        ("Ee4-e6 Xd7-d8/Ve7", "Ee6 Jf3 Pa1 Rd4 Xd2 ec7 hd6 jb8 lf6 pg7 ve7 xd8"),
        ("Ee4-e6 Hd6xe6 Rd4xe6 Xd7-c8/Rd7", "Jf3 Pa1 Re6 Xd2 ec7 jb8 lf6 pg7 rd7 xc8"),
        ("Rd4-e6 Hd6xe6 Ee4xe6 Xd7-d6/Re7", "Ee6 Jf3 Pa1 Xd2 ec7 jb8 lf6 pg7 re7 xd6"),
    ],
)
def test_all_out_attack_fails_in_three_ways(line, pieces):
    position = after(all_out(), f"Rd3-d4 Ph8-g7/Lf6 {line}")
    assert listed(position) == pieces


def test_great_elephant_on_e6_attacks_the_box():
    position = after(all_out(), "Rd3-d4 Ph8-g7/Lf6 Ee4-e6 Pg7-h6/Nh7 Ee6xd7")
    assert position.returns == (1, -1)


def test_last_try_of_the_all_out_attack():
    """3.Ee4-f5 attacks the Box on d7; the Rhino that Black puts on e6 watches f6."""
    attacked = after(all_out(), "Ee4-f5 Ph8-h7/Nh8 Ef5xd7")
    assert attacked.returns == (1, -1)
    position = after(all_out(), "Ee4-f5 Xd7-e7/Re6")
    assert listed(position) == "Ef5 Jf3 Pa1 Rd3 Xd2 ec7 hd6 jb8 ph8 re6 xe7"
    position.play("Ef5-f6")
    assert "Re6xf6" in position.legal_moves()
    without_rhino = after(all_out(), "Ee4-f5 Xd7-e7/Ce6 Ef5-f6 Xe7-e8/Cd8 Ef6xh8")
    assert "ph8" not in listed(without_rhino).split()
