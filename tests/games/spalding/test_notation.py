"""Betza's notation of Captain Spalding Chess: all his lines of moves."""

from __future__ import annotations

from pasgl_env import Position
from pasgl_env.records import notation

from ...records.turns import played, refusal
from ...rows import rows
from .positions import place


def after(position: Position, line: str) -> Position:
    """The position after turns as he writes them, with their numbers."""
    for word in line.split():
        if word[0].isdigit():
            continue
        labels = notation.read(position, word)
        turn = played(position, *labels)
        assert turn.is_complete
        assert notation.write(turn) == word.rstrip("+!?")
        position = turn.after
    return position


def shown(pieces: str, *, turns: int, left: str) -> Position:
    """What his lines show where they go on after a move that breaks his rules."""
    return Position.from_text(
        "spalding", place(pieces, mover="wb"[turns % 2], left=left, turns=turns)
    )


START = Position("spalding")
RHINO_ATTACK = "1. Xe1-e2/Rd3 Xd8-e7/Ce6"
RHINO_ON_D5 = shown("Jh1 Pa1 Rd5 Xe2 ce6 ja8 ph8 xe7", turns=3, left="HErhe")
MONSTER_DEFENSE = """
2. Xe7-f7/Me6
3. Rd5-d4        Xf7-g6/Rg5!
4. Jh1-g2/Eg3    Xg6-h5/Hg4
5. Eg3xg5?!      Hg4xg5
6. Rd4xe6        Ph8-g7/Lh6
7. Re6-f6+       Pg7-g6/Nf5
8. Rf6-f7        Pg6-h7/Ng7
"""
RHINO_PACK = """
1. Jh1-f3/Ee4    Xd8-d7/Hd6
2. Ee4-e5        Xd7-c6/Rd5
3. Ee5-g7?!
"""
ALL_OUT = """
1. Jh1-f3/Ee4     Xd8-d7/Hd6
2. Xe1-d2/Rd3
"""
JUMBO_ON_B8 = shown("Ee4 Jf3 Pa1 Rd3 Xd2 ec7 hd6 jb8 ph8 xd7", turns=4, left="Hr")


@rows(
    ("position", "lines"),
    [
        (START, [RHINO_ATTACK]),
        (RHINO_ON_D5, [MONSTER_DEFENSE]),
        (RHINO_ON_D5, ["2. Xe7-f7/Me6", "3. Rd5-c7 Ja8-c6/Ed5!"]),
        (START, [RHINO_PACK]),
        (START, [ALL_OUT]),
        (JUMBO_ON_B8, ["3. Rd3-d4 Ph8-g7/Lf6!?", "4. Ee4-e6+? Xd7-d8/Ve7!!"]),
        (JUMBO_ON_B8, ["3. Rd3-d4 Ph8-g7/Lf6!?", "4. Ee4-e6+? Hd6xe6", "5. Rd4xe6 Xd7-c8/Rd7!"]),
        (JUMBO_ON_B8, ["3. Rd3-d4 Ph8-g7/Lf6!?", "4. Rd4-e6? Hd6xe6", "5. Ee4xe6 Xd7-d6/Re7!"]),
        (JUMBO_ON_B8, ["3. Ee4-f5+ Xd7-e7/Re6", "4. Ef5-f6+"]),
    ],
)
def test_his_lines(position, lines):
    for line in lines:
        position = after(position, line)
    assert not position.is_over


def test_his_threat():
    """4...Ed5-f3+, after a quiet move of White's."""
    position = after(RHINO_ON_D5, "Xe7-f7/Me6 Rd5-c7 Ja8-c6/Ed5! Pa1-a2/Na1 Ed5-f3+")
    assert "Ef3xh1" in after(position, "Pa2-a3/Na2").legal_moves()


@rows(
    ("line", "word", "reason", "nearest"),
    [
        (
            RHINO_ATTACK,
            "Rd3-d5+",
            "Rd3-d5 is not legal here; legal for Rd3:"
            " Rd3-b2, Rd3-b4, Rd3-c1, Rd3-c3, Rd3-c5, Rd3-d2, Rd3-d4, Rd3-e1, Rd3-e3, Rd3-e5,"
            " Rd3-f2, Rd3-f4",
            "Rd3-e5",
        ),
        (
            RHINO_PACK,
            "Ph8-g8/Lh7!",
            "Ph8-g8 is not legal here; legal for Ph8: Ph8-h7",
            "Ph8-h7/Lg8!",
        ),
        (
            ALL_OUT,
            "Ja8-b8/Ec7",
            "Ja8-b8 is not legal here; legal for Ja8: Ja8-a6, Ja8-a7, Ja8-b7, Ja8-c6",
            "Ja8-b7/Ec7",
        ),
    ],
)
def test_his_three_slips_are_refused_and_their_neighbours_are_not(line, word, reason, nearest):
    position = after(START, line)
    error = refusal(position, word)
    assert (str(error), error.column) == (reason, 0)
    after(position, nearest)


def test_a_container_alone_may_bring_out_anything():
    error = refusal(START, "Xe1-e2")
    finds = [
        f"Xe1-e2/{letter}{square}"
        for letter in "CHRV"
        for square in "d1 d2 d3 e1 e3 f1 f2 f3".split()
    ]
    assert list(error.readings) == sorted(finds)
    assert str(error).endswith("or ... (32 in all)")


def test_what_comes_out_can_be_left_out_where_only_one_thing_can():
    text = place("Ph7 Wg7 Wg8 xa8 Xa1")
    position = Position.from_text("spalding", text, pajama_elephant=False)
    assert notation.read(position, "Ph7-h8") == ("Ph7-h8", "/Nh7")


def test_the_rest_of_a_turn_is_what_comes_out():
    position = START.copy().play("Xe1-e2")
    assert notation.write(played(position, "/Rd3")) == "/Rd3"
    assert notation.read(position, "/Rd3!?") == ("/Rd3",)
    assert "has been made already" in str(refusal(position, "Xe1-e2/Rd3"))


@rows(
    ("word", "reason", "column"),
    [
        ("Xe1-e2/Ld3", "/Ld3 is not legal here; legal on d3: /Cd3, /Hd3, /Rd3, /Vd3", 6),
        ("Xe1-e2/Rd4", "/Rd4 is not legal here; legal on d4: nothing", 6),
        ("Xe1xe2/Rd3", "Xe1xe2 is not legal here; legal for Xe1:", 0),
        ("Xe2-e3/Rd3", "Xe2-e3 is not legal here; legal for Xe2: nothing", 0),
        ("/Rd3", "there is no move", 0),
        ("Xe1-e2/Rd3?!?", "'?!?' is not of the form", 10),
        ("Xe1-e2Rd3", "'Rd3' is not of the form", 6),
        ("Xe1-e9", "'Xe1-e9' is not of the form", 0),
        ("xe1-e2/Rd3", "'xe1-e2/Rd3' is not of the form", 0),
        ("+", "'+' is not of the form", 0),
    ],
)
def test_words_that_mean_nothing_say_why_and_where(word, reason, column):
    error = refusal(START, word)
    assert (reason in str(error), error.column) == (True, column)


def test_nothing_comes_out_after_a_move_of_another_piece():
    position = Position.from_text("spalding", place("Wd4"))
    error = refusal(position, "Wd4-d5/Cd6")
    assert (str(error), error.column) == ("nothing comes out after Wd4-d5", 6)
