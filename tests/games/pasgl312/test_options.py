"""Options: each changes the rule it names and no other; the defaults are the inventor's game."""

from typing import Any

import pytest

from pasgl_env import Position

from ...rows import rows
from .positions import Side, fields, place

OPTIONS = {  # least, default, greatest
    "win_margin": (1, 30, 255),
    "bear_bonus": (0, 20, 255),
    "bear_points": (0, 5, 99),
    "hunter_points": (0, 4, 99),
    "deer_points": (0, 3, 99),
    "fox_points": (0, 3, 99),
    "woodchuck_points": (0, 3, 99),
    "skunk_points": (0, 2, 99),
    "turkey_points": (0, 2, 99),
    "chipmunk_points": (0, 1, 99),
    "shrew_points": (0, 0, 99),
    "hunter_range": (0, 3, 7),
    "fox_range": (0, 3, 7),
    "turkey_range": (0, 3, 7),
    "chuck_reach": (1, 3, 7),
    "train_length": (1, 2, 3),
    "ride_points": (0, 0, 99),
    "passes": (1, 40, 63),
}
DEFAULTS: dict[str, Any] = {option: default for option, (_, default, _) in OPTIONS.items()} | {
    "first": "white",
    "score_handicap": 0,
    "train_lunch": True,
}
POINTS: dict[str, Any] = {
    option: points
    for option, points in DEFAULTS.items()
    if option.endswith("_points") and option != "ride_points"
}
# Everybody by the campfire; the Turkey on b2 does the moving.
ALL_SCORE = "Bd4 Hd4 De4 Fe4 Wd5 Sd5 Te5 Me5 Pe5 Tb2 bh8"
# Every range counts here.
RANGES = "Hc1 tc4 Fe4 Ta1 Bh1"


@rows("option", OPTIONS)
def test_options_have_limits(option):
    low, _, high = OPTIONS[option]
    for value in (low, high):
        assert Position("pasgl312", **{option: value}).legal_moves()
        assert Position.from_text("pasgl312", place(), **{option: value}).legal_moves()
    for value in (low - 1, high + 1, -1000, 10**6):
        with pytest.raises(ValueError, match=option):
            Position("pasgl312", **{option: value})
        with pytest.raises(ValueError, match=option):
            Position.from_text("pasgl312", place(), **{option: value})


def test_defaults_are_the_inventors_game():
    for critters in (ALL_SCORE, RANGES):
        text = place(critters)
        plain = Position.from_text("pasgl312", text)
        spelled_out = Position.from_text("pasgl312", text, **DEFAULTS)
        assert spelled_out.legal_moves() == plain.legal_moves()
    assert Position("pasgl312", **DEFAULTS).perft(2) == 1233


def test_unknown_option_is_refused():
    with pytest.raises(ValueError, match="deer_range"):
        Position("pasgl312", deer_range=3)
    with pytest.raises(ValueError, match="players"):
        Position.from_text("pasgl312", place(), players=4)


@rows("value", ["3", 3.5, None])
def test_option_that_is_no_integer_is_refused(value):
    with pytest.raises((ValueError, TypeError)):
        Position("pasgl312", hunter_range=value)


@rows("option", POINTS)
@rows("value", [0, 1, 9])
def test_points_of_each_critter_by_the_campfire(side, option, value):
    expected = sum(POINTS.values()) - POINTS[option] + value
    score = side.score(ALL_SCORE, "Tb2a2", options={option: value, "win_margin": 255})
    assert score == f"{expected}:0"


def test_greatest_points(side):
    assert side.score("Pd4 Tb2", "Tb2a2", options={"shrew_points": 99}) == "99:0"


@rows("bonus", [0, 1, 20, 255])
def test_bonus_for_a_dead_bear(side, bonus):
    options = {"bear_bonus": bonus}
    assert side.score("Hd4 bd6", "Hd4:d6", score="3:2", options=options) == f"{3 + bonus}:2"


