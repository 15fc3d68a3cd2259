"""Rules, "A turn", 2: what containers bring out, and where."""

from itertools import product

import pytest

from pasgl_env import IllegalMove

from ...rows import rows
from .positions import fields

# Each container with a move to e4, and the letters of what it may always bring out.
CONTAINERS = {"X": ("Xe3", "CV"), "P": ("Pe3", "LN"), "J": ("Jg2", "B")}
AROUND_E4 = "d3 d4 d5 e3 e5 f3 f4 f5"
CONTAINER = rows("letter", CONTAINERS)


def to_e4(letter):
    container = CONTAINERS[letter][0]
    return container, f"{container}-e4"


def labels(letters, squares):
    return " ".join(
        f"/{letter}{square}" for letter in sorted(letters) for square in squares.split()
    )


# Where.


@CONTAINER
def test_container_creates_on_the_squares_around_it(side, letter):
    assert side.legal(*to_e4(letter)) == labels(CONTAINERS[letter][1], AROUND_E4)


@rows(
    ("pieces", "move", "letter", "around"),
    [
        ("Xb2", "Xb2-a1", "C", "a2 b1 b2"),
        ("Xb7", "Xb7-a7", "C", "a6 a8 b6 b7 b8"),
        ("Xg3", "Xg3-h4", "C", "g3 g4 g5 h3 h5"),
        ("Xd7", "Xd7-e8", "C", "d7 d8 e7 f7 f8"),
        ("Pb2", "Pb2-a1", "N", "a2 b1 b2"),
        ("Pg7 xa8", "Pg7-h8", "N", "g7 g8 h7"),
        ("Jc6", "Jc6-a8", "B", "a7 b7 b8"),
        ("Jf3 Xa1", "Jf3-h1", "B", "g1 g2 h2"),
    ],
)
def test_container_creates_on_the_board_only(side, pieces, move, letter, around):
    assert side.created(pieces, move, letter=letter) == around


@CONTAINER
def test_square_that_the_container_just_left_counts_as_empty(side, letter):
    blocked = " ".join(f"c{square}" for square in AROUND_E4.split() if square != "e3")
    created = labels(CONTAINERS[letter][1], "e3")
    assert side.legal(f"{letter}e3 {blocked}", f"{letter}e3-e4") == created


@rows(
    ("letter", "occupant"),
    [pair for pair in product("XPJ", "XPJRHVWCLExpjrhvwcleNBD") if len(set(pair)) == 2],
)
def test_nothing_but_a_merge_is_put_on_an_occupied_square(side, letter, occupant):
    container, move = to_e4(letter)
    merged = {"XC": "M", "PN": "B", "JB": "D"}.get(letter + occupant, "")
    assert side.letters(f"{container} {occupant}d4", move, square="d4") == merged


@rows(("letter", "below", "merged"), [("X", "C", "M"), ("P", "N", "B"), ("J", "B", "D")])
def test_merged_piece_takes_the_place_of_both(side, letter, below, merged):
    container, move = to_e4(letter)
    after = side.after(f"{container} {below}d4 {below}f4", move, f"/{merged}d4")
    assert after == " ".join(sorted([f"{letter}e4", f"{below}f4", f"{merged}d4"]))


@CONTAINER
@rows("square", AROUND_E4.split())
def test_created_piece_stands_where_its_label_says(side, letter, square):
    container, move = to_e4(letter)
    created = CONTAINERS[letter][1][0]
    after = side.after(container, move, f"/{created}{square}")
    assert after == " ".join(sorted([f"{created}{square}", f"{letter}e4"]))


# What.


@rows("left", ["-", "R", "H", "RH", "E", "RHE"])
def test_box_brings_out_the_rhinos_that_are_left(side, left):
    rhinos = left.replace("E", "").replace("-", "")
    assert side.legal(*to_e4("X"), left=left) == labels(f"CV{rhinos}", AROUND_E4)


@rows("left", ["-", "E", "RHE", "RH"])
def test_great_pajama_brings_out_the_great_elephant_that_is_left(side, left):
    great_elephant = "E" if "E" in left else ""
    assert side.legal(*to_e4("J"), left=left) == labels(f"B{great_elephant}", AROUND_E4)


@rows("left", ["-", "RHE"])
def test_pajama_brings_out_nothing_of_what_is_once_a_game(side, left):
    assert side.legal(*to_e4("P"), left=left) == labels("LN", AROUND_E4)


@CONTAINER
def test_what_the_enemy_may_still_find_is_the_enemys(side, letter):
    assert side.legal(*to_e4(letter), left="rhe") == labels(CONTAINERS[letter][1], AROUND_E4)


@rows(
    ("letter", "label", "left"),
    [
        ("X", "/Rd4", "HErhe"),
        ("X", "/Hd4", "RErhe"),
        ("J", "/Ed4", "RHrhe"),
        ("X", "/Cd4", "RHErhe"),
        ("X", "/Vd4", "RHErhe"),
        ("P", "/Ld4", "RHErhe"),
        ("J", "/Bd4", "RHErhe"),
    ],
)
def test_what_is_found_once_a_game_is_no_longer_left(side, letter, label, left):
    assert side.left(*to_e4(letter), label, left="RHErhe") == left


@rows(("letter", "created"), [("X", "R"), ("X", "H"), ("J", "E")])
def test_what_was_captured_is_not_found_once_more_that_game(side, letter, created):
    container, move = to_e4(letter)
    position = side.position(f"{container} wd5", move, f"/{created}d4", left="RHE")
    side.play(position, "Wd5xd4", f"{letter}e4-e5")
    assert created not in {label[1] for label in side.moves(position).split()}


