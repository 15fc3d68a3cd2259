"""Rules, "A turn": rolls, what a die is for, and which dice must be used."""

from itertools import combinations_with_replacement
from math import isclose

import pytest

from pasgl_env import IllegalMove, Position

from ...rows import rows
from .positions import Seat, fields, place

# Where each piece can go from the start.
AT_START = {"R": "a6", "E": "b4 b5 b6", "H": "a6 b5", "S": "a4 b5 c6"}
STARTS = {"R": "a7", "E": "b7", "H": "c7", "S": "d7"}
START = " ".join(letter + at for letter, at in STARTS.items())
START_OF_FOUR = START.removesuffix(" Sd7")


def starting(seat, **rest):
    return seat.position(START if seat.players == 2 else START_OF_FOUR, **rest)


def labels(die, letters):
    return sorted(
        f"{die}:{letter}{STARTS[letter]}-{end}"
        for letter in letters
        for end in AT_START[letter].split()
    )


def two_dice(least):
    return [f"roll {a} {b}" for a, b in combinations_with_replacement(range(least, 7), 2)]


def one_die(least):
    return [f"roll {die}" for die in range(least, 7)]


# Rolls.

GAMES = [
    ("pachessi", {}, 1),
    ("pachessi", {"players": 4}, 2),
    ("pachessi", {"players": 4, "grand": True}, 1),
    ("grand_pachessi", {}, 1),
    ("grand_pachessi", {"players": 4}, 1),
    ("grand_pachessi", {"players": 4, "grand": False}, 2),
]


def roll_due(variant, options, roll):
    start = Position(variant, **options).text
    return Position.from_text(variant, start.replace(" - i ", f" - {roll} "), **options)


@rows(("variant", "options", "least"), GAMES)
def test_turn_begins_with_a_roll_of_two_dice_smaller_first(variant, options, least):
    position = Position(variant, **options)
    assert position.is_chance
    assert position.to_move == -1
    assert not position.is_over
    assert position.returns is None
    assert position.legal_moves() == two_dice(least)
    assert position.perft(1) == len(two_dice(least))


@rows(("variant", "options", "least"), GAMES)
def test_grace_roll_is_of_one_die(variant, options, least):
    position = roll_due(variant, options, "g")
    assert position.is_chance
    assert position.to_move == -1
    assert position.legal_moves() == one_die(least)


@rows(("variant", "options", "least"), GAMES)
@rows("roll", "ig")
def test_probability_of_each_roll(variant, options, least, roll):
    position = roll_due(variant, options, roll)
    faces = 7 - least
    for outcome in position.legal_moves():
        dice = outcome.split()[1:]
        ways = len(set(dice))
        probability = float(position.outcome_probability(outcome))
        assert isclose(probability, ways / faces ** len(dice), rel_tol=0, abs_tol=1e-12)
    total = sum(map(position.outcome_probability, position.legal_moves()))
    assert isclose(float(total), 1, rel_tol=0, abs_tol=1e-12)


@rows(
    ("roll", "players", "label"),
    [
        ("i", 2, "roll 2 1"),
        ("i", 2, "roll 0 1"),
        ("i", 2, "roll 6 7"),
        ("i", 2, "roll 3"),
        ("i", 2, "roll 1 1 1"),
        ("i", 2, "roll"),
        ("i", 2, "pass"),
        ("i", 2, ""),
        ("i", 2, "roll 1  2"),
        ("i", 2, " roll 1 2"),
        ("i", 2, "roll 1 2 "),
        ("i", 2, "1 2"),
        ("i", 2, "6:Ra7-a6"),
        ("i", 4, "roll 1 2"),
        ("i", 4, "roll 1 1"),
        ("g", 2, "roll 1 2"),
        ("g", 2, "roll 7"),
        ("g", 2, "roll 0"),
        ("g", 4, "roll 1"),
    ],
)
def test_label_that_is_no_outcome_is_refused(roll, players, label):
    position = roll_due("pachessi", {"players": players}, roll)
    before = position.text
    with pytest.raises(ValueError):
        position.outcome_probability(label)
    with pytest.raises(IllegalMove):
        position.play(label)
    assert position.text == before
    assert position.is_chance


@rows("label", ["2:Hc7-b5", "roll 1 2", "roll 2", "pass"])
def test_no_probability_where_a_player_acts_or_the_game_is_over(label):
    acting = Position.from_text("pachessi", place("Ra7 Hc7", "Rg1", dice="2,6"))
    over = Position.from_text("pachessi", place("R*", "Rg1", dice="6"))
    for position in (acting, over):
        with pytest.raises(ValueError):
            position.outcome_probability(label)


def test_rolled_dice_are_the_players_to_use(seat):
    for outcome in starting(seat).legal_moves():
        position = starting(seat, turns=3).play(outcome)
        dice = outcome.removeprefix("roll ").replace(" ", ",")
        assert seat.state(position) == f"me {dice} i 3"
        assert position.to_move == seat.index
        assert not position.is_chance
        assert position.legal_moves()


