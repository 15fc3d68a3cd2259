"""Options: each replaces the variant's own; what cannot be is refused, and why is said."""

import pytest

from pasgl_env import Position

from ...rows import rows
from .positions import COLOURS, Seat, fields, place


def refused(reason, variant="pachessi", **options):
    with pytest.raises(ValueError, match=rf"(?is){reason}"):
        Position(variant, **options)


@rows("variant", ["pachessi", "grand_pachessi"])
@rows("players", COLOURS)
def test_first_is_the_colour_that_begins(variant, players):
    """Ruling 4."""
    for index, colour in enumerate(COLOURS[players]):
        position = Position(variant, players=players, first=colour)
        assert fields(position).mover == colour
        assert fields(position).turns == "0"
        assert position.play("roll 2 6").to_move == index
        assert fields(position).pieces == fields(Position(variant, players=players)).pieces


@rows("variant", ["pachessi", "grand_pachessi"])
@rows("players", COLOURS)
def test_black_begins_unless_told_otherwise_and_two_play(variant, players):
    assert fields(Position(variant, players=players)).mover == "black"
    assert Position(variant).text == Position(variant, players=2, first="black").text


def test_first_does_not_change_a_text_that_is_read():
    text = place("Ra7", "Rg1", dice="4")
    assert Position.from_text("pachessi", text, first="yellow").text == text


@rows("first", ["green", "red"])
def test_first_must_play(first):
    refused("first.*yellow", first=first)
    refused("first.*yellow", first=first, players=2, variant="grand_pachessi")
    assert fields(Position("pachessi", first=first, players=4)).mover == first


@rows("first", ["white", "Black", "", "b", 7, None])
def test_first_must_be_a_colour(first):
    refused("first.*black", first=first)
    refused("first.*black.*red|first.*red.*black", first=first, players=4)


@rows("players", [0, 1, 3, 5, -2, "2", 2.5, None, 10**30])
def test_players_are_two_or_four(players):
    refused("players.*2.*4", players=players)
    with pytest.raises(ValueError, match="players"):
        Position.from_text("pachessi", place("Ra7", "Rg1"), players=players)


@rows("grand", [2, -1, "yes"])
def test_grand_is_yes_or_no(grand):
    refused("grand", grand=grand)


@rows("option", ["turn_dice", "ships", "win_margin"])
def test_unknown_option_is_refused(option):
    with pytest.raises((TypeError, ValueError), match=option):
        Position("pachessi", **{option: 1})
    with pytest.raises((TypeError, ValueError), match=option):
        Position.from_text("pachessi", place("Ra7", "Rg1"), **{option: 1})


# Boards.


@rows(
    ("size", "hole"),
    [
        (5, 1),
        (6, 2),
        (7, 1),
        (7, 3),
        (8, 2),
        (8, 4),
        (9, 5),
        (10, 6),
        (11, 7),
        (25, 21),
        (26, 2),
        (26, 22),
        (25, 1),
    ],
)
@rows("grand", [False, True])
@rows("players", COLOURS)
def test_possible_boards(size, hole, grand, players):
    position = Position("pachessi", size=size, hole=hole, grand=grand, players=players)
    start = position.text
    again = Position.from_text(
        "pachessi", start, size=size, hole=hole, grand=grand, players=players
    )
    assert again.play("roll 2 6").legal_moves()
    assert f"Ra{size}:0" in start


@rows(
    ("size", "hole", "reason"),
    [
        (27, 3, "size.*26"),
        (28, 4, "size.*26"),
        (1000, 4, "size.*26"),
        (0, 2, "size"),
        (-7, 3, "size"),
        (3, 1, "size|hole|ring"),
        (4, 2, "size|hole|ring"),
        (7, 0, "hole"),
        (8, 0, "hole"),
        (7, -1, "hole"),
        (7, 2, "hole|size"),
        (7, 4, "hole|size"),
        (8, 3, "hole|size"),
        (10, 5, "hole|size"),
        (7, 5, "hole|ring"),
        (8, 6, "hole|ring"),
        (7, 7, "hole|ring"),
        (7, 9, "hole|ring"),
        (26, 24, "hole|ring"),
        ("7", 3, "size"),
        (7, "3", "hole"),
        (7.5, 3, "size"),
    ],
)
@rows("grand", [False, True])
def test_impossible_board_is_refused(size, hole, reason, grand):
    refused(reason, size=size, hole=hole, grand=grand)
    with pytest.raises(ValueError):
        Position.from_text("pachessi", place("Ra5", "Re1"), size=size, hole=hole, grand=grand)


