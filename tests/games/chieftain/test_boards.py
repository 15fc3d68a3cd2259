"""Rules, "Boards": the three setups, and boards of one's own."""

import re
from collections import Counter

import pytest

from pasgl_env import Position

from ...rows import rows
from .positions import listed, mirrored, place

SETUPS = {
    "chieftain": (
        "1hcs1chsshc1sch1/1nm2mn2nm2mn1/16/m2mm2mm2mm2m/1m4m2m4m1/16/16/1M4M2M4M1/M2MM2MM2MM2M/16/"
        "1NM2MN2NM2MN1/1HCS1CHSSHC1SCH1"
    ),
    "superchief": (
        "1hcs1chs1chsshc1shc1sch1/1nm2mn2mn2nm2nm2mn1/24/m2mm2mm2mm2mm2mm2m/1m4m3m2m3m4m1/24/24/"
        "1M4M3M2M3M4M1/M2MM2MM2MM2MM2MM2M/24/1NM2MN2MN2NM2NM2MN1/1HCS1CHS1CHSSHC1SHC1SCH1"
    ),
    "overlord": (
        "hcschshcschsshcschshcsch/n1bn1rn1bn1rr1nb1nr1nb1n/24/m1mm1mm1mm1mm1mm1mm1mm1m/"
        "1m2m2m2m2m2m2m2m1/24/24/24/24/24/24/1M2M2M2M2M2M2M2M1/M1MM1MM1MM1MM1MM1MM1MM1M/24/"
        "N1BN1RN1BN1RR1NB1NR1NB1N/HCSCHSHCSCHSSHCSCHSHCSCH"
    ),
}
SIZES = {"chieftain": "16x12", "superchief": "24x12", "overlord": "24x16"}
TRIBES = {"chieftain": 4, "superchief": 6, "overlord": 8}
SMALL = "3c/4/4/C3"
OPTIONS = {"activations": (1, 1, 8), "command_range": (1, 3, 23)}  # least, default, greatest
ALL_SEVEN = "chsnmbr/7/7/CHSNMBR"
variants = rows("variant", SETUPS)


def board(variant):
    return Position(variant).text.split(" ")[0]


def pieces(variant):
    return listed(board(variant)).split()


def kinds(variant):
    """How many of each kind White has."""
    return Counter(word[0] for word in pieces(variant) if word[0].isupper())


@variants
def test_start(variant):
    position = Position(variant)
    assert position.text == f"{SETUPS[variant]} w 0 0"
    assert position.to_move == 0
    assert not position.is_over
    assert position.returns is None


@variants
def test_size_of_the_board(variant):
    ranks = SETUPS[variant].split("/")
    squares = [re.sub(r"\d+", lambda run: " " * int(run[0]), rank) for rank in ranks]
    assert {f"{len(rank)}x{len(ranks)}" for rank in squares} == {SIZES[variant]}


@variants
def test_both_sides_start_alike(variant):
    now = " ".join(pieces(variant))
    assert mirrored(now, SIZES[variant]) == now


@rows(
    ("variant", "count", "letters"),
    [("chieftain", 32, "CHMNS"), ("superchief", 48, "CHMNS"), ("overlord", 64, "BCHMNRS")],
)
def test_number_and_kinds_of_pieces(variant, count, letters):
    assert kinds(variant).total() == count
    assert "".join(sorted(kinds(variant))) == letters


@rows(
    ("variant", "tribe"),
    [("chieftain", "CHSNMMMM"), ("superchief", "CHSNMMMM"), ("overlord", "CHSNMMM")],
)
def test_tribes(variant, tribe):
    assert kinds(variant) - Counter("BR" * 8) == Counter(tribe * TRIBES[variant])


def test_half_of_the_overlord_tribes_have_a_bishopy_half_a_rookish():
    assert (kinds("overlord")["B"], kinds("overlord")["R"]) == (4, 4)


@variants
def test_a_third_of_the_squares_are_occupied(variant):
    width, height = map(int, SIZES[variant].split("x"))
    assert 3 * len(pieces(variant)) == width * height


@variants
def test_setup_may_be_spelled_out(variant):
    spelled = Position(variant, setup=SETUPS[variant], activations=1, command_range=3)
    assert spelled.text == Position(variant).text
    assert spelled.legal_moves() == Position(variant).legal_moves()


@variants
def test_first_turn_has_as_many_moves_as_tribes(variant):
    position = Position(variant)
    moves = 0
    while position.to_move == 0:
        actions = position.legal_moves()
        asked = actions[0].startswith("by")
        moves += not asked
        # Chieftains stay at home, where everybody finds something to do.
        position.play(actions[0] if asked else next(move for move in actions if move[0] == "M"))
    assert moves == TRIBES[variant]
    assert position.text.endswith(" b 0 1")


# The option `setup`.


