"""The notation of Chieftain: orders, who gives them, and what reading finds out by itself."""

from __future__ import annotations

from time import process_time

from pasgl_env import Position
from pasgl_env.records import notation

from ...records.turns import played, refusal
from ...rows import rows
from .positions import Side


def at(pieces: str, *labels: str, size: str = "8x8", **options: int) -> Position:
    """White to move, Black's Chieftain in the far corner."""
    return Side("white").position(pieces, *labels, size=size, **options)


# Both command Mc1; only the one on a1 commands Ma4, only the one on e1 Me4.
TWO = at("Ca1 Ce1 Mc1 Ma4 Me4")
# All that is near enough to be activated stands in its own way.
STUCK = Position("chieftain", setup="c3/4/4/4/1MMM/1MMM/1MMC", command_range=1)


@rows(
    ("word", "before", "labels"),
    [
        ("Ma4-a5,Me4-e5", TWO, "Ma4-a5,Me4-e5"),
        ("Mc1-c2(e1),Ma4-b4", TWO, "Mc1-c2,by e1,Ma4-b4"),
        ("Mc1-c2(a1),end", TWO, "Mc1-c2,by a1,end"),
        ("Ca1-c2(c1),Me4-e5", at("Ca1 Cc1 Me4"), "Ca1-c2,by c1,Me4-e5"),
        (
            "Ca1-c2(c1),Md4-d5(c2),end",
            at("Ca1 Cc1 Ce4 Md4"),
            "Ca1-c2,by c1,Md4-d5,by c2,end",
        ),
        ("Hb1xb4,end", at("Ca1 Cf1 Hb1 mb4"), "Hb1xb4,end"),
        ("Mb2xb3(a1),end", at("Ca1 Cc1 Mb2 cb3 ch8"), "Mb2xb3,by a1,end"),
        ("Mb2xb3", at("Ca1 Cc1 Mb2 cb3"), "Mb2xb3"),
        ("Rv7xx7,end", at("Cw8 Ca1 Rv7 mx7", size="24x8"), "Rv7xx7,end"),
        ("Rv7xx9,end", at("Cw8 Ca1 Rv7 mx9 ca9", size="24x9"), "Rv7xx9,end"),
        ("pass", STUCK, "pass"),
        ("(e1),Ma4-b4", at("Ca1 Ce1 Mc1 Ma4", "Mc1-c2"), "by e1,Ma4-b4"),
        ("Ma4-b4", at("Ca1 Ce1 Mc1 Ma4", "Mc1-c2", "by e1"), "Ma4-b4"),
        ("end", at("Ca1 Ce1 Mc1 Ma4", "Mc1-c2", "by e1"), "end"),
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
        ("Mc1c2,Ma4b4", "Mc1-c2(e1),Ma4-b4", TWO),
        ("Mc1-c2(a1)", "Mc1-c2(a1),end", TWO),
        ("Ma4-a5(a1),Me4-e5(e1)", "Ma4-a5,Me4-e5", TWO),
        ("Ma4-a5,Me4-e5,end", "Ma4-a5,Me4-e5", TWO),
        ("Ca1c2,Me5e6", "Ca1-c2(c1),Me5-e6", at("Ca1 Cc1 Me5")),
        ("Mb2b3(c1)", "Mb2xb3", at("Ca1 Cc1 Mb2 cb3")),
        ("Ma4-b4", "(e1),Ma4-b4", at("Ca1 Ce1 Mc1 Ma4", "Mc1-c2")),
    ],
)
def test_what_a_word_leaves_out_is_found(word, full, before):
    assert notation.read(before, word) == notation.read(before, full)


def test_a_chieftain_that_cannot_be_told_is_asked_for():
    assert refusal(TWO, "Mc1-c2").readings == ("Mc1-c2(a1),end", "Mc1-c2(e1),end")