@rows("bonus", [1, 5, 255])
def test_bonus_that_a_text_with_a_missing_bear_needs(bonus):
    text = "8/8/8/8/8/8/8/4B3 ./././. ./. 1 b {}:0 0 1"
    assert Position.from_text("pasgl312", text.format(bonus), bear_bonus=bonus).is_over
    with pytest.raises(ValueError):
        Position.from_text("pasgl312", text.format(bonus - 1), bear_bonus=bonus)


@rows(
    ("margin", "score", "over"),
    [
        (10, "8:0", True),
        (10, "7:0", False),
        (2, "0:0", True),
        (1, "8:8", True),
        (255, "252:0", False),
        (255, "253:0", True),
    ],
)
def test_margin_that_ends_the_game(side, margin, score, over):
    position = side.position("Td4 Tb2", "Tb2a2", score=score, options={"win_margin": margin})
    assert position.is_over is over


@rows(
    ("options", "mover", "score"),
    [
        ({"score_handicap": 7}, "w", "0:7"),
        ({"score_handicap": -7}, "w", "7:0"),
        ({"score_handicap": 7, "first": "black"}, "b", "7:0"),
        ({"score_handicap": -7, "first": "black"}, "b", "0:7"),
        ({"first": "black"}, "b", "0:0"),
    ],
)
def test_who_begins_and_whom_the_handicap_is_for(options, mover, score):
    start = fields(Position("pasgl312", **options))
    assert (start.mover, start.score, start.phase) == (mover, score, "1")
    assert start.board == fields(Position("pasgl312")).board


def test_the_train_advances_after_blacks_turns_whoever_begins():
    position = Position("pasgl312", first="black").play("df8d7")
    assert fields(position).phase == "2"


def test_a_handicap_changes_no_text_that_is_read():
    text = place(score="3:2")
    assert Position.from_text("pasgl312", text, score_handicap=9, first="black").text == text


def test_a_handicap_does_not_end_the_game_at_its_start():
    assert not Position("pasgl312", score_handicap=29).is_over
    for handicap, margin in ((30, 30), (-30, 30), (2, 1)):
        with pytest.raises(ValueError, match="score_handicap"):
            Position("pasgl312", score_handicap=handicap, win_margin=margin)


@rows(("margin", "over"), [(30, True), (31, False), (29, True)])
def test_margin_of_a_text_that_is_read(margin, over):
    position = Position.from_text("pasgl312", place(score="30:0"), win_margin=margin)
    assert position.is_over is over


@rows(("distance", "square"), [(1, "d2"), (2, "d3"), (3, "d4"), (4, "d5"), (6, "d7"), (7, "d8")])
@rows("hunter_range", range(8))
def test_range_of_the_hunter(side, distance, square, hunter_range):
    shots = side.targets(f"Hd1 h{square}", "Hd1:", options={"hunter_range": hunter_range})
    assert shots == (square if distance <= hunter_range else "")


@rows(("hunter_range", "compelled"), [(0, True), (2, True), (3, False), (7, False)])
def test_range_of_the_hunter_that_excuses_the_stink(side, hunter_range, compelled):
    legal = side.legal("*Th1 Td3 hd6", options={"hunter_range": hunter_range})
    assert all(label.startswith("*") for label in legal.split()) is compelled


@rows(
    ("fox_range", "reached"),
    [
        (0, "c2"),
        (1, "b2 b4 c2 d2 d4"),
        (2, "a3 b2 b4 c1 c2 c5 d2 d4 e3"),
        (3, "a3 b2 b4 b6 c1 c2 c5 d2 d4 d6 e3 f2 f4 z2 z4"),
        (4, "a3 b2 b4 b6 c1 c2 c5 c7 d2 d4 d6 e3 f2 f4 g3 z4"),
        (5, "a3 b2 b4 b6 b8 c1 c2 c5 c7 d2 d4 d6 d8 e3 f2 f4 g3 h2 h4 z4"),
        (7, "a3 b2 b4 b6 b8 c1 c2 c5 c7 d2 d4 d6 d8 e3 f2 f4 g3 h2 h4 z4"),
    ],
)
def test_range_of_the_fox(side, fox_range, reached):
    reached = reached.replace(" z2", "")
    assert side.targets("Fc3", "Fc3", options={"fox_range": fox_range}) == reached


