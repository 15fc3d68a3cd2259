"""Options: which pieces each container holds; the defaults are the inventor's game."""

import pytest

from pasgl_env import Position

from ...rows import rows
from .positions import fields, place

# What each option keeps in its container: a position, a container's move, and what that may bring
# out, by letter; last, the letters that go when the option is off.
CONTENTS = {
    "box_rhino": ("Xe6 Cd7", "Xe6-e7", "CHMRVW", "R"),
    "box_headless": ("Xe6 Cd7", "Xe6-e7", "CHMRVW", "H"),
    "box_bat": ("Xe6 Cd7", "Xe6-e7", "CHMRVW", "VW"),
    "box_crumb": ("Xe6 Cd7", "Xe6-e7", "CHMRVW", "CM"),
    "pajama_elephant": ("Pe6 Nd7", "Pe6-e7", "BLN", "L"),
    "pajama_lint": ("Pe6 Nd7", "Pe6-e7", "BLN", "BN"),
    "great_elephant": ("Je6 Bd7", "Je6-e7", "BDE", "E"),
    "great_bunny": ("Je6 Bd7", "Je6-e7", "BDE", "BD"),
}
FLAGS = rows("flag", CONTENTS)
BOX = ["box_rhino", "box_headless", "box_bat", "box_crumb"]
PAJAMA = ["pajama_elephant", "pajama_lint"]
GREAT_PAJAMA = ["great_elephant", "great_bunny"]


def off(*flags):
    return dict.fromkeys(flags, 0)


def letters(side, pieces, move, **options):
    legal = side.legal(pieces, move, left="RHE", options=options).split()
    return "".join(sorted({label[1] for label in legal}))


@FLAGS
def test_flags_are_0_or_1(flag):
    for value in (0, 1):
        assert Position("spalding", **{flag: value}).legal_moves()
        assert Position.from_text("spalding", place(), **{flag: value}).legal_moves()
    for bad in (-1, 2, 100, "yes", None, 0.5):
        with pytest.raises((ValueError, TypeError), match=flag):
            Position("spalding", **{flag: bad})
        with pytest.raises((ValueError, TypeError), match=flag):
            Position.from_text("spalding", place(), **{flag: bad})


def test_unknown_option_is_refused():
    for option in ("box_booh", "players", "pajama_dust"):
        with pytest.raises(ValueError, match=option):
            Position("spalding", **{option: 1})
        with pytest.raises(ValueError, match=option):
            Position.from_text("spalding", place(), **{option: 1})


def test_defaults_are_the_inventors_game(side):
    assert Position("spalding", **dict.fromkeys(CONTENTS, 1)).perft(2) == 214
    for pieces, move, contents, _ in CONTENTS.values():
        assert letters(side, pieces, move) == contents
        assert letters(side, pieces, move, **dict.fromkeys(CONTENTS, 1)) == contents


@FLAGS
def test_container_never_brings_out_what_it_does_not_hold(side, flag):
    pieces, move, contents, gone = CONTENTS[flag]
    kept = "".join(letter for letter in contents if letter not in gone)
    assert letters(side, pieces, move, **off(flag)) == kept


@FLAGS
def test_flag_changes_no_other_container(side, flag):
    for pieces, move, contents, _ in CONTENTS.values():
        if move != CONTENTS[flag][1]:
            assert letters(side, pieces, move, **off(flag)) == contents


@rows(("container", "flags"), [("Xd4", BOX), ("Pd4", PAJAMA), ("Jd4", GREAT_PAJAMA)])
def test_container_that_can_bring_out_nothing_may_not_move(side, container, flags):
    pieces = f"{container} Wa1"
    assert side.targets(pieces, container, left="RHE", options=off(*flags)) == ""
    for flag in flags:
        others = [other for other in flags if other != flag]
        assert side.targets(pieces, container, left="RHE", options=off(*others)) != ""


@rows(
    ("pieces", "container", "left", "flags"),
    [
        ("Xd4", "Xd4", "E", ["box_bat", "box_crumb"]),
        ("Pd4 La7", "Pd4", "RHE", ["pajama_lint"]),
        ("Jd4", "Jd4", "RH", ["great_bunny"]),
    ],
)
def test_container_whose_rest_has_been_found_may_not_move(side, pieces, container, left, flags):
    assert side.targets(pieces, container, left=left, options=off(*flags)) == ""
    assert side.targets(pieces, container, left=left) != ""


def test_move_of_an_empty_container_is_refused_in_a_text_too():
    text = f"{place('Xd4 Wa1')} Xd4-d5"
    assert Position.from_text("spalding", text, **off(*PAJAMA, *GREAT_PAJAMA)).text == text
    with pytest.raises(ValueError, match="Xd4-d5"):
        Position.from_text("spalding", text, **off(*BOX))


def test_box_of_bats_moves_where_a_file_is_free(side):
    options = off("box_rhino", "box_headless", "box_crumb")
    assert side.targets("Xa4 Va7 Vb7", "Xa4", options=options) == "b3 b4 b5"
    assert side.created("Xa4 Va7 Vb7", "Xa4-b4", letter="V", options=options) == "c3 c4 c5"
    assert side.targets("Xa4 Va7 Vb7 Vc7", "Xa4", options=options) == ""


