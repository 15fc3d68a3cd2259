"""The rulings of the rules page, by number."""

import pytest

from pasgl_env import IllegalMove, Position

from ...rows import rows
from .positions import fields, listed, place


def test_ruling_1_terminal_entry_clears_stink(side):
    """Ruling 1."""
    assert side.after("*-Wa4", "*-Wa4z4") == "Wz4"
    assert side.after("Bb4 *ta4", "Bb4a4", "*tz4") == "Ba4 tz4"


def test_ruling_2_only_the_player_who_just_moved_scores():
    """Ruling 2."""
    position = Position.from_text("pasgl312", place("Td4 Tb2 hd5 mb7"))
    assert fields(position.play("Tb2a2")).score == "2:0"
    assert fields(position.play("mb7a8")).score == "2:4"


def test_ruling_3_the_train_moves_before_black_scores():
    """Ruling 3."""
    text = place("te4 hd5 mb7", phase=4, mover="b")
    assert fields(Position.from_text("pasgl312", text).play("mb7a8")).score == "0:4"


def test_ruling_4_a_theft_is_no_threat_a_death_is(side):
    """Ruling 4."""
    assert "Ta1a2" not in side.legal("*Th1 Ta1 Wc5 fd6").split()
    assert "Ta1a2" in side.legal("*Th1 Ta1 -Wc5 fd6").split()


@rows(("mover", "label"), [("Fd3", "Fd3e4"), ("Dd2", "Dd2e4")])
def test_ruling_5_stealing_is_not_optional_and_one_victim_a_turn(side, mover, label):
    """Ruling 5."""
    assert side.after(f"{mover} he4", label).startswith("-he4")
    assert side.legal(f"{mover} he4 de4", label) == "d h"
    assert side.after(f"{mover} he4 de4", label, "h").split()[:2] == ["-he4", f"{mover[0]}e4"]


def test_ruling_5_devouring_is_not_optional(side):
    """Ruling 5."""
    assert side.after("Fd3 te4", "Fd3e4") == "Fe4"


def test_ruling_6_a_lunchless_skunk_may_not_enter_an_occupied_square(side):
    """Ruling 6: a lunchless Skunk stays off occupied squares."""
    assert side.targets("Sd3 Td4 Pc3 pe3 Td2", "Sd3") == "c3 d2 d4 e3"
    assert side.legal("-Sd3 Bh1 pd4 pc3 pe3 pd2").split() == side.legal("Bh1").split()


def test_ruling_7_the_deer_leaps_first_rookwise_then_diagonally(side):
    """Ruling 7."""
    # From f3 to g5 by f4; the Train on g4 and h4 leaves that way free, on f4 it does not.
    assert "g5" in side.targets("Df3", "Df3", phase=3).split()
    assert "g5" not in side.targets("Df3", "Df3", phase=5).split()


def test_ruling_8_the_woodchuck_does_not_leap_over_the_train_but_its_wood_does(side):
    """Ruling 8."""
    assert side.targets("Wf3 td3", "Wf3", phase=4) == "e3 f1 f2 g3 h3"
    assert side.targets("Wh3 hf5", "Wh3^", phase=4) == "f5"


def test_ruling_9_a_displaced_critter_does_not_score_that_turn(side):
    """Ruling 9."""
    assert side.score("Bc3 Td4", "Bc3d4", "Te4") == "0:0"
    assert side.score("Bc3 Te4", "Bc3c4") == "2:0"


@rows(("critters", "label"), [("Hd4 Td6", "Hd4:d6"), ("Wd4 Hf6", "Wd4^f6"), ("Wd4 Sf6", "Wd4^f6")])
def test_ruling_10_no_shots_or_chucks_at_friends(side, critters, label):
    """Ruling 10."""
    with pytest.raises(IllegalMove):
        side.position(critters, label)


@rows(
    ("critters", "label", "after"),
    [
        ("Dd2 He4", "Dd2e4", "De4 He4"),
        ("Fd3 He4", "Fd3e4", "Fe4 He4"),
        ("Fd3 Te4", "Fd3e4", "Fe4 Te4"),
        ("Fd3 -We4 -Se4", "Fd3e4", "-Se4 -We4 Fe4"),
    ],
)
def test_ruling_10_nobody_robs_or_devours_friends(side, critters, label, after):
    """Ruling 10."""
    assert side.after(critters, label) == after


def test_ruling_11_victims_are_written_with_the_case_of_their_side():
    """Ruling 11."""
    white = Position.from_text("pasgl312", place("Dd2 he4 fe4")).play("Dd2e4")
    black = Position.from_text("pasgl312", place("dd7 He5 Fe5", mover="b")).play("dd7e5")
    assert white.legal_moves() == ["f", "h"]
    assert black.legal_moves() == ["F", "H"]