def test_grace_die_is_the_players_to_use(seat):
    for outcome in starting(seat, roll="g").legal_moves():
        position = starting(seat, roll="g", turns=3).play(outcome)
        assert seat.state(position) == f"me {outcome.removeprefix('roll ')} g 3"
        assert position.to_move == seat.index


# What a die is for.

PIECES = {2: "H", 3: "E", 4: "R", 5: "R", 6: "REHS"}


@rows("die", [2, 3, 4, 5, 6])
@rows("roll", "ig")
def test_die_says_which_piece_may_move(seat, die, roll):
    letters = set(PIECES[die]) & set(seat.letters)
    position = starting(seat, dice=str(die), roll=roll)
    assert seat.labels(position).split() == labels(die, letters)


@rows("roll", "ig")
def test_one_is_for_the_ship(seat_of_two, roll):
    assert seat_of_two.legal(START, dice="1", roll=roll) == "1:Sd7-a4 1:Sd7-b5 1:Sd7-c6"


@rows("colour", ["black", "green", "yellow", "red"])
def test_one_is_for_the_ship_on_the_grand_board_with_four_players_too(colour):
    seat = Seat(4, colour, "grand_pachessi")
    words = "Ra11 Eb11 Hc11 Sd11"
    assert seat.legal(words, dice="1") == "1:Sd11-a8 1:Sd11-b9 1:Sd11-c10"


@rows(
    ("dice", "first", "second"),
    [("2,3", 2, 3), ("3,4", 3, 4), ("2,6", 2, 6), ("5,6", 5, 6), ("4,5", 4, 5)],
)
def test_dice_are_used_in_any_order(seat, dice, first, second):
    """Ruling 1."""
    both = {die: labels(die, set(PIECES[die]) & set(seat.letters)) for die in (first, second)}
    position = starting(seat, dice=dice)
    assert seat.labels(position).split() == sorted(both[first] + both[second])
    for used, left in ((first, second), (second, first)):
        after = starting(seat, dice=dice).play(
            next(label for label in position.legal_moves() if label.startswith(f"{used}:"))
        )
        assert seat.state(after) == f"me {left} i 0"
        assert after.to_move == seat.index
        assert {label[:2] for label in after.legal_moves()} == {f"{left}:"}


@rows("die", [2, 3, 4, 5, 6])
def test_two_equal_dice_are_two_uses(seat, die):
    position = starting(seat, dice=f"{die},{die}")
    letters = set(PIECES[die]) & set(seat.letters)
    assert seat.labels(position).split() == labels(die, letters)
    position.play(position.legal_moves()[0])
    assert seat.state(position) == f"me {die} i 0"
    position.play(position.legal_moves()[0])
    assert seat.state(position) == "foe - i 1"


def test_same_piece_may_move_twice(seat):
    assert seat.after("Hc7", "2:Hc7-b5", "6:Hb5-a3", dice="2,6") == "Ha3"
    assert seat.after("Ra7 Hc7", "4:Ra7-a6", "4:Ra6-b6", dice="4,4") == "Rb6 Hc7"


# The number of a piece that has been borne off.


@rows(
    ("words", "dice", "legal"),
    [
        ("Ra7 Hc7", "3", "3:Hc7-a6 3:Hc7-b5 3:Ra7-a6"),
        ("Ra7 Hc7", "2", "2:Hc7-a6 2:Hc7-b5"),
        ("Ra7 Hc7", "4", "4:Ra7-a6"),
        ("Ra7 Eb7", "2", "2:Eb7-b4 2:Eb7-b5 2:Eb7-b6 2:Ra7-a6"),
        ("Hc7 E@", "4", "4:E@-b7 4:Hc7-a6 4:Hc7-b5"),
        ("Hc7 E@", "5", "5:E@-b7 5:Hc7-a6 5:Hc7-b5"),
        ("Hc7 E@", "3", "3:E@-b7"),
        ("Hc7:1", "5", "5:Hc7-a6 5:Hc7-b5 5:Hc7-off"),
    ],
)
def test_number_of_a_piece_born_off_is_for_any_piece(seat, words, dice, legal):
    assert seat.legal(words, dice=dice) == legal


def test_number_of_a_ship_born_off_is_for_any_piece(seat_of_two):
    assert seat_of_two.legal("Ra7 Hc7", dice="1") == "1:Hc7-a6 1:Hc7-b5 1:Ra7-a6"
    assert seat_of_two.legal("Ra7 Hc7 S@", dice="1") == "1:S@-d7"
    assert seat_of_two.legal("Ra7 Hc7 Sa3", dice="1") == "1:Sa3-b2 1:Sa3-c1"


