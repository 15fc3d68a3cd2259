"""The notation of Pachessi: rolls, moves, and what reading finds out by itself."""

from __future__ import annotations

from pasgl_env import Position
from pasgl_env.records import notation

from ...records.turns import played, refusal
from ...rows import rows
from .positions import place


def at(me: str, foe: str = "Rg1", *, dice: str = "-", roll: str = "i") -> Position:
    """Black to act in a game for two."""
    return Position.from_text("pachessi", place(me, foe, dice=dice, roll=roll))


START = Position("pachessi")
ROLLED = at("Ra7 Eb7 Hc7 Sd7", dice="2,6")
LOT = Position("pachessi", players=4, first="lot")
TEAM = Position("pachessi", players=4, first="team")
MAY_STAY = Position.from_text("pachessi", place("Ra6 Eb5 Hc7:1", "Rg1", dice="2"), bear_off="free")
TAKES = at("Ra7 Sd7", "Rb5 Eg1")


@rows(
    ("word", "before", "labels"),
    [
        ("2-4:Hc7-b5,Ra7-a6", START, "roll 2 4,2:Hc7-b5,4:Ra7-a6"),
        ("2-4:Ra7-a6,Hc7-b5", START, "roll 2 4,4:Ra7-a6,2:Hc7-b5"),
        ("3-3:Eb7-b6,Eb6-b4", START, "roll 3 3,3:Eb7-b6,3:Eb6-b4"),
        ("2-6:Hc7-b5(2),Ra7-a6", START, "roll 2 6,2:Hc7-b5,6:Ra7-a6"),
        ("2-6:Hc7-b5(6),Hb5-a3", START, "roll 2 6,6:Hc7-b5,2:Hb5-a3"),
        ("2-6:Hc7-b5(2),Ra7-a6", ROLLED, "2:Hc7-b5,6:Ra7-a6"),
        ("6:Ra7-a6", at("Ra7", dice="6"), "6:Ra7-a6"),
        ("5:Ra7-a6", at("Ra7", roll="g"), "roll 5,5:Ra7-a6"),
        ("red;2-4:Hg5-e6,Rg7-f7", LOT, "red,roll 2 4,2:Hg5-e6,4:Rg7-f7"),
        ("red,green;2-4:Ha3-c2,Ra1-b1", TEAM, "red,green,roll 2 4,2:Ha3-c2,4:Ra1-b1"),
        ("2:pass", MAY_STAY, "pass"),
        ("2-4:Ra7-a6,pass", at("Ra7 Ha1"), "roll 2 4,4:Ra7-a6,pass"),
        ("2-3:pass", at("R@ Ea5 Ha6 Sa4"), "roll 2 3,pass"),
        ("4-5:Ra7-off(4)", at("Ra7:1"), "roll 4 5,4:Ra7-off"),
        ("4-4:R@-a7,Ra7-a6", at("R@"), "roll 4 4,4:R@-a7,4:Ra7-a6"),
        ("4-4:R@xa7,Ra7-a6", at("R@ Ea7"), "roll 4 4,4:R@-a7,4:Ra7-a6"),
        (
            "1-4:Sd7xb5,Ra7-a6;6:Sb5xa4;5:Ra6-a5",
            at("Ra7 Sd7", "Rb5 Ea4"),
            "roll 1 4,1:Sd7-b5,4:Ra7-a6,roll 6,6:Sb5-a4,roll 5,5:Ra6-a5",
        ),
    ],
)
def test_turns_and_their_words(word, before, labels):
    turn = played(before, *labels.split(","))
    assert turn.is_complete
    assert notation.write(turn) == word
    assert notation.read(before, word) == turn.labels


@rows(
    ("word", "full", "before"),
    [
        ("6-2:Hc7b5,Ra7a6", "2-6:Hc7-b5(2),Ra7-a6", START),
        ("26:Ra7-a6,Hc7-b5", "2-6:Ra7-a6,Hc7-b5", START),
        ("Hc7-b5,Ra7-a6", "2-6:Hc7-b5(2),Ra7-a6", ROLLED),
        ("2-4:Ra7-a6", "2-4:Ra7-a6,pass", at("Ra7 Ha1")),
        ("2-3:", "2-3:pass", at("R@ Ea5 Ha6 Sa4")),
        ("1-2:Sd7xb5;6:Ra7-a6", "1-2:Sd7xb5,pass;6:Ra7-a6", at("Ra7 Sd7 Ha1 Ea2", "Rb5 Eg1")),
        ("red;24:Hg5e6,Rg7f7", "red;2-4:Hg5-e6,Rg7-f7", LOT),
        ("14:Sd7b5,Ra7a6;5:Ra6a5", "1-4:Sd7xb5,Ra7-a6;5:Ra6-a5", TAKES),
    ],
)
def test_what_a_word_leaves_out_is_found(word, full, before):
    assert notation.read(before, word) == notation.read(before, full)


def test_a_die_that_cannot_be_told_is_asked_for():
    error = refusal(START, "2-6:Hc7-b5,Hb5-a3")
    assert error.readings == ("2-6:Hc7-b5(2),Hb5-a3", "2-6:Hc7-b5(6),Hb5-a3")


@rows(
    ("word", "before", "reason", "column"),
    [
        ("Hc7-b5,Ra7-a6", START, "'Hc7-b5' is not legal here; legal are 1-1:, 1-2:", 0),
        ("3-6:Hc7-b5", ROLLED, "'3-6:' is not legal here", 0),
        ("2-4:Hc7-b4", START, "'Hc7-b4' is not legal here; legal are", 4),
        ("2-4:Hc7-b5,Hb5-a3", START, "'Hb5-a3' is not legal here; legal is Ra7-a6", 11),
        ("2-6:Hc7-b5(4)", START, "'Hc7-b5(4)' is not legal here", 4),
        ("2-4:Hc7xb5", START, "Hc7xb5 takes nothing", 4),
        ("1-4:Sd7-b5,Ra7-a6", TAKES, "Sd7-b5 takes a piece", 4),
        ("2-4:Hc7-b5", START, "the turn continues after '2-4:Hc7-b5'; legal is Ra7-a6", 10),
        ("2-4:Hc7-b5,pass", START, "'pass' is not legal here", 11),
        ("2-4:Hc7-b5;5:Ra7-a6", START, "'5:' is not legal here", 11),
        ("2-4:Hc7-b5,Ra7-a6;5:Ra6-a5", START, "the turn has ended before '5:'", 18),
        ("1-2:", LOT, "'1-2:' is not legal here; legal are black, green, red, yellow", 0),
        ("red;1-2:", LOT, "'1-2:' is not legal here; legal are 2-2:", 4),
        ("red", LOT, "the turn continues", 3),
        ("2-7:Hc7-b5", START, "'2-7:Hc7-b5' is not of the form", 0),
        ("2-4:Hc7-b5,,Ra7-a6", START, "'' is not of the form", 11),
        ("2-4:Hc7-b5;", START, "'' is not of the form", 11),
    ],
)
def test_words_that_mean_nothing_say_why_and_where(word, before, reason, column):
    error = refusal(before, word)
    assert (reason in str(error), error.column) == (True, column), error