@rows(
    ("critters", "label", "mover"),
    [("Be4", "Be4e5", "w"), ("be5", "be5e4", "b"), ("Wg6 hd4", "Wg6^d4", "w")],
)
def test_ruling_12_what_the_notation_shows_but_cannot_happen(critters, label, mover):
    """Ruling 12."""
    position = Position.from_text("pasgl312", place(critters, mover=mover))
    with pytest.raises(IllegalMove):
        position.play(label)
    assert listed(position) == " ".join(sorted(critters.split()))


def test_ruling_12_a_side_has_one_woodchuck():
    """Ruling 12."""
    with pytest.raises(ValueError):
        Position.from_text("pasgl312", place("Wg6 We5"))


def test_ruling_13_in_phase_15_the_tail_is_on_c5():
    """Ruling 13: nobody can stand on c5 then, but on b5."""
    with pytest.raises(ValueError, match="Train"):
        Position.from_text("pasgl312", place("Tc5", phase=15))
    assert listed(Position.from_text("pasgl312", place("Tb5", phase=15))) == "Tb5"


def test_ruling_13_a_skunk_steals_no_lunch(side):
    """Ruling 13."""
    assert side.after("Sd3 hd5", "Sd3d5") == "Sd5 hd5"


def test_ruling_14_nobody_scores_in_the_turn_of_a_bears_death(side):
    """Ruling 14: the Turkey at the campfire earns nothing."""
    assert side.score("He2 be5 Td4", "He2:e5", score="0:21") == "20:21"


def test_ruling_15_riders_change_when_the_whole_train_is_in_a_terminal():
    """Ruling 15: in phase 11, neither before nor as the Train leaves."""
    position = Position.from_text("pasgl312", place("T@head Mz5", phase=9, mover="b"))
    seen = []
    for label in ("be8e7", "Be1e2", "be7e8", "Be2e1", "be8e7"):
        now = fields(position.play(label))
        seen.append((now.phase, now.terminals, now.riders))
    assert seen[::2] == [
        ("10", "./M/./.", "T/."),
        ("11", "./[~T]/./.", "M/."),
        ("12", "./[~T]/./.", "M/."),
    ]


def test_ruling_16_a_skunk_pushed_under_the_train_sprays(side):
    """Ruling 16: the enemy's Skunk dies under the Train on d4; pushed elsewhere it does nothing."""
    assert side.after("Bd2 sd3 Tc5", "Bd2d3", "sd4", phase=6) == "*-Bd3 *Tc5"
    assert side.after("Bd2 sd3 Tc5", "Bd2d3", "sc4", phase=1) == "Bd3 Tc5 sc4"


@rows(
    ("critters", "labels", "after"),
    [
        ("Bc2 -Fd2", ("Bc2d2", "-Fc1"), "Bd2 Fc1"),
        ("Bb3 -da3", ("Bb3a3", "-dz4"), "Ba3 dz4"),
    ],
)
def test_ruling_17_a_push_home_or_into_a_terminal_gives_a_lunch(side, critters, labels, after):
    """Ruling 17."""
    assert side.after(critters, *labels) == after


@rows("symbol", ["H", "W", "-F"])
def test_ruling_18_a_boarding_critter_changes_only_to_a_square_that_it_may_enter(side, symbol):
    """Ruling 18: what may not enter occupied squares does not do so in a terminal."""
    symbol = symbol.removeprefix("-")  # all have their lunch there
    may_enter = symbol == "F"
    assert (f"{symbol}z4z5" in side.legal(f"{symbol}z4 Tz5").split()) == may_enter
    assert f"{symbol}z4z5" in side.legal(f"{symbol}z4").split()


def test_ruling_19_a_push_onto_a_terminal_square_under_the_train_is_safe(side):
    """Ruling 19: the Train's head is on z4 in phase 10."""
    assert side.after("Bb3 fa3", "Bb3a3", "fz4", phase=10) == "Ba3 fz4"


@rows(
    ("prey", "is_hit"),
    [("he4", True), ("-he4", False), ("te4", False), ("me4", False), ("se4", True), ("-se4", True)],
)
def test_ruling_20_wood_is_chucked_only_where_it_has_an_effect(side, prey, is_hit):
    """Ruling 20."""
    assert ("Wc2^e4" in side.legal(f"Wc2 {prey}").split()) == is_hit


@rows("symbol", "HW")
def test_ruling_21_hunter_and_woodchuck_may_be_pushed_onto_occupied_squares(side, symbol):
    """Ruling 21."""
    assert side.after(f"Bd2 {symbol}d3 Td4", "Bd2d3", f"{symbol}d4") == " ".join(
        sorted(["Bd3", f"{symbol}d4", "Td4"])
    )
