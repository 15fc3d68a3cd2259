"""Rules, "The end": how games are won, and what does not end them."""

import pytest

from pasgl_env import IllegalMove, Position

from ...rows import rows
from .positions import fields

# Crumbs that keep the own Box at home.
CAGE = "Cg1 Cg2 Ch2"


def won_by(side, position):
    return position.is_over and position.returns[side.index] == 1


@rows(
    ("pieces", "label"),
    [
        ("Rd4 xd5", "Rd4xd5"),
        ("Rd4 xe6", "Rd4xe6"),
        ("Hd4 xc4", "Hd4xc4"),
        ("Vd4 xd5", "Vd4xd5"),
        ("Vd7 xd8", "Vd7xd8"),
        ("Wd4 xd3", "Wd4xd3"),
        ("Wd4 xe4", "Wd4xe4"),
        ("Ld4 xc3", "Ld4xc3"),
        ("Ed4 xf6", "Ed4xf6"),
        ("Ed4 xd6", "Ed4xd6"),
        ("Dd4 xd5", "Dd4xd5"),
        ("Dd4 xe3", "Dd4xe3"),
    ],
)
def test_capturing_the_enemy_box_wins(side, pieces, label):
    position = side.position(pieces, label)
    assert position.is_over
    assert position.returns[side.index] == 1.0
    assert position.returns[1 - side.index] == -1.0
    assert position.to_move is None
    assert not position.is_chance
    assert position.legal_moves() == []


@rows(("pieces", "label"), [("Hd4 xe6", "Hd4xe6"), ("Wd4 xd6", "Wd4xd6")])
def test_box_is_safe_from_moves_that_do_not_capture(side, pieces, label):
    assert label not in side.legal(pieces).split()
    assert "x" not in side.legal(pieces)


def test_game_goes_on_without_pajamas(side):
    assert not side.position("Rd4 pd5 jd6", "Rd4xd5").is_over


@rows(
    ("pieces", "label", "after"),
    [
        ("Vd7 xd8", "Vd7xd8", "Wd8 Xa1"),
        ("Rd4 xd5 mc6", "Rd4xd5", "Xa1"),
        ("Rd4 xd5 Me5 mc4 Mc3", "Rd4xd5", "Mc3 Xa1"),
        ("Vd7 xd8 me7", "Vd7xd8", "Xa1"),
        ("Dd4 xd5 me6 ce5", "Dd4xd5", "Xa1 ce5"),
    ],
)
def test_winning_move_is_carried_out_in_full(side, pieces, label, after):
    position = side.position(f"{pieces} Xa1", label)
    assert won_by(side, position)
    assert side.listed(position) == after


def test_text_of_a_won_game_names_the_loser_as_mover_and_counts_the_turn(side):
    position = side.position("Rd4 xd5", "Rd4xd5", turns=6)
    assert fields(position).mover == "bw"[side.index]
    assert fields(position).turns == "7"
    again = Position.from_text("spalding", position.text)
    assert again.text == position.text
    assert won_by(side, again)
    assert again.legal_moves() == []


def test_nothing_is_played_once_the_game_is_over(side):
    position = side.position("Rd4 xd5 wa8", "Rd4xd5")
    before = position.text
    for label in ("Wa8-a7", "Rd5-d6", ""):
        with pytest.raises(IllegalMove):
            side.play(position, label)
    assert position.text == before
    assert position.perft(0) == 1
    assert position.perft(1) == position.perft(2) == 0


def test_returns_are_none_before_the_end(side):
    position = side.position("Rd4 xd5")
    assert position.returns is None
    assert not position.is_over
    assert position.to_move == side.index


# No check.


def test_box_may_move_into_attack(side):
    assert side.targets("Xd4 wc6 re7", "Xd4") == "c3 c4 c5 d3 d5 e3 e4 e5"


def test_attacked_box_may_stay(side):
    position = side.position("Xd4 rd5 Wa1", "Wa1-a2")
    assert "Rd5xd4" in side.moves(position)


def test_boxes_may_stand_next_to_each_other(side):
    position = side.position("Xd4 xd6", "Xd4-d5", "/Cc5")
    assert not position.is_over
    assert "x" not in side.moves(position)


# Stalemate.


@rows(
    "pieces",
    [
        CAGE,
        f"{CAGE} Nd4 Cb4",
        f"{CAGE} Vd4 Cd5",
        f"{CAGE} Md4",
        "mg3 mf1",
        "Mg3 mf1",
        "Xa1 ca2 cb1 cb2",
        "Xa1 Pa3 mb2 mb5",
        f"{CAGE} Wa1 Ca2 Cb1",
        f"{CAGE} wd4 rd6 va7",
    ],
)
def test_player_without_a_legal_turn_loses(side, pieces):
    position = side.position(pieces)
    assert position.is_over
    assert position.to_move is None
    assert position.returns[side.index] == -1
    assert position.returns[1 - side.index] == 1
    assert position.legal_moves() == []


@rows("rescue", ["Bd4", "Dd4", "Vd4", "Wd4", "Rd4", "Pd4", "Jd4", "Ld4"])
def test_one_legal_turn_is_enough(side, rescue):
    assert not side.position(f"{CAGE} {rescue}").is_over


def test_last_move_may_leave_the_other_player_without_a_legal_turn(side):
    position = side.position("cg8 cg7 ch7 va6 ca5 lb5 Va4 Vb4", "Vb4xb5")
    assert won_by(side, position)


def test_stalemate_is_judged_of_the_player_to_move_only(side):
    assert not side.position("cg8 cg7 ch7").is_over


def test_player_who_lets_the_last_own_move_vanish_has_not_lost_yet(side):
    """White's Elephant feeds the monster, Black moves and White has no turn."""
    position = side.position(f"{CAGE} Ld3 mf5 wa8", "Ld3-e4")
    assert not position.is_over
    side.play(position, "Wa8-a7")
    assert position.is_over
    assert position.returns[side.index] == -1


# No draw.


@rows("pieces", ["Wa1 wb8", ""])
def test_games_end_neither_by_length_nor_for_want_of_pieces(side, pieces):
    position = side.position(pieces, turns=99999)
    assert not position.is_over
    assert position.legal_moves()


def test_start_is_not_over():
    position = Position("spalding")
    assert not position.is_over
    assert position.to_move == 0
    assert position.returns is None