@rows(
    ("words", "dice", "first", "before", "after"),
    [
        (
            "Ra7 Eb7 Hc7:1",
            "2,2",
            "2:Hc7-off",
            "2:Hc7-a6 2:Hc7-b5 2:Hc7-off",
            "2:Eb7-b4 2:Eb7-b5 2:Eb7-b6 2:Ra7-a6",
        ),
        (
            "Ra7:1 Hc7 E@",
            "4,5",
            "4:Ra7-off",
            "4:Ra7-a6 4:Ra7-off 5:Ra7-a6 5:Ra7-off",
            "5:E@-b7 5:Hc7-a6 5:Hc7-b5",
        ),
        (
            "Ra7 Eb7:1 Hb1",
            "3,6",
            "6:Eb7-off",
            "3:Eb7-b4 3:Eb7-b5 3:Eb7-b6 3:Eb7-off 6:Eb7-b4 6:Eb7-b5 6:Eb7-b6 6:Eb7-off"
            " 6:Hb1-d2 6:Ra7-a6",
            "3:Hb1-d2 3:Ra7-a6",
        ),
    ],
)
def test_it_is_judged_when_the_die_is_used(seat, words, dice, first, before, after):
    assert seat.legal(words, dice=dice) == before
    assert seat.legal(words, first, dice=dice) == after


# Dice must be used if they can be.


@rows(
    ("words", "dice"),
    [
        ("Ra7 Ha1", "2"),
        ("Ra7 Ha1", "2,2"),
        ("Ha1", "4,6"),
    ],
)
def test_pass_is_the_only_action_when_no_die_can_be_used(seat, words, dice):
    assert seat.legal(words, dice=dice) == "pass"
    assert seat.then(words, "pass", dice=dice, turns=7) == "foe - i 8"
    assert seat.after(words, "pass", dice=dice) == words


def test_pass_is_not_legal_while_one_die_can_be_used(seat):
    assert seat.legal("Ra7 Ha1", dice="2,4") == "4:Ra7-a6"


def test_pass_throws_away_a_die_that_is_left(seat):
    assert seat.legal("Ra7 Ha1", "4:Ra7-a6", dice="2,4") == "pass"
    assert seat.then("Ra7 Ha1", "4:Ra7-a6", dice="2,4") == "me 2 i 0"
    assert seat.then("Ra7 Ha1", "4:Ra7-a6", "pass", dice="2,4") == "foe - i 1"


def test_die_becomes_usable_by_the_use_of_the_other(seat):
    # The Horse has no square but its Raja's and its Elephant's.
    words = "Ra6 Eb5 Hc7"
    assert seat.legal(words, dice="2,3").split() == ["3:Eb5-a5", "3:Eb5-b2", "3:Eb5-b3", "3:Eb5-b4"]
    assert seat.legal(words, "3:Eb5-b4", dice="2,3") == "2:Hc7-b5"


def test_no_looking_ahead_when_one_die_spoils_the_other(seat):
    """Ruling 1: in the corner the Horse cannot use the second die; elsewhere it could."""
    words = "Ra3 Hc6"
    assert "6:Hc6-a7" in seat.legal(words, dice="2,6").split()
    assert seat.legal(words, "6:Hc6-a7", dice="2,6") == "pass"
    assert seat.legal(words, "6:Hc6-a5", dice="2,6") != "pass"


def test_bearing_off_is_forced_if_the_die_has_no_other_use(seat):
    assert seat.legal("Ra6 Eb5 Hc7:1", dice="2") == "2:Hc7-off"
    assert seat.legal("Ra6 Eb5 Hc7:0", dice="2") == "pass"


def test_entering_is_forced_if_the_die_has_no_other_use(seat):
    assert seat.legal("Ra7 Ha1 E@", dice="2,3") == "3:E@-b7"


@rows(
    "label",
    [
        "2:Hc7-d5",
        "3:Hc7-b5",
        "6:Hc7-b5",
        "Hc7-b5",
        "2:Hb5",
        "roll 1 2",
        "2:hc7-b5",
        "2:Hc7-b5 ",
        "2:Hc7-off",
        "2:Ha7-a6",
        "2:Hc7-a8",
        "",
    ],
)
def test_illegal_label_is_refused_and_changes_nothing(label):
    position = Position.from_text("pachessi", place("Ra7 Eb7 Hc7 Sd7", "Rg1", dice="2,4"))
    before = position.text
    with pytest.raises(IllegalMove):
        position.play(label)
    assert position.text == before
    assert issubclass(IllegalMove, ValueError)


def test_copies_are_independent(seat):
    position = starting(seat, dice="2,4")
    before, twin = position.text, position.copy()
    assert twin.text == before
    twin.play(twin.legal_moves()[0])
    assert position.text == before
    assert fields(twin).pieces != fields(position).pieces
    assert fields(twin).dice != fields(position).dice
