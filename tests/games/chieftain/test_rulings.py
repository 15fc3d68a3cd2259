"""The rulings of the rules page, by number."""

import pytest

from pasgl_env import Position

from ...rows import rows
from .positions import listed

# Ruling 1: the setups of Superchief and Overlord are reconstructed.


@rows("variant", ["superchief", "overlord"])
def test_reconstructed_setups_have_the_spacing_of_the_known_one(variant):
    """Chieftains stand on the first rank, Knights on the second, as in the known setup."""
    ranks = {}
    for name in ("chieftain", variant):
        pieces = listed(Position(name).text.split(" ")[0]).split()
        ranks[name] = {
            letter: {word[2:] for word in pieces if word[0] == letter} for letter in "CHSN"
        }
    assert ranks[variant] == ranks["chieftain"]
    assert ranks[variant] == {"C": {"1"}, "H": {"1"}, "S": {"1"}, "N": {"2"}}


@rows("variant", ["superchief", "overlord"])
def test_setup_takes_the_originals(variant):
    original = Position("chieftain").text.split(" ")[0]
    other = Position(variant, setup=original)
    assert other.text == Position("chieftain").text
    assert other.legal_moves() == Position("chieftain").legal_moves()


# Ruling 2: range ignores what stands between.


@rows("between", ["", "Mb1 Mc1", "mb1 mc1", "Mb1 mc1 Ma2 mb2", "cb1 Hc1"])
def test_range_ignores_what_stands_between(side, between):
    assert "Md1" in side.movers(f"Ca1 {between} Md1").split()


# Ruling 3: no rule against repetition, no limit of turns.


def test_repetition_ends_nothing():
    position = Position("chieftain", setup="3c/4/4/C3")
    for _ in range(25):
        for label in ("Ca1-a2", "Cd4-d3", "Ca2-a1", "Cd3-d4"):
            position.play(label)
            assert not position.is_over
    assert position.text == "3c/4/4/C3 w 0 100"


def test_number_of_turns_ends_nothing():
    position = Position.from_text("chieftain", "3c/4/4/C3 w 0 9999999", setup="3c/4/4/C3")
    assert not position.play("Ca1-a2").is_over
    assert position.text == "3c/4/C3/4 b 0 10000000"


# Ruling 4: passing, and the draw by two passes.


@rows(("passes", "over"), [(0, False), (1, True)])
def test_second_pass_in_a_row_is_a_draw(side, passes, over):
    blocked = "Ca1 Hc3 Sc4 Sd3 " + " ".join(
        f"M{square}" for square in "a2 a3 a4 b1 b2 b3 b4 c1 c2 d1 d2".split()
    )
    position = side.position(blocked, "pass", size="4x4", passes=passes)
    assert position.is_over is over
    assert position.returns == ((0, 0) if over else None)


# Ruling 5: the second kind of leader, which setups may place.


def test_ruling_5_a_leader_moves_as_a_chieftain_does(side):
    """Ruling 5."""
    around = "Ma5 Md3 mc5"
    chieftain = side.labels(f"Cb4 {around}")
    leader = [label for label in side.labels(f"Lb4 {around}") if label.startswith("L")]
    assert [f"C{label[1:]}" for label in leader] == [
        label for label in chieftain if label.startswith("C")
    ]


def test_ruling_5_a_leader_gives_two_orders_within_two_squares(side):
    """Ruling 5."""
    pieces = "La1 Mc3 Mc1 Md1 Ma4"
    assert side.movers(pieces) == "La1 Mc1 Mc3"
    assert side.movers(pieces, "Mc3-d4") == "La1 Mc1"
    assert side.position(pieces, "Mc3-d4", "Mc1-b1").to_move == 1 - side.index
    assert side.movers(pieces, leader_range=3) == "La1 Ma4 Mc1 Mc3 Md1"
    assert side.position(pieces, "Mc3-d4", leader_activations=1).to_move == 1 - side.index


def test_ruling_5_leaders_stand_beside_chieftains_with_their_own_orders_and_range(side):
    """Ruling 5."""
    pieces = "La1 Cg1 Mc1 Md1 Me1"
    assert side.movers(pieces) == "Cg1 La1 Mc1 Md1 Me1"
    after = side.position(pieces, "Me1-e2")
    assert side.movers(pieces, "Me1-e2") == "La1 Mc1"
    assert after.question == "what next? (activations left: 2)"
    both = side.position("La1 Cb1 Mb3", "Mb3-b4")
    assert side.label("by a1") in both.legal_moves()
    # A Leader that has been moved orders from where it stands.
    assert "Me1" in side.movers("La1 Me1", "La1-c1").split()


def test_ruling_5_a_side_without_chieftains_and_leaders_has_lost(side):
    """Ruling 5."""
    position = side.position("Ca1 Ma2 la3 cb3", "Ma2xa3")
    assert not position.is_over
    assert position.points[side.index] == 8
    assert side.position("Ca1 Ma2 la3 cb3", "Ma2xb3").is_over is False
    lone = Position.from_text("chieftain", "4/l3/M3/C3 w 0 0", setup="4/l3/M3/C3")
    assert lone.play("Ma2xa3").returns == (1, -1)


def test_ruling_5_leaders_are_counted_apart_in_setups_and_texts():
    """Ruling 5."""
    setup = "l2c/4/4/C2L"
    assert Position("chieftain", setup=setup).text == f"{setup} w 0 0"
    with pytest.raises(ValueError, match="2 'L', but the setup has 1"):
        Position.from_text("chieftain", "l2c/4/4/L2L w 0 0", setup=setup)
    with pytest.raises(ValueError, match="White has 0 Chieftains"):
        Position("chieftain", setup="l2c/4/4/M2M")


# How far pieces go.


@rows(
    ("piece", "options", "reached"),
    [
        ("C", {"chieftain_range": 1}, "c3 c4 c5 d3 d5 e3 e4 e5"),
        ("H", {"hero_range": 1}, "c4 d3 d5 e4"),
        ("H", {"hero_range": 2}, "b4 c4 d2 d3 d5 d6 e4 f4"),
        ("S", {"shaman_range": 1}, "c3 c5 e3 e5"),
        ("S", {"shaman_range": 2}, "b2 b6 c3 c5 e3 e5 f2 f6"),
        ("M", {"man_range": 2}, "b2 b4 b6 c3 c4 c5 d2 d3 d5 d6 e3 e4 e5 f2 f4 f6"),
        ("B", {"bishopy_range": 1}, "b4 c3 c5 d2 d6 e3 e5 f4"),
        ("R", {"rookish_range": 2}, "b2 b4 b6 c4 d2 d3 d5 d6 e4 f2 f4 f6"),
    ],
)
def test_how_far_a_kind_goes_is_an_option(side, piece, options, reached):
    labels = side.labels(f"{piece}d4 Ch1 ca8", command_range=7, **options)
    found = {label.partition("d4-")[2] for label in labels if label.startswith(f"{piece}d4-")}
    assert " ".join(sorted(found)) == reached


def test_a_man_that_slides_is_stopped_by_pieces(side):
    labels = side.labels("Ma1 Cb2 ma3 ch8", man_range=4)
    assert [label for label in labels if label.startswith("M")] == (
        ["Ma1-a2", "Ma1-b1", "Ma1-c1", "Ma1-d1", "Ma1-e1", "Ma1xa3"]
    )


@rows(
    ("name", "value"),
    [("chieftain_range", 3), ("hero_range", 4), ("man_range", 0), ("rookish_range", 5)],
)
def test_impossible_ranges_are_refused(name, value):
    with pytest.raises(ValueError, match=name):
        Position("chieftain", **{name: value})
