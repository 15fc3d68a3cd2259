"""Rules, "Position text": what it says, and what is refused."""

import random

import pytest

from pasgl_env import Position

from ...rows import rows
from .positions import COLOURS, place

START = "Ra7:0,Eb7:0,Hc7:0,Sd7:0/Rg1:0,Ef1:0,He1:0,Sd1:0 black - i 0"
START_OF_FOUR = (
    "Ra7:0,Eb7:0,Hc7:0/Ra1:0,Ea2:0,Ha3:0/Rg1:0,Ef1:0,He1:0/Rg7:0,Eg6:0,Hg5:0 black - i 0"
)
GRAND_START = "Ra11:0,Eb11:0,Hc11:0,Sd11:0/Rk1:0,Ej1:0,Hi1:0,Sh1:0 black - i 0"
GRAND_START_OF_FOUR = (
    "Ra11:0,Eb11:0,Hc11:0,Sd11:0/Ra1:0,Ea2:0,Ha3:0,Sa4:0/"
    "Rk1:0,Ej1:0,Hi1:0,Sh1:0/Rk11:0,Ek10:0,Hk9:0,Sk8:0 black - i 0"
)
BLACK, YELLOW = START.split(" ")[0].split("/")


def read(text, variant="pachessi", **options):
    return Position.from_text(variant, text, **options)


def refused(text, reason="", **options):
    with pytest.raises(ValueError, match=rf"(?i){reason}"):
        read(text, **options)


def text(pieces=f"{BLACK}/{YELLOW}", mover="black", dice="-", roll="i", turns="0"):
    return f"{pieces} {mover} {dice} {roll} {turns}"


@rows(
    ("variant", "options", "start"),
    [
        ("pachessi", {}, START),
        ("pachessi", {"players": 4}, START_OF_FOUR),
        ("grand_pachessi", {}, GRAND_START),
        ("grand_pachessi", {"players": 4}, GRAND_START_OF_FOUR),
    ],
)
def test_start(variant, options, start):
    assert Position(variant, **options).text == start
    assert read(start, variant, **options).text == start


@rows(
    "accepted",
    [
        text(mover="yellow"),
        text(roll="g"),
        text(dice="2"),
        text(dice="2", roll="i+"),
        text(dice="2", roll="g"),
        text(dice="1,1"),
        text(dice="6,6"),
        text(dice="2,6"),
        text(dice="1,6", mover="yellow"),
        text(turns="1"),
        text(turns="10"),
        text(turns="999999"),
        text(pieces=f"Ra6:1,Ec6:-1,H@,S*/{YELLOW}"),
        text(pieces=f"{BLACK}/R*,E*,H*,Sg4:12"),
        text(pieces=f"{BLACK}/R@,E@,H@,S@"),
        text(pieces=f"R@,E@,H@,S@/{YELLOW}", dice="3"),
        text(pieces="R*,Ea1:3,H@,S@/Rd7:0,E*,Ha7:1,Sg7:100"),
        text(pieces=f"R@,E@,H*,S*/{YELLOW}", dice="4,5"),
    ],
)
def test_text_of_any_possible_position_is_read_and_written_alike(accepted):
    position = read(accepted)
    assert position.text == accepted
    assert not position.is_over
    assert position.is_chance is (" - " in accepted)


@rows("players", COLOURS)
def test_mover(players):
    for index, colour in enumerate(COLOURS[players]):
        start = (START if players == 2 else START_OF_FOUR).replace("black", colour)
        assert read(start, players=players).text == start
        assert read(start.replace(" - ", " 2 "), players=players).to_move == index


def test_pieces_are_each_players_in_player_order():
    start = START_OF_FOUR.replace(" - ", " 4 ")
    firsts = ["4:Ra7-a6", "4:Ra1-b1", "4:Rg1-g2", "4:Rg7-f7"]
    for colour, first in zip(COLOURS[4], firsts, strict=True):
        assert read(start.replace("black", colour), players=4).legal_moves() == [first]


def test_piece_taken_or_born_off_or_on_a_square_with_its_laps():
    labels = read("R@,Eb7:1,Hc7:0,S*/Rg1:0,E*,H*,S* black 1,4 i 0").legal_moves()
    assert labels == ["1:R@-a7", "4:R@-a7"]
    after = read("Ra7:0,Eb7:1,Hc7:0,S*/Rg1:0,E*,H*,S* black 3,6 i 0")
    assert "3:Eb7-off" in after.legal_moves()
    assert "6:Hc7-off" not in after.legal_moves()