@rows(("fox_range", "compelled"), [(0, True), (2, True), (3, False)])
def test_range_of_the_fox_that_excuses_the_stink(side, fox_range, compelled):
    legal = side.legal("*Th1 Ta5 fd6", options={"fox_range": fox_range})
    assert all(label.startswith("*") for label in legal.split()) is compelled


@rows(
    ("turkey_range", "reached"),
    [
        (0, ""),
        (1, "b3 c2 c4 d3"),
        (2, "a3 b3 c1 c2 c4 c5 d3 e3"),
        (4, "a3 b3 c1 c2 c4 c5 c6 c7 d3 e3 f3 g3"),
        (7, "a3 b3 c1 c2 c4 c5 c6 c7 c8 d3 e3 f3 g3 h3"),
    ],
)
def test_range_of_the_turkey(side, turkey_range, reached):
    assert side.targets("Tc3", "Tc3", options={"turkey_range": turkey_range}) == reached


def test_boarding_turkey_moves_whatever_its_range(side):
    assert side.targets("Tz4", "Tz4", options={"turkey_range": 0}) == "z5"


@rows("option", ["hunter_range", "fox_range", "turkey_range"])
def test_a_range_changes_no_other_critter(side, option):
    letter = {"hunter_range": "H", "fox_range": "F", "turkey_range": "T"}[option]
    plain = side.legal(RANGES).split()
    changed = side.legal(RANGES, options={option: 0}).split()
    assert set(changed) < set(plain)
    assert [label for label in plain if label[0] != letter] == [
        label for label in changed if label[0] != letter
    ]


@rows(
    ("chuck_reach", "hit"),
    [(1, ""), (2, "d4"), (3, "d4 e5"), (4, "d4 e5 f6"), (7, "d4 e5 f6 g7 h8")],
)
def test_reach_of_the_woodchuck(side, chuck_reach, hit):
    found = [
        square
        for square, enemy in zip("c3 d4 e5 f6 g7 h8".split(), "shdfws", strict=True)
        if side.targets(f"Wb2 {enemy}{square} bg8", "Wb2^", options={"chuck_reach": chuck_reach})
    ]
    assert " ".join(found) == hit


@rows(("length", "legal"), [(1, True), (2, True), (3, False)])
def test_length_of_the_train_that_nobody_enters_or_leaps_over(length, legal):
    """In phase 5 the head is on e4, other cars are on f4 and g4."""
    side, options = Side("white"), {"train_length": length}
    assert ("Tg3g4" in side.legal("Tg3", phase=5, options=options).split()) is legal
    assert ("Wg3g5" in side.legal("Wg3", phase=5, options=options).split()) is legal
    assert ("Dg3h5" in side.legal("Dg3", phase=5, options=options).split()) is legal
    assert ("Tf3f4" in side.legal("Tf3", phase=5, options=options).split()) is (length == 1)


@rows(("length", "after"), [(1, "Bg3 tg4"), (2, "Bg3 tg4"), (3, "Bg3")])
def test_length_of_the_train_under_which_a_bear_pushes(length, after):
    side, options = Side("white"), {"train_length": length}
    assert side.after("Bg2 tg3", "Bg2g3", "tg4", phase=5, options=options) == after