@rows("found", ["R", "H"])
def test_a_rhino_in_play_does_not_hinder_the_other(side, found):
    other = "RH".replace(found, "")
    created = side.created(f"Xe3 {found}a1", "Xe3-e4", letter=other, left=other)
    assert created == AROUND_E4
    assert side.created(f"Xe3 {found}a1", "Xe3-e4", letter=found, left=other) == ""


@rows(
    ("others", "found"),
    [("", AROUND_E4), ("La1", ""), ("la1", AROUND_E4), ("Ea1", AROUND_E4)],
)
def test_pajama_brings_out_one_elephant_at_a_time(side, others, found):
    assert side.created(f"Pe3 {others}", "Pe3-e4", letter="L") == found


def test_captured_elephant_is_replaced(side):
    position = side.position("Pe3 La5 wa6", "Pe3-e4", "/Ne3", "Wa6xa5", "Pe4-e5")
    assert "/Le4" in side.moves(position)


@rows(
    ("letter", "always", "others"),
    [
        ("X", "C", "Ca1 Cb1 Cc1 Cd1 Ca2 Cb2 Cc2"),
        ("P", "N", "Na1 Nb1 Nc1 Nd1 Na2 Nb2 Nc2"),
        ("J", "B", "Ba1 Bb1 Bc1 Bd1 Ba2 Bb2 Bc2"),
    ],
)
def test_any_number_of_crumbs_lint_and_dust_bunnies(side, letter, always, others):
    container, move = to_e4(letter)
    assert side.created(f"{container} {others}", move, letter=always) == AROUND_E4


# Bats.


@rows(
    ("others", "found"),
    [
        ("", AROUND_E4),
        ("Vd2", "e3 e5 f3 f4 f5"),
        ("Ve7", "d3 d4 d5 f3 f4 f5"),
        ("Vf1", "d3 d4 d5 e3 e5"),
        ("Vd7 Vf6", "e3 e5"),
        ("Vd6 Ve6 Vf6", ""),
        ("Vc4 Vg4", AROUND_E4),
        ("vd2 ve7 vf6", AROUND_E4),
        ("Wd2 We7 Wf1", AROUND_E4),
        ("Cd2 Rd6 Le7", AROUND_E4),
    ],
)
def test_bats_are_found_on_files_without_an_own_bat(side, others, found):
    assert side.created(f"Xe3 {others}", "Xe3-e4", letter="V") == found


def test_bat_that_became_a_booh_frees_its_file(side):
    position = side.position("Xe3 Vd7 wa8", "Vd7-d8", "Wa8-a7", "Xe3-e4")
    assert "/Vd4" in side.moves(position)


@rows(
    ("pieces", "move", "boohs", "bats"),
    [
        ("Xe6", "Xe6-e7", "d8 e8 f8", "d6 d7 e6 f6 f7"),
        ("Xd7", "Xd7-e8", "d8 f8", "d7 e7 f7"),
        ("Xe5", "Xe5-e6", "", "d5 d6 d7 e5 e7 f5 f6 f7"),
        ("Xe6 Vd2", "Xe6-e7", "e8 f8", "e6 f6 f7"),
        ("Xe6 Wd2", "Xe6-e7", "d8 e8 f8", "d6 d7 e6 f6 f7"),
        ("Xe6 We8 vd6", "Xe6-e7", "d8 f8", "d7 e6 f6 f7"),
    ],
)
def test_bat_put_on_its_last_rank_is_a_booh_at_once(side, pieces, move, boohs, bats):
    assert side.created(pieces, move, letter="W") == boohs
    assert side.created(pieces, move, letter="V") == bats


def test_created_booh_stands_on_the_board(side):
    assert side.after("Xe6", "Xe6-e7", "/We8") == "We8 Xe7"


def test_bat_may_be_put_on_the_first_rank(side):
    assert side.created("Xe2", "Xe2-d1", letter="V") == "c1 c2 d2 e1 e2"


# When.


@CONTAINER
def test_creation_is_an_action_of_the_same_turn(side, letter):
    position = side.position(*to_e4(letter), turns=4)
    assert position.to_move == side.index
    assert fields(position).turns == "4"
    side.play(position, f"/{CONTAINERS[letter][1][0]}d4")
    assert position.to_move == 1 - side.index
    assert fields(position).turns == "5"


def test_creation_is_asked_for_when_only_one_is_legal(side):
    pieces = "Pb2 La5 Ca2 Cb1"
    position = side.position(pieces, "Pb2-a1")
    assert position.to_move == side.index
    assert side.moves(position) == "/Nb2"
    assert side.listed(position) == side.listed(side.position(pieces))


@rows("letter", "RHVWLEBD")
def test_nothing_else_creates(side, letter):
    position = side.position(f"{letter}d4", f"{letter}d4-d5")
    assert position.to_move == 1 - side.index


@CONTAINER
def test_creation_is_not_optional(side, letter):
    position = side.position(*to_e4(letter))
    for label in ("", "Xh8-g8", "-", "pass"):
        with pytest.raises(IllegalMove):
            side.play(position, label)


def test_turn_is_the_others_after_a_creation(side):
    position = side.position("Xe3 wa8", "Xe3-e4", "/Cd4")
    assert "Wa8-a7" in side.moves(position).split()
    assert not any(label.startswith("Xe4") for label in side.moves(position).split())