def test_variant_name_gives_the_defaults_and_each_option_replaces_its_own():
    assert "Ra9:0" in Position("pachessi", size=9).text
    assert "Ra9:0" in Position("grand_pachessi", size=9).text
    # A hole of five leaves a ring of two, a hole of three one of three.
    text = place("Rc7", "Ra1")
    assert Position.from_text("pachessi", text, size=9).text == text
    with pytest.raises(ValueError, match="pieces"):
        Position.from_text("grand_pachessi", text, size=9)
    refused("hole|size", size=8)
    refused("hole|size|ring", variant="grand_pachessi", size=7)
    refused("hole|size|ring", hole=5)
    refused("hole|size|ring", hole=2)


@rows("players", COLOURS)
def test_grand_says_how_pieces_move_and_whether_four_players_have_ships(players):
    small = Position("pachessi", grand=True, players=players)
    large = Position("grand_pachessi", grand=False, players=players)
    assert "Sd7" in small.text
    assert ("Sd11" in large.text) is (players == 2)
    assert len(small.legal_moves()) == 21
    assert len(large.legal_moves()) == (21 if players == 2 else 15)
    seat = Seat(players, "black", grand=True)
    assert seat.targets("Ra4") == "a2 a3 b3 b4 c2"
    assert seat.targets("Hb3") == "a1 c1 d2 e2"
    plain = Seat(players, "black", "grand_pachessi", grand=False)
    assert plain.targets("Ri9") == "h10 h9 i10"
    assert plain.targets("Hc4") == "a3 b2 d2 e3"


# The Elephant's range. It stands on c1.


def along(elephant_range=None, **options):
    if elephant_range is not None:
        options["elephant_range"] = elephant_range
    seat = Seat(2, "black", **options)
    return " ".join(end for end in seat.targets("Ec1").split() if end[1:] == "1")


@rows(
    ("size", "hole", "grand", "reached"),
    [
        (5, 1, False, "d1 e1"),
        (6, 2, False, "d1 e1"),
        (7, 3, False, "d1 e1 f1"),
        (7, 3, True, "d1 e1 f1"),
        (8, 2, False, "d1 e1 f1"),
        (8, 4, False, "d1 e1 f1"),
        (9, 3, True, "d1 e1 f1 g1"),
        (11, 5, False, "d1 e1 f1 g1 h1"),
        (12, 4, False, "d1 e1 f1 g1 h1"),
        (13, 5, False, "d1 e1 f1 g1 h1 i1"),
        (26, 2, False, "d1 e1 f1 g1 h1 i1 j1 k1 l1 m1 n1 o1"),
    ],
)
def test_range_of_the_elephant_is_half_the_board_unless_given(size, hole, grand, reached):
    assert along(size=size, hole=hole, grand=grand) == reached


@rows(
    ("elephant_range", "reached"),
    [(1, "d1"), (2, "d1 e1"), (3, "d1 e1 f1"), (4, "d1 e1 f1 g1"), (6, "d1 e1 f1 g1")],
)
def test_range_of_the_elephant(elephant_range, reached):
    assert along(elephant_range) == reached


def test_range_of_the_elephant_replaces_only_its_own():
    assert along(2, size=11, hole=5) == "d1 e1"
    seat = Seat(2, "black", elephant_range=1)
    assert seat.targets("Sd1") == "e2 f3 g4"
    assert seat.targets("Ef2") == "f3 g2"


@rows("elephant_range", [-1, -3, "3", 2.5])
def test_impossible_range_of_the_elephant_is_refused(elephant_range):
    refused("elephant_range", elephant_range=elephant_range)


@rows(
    ("raja_range", "grand", "reached"),
    [(0, False, "d1"), (0, True, "d1 e1"), (1, True, "d1"), (3, False, "d1 e1 f1")],
)
def test_range_of_the_raja(raja_range, grand, reached):
    seat = Seat(2, "black", raja_range=raja_range, grand=grand)
    assert " ".join(end for end in seat.targets("Rc1").split() if end[1:] == "1") == reached


def test_options_stay_with_copies_and_later_turns():
    seat = Seat(2, "black", elephant_range=1, size=8, hole=4)
    position = seat.position("Ra4 Ea8", foe="Hh1", dice="3")
    position = (
        position.copy().play("3:Ea8-a7").copy().play("roll 3 3").play("pass").play("roll 3 3")
    )
    assert position.legal_moves() == ["3:Ea7-a6", "3:Ea7-b7"]