@variants
@rows(
    "setup",
    [
        SMALL,
        "c3/4/4/4/C3",
        "C3/4/4/c3",
        "3cC/5/5/5",
        "12c/13/13/C12",
        f"23c/{'24/' * 22}C23",
        f"3c/{'4/' * 22}C3",
        "23c/24/24/C23",
        ALL_SEVEN,
        f"{'r' * 24}/c23/24/{'RC' * 12}",
        "/".join(["c" * 8] * 4 + ["C" * 8] * 4),
        "3c/MMMM/HHSS/CBBR",
    ],
)
def test_setup_is_any_board_field(variant, setup):
    position = Position(variant, setup=setup)
    assert position.text == f"{setup} w 0 0"
    assert position.legal_moves()
    assert Position.from_text(variant, f"{setup} b 1 7", setup=setup).legal_moves()


def test_four_by_four():
    assert Position("chieftain", setup=SMALL).legal_moves() == (
        [f"Ca1-{end}" for end in "a2 a3 b1 b2 b3 c1 c2 c3".split()]
    )


def test_twenty_four_by_twenty_four():
    text = f"{'24/' * 10}11Cc11/{'24/' * 12}24 b 0 0"
    setup = text.split(" ")[0]
    position = Position.from_text("chieftain", text, setup=setup)
    assert "Cm14-o16" in position.legal_moves()
    assert "Cm14xl14" in position.legal_moves()
    far = Position("chieftain", setup=f"23c/{'24/' * 22}C23")
    assert far.play("Ca1-a2").legal_moves() == (
        [f"Cx24-{end}" for end in "v22 v23 v24 w22 w23 w24 x22 x23".split()]
    )


@rows(
    "setup",
    [
        "",
        " ",
        "C",
        "Cc",
        "2c/3/3/C2",
        "2c/3/3/3/C2",
        "3c/4/C3",
        f"24c/{'25/' * 22}C24",
        f"3c/{'4/' * 23}C3",
        "24c/25/25/C24",
        "4/4/4/4",
        "4/4/4/C3",
        "3c/4/4/4",
        "3c/4/4/c3",
        "3c/4/4/C2",
        "3c/4/4/C4",
        "3c/5/4/C3",
        "3c/3/4/C3",
        "3c/4//C3",
        "3c/4/4/C3/",
        "/3c/4/4/C3",
        "3c/22/4/C3",
        "3c/13/4/C3",
        "3c/4/04/C3",
        "3c/4/40/C3",
        "3c/4/0M3/C3",
        "3c/K3/4/C3",
        "3c/w3/4/C3",
        "3c/-3/4/C3",
        "3c/+4/4/C3",
        "3c/4 /4/C3",
        " 3c/4/4/C3",
        "3c/4/4/C3 ",
        "3c/4/4/C3\n",
        "3c/4/4/C3 w 0 0",
        "3c\\4\\4\\C3",
        "3c/\N{ARABIC-INDIC DIGIT FOUR}/4/C3",
        "3c/\N{FULLWIDTH DIGIT FOUR}/4/C3",
        "3c/\N{SUPERSCRIPT TWO}\N{SUPERSCRIPT TWO}/4/C3",
        "3c/\N{CYRILLIC CAPITAL LETTER EM}3/4/C3",
        "3c/\N{LATIN SMALL LETTER LONG S}3/4/C3",
        "3c/4/4/C99999999999999999999",
        "/".join(["c" * 8, "8", "8", *["C" * 8] * 4, "C7"]),
        "/".join(["C" * 8, "8", "8", *["c" * 8] * 4, "7c"]),
        None,
        4,
        True,
        b"3c/4/4/C3",
        ["3c", "4", "4", "C3"],
    ],
)
def test_other_setups_are_refused(setup):
    with pytest.raises(ValueError, match="setup"):
        Position("overlord", setup=setup)
    with pytest.raises(ValueError, match="setup"):
        Position.from_text("chieftain", f"{SMALL} w 0 0", setup=setup)


@rows(
    ("setup", "allowed"),
    [
        ("2c/3/3/C2", "4.*24"),
        ("4/4/4/4", r"(Chieftain|\bC\b)"),
        ("/".join(["c" * 8, "8", "8", *["C" * 8] * 4, "C7"]), "32"),
    ],
)
def test_message_says_what_setups_are_allowed(setup, allowed):
    with pytest.raises(ValueError, match=f"setup.*{allowed}"):
        Position("chieftain", setup=setup)


# The other options.


@rows("option", OPTIONS)
def test_options_have_limits(option):
    low, _, high = OPTIONS[option]
    for value in (low, high):
        assert Position("chieftain", **{option: value}).legal_moves()
        assert Position.from_text(
            "chieftain", f"{SMALL} b 0 0", setup=SMALL, **{option: value}
        ).legal_moves()
    for value in (low - 1, high + 1, -1000, 10**6, 10**40):
        with pytest.raises(ValueError, match=rf"{option}.*\b{low}\b.*\b{high}\b"):
            Position("chieftain", **{option: value})


@rows("option", OPTIONS)
@rows("value", ["3", "", 3.5, 3.0, None, True, [3]])
def test_option_that_is_no_integer_is_refused(option, value):
    with pytest.raises(ValueError, match=option):
        Position("chieftain", **{option: value})