@rows("length", [1, 2, 3])
def test_length_of_the_train_in_a_text(length):
    for square, car in (("e4", 0), ("f4", 1), ("g4", 2), ("h4", 3)):
        text = place(f"T{square}", phase=5)
        if car < length:
            with pytest.raises(ValueError, match="the Train is on that square"):
                Position.from_text("pasgl312", text, train_length=length)
        else:
            assert Position.from_text("pasgl312", text, train_length=length).text == text


def test_a_train_of_one_car_takes_all_who_board_and_puts_them_down_on_its_square():
    """It stops where a longer one would: on z5, not on z4 where it enters the terminal."""
    text = place("T@head ~Sz5 Tz4 wz5", phase=9, mover="b")
    position = Position.from_text("pasgl312", text, train_length=1)
    position.play("be8e7").play("Be1e2")
    assert fields(position)[1:4] == ("T/[~Sw]/./.", "T/.", "10")
    position.play("be7e8")
    assert fields(position)[1:4] == ("./[~S~T]/./.", "[Tw]/.", "11")
    with pytest.raises(ValueError, match="no tail car"):
        Position.from_text("pasgl312", place("T@tail"), train_length=1)


def test_a_third_car_has_no_riders_and_changes_nothing_at_the_terminal():
    text = place("T@head S@tail tz5 wz4", phase=10, mover="b")
    positions = [
        Position.from_text("pasgl312", text, train_length=length).play("be8e7") for length in (2, 3)
    ]
    assert positions[0].text == positions[1].text
    assert fields(positions[1])[1:3] == ("[~S]/[~T]/./.", "t/w")


def test_terminals_without_lunches(side):
    options = {"train_lunch": False}
    assert side.after("*-Wa4", "*-Wa4z4", options=options) == "-Wz4"
    assert side.after("Bb3 -da3", "Bb3a3", "-dz4", options=options) == "-dz4 Ba3"
    assert side.after("-Sb2", "-Sb2b1", options=options) == "Sb1"  # at home it gets one
    # A boarding carrier without lunch enters no occupied square.
    assert "-Sz4z5" in side.legal("-Sz4", options=options).split()
    assert "-Sz4z5" not in side.legal("-Sz4 Tz5", options=options).split()
    text = place("-H@head ~-wx4")
    assert Position.from_text("pasgl312", text, train_lunch=False).text == text
    with pytest.raises(ValueError, match="lunch"):
        Position.from_text("pasgl312", text)


@rows("mover", ["w", "b"])
def test_points_for_each_critter_that_the_train_puts_down(mover):
    """Each side gets them for its own, after Black's turn; those who board get none."""
    text = place("T@head M@tail h@tail wz5", phase=10, mover=mover)
    position = Position.from_text("pasgl312", text, ride_points=3)
    position.play("Be1e2" if mover == "w" else "be8e7")
    assert position.points == ((0, 0) if mover == "w" else (6, 3))


def test_points_for_rides_count_for_the_margin():
    text = place("T@head", phase=10, mover="b", score="25:0")
    position = Position.from_text("pasgl312", text, ride_points=5).play("be8e7")
    assert position.is_over
    assert position.returns == (1, -1)


@rows("passes", [1, 2, 40, 63])
def test_passes_in_a_row_that_end_the_game(passes):
    stuck = "4b3/8/8/8/8/8/pp6/[-B]m6 ./././. ./. 1 w 0:0 {} 0"
    position = Position.from_text("pasgl312", stuck.format(passes - 1), passes=passes)
    assert not position.is_over
    assert position.play("pass").is_over
    assert Position.from_text("pasgl312", stuck.format(passes), passes=passes).is_over
    with pytest.raises(ValueError, match="passes"):
        Position.from_text("pasgl312", stuck.format(passes + 1), passes=passes)


def test_options_stay_with_copies_and_later_turns():
    position = Position.from_text("pasgl312", place("Tb2 Td4"), turkey_points=7)
    later = position.copy().play("Tb2a2").copy().play("be8d8").play("Ta2a3")
    assert fields(later).score == "14:0"
