"""Rules, "Repetition": no position comes back."""

import random

import pytest

from pasgl_env import IllegalMove, Position

from ...rows import rows
from .positions import fields

# Crumbs that keep both Boxes at home.
CAGED = "Cg1 Cg2 Ch2 cg8 cg7 ch7"


def board_and_mover(position):
    return fields(position)[:2]


# What counts.


def test_move_that_repeats_an_earlier_position_is_illegal(side):
    position = side.position(f"Wa1 wb8 {CAGED}", "Wa1-a2", "Wb8-b7", "Wa2-a1")
    assert side.moves(position) == "Wb7-b1 Wb7-b2 Wb7-b3 Wb7-b4 Wb7-b5 Wb7-b6"
    with pytest.raises(IllegalMove):
        side.play(position, "Wb7-b8")


def test_later_positions_count_as_the_first_one_does(side):
    start = f"Wa1 wb8 {CAGED}"
    position = side.position(start, "Wa1-a2", "Wb8-b7", "Wa2-a3", "Wb7-b6", "Wa3-a2")
    assert "Wb6-b7" not in side.moves(position)
    side.play(position, "Wb6-b5", "Wa2-a3", "Wb5-b8")
    assert "Wa3-a2" not in side.moves(position)
    assert "Wa3-a1" in side.moves(position)


def test_same_board_with_the_other_player_to_move_is_another_position(side):
    moves = ["Wa1-a3", "Wb8-b7", "Wa3-a2", "Wb7-b8", "Wa2-a1"]
    position = side.position(f"Wa1 wb8 {CAGED}", *moves)
    assert position.to_move == 1 - side.index
    assert side.listed(position) == side.listed(side.position(f"Wa1 wb8 {CAGED}"))


@rows("letter", "BD")
def test_neutral_move_is_not_undone(side, letter):
    position = side.position(f"{letter}e4 {CAGED}", f"{letter}e4-d5")
    moves = side.moves(position).split()
    assert f"{letter}d5-e4" not in moves
    assert {f"{letter}d5-c4", f"{letter}d5-d4", f"{letter}d5-c6", f"{letter}d5-e6"} <= set(moves)


# A Box on e2 with a Crumb on d3 that is captured, and the captor back on d4.
CAPTURED_CRUMBS = [
    *("Xd1-e2", "/Cd3", "Rd4xd3", "Xe2-e1", "/Cd2", "Rd3xd2"),
    *("Wa1-a2", "Rd2-d3", "Wa2-a1", "Rd3-d4"),
]


def test_creation_that_repeats_is_illegal(side):
    position = side.position("Xd1 Wa1 rd4", *CAPTURED_CRUMBS, "Xe1-e2")
    created = side.moves(position).split()
    assert [label for label in created if label[1] == "C"] == [
        f"/C{square}" for square in "d1 d2 e1 e3 f1 f2 f3".split()
    ]
    assert "/Vd3" in created


def test_container_without_a_creation_that_does_not_repeat_stays(side):
    """Of a Box that brings out Bats only, each time to the one file that has none."""
    labels = ["Xb2-a2", "/Va3", "Ra4xa3", "Xa2-b1", "/Va2", "Ra3xa2"]
    labels += ["Wg1-g2", "Ra2-a3", "Wg2-g1", "Ra3-a4"]
    options = {"box_crumb": 0}
    pieces = "Xb2 Ca1 Vb6 Vc6 Wg1 ra4"
    position = side.position(pieces, *labels, options=options)
    assert "Xb1-b2" in side.moves(position)
    assert "Xb1-a2" not in side.moves(position)
    fresh = Position.from_text("spalding", position.text, **options)
    assert side.moves(side.play(fresh, "Xb1-a2")) == "/Va3"


def test_what_may_still_be_found_is_no_part_of_the_position(side):
    labels = ["Xe2-e1", "/Rd2", "Rd3xd2", "Xe1-e2", "/Cd3"]
    position = side.position("Xe2 rd3", *labels, left="R")
    assert fields(position).left == "-"
    assert "Rd2xd3" not in side.moves(position)
    assert "Rd2xd3" in side.moves(Position.from_text("spalding", position.text))


def test_what_may_still_be_found_is_part_of_it_if_an_option_says_so(side):
    """Ruling 5, the other reading; what is found later, with the same finds, still repeats."""
    options = {"repetition": "board and finds"}
    labels = ["Xe2-e1", "/Rd2", "Rd3xd2", "Xe1-e2", "/Cd3"]
    position = side.position("Xe2 rd3 Ca1", *labels, left="R", options=options)
    side.play(position, "Rd2xd3")
    assert side.listed(position) == side.listed(side.position("Xe2 rd3 Ca1"))
    labels = ["Xe2-e1", "/Cd2", "Rd3xd2", "Xe1-e2", "/Cd3"]
    position = side.position("Xe2 rd3 Ca1", *labels, left="R", options=options)
    assert "Rd2xd3" not in side.moves(position)