@rows("option", ["players", "range", "Setup", "win_margin"])
def test_unknown_option_is_refused(option):
    with pytest.raises(ValueError, match=option):
        Position("chieftain", **{option: 2})


@variants
def test_defaults(variant):
    plain = Position(variant)
    spelled = Position(variant, **{option: default for option, (_, default, _) in OPTIONS.items()})
    assert spelled.perft(2) == plain.perft(2)


@rows("name", ["Chieftain", "chief", "super_chief", "overlords", ""])
def test_unknown_variant_is_refused(name):
    with pytest.raises(ValueError):
        Position(name)


@rows("reach", [1, 2, 4, 7, 11])
def test_command_range(side, reach):
    files = "abcdefghijklmnop"
    for distance, commanded in ((reach, True), (reach + 1, False)):
        for square in (f"{files[distance]}1", f"a{distance + 1}", f"{files[distance]}2"):
            movers = side.movers(f"Ca1 M{square}", size="16x16", command_range=reach)
            assert (f"M{square}" in movers) is commanded


def test_greatest_command_range_covers_the_largest_board(side):
    pieces = "Ca1 Mx24 Ma24 Mx1 cl12"
    movers = side.movers(pieces, size="24x24", command_range=23)
    assert movers == "Ca1 Ma24 Mx1 Mx24"
    assert side.movers(pieces, size="24x24", command_range=22) == "Ca1"


@rows("activations", [1, 2, 3, 8])
def test_activations_of_one_chieftain(side, activations):
    men = [f"M{file}4" for file in "abcdefgh"]
    position = side.position(" ".join(["Cd1", *men]), activations=activations, command_range=7)
    for man in men[:activations]:
        assert position.to_move == side.index
        position.play(side.label(f"{man}-{man[1]}5"))
    assert position.to_move == 1 - side.index


def test_every_turn_brings_all_activations_anew(side):
    files = "abcdefgh"
    pieces = " ".join(["Cd1", *(f"M{file}3" for file in files)])
    first, second = ([f"M{file}{rank}-{file}{rank + 1}" for file in files] for rank in (3, 4))
    labels = [*first, "Ch8-h7", "end", *second]
    options = {"activations": 8, "command_range": 7}
    assert side.movers(pieces, *labels[:-1], **options) == "Cd1 Mh4"
    assert side.position(pieces, *labels, **options).to_move == 1 - side.index


@rows("activations", [2, 3])
def test_chieftain_can_be_named_until_its_activations_are_spent(side, activations):
    pieces = "Ca1 Cb1 Mc1 Mc2 Mc3 Mb3"
    labels = []
    for rank in (3, 2, 1)[:activations]:
        labels.append(f"Mc{rank}-d{rank}")
        assert side.legal(pieces, *labels, activations=activations) == "by a1, by b1"
        labels.append("by a1")
    # Only the other commands from now on.
    assert "end" in side.labels(pieces, *labels, "Mb3-b4", activations=activations)


# Thirty-two Chieftains, each out of the range of the others.
THIRTY_TWO = [f"{file}{rank}" for rank in (21, 17, 13, 9, 5, 1) for file in "aeimqu"][:32]


def test_as_many_moves_a_turn_as_the_most_chieftains(side):
    pieces = " ".join(f"C{square}" for square in THIRTY_TWO)
    position = side.position(pieces, size="24x24")
    for square in THIRTY_TWO:
        assert position.to_move == side.index
        position.play(side.label(f"C{square}-{square[0]}{int(square[1:]) + 1}", "24x24"))
    assert position.to_move == 1 - side.index


def test_most_chieftains_with_the_most_activations(side):
    pieces = " ".join(f"C{square}" for square in THIRTY_TWO)
    position = side.position(pieces, "Ca21-a22", size="24x24", activations=8)
    assert position.to_move == side.index
    assert "end" in position.legal_moves()


def test_piece_moves_once_even_with_activations_left(side):
    assert side.legal("Ca1", "Ca1-a2", activations=2) == "end"
    assert side.movers("Ca1 Mb1", "Mb1-b2", activations=8) == "Ca1"


def test_moved_chieftain_keeps_its_other_activations(side):
    assert side.movers("Ca1 Mb4 Mf1", "Ca1-c2", activations=2) == "Mb4 Mf1"
    assert side.movers("Ca1 Mb4 Mf1", activations=2) == "Ca1 Mb4"


def test_leader_of_two_activations_and_range_two(side):
    leader = {"activations": 2, "command_range": 2}
    pieces = "Ca1 Mc3 Mc1 Md1 Ma4"
    assert side.movers(pieces, **leader) == "Ca1 Mc1 Mc3"
    assert side.movers(pieces, "Mc3-d4", **leader) == "Ca1 Mc1"
    assert side.position(pieces, "Mc3-d4", "Mc1-b1", **leader).to_move == 1 - side.index
    assert side.position(pieces, "Ca1-b2", "Md1-e1", **leader).to_move == 1 - side.index


def test_place_knows_the_setups():
    for variant, setup in SETUPS.items():
        assert place(" ".join(pieces(variant)), SIZES[variant]) == setup