def test_nothing_is_written_as_labels_played_so_far():
    position = read(START).play("roll 2 6")
    assert position.text == START.replace(" - ", " 2,6 ")
    position.play("6:Hc7-b5")
    assert position.text == "Ra7:0,Eb7:0,Hb5:0,Sd7:0/Rg1:0,Ef1:0,He1:0,Sd1:0 black 2 i 0"
    assert read(position.text).legal_moves() == position.legal_moves() == ["2:Hb5-a3"]


@rows("label", ["roll 1 2", "roll", "pass", ","])
def test_labels_do_not_belong_in_a_text(label):
    refused(f"{START} {label}")
    refused(f"{START.replace(' - ', ' 2,6 ')} {label}")


@rows("label", ["2:Hc7-b5", "2:Hc7-b5,6:Hb5-a3", "6:Ra7-a6"])
def test_labels_that_are_legal_do_not_belong_in_a_text_either(label):
    refused(f"{START.replace(' - ', ' 2,6 ')} {label}")


@rows(
    ("variant", "options"),
    [
        ("pachessi", {"players": 2}),
        ("pachessi", {"players": 4}),
        ("grand_pachessi", {"players": 2}),
        ("grand_pachessi", {"players": 4}),
        ("pachessi", {"players": 2, "size": 26, "hole": 2}),
        ("pachessi", {"players": 4, "size": 5, "hole": 1, "grand": True}),
    ],
)
def test_text_of_any_position_of_a_game_is_read_again(variant, options):
    chance = random.Random(1)
    position = Position(variant, **options)
    for _ in range(150):
        again = read(position.text, variant, **options)
        assert again.text == position.text
        assert again.legal_moves() == position.legal_moves()
        assert again.to_move == position.to_move
        if position.is_over:
            break
        position.play(chance.choice(position.legal_moves()))


# Finished games.


@rows(("dice", "roll"), [("-", "i"), ("-", "g"), ("4", "i")])
@rows(("mover", "returns"), [("black", (1, -1)), ("yellow", (-1, 1))])
def test_text_of_a_finished_game_is_read(dice, roll, mover, returns):
    off = "R*,E*,H*,S*"
    pieces = f"{off}/{YELLOW}" if mover == "black" else f"{BLACK}/{off}"
    finished = text(pieces, mover, dice, roll, "12")
    position = read(finished)
    assert position.text == finished
    assert position.is_over
    assert position.to_move is None
    assert position.legal_moves() == []
    assert position.returns == returns


@rows(("dice", "roll"), [("2,6", "i"), ("3", "g"), ("1,1", "i")])
def test_mover_with_every_piece_born_off_has_used_a_die(dice, roll):
    refused(text(f"R*,E*,H*,S*/{YELLOW}", dice=dice, roll=roll))


@rows(("dice", "roll"), [("-", "i"), ("-", "g"), ("2", "i"), ("2,3", "i")])
def test_only_the_mover_can_have_every_piece_born_off(dice, roll):
    refused(text(f"{BLACK}/R*,E*,H*,S*", dice=dice, roll=roll))
    refused(text("R*,E*,H*,S*/R*,E*,H*,S*", dice=dice, roll=roll))
    four = START_OF_FOUR.split(" ")[0].split("/")
    for index in (1, 2, 3):
        players = [*four[:index], "R*,E*,H*", *four[index + 1 :]]
        refused(text("/".join(players), dice=dice, roll=roll), players=4)


# Impossible positions.


@rows(
    "pieces",
    [
        "Ra7:0,Ea7:0,H@,S@/R@,E@,H@,S@",
        "Ra7:0,E@,H@,S@/Ra7:0,E@,H@,S@",
        "R@,E@,Hb3:1,S@/R@,E@,H@,Sb3:0",
    ],
)
def test_two_pieces_on_a_square_are_refused(pieces):
    refused(text(pieces), "pieces|square")


@rows("hole", ["c3", "d4", "e5", "c5", "e3", "d3"])
def test_piece_in_the_hole_is_refused(hole):
    refused(text(f"R{hole}:0,E@,H@,S@/{YELLOW}"), "pieces")