def test_booh_where_a_bat_was_makes_another_position(side):
    position = side.position(f"Vd7 we8 {CAGED}", "Vd7-d8", "We8-e7", "Wd8-d7", "We7-e8")
    assert side.listed(position) == side.listed(side.position(f"Wd7 we8 {CAGED}"))


def test_cookie_monster_where_a_crumb_was_makes_another_position(side):
    labels = ["Xd1-e2", "/Cd3", "Rg3-g2", "Xe2-e1", "/Cf2", "Rg2xf2"]
    labels += ["Wa1-a2", "Rf2-f3", "Wa2-a1", "Rf3-g3", "Xe1-e2"]
    assert "/Md3" in side.legal("Xd1 Wa1 rg3", *labels).split()


def test_dust_demon_where_a_dust_bunny_was_makes_another_position(side):
    moves = ["Df4-d6", "Bd4-e5", "Be5-f4", "Dd6-d4"]
    assert side.after(f"Bd4 Df4 {CAGED}", *moves) == side.after(f"Dd4 Bf4 {CAGED}")


def test_same_squares_with_other_owners_make_another_position(side):
    moves = ["Rd4-e6", "Rd7-c5", "Re6-e7", "Rc5-c4", "Re7-d7", "Rc4-d4"]
    assert side.after(f"Rd4 rd7 {CAGED}", *moves) == side.after(f"Rd7 rd4 {CAGED}")


# How long.


def test_positions_are_remembered_however_long_ago(side):
    """White's Booh goes round in 7 moves, Black's in 8: in 56 rounds they have met everywhere."""
    white = [f"Wa{1 + turn % 7}-a{1 + (turn + 1) % 7}" for turn in range(56)]
    black = [f"Wc{8 - turn % 8}-c{8 - (turn + 1) % 8}" for turn in range(56)]
    position = side.position(f"Wa1 wc8 vd7 {CAGED}")
    for labels in zip(white[:-1], black[:-1], strict=True):
        side.play(position, *labels)
    side.play(position, white[-1])
    assert side.moves(position) == "Vd7-d6"


@rows("seed", range(3))
def test_of_the_moves_of_a_position_those_that_repeat_are_illegal_and_no_others(side, seed):
    choice = random.Random(seed)
    position = side.position(f"Wa1 Ca3 wb8 cb6 Be4 {CAGED}")
    seen = {board_and_mover(position)}
    while not position.is_over and int(fields(position).turns) < 40:
        fresh = Position.from_text("spalding", position.text)
        new = {
            label: board_and_mover(fresh.copy().play(label)) not in seen
            for label in fresh.legal_moves()
        }
        assert position.legal_moves() == [label for label in new if new[label]]
        position.play(choice.choice(position.legal_moves()))
        seen.add(board_and_mover(position))


# History and texts.


def test_history_of_a_text_starts_with_its_position(side):
    position = side.position(f"Wa1 wb8 {CAGED}", "Wa1-a2", "Wb8-b7", "Wa2-a1")
    again = Position.from_text("spalding", position.text)
    assert "Wb7-b8" in side.moves(again)
    side.play(again, "Wb7-b6", "Wa1-a2", "Wb6-b7")
    assert "Wa2-a1" not in side.moves(again)


def test_history_of_a_text_in_mid_turn_starts_with_the_start_of_the_turn(side):
    position = side.position("Xe2 rd3", "Xe2-e1", left="R")
    again = Position.from_text("spalding", position.text)
    side.play(again, "/Rd2", "Rd3xd2", "Xe1-e2", "/Cd3")
    assert "Rd2xd3" not in side.moves(again)


def test_player_who_could_only_repeat_has_lost(side):
    pieces = f"Wa1 Ca3 wb8 cb6 {CAGED}"
    position = side.position(pieces, "Wa1-a2", "Wb8-b7", "Wa2-a1")
    assert position.is_over
    assert position.to_move is None
    assert position.legal_moves() == []
    assert position.returns[side.index] == 1
    assert position.returns[1 - side.index] == -1
    again = Position.from_text("spalding", position.text)
    assert not again.is_over
    assert side.moves(again) == "Wb7-b8"


def test_copies_remember_and_do_not_share_what_they_remember(side):
    position = side.position(f"Wa1 wb8 {CAGED}", "Wa1-a2", "Wb8-b7")
    copy = position.copy()
    side.play(copy, "Wa2-a1")
    assert "Wb7-b8" not in side.moves(copy)
    side.play(copy, "Wb7-b6", "Wa1-a2", "Wb6-b8")
    side.play(position, "Wa2-a3", "Wb7-b6", "Wa3-a2")
    assert "Wb6-b8" in side.moves(position)