# Grace, laps and the first roll.


@rows("value", [-1, 0, 4, "1", None])
def test_impossible_laps_and_dice_are_refused(value):
    refused("laps", laps=value)
    refused("first_dice", first_dice=value if value != 0 else 3)


@rows("laps", [1, 2, 3])
@rows("more", [-1, 0, 1])
def test_laps_after_which_a_piece_may_be_borne_off(laps, more):
    seat = Seat(2, "black", laps=laps)
    assert ("off" in seat.targets(f"Ra7:{laps + more}").split()) is (more >= 0)


@rows("grace", [True, False])
def test_a_capture_earns_a_grace_die_only_with_grace(grace):
    seat = Seat(2, "black", grace=grace)
    after = seat.position("Ra7", foe="Ha6 Rg1", dice="4").play("4:Ra7-a6")
    assert (fields(after).mover == "black") is grace
    assert fields(after).roll == ("g" if grace else "i")


@rows("roll", ["g", "i+"])
def test_without_grace_no_text_has_it(roll):
    text = place("Ra7", "Rg1", dice="4", roll=roll)
    assert Position.from_text("pachessi", text).text == text
    with pytest.raises(ValueError, match="roll"):
        Position.from_text("pachessi", text, grace=False)


@rows("players", COLOURS)
@rows("variant", ["pachessi", "grand_pachessi"])
def test_the_first_roll_of_the_game_may_be_of_one_die(variant, players):
    position = Position(variant, players=players, first_dice=1)
    assert all(len(label.split()) == 2 for label in position.legal_moves())
    assert sum(map(position.outcome_probability, position.legal_moves())) == pytest.approx(1)
    position.play("roll 4")
    assert fields(position).dice == "4"
    position.play(position.legal_moves()[0])
    assert fields(position)[1:] == (COLOURS[players][1], "-", "i", "1")
    assert all(len(label.split()) == 3 for label in position.legal_moves())


@rows(("dice", "roll"), [("2,4", "i"), ("4", "i+")])
def test_no_text_of_a_first_turn_with_one_die_has_more(dice, roll):
    text = place("Ra7", "Rg1", dice=dice, roll=roll, turns=0)
    assert Position.from_text("pachessi", text).text == text
    with pytest.raises(ValueError, match=r"dice|roll"):
        Position.from_text("pachessi", text, first_dice=1)


# Other readings of the inventor's text.


@rows(
    ("option", "value"),
    [("dice", "both"), ("bear_off", "never"), ("grace_move", True), ("first", "teams")],
)
def test_impossible_readings_are_refused(option, value):
    refused(rf"{option}.*(each or all|forced or free|lot or team)", **{option: value})


@rows(
    ("words", "dice", "roll", "forced"),
    [
        ("Ra6 Eb5 Hc7:1", "2", "i", "2:Hc7-off"),
        ("Ra6 Eb5 Hc7:1", "2", "g", "2:Hc7-off"),
        ("Ra6 Eb5 Hc7:1", "2", "i+", "2:Hc7-off"),
        ("Ra6 Eb5 Hc7:1", "2,2", "i", "2:Hc7-off"),
    ],
)
def test_ruling_9_a_die_that_can_only_bear_off_must_unless_that_is_free(words, dice, roll, forced):
    """Ruling 9."""
    assert Seat(2, "black").legal(words, dice=dice, roll=roll) == forced
    free = Seat(2, "black", bear_off="free")
    assert free.legal(words, dice=dice, roll=roll) == f"{forced} pass"
    assert "pass" not in free.legal("Ra7 Hc7:1", dice=dice, roll=roll)


def test_ruling_9_a_pass_throws_the_dice_away_and_keeps_a_grace_die_that_is_earned():
    """Ruling 9."""
    free = Seat(2, "black", bear_off="free")
    assert free.then("Ra6 Eb5 Hc7:1", "pass", dice="2,2") == "foe - i 1"
    assert free.then("Ra6 Eb5 Hc7:1", "pass", dice="2", roll="i+") == "me - g 0"


@rows("dice", ["2", "4", "6"])
def test_ruling_10_a_grace_die_must_be_used_unless_that_is_free(dice):
    """Ruling 10."""
    words, free = "Ra7 Hc7", Seat(2, "black", grace_move="free")
    forced = Seat(2, "black").legal(words, dice=dice, roll="g")
    assert "pass" not in forced
    assert free.legal(words, dice=dice, roll="g") == f"{forced} pass"
    assert free.legal(words, dice=dice, roll="i") == forced
    assert free.then(words, "pass", dice=dice, roll="g") == "foe - i 1"


