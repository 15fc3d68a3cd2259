"""The rulings of the rules page, by number."""

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