@rows(
    ("word", "reason", "column"),
    [
        ("Ma4-a6", "'Ma4-a6' is not legal here; legal from a4: Ma4-a5, Ma4-b5", 0),
        ("Ma4xa5", "'Ma4xa5' is not legal here", 0),
        ("Ha4-a5", "'Ha4-a5' is not legal here", 0),
        ("Md2-d3", "'Md2-d3' is not legal here; legal from d2: nothing", 0),
        ("Ma4-a5,Ma5-a6(e1)", "no Chieftain on e1 within 3 squares of a5 has an activation", 7),
        ("Ma4-a5,Mc1-d2,Me4-e5", "no Chieftain within 3 squares of e4 has an activation left", 14),
        ("Ma4-a6,Mh8-h7", "'Ma4-a6' is not legal here", 0),
        ("Me4-e5(a1)", "no Chieftain on a1 within 3 squares of e4 has an activation left", 0),
        ("Mc1-c9", "the board has no square c9", 4),
        ("Mc1-c2(c9)", "the board has no square c9", 7),
        ("Mc1-i2", "the board has no square i2", 4),
        ("Ma4-a5,", "'' is not of the form", 7),
        ("Ma4-a5 (a1)", "'Ma4-a5 (a1)' is not of the form", 0),
        ("(a1)", "'(a1)' is not of the form", 0),
        ("end", "end is not legal here", 0),
        ("pass", "pass is not legal here", 0),
        ("Ma4-a5,Me4-e5,pass", "pass is not legal here", 14),
    ],
)
def test_words_that_mean_nothing_say_why_and_where(word, reason, column):
    error = refusal(TWO, word)
    assert (reason in str(error), error.column) == (True, column), error


@rows(
    ("word", "reason", "column"),
    [
        ("(c9),Ma4-b4", "the board has no square c9", 1),
        ("(c1),Ma4-b4", "no Chieftain on c1 within 3 squares of c1 has an activation left", 0),
        ("(e1),Ma4-b5,", "'' is not of the form", 12),
        ("Ma4-b6", "'Ma4-b6' is not legal here", 0),
        ("pass", "pass is not legal here", 0),
    ],
)
def test_so_do_words_where_it_is_asked_who_activates(word, reason, column):
    error = refusal(at("Ca1 Ce1 Mc1 Ma4", "Mc1-c2"), word)
    assert (reason in str(error), error.column) == (True, column), error


def test_no_order_follows_the_capture_of_the_last_chieftain():
    error = refusal(at("Ca1 Cc1 Mb2 Me2 cb3"), "Mb2xb3,Me2-e3")
    assert (str(error), error.column) == ("the turn has ended before 'Me2-e3'", 7)


def block(chieftains: int, **options: int) -> Position:
    """As many Men, and all Chieftains command all of them."""
    width = min(chieftains, 8)
    ranks = range(1, chieftains // width + 1)
    pieces = [
        f"{letter}{file}{first + rank}"
        for letter, first in (("C", 0), ("M", len(ranks)))
        for rank in ranks
        for file in "abcdefgh"[:width]
    ]
    return at(" ".join(pieces), size="8x11", command_range=23, **options)


def advance(ranks: str) -> str:
    return ",".join(f"M{file}{rank}-{file}{int(rank) + 1}" for rank in ranks for file in "abcdefgh")


def test_of_very_many_readings_some_are_named():
    error = refusal(block(8), advance("2"))
    assert "or ... (very many)" in str(error)
    assert len(error.readings) > 8
    one = error.readings[0]
    assert notation.write(played(block(8), *notation.read(block(8), one))) == one


@rows("options", [{}, {"activations": 8}])
def test_readings_beyond_number_are_not_looked_through(options):
    before, word = block(32, **options), advance("8765")
    start = process_time()
    error = refusal(before, word)
    assert process_time() - start < 2
    assert "name them" in str(error)


def test_eight_chieftains_can_be_left_out_where_only_one_choice_is_possible():
    """Each Man is near two of them, but for the last, who decides all."""
    chieftains, men = "adgjmpsv", "tqnkheba"
    pieces = [f"C{file}1" for file in chieftains] + [f"M{file}3" for file in men]
    before = at(" ".join(pieces), size="24x8", command_range=2)
    labels = notation.read(before, ",".join(f"M{file}3-{file}4" for file in men))
    named = [label for label in labels if label.startswith("by")]
    assert named == [f"by {file}1" for file in reversed(chieftains[1:])]