# In the corner a7 the Horse cannot use the second die; on a6 it blocks the Raja.
@rows(
    ("words", "dice", "legal"),
    [
        ("Ra3 Hc6", "2,6", lambda label: label != "6:Hc6-a7"),
        ("Ha5", "2,2", lambda label: True),
        ("Ra7 Eb7 Hc7", "2,4", lambda label: label != "2:Hc7-a6"),
    ],
)
def test_ruling_1_both_dice_must_be_used_if_a_choice_allows_it(words, dice, legal):
    """Ruling 1: the option ``dice="all"`` is the stricter reading."""
    each, both = Seat(2, "black"), Seat(2, "black", dice="all")
    assert both.legal(words, dice=dice).split() == [
        label for label in each.legal(words, dice=dice).split() if legal(label)
    ]


def test_ruling_1_a_use_that_wins_is_legal_though_the_other_die_remains():
    """Ruling 1."""
    both = Seat(2, "black", dice="all")
    assert "2:Hc7-off" in both.legal("Hc7:1", dice="2,2").split()
    assert "2:Hc7-a6" in both.legal("Hc7:1", dice="2,2").split()


def test_ruling_1_nobody_has_to_bear_off_to_use_both_dice_where_that_is_free():
    """Rulings 1 and 9: only if the Elephant is borne off is the other 3 for any piece."""
    words, dice = "Rb6 Eb7:1 Ha6", "3,3"
    forced, free = (Seat(2, "black", dice="all", bear_off=each) for each in ("forced", "free"))
    assert Seat(2, "black").legal(words, dice=dice) == "3:Eb7-a7 3:Eb7-off"
    assert forced.legal(words, dice=dice) == "3:Eb7-off"
    assert free.legal(words, dice=dice) == "3:Eb7-a7 3:Eb7-off"


@rows(("drawn", "partner"), [("black", "yellow"), ("green", "red"), ("red", "green")])
def test_ruling_4_the_team_that_wins_the_lot_chooses_who_of_it_begins(drawn, partner):
    """Ruling 4."""
    for first in (drawn, partner):
        position = Position("pachessi", players=4, first="team")
        assert fields(position).mover == "lot"
        assert [position.outcome_probability(colour) for colour in COLOURS[4]] == [0.25] * 4
        position.play(drawn)
        assert position.to_move == COLOURS[4].index(drawn)
        assert fields(position)[1:] == (drawn, "-", "c", "0")
        assert position.legal_moves() == sorted([drawn, partner])
        assert Position.from_text("pachessi", position.text, players=4, first="team").text == (
            position.text
        )
        position.play(first)
        assert fields(position)[1:] == (first, "-", "i", "0")
        assert position.is_chance


def test_ruling_4_of_two_players_the_winner_of_the_lot_begins():
    """Ruling 4."""
    position = Position("pachessi", first="team")
    assert position.legal_moves() == ["black", "yellow"]
    assert fields(position.play("yellow"))[1:] == ("yellow", "-", "i", "0")


@rows(
    ("options", "mover", "dice", "roll"),
    [
        ({}, "black", "-", "c"),
        ({"players": 4, "first": "lot"}, "black", "-", "c"),
        ({"first": "team"}, "black", "-", "c"),
        ({"players": 4, "first": "team"}, "black", "2,3", "c"),
        ({"players": 4, "first": "team"}, "black", "-", "c+"),
        ({"players": 4, "first": "team"}, "lot", "-", "c"),
    ],
)
def test_a_text_has_the_choice_of_who_begins_only_where_there_is_one(options, mover, dice, roll):
    """Ruling 4."""
    position = Position("pachessi", **options)
    text = " ".join([fields(position).pieces, mover, dice, roll, "0"])
    with pytest.raises(ValueError, match=r"roll|dice"):
        Position.from_text("pachessi", text, **options)


def test_ruling_11_no_square_is_safe():
    """Ruling 11: a piece is taken even on its own starting square."""
    seat = Seat(2, "black")
    for letter, square in {"R": "g1", "E": "f1", "H": "e1", "S": "d1"}.items():
        origin = f"{chr(ord(square[0]) - 1)}1"
        label = f"4:R{origin}-{square}"
        assert seat.after(f"R{origin}", label, foe=f"{letter}{square}", dice="4", name="foe") == (
            " ".join(f"{other}@" for other in letter)
        )