def test_box_of_crumbs_makes_cookie_monsters(side):
    options = off("box_rhino", "box_headless", "box_bat")
    pieces = "Xb1 Cb2 Ca2"
    assert side.legal(pieces, "Xb1-a1", options=options, left="RH") == "/Cb1 /Ma2 /Mb2"


@rows(
    ("flags", "moves"),
    [
        (BOX, "Jh1-f3 Jh1-g2 Jh1-h2 Jh1-h3 Pa1-a2 Pa1-b2"),
        (BOX + PAJAMA, "Jh1-f3 Jh1-g2 Jh1-h2 Jh1-h3"),
        (BOX + GREAT_PAJAMA, "Pa1-a2 Pa1-b2"),
        (PAJAMA + GREAT_PAJAMA, "Xe1-d1 Xe1-d2 Xe1-e2 Xe1-f1 Xe1-f2"),
    ],
)
def test_moves_of_the_start_with_empty_containers(flags, moves):
    assert Position("spalding", **off(*flags)).legal_moves() == moves.split()


def test_player_without_a_legal_turn_loses_at_the_start_too():
    position = Position("spalding", **off(*CONTENTS))
    assert position.is_over
    assert position.to_move is None
    assert position.legal_moves() == []
    assert position.returns == (-1, 1)


def test_player_whose_containers_are_empty_needs_another_move(side):
    pieces = "Xd4 Pa1 Jh1 wb8"
    assert side.position(pieces, options=off(*CONTENTS)).returns[side.index] == -1
    assert not side.position(f"{pieces} Va3", options=off(*CONTENTS)).is_over


@FLAGS
def test_pieces_that_nobody_brings_out_may_stand_on_the_board(side, flag):
    pieces = "Rd4 Vd6 We4 Cg4 Mg6 La5 Nc2 Bc4 Ee2 Da7"
    labels = side.legal(pieces, options=off(flag)).split()
    assert {"Rd4-d5", "Vd6-d7", "We4-e5", "La5-a6", "Bc4-c5", "Ee2-e3", "Da7-a8"} <= set(labels)


@FLAGS
def test_text_is_the_same_whatever_the_containers_hold(flag):
    assert Position("spalding", **off(flag)).text == Position("spalding").text
    text = place("Rd4 Xe1", left="Hrhe")
    assert Position.from_text("spalding", text, **off(flag)).text == text


def test_options_stay_with_copies_and_later_turns(side):
    position = side.position("Xe3 wa8", options=off("box_crumb"))
    later = side.play(position.copy(), "Xe3-e4", "/Vd4").copy()
    side.play(later, "Wa8-a7", "Xe4-e5")
    assert {label[1] for label in later.legal_moves()} == {"V"}


@rows("turn_limit", [0, 1, 2, 1000])
def test_turn_limit_does_not_end_a_position(side, turn_limit):
    position = side.position("Wa1 wb8", turns=5, options={"turn_limit": turn_limit})
    side.play(position, "Wa1-a2", "Wb8-b7", "Wa2-a3")
    assert not position.is_over
    assert fields(position).turns == "8"
    assert position.legal_moves()


# What each side finds and how its Box moves.

BOX_STEPS = {"K": "d4 d5 d6 e4 e6 f4 f5 f6", "W": "d5 e4 e6 f5", "F": "d4 d6 f4 f6"}


@rows("finds", ["RHE", "HE", "RE", "RH", "E", "H", "R", "-"])
def test_what_is_found_once_a_game_is_said_for_each_side(finds):
    letters = finds.strip("-")
    assert fields(Position("spalding", white_finds=finds)).left == f"{letters}rhe"
    assert fields(Position("spalding", black_finds=finds)).left == f"RHE{letters.lower()}"


def test_finds_change_no_text_that_is_read():
    text = place("Xe5 xe8")
    options = {"white_finds": "-", "black_finds": "-"}
    assert Position.from_text("spalding", text, **options).text == text


@rows("moves", BOX_STEPS)
def test_how_a_box_moves_is_said_for_each_side(side, moves):
    own, other = ("white_box", "black_box")[:: -1 if side.index else 1]
    assert targets_of_box(side, {}) == BOX_STEPS["K"]
    assert targets_of_box(side, {own: moves}) == BOX_STEPS[moves]
    assert targets_of_box(side, {other: moves}) == BOX_STEPS["K"]


def targets_of_box(side, options):
    return side.targets("Xe5", "Xe5", options=options)


@rows("option", ["white_finds", "black_finds", "white_box", "black_box"])
@rows("value", ["EH", "", "k", None, 3])
def test_impossible_finds_and_moves_are_refused(option, value):
    with pytest.raises(ValueError, match=option):
        Position("spalding", **{option: value})


def test_no_text_has_a_box_move_that_could_not_be():
    text = Position("spalding").play("Xe1-d2").text
    assert Position.from_text("spalding", text).text == text
    with pytest.raises(ValueError):
        Position.from_text("spalding", text, white_box="W")
