"""The rulings of the rules page, by number."""

from ...rows import rows
from .positions import fields


@rows(
    ("pieces", "label"),
    [("Rd3", "Rd3-d5"), ("Pd4", "Pd4-c4"), ("Pd4", "Pd4-e4"), ("Jd4", "Jd4-e4")],
)
def test_ruling_1_neither_two_squares_straight_nor_sideways(side, pieces, label):
    """Ruling 1."""
    assert label not in side.legal(pieces).split()


def test_ruling_2_all_awakened_monsters_eat_and_vanish_together(side):
    """Ruling 2."""
    assert side.after("Rd3 md5 Md6 me5 mc5 Ma5", "Rd3-d4") == "Ma5 Md6"


@rows("prey", "ND")
def test_ruling_3_lint_and_dust_demons_are_capturable(side, prey):
    """Ruling 3."""
    assert "Rd4xd5" in side.legal(f"Rd4 {prey}d5").split()
    assert "Rd4xd5" not in side.legal("Rd4 Bd5").split()


@rows("container", "XPJ")
def test_ruling_4_containers_stay_away_from_monsters(side, container):
    """Ruling 4."""
    legal = side.legal(f"{container}d4 me6 Mb6").split()
    assert f"{container}d4-e5" not in legal
    assert f"{container}d4-e3" in legal


def test_ruling_5_repetition_compares_board_and_side_to_move(side):
    """Ruling 5."""
    moves = ["Xe2-e1", "/Rd2", "Rd3xd2", "Xe1-e2", "/Cd3"]
    position = side.position("Xe2 rd3", *moves, left="R")
    assert fields(position).left == "-"
    assert "Rd2xd3" not in side.moves(position).split()
    moves = ["Wa1-a3", "Wb8-b7", "Wa3-a2", "Wb7-b8", "Wa2-a1"]
    assert side.after("Wa1 wb8", *moves) == side.after("Wa1 wb8")


def test_ruling_6_a_bat_needs_its_file_on_the_last_rank_too(side):
    """Ruling 6: a Booh comes out on e8 and f8, not on d8, for a Bat is on the file d."""
    created = side.legal("Xe6 Vd4", "Xe6-e7").split()
    assert [label for label in created if label[1] in "VW"] == "/Ve6 /Vf6 /Vf7 /We8 /Wf8".split()
    assert "/Wd8" in side.legal("Xe6 Wd4", "Xe6-e7").split()