def is_read(written, variant):
    try:
        return read(written, variant).text == written
    except ValueError:
        return False


@rows(("variant", "count"), [("pachessi", 40), ("grand_pachessi", 96)])
def test_number_of_squares(variant, count):
    squares = [f"{file}{rank}" for file in "abcdefghijklm" for rank in range(1, 14)]
    assert sum(is_read(place(f"R{square}", "R@"), variant) for square in squares) == count


@rows(
    ("square", "exists"),
    [
        ("c8", True),
        ("d8", False),
        ("h4", False),
        ("i4", True),
        ("k11", True),
        ("l1", False),
        ("a12", False),
        ("d9", True),
    ],
)
def test_squares_of_the_grand_board(square, exists):
    written = place(f"R{square}", "Ek2")
    if exists:
        assert read(written, "grand_pachessi").text == written
    else:
        refused(written, "pieces", variant="grand_pachessi")


@rows(
    ("dice", "roll"),
    [
        ("-", "i+"),
        ("-", "g+"),
        ("2", "g+"),
        ("2,6", "i+"),
        ("2,6", "g"),
        ("1,1", "g"),
        ("2,3,6", "i"),
        ("2,3,6", "g"),
    ],
)
def test_dice_that_do_not_go_with_the_roll_are_refused(dice, roll):
    refused(text(dice=dice, roll=roll), "dice|roll")


@rows("dice", ["1", "1,1", "1,2", "1,6"])
def test_one_is_refused_where_ones_are_rolled_again(dice):
    refused(START_OF_FOUR.replace("-", dice), "dice", players=4)
    assert read(text(dice=dice))
    four = GRAND_START_OF_FOUR.replace("-", dice)
    assert read(four, "grand_pachessi", players=4).text == four


@rows(("turns", "mover"), [("0", "yellow"), ("1", "black"), ("7", "black")])
def test_how_turns_mover_and_first_fit_together_is_not_checked(turns, mover):
    written = text(turns=turns, mover=mover)
    assert read(written).text == written
    assert read(written, first="yellow").text == written


# Malformed text.


@rows(
    "piece",
    [
        "",
        "R",
        "Ra7",
        "Ra7:",
        "R:0",
        "Ra:0",
        "R7:0",
        "R7a:0",
        "ra7:0",
        "RA7:0",
        "Ka7:0",
        "a7:0",
        "RRa7:0",
        "Ra7:0:0",
        "Ra07:0",
        "Ra0:0",
        "Ra8:0",
        "Rh7:0",
        "Ra-1:0",
        "Ra77:0",
        "Raa7:0",
        "Ra7:00",
        "Ra7:01",
        "Ra7:-0",
        "Ra7:+1",
        "Ra7:-01",
        "Ra7:--1",
        "Ra7:1.0",
        "Ra7:1_0",
        "Ra7:x",
        "Ra7:*",
        "Ra7:\N{ARABIC-INDIC DIGIT ONE}",
        "Ra7:\N{SUPERSCRIPT TWO}",
        "Ra\N{FULLWIDTH DIGIT SEVEN}:0",
        "Ra7:1" + "0" * 30,
        "Ra1" + "0" * 30 + ":0",
        "R@:0",
        "R*:1",
        "R@a7",
        "Ra7@",
        "R@@",
        "R*@",
        "R-",
        "R.",
        "r@",
        "Eb6:0",
        "Ra7:0,",
    ],
)
def test_malformed_piece_is_refused(piece):
    refused(text(f"{piece},Eb7:0,Hc7:0,Sd7:0/{YELLOW}"), "pieces")
    refused(text(f"R@,E@,H@,S@/{piece},Ef1:0,He1:0,Sd1:0"), "pieces")


@rows(
    "pieces",
    [
        BLACK,
        f"{BLACK}/",
        f"/{YELLOW}",
        f"{BLACK}/{YELLOW}/",
        f"/{BLACK}/{YELLOW}",
        f"{BLACK}//{YELLOW}",
        f"{BLACK},{YELLOW}",
        f"{BLACK}/{YELLOW}/R@,E@,H@,S@",
        f"{BLACK}/{YELLOW}/R@,E@,H@,S@/R@,E@,H@,S@",
        f"Ra7:0,Eb7:0,Hc7:0/{YELLOW}",
        f"Ra7:0,Eb7:0,Sd7:0/{YELLOW}",
        f"Eb7:0,Hc7:0,Sd7:0/{YELLOW}",
        f"Ra7:0,Hc7:0,Eb7:0,Sd7:0/{YELLOW}",
        f"Sd7:0,Ra7:0,Eb7:0,Hc7:0/{YELLOW}",
        f"Ra7:0,Eb7:0,Hc7:0,Hd7:0/{YELLOW}",
        f"{BLACK},S@/{YELLOW}",
        f"{BLACK},R@/{YELLOW}",
        f",{BLACK}/{YELLOW}",
        f"Ra7:0;Eb7:0;Hc7:0;Sd7:0/{YELLOW}",
        f"Ra7:0,Eb7:0,,Hc7:0,Sd7:0/{YELLOW}",
        "-",
        "",
    ],
)
def test_malformed_pieces_are_refused(pieces):
    refused(text(pieces), "pieces")


@rows("missing", range(4))
def test_four_players_without_ships_have_three_pieces_each(missing):
    players = START_OF_FOUR.split(" ")[0].split("/")
    for player in (players[missing] + ",S*", players[missing] + ",S@", players[missing][:-5]):
        changed = "/".join([*players[:missing], player, *players[missing + 1 :]])
        refused(text(changed), "pieces", players=4)


def test_text_of_another_number_of_players_is_refused():
    refused(START, "pieces", players=4)
    refused(START_OF_FOUR, "pieces")
    refused(GRAND_START, "pieces")
    refused(GRAND_START_OF_FOUR, "pieces", variant="grand_pachessi")


@rows(
    ("field", "refuses"),
    [
        ("mover", "green"),
        ("mover", "red"),
        ("mover", "Black"),
        ("mover", "BLACK"),
        ("mover", "b"),
        ("mover", "white"),
        ("mover", "0"),
        ("mover", "-"),
        ("mover", ""),
        ("dice", ""),
        ("dice", "0"),
        ("dice", "7"),
        ("dice", "2,7"),
        ("dice", "0,2"),
        ("dice", "6,2"),
        ("dice", "2,1"),
        ("dice", "26"),
        ("dice", "2-6"),
        ("dice", "2/6"),
        ("dice", "2,"),
        ("dice", ",2"),
        ("dice", "2,,6"),
        ("dice", "-,2"),
        ("dice", "--"),
        ("dice", "-1"),
        ("dice", "02"),
        ("dice", "+2"),
        ("dice", "2.0"),
        ("dice", "x"),
        ("dice", "."),
        ("dice", "\N{SUPERSCRIPT TWO}"),
        ("dice", "\N{ARABIC-INDIC DIGIT THREE}"),
        ("dice", "1" + "0" * 30),
        ("roll", ""),
        ("roll", "-"),
        ("roll", "+"),
        ("roll", "I"),
        ("roll", "G"),
        ("roll", "x"),
        ("roll", "ig"),
        ("roll", "ii"),
        ("roll", "i-"),
        ("roll", "+i"),
        ("roll", "i++"),
        ("roll", "0"),
        ("turns", ""),
        ("turns", "-"),
        ("turns", "-1"),
        ("turns", "-0"),
        ("turns", "+1"),
        ("turns", "00"),
        ("turns", "007"),
        ("turns", "1.0"),
        ("turns", "1e3"),
        ("turns", "1_0"),
        ("turns", "x"),
        ("turns", "\N{SUPERSCRIPT TWO}"),
        ("turns", "\N{ARABIC-INDIC DIGIT ONE}"),
    ],
)
def test_malformed_field_is_refused_by_name(field, refuses):
    refused(text(**{field: refuses}), field)


@rows("roll", ["I", "i++", "+", ""])
def test_malformed_roll_with_one_die_is_refused(roll):
    refused(text(dice="2", roll=roll), "roll")


@rows(
    "refuses",
    [
        "",
        " ",
        BLACK,
        START[:-2],
        START + " ",
        " " + START,
        START + "\n",
        START.replace(" ", "  ", 1),
        START.replace(" ", "\t", 1),
        START.replace(",", ", ", 1),
        START + " 0",
        START + " -",
        START.replace(" i ", " "),
        START.replace(" - i ", " i - "),
        START.replace(" black ", " "),
    ],
)
def test_malformed_text_is_refused(refuses):
    refused(refuses)
