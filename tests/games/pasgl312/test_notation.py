"""Lawson's notation of PASGL 312 Chess."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pasgl_env import Position
from pasgl_env.games.pasgl312.notation.happening import happening, places_in
from pasgl_env.games.pasgl312.notation.word import LONGEST, Mention, parse
from pasgl_env.games.pasgl312.rules.board import BOARD_SQUARES
from pasgl_env.records import notation
from pasgl_env.records.notation import NotationError
from pasgl_env.records.turn import Turn

from ...records.turns import complete_turns, played, turns_of
from ...rows import rows
from ...suites import SUITES
from .positions import place

PASGL312 = SUITES["pasgl312"]


def at(critters: str, **rest) -> Position:
    return Position.from_text("pasgl312", place(critters, **rest))


def test_every_turn_is_read_as_it_was_written():
    for turn in turns_of(PASGL312, 1, 20, 30):
        word = notation.write(turn)
        assert len(word) < LONGEST
        assert not set(word) & set(" \t\n")
        assert notation.read(turn.before, word) == turn.labels, turn.before.text
        assert not notation.is_remark(Position("pasgl312"), word)
        for remark in " ".join(notation.remarks(turn)).split():
            assert notation.is_remark(turn.before, remark)
            with pytest.raises(NotationError):
                notation.read(turn.before, remark)


def test_all_complete_turns_of_a_position_have_different_words():
    for turn in islice(turns_of(PASGL312, 2, 12, 60), 0, None, 80):
        # Of the many ways to displace three critters or more, a few hundred.
        turns = islice(complete_turns(turn.before), 300)
        words = [notation.write(each) for each in turns]
        assert len(set(words)) == len(words)


def test_what_happens_is_what_the_rules_do():
    for turn in turns_of(PASGL312, 3, 20, 40):
        check_what_happens(turn)


def check_what_happens(turn: Turn) -> None:
    """White's turns, after which the Train stays: everything that changes is told of."""
    before, after = turn.before.state[0], turn.after.state[0]
    done = happening(turn.before, turn.labels)
    if before.mover == 1 or done is None:
        return
    assert done.places == places_in(after)
    moved = {done.actor} if done.places.get(done.actor) == done.target else set()
    indoors = {each for each, place in done.places.items() if place >= BOARD_SQUARES}
    stinky = (members(before.stinky) - moved - indoors) | done.sprayed
    assert stinky & done.places.keys() == members(after.stinky)
    lost = members(after.lunchless) - members(before.lunchless)
    assert lost - done.sprayed <= {done.victim}


def members(critters: int) -> set[int]:
    return {critter for critter in range(32) if int(critters) >> critter & 1}


def test_the_trains_word_tells_whom_it_runs_over():
    told = 0
    for turn in turns_of(PASGL312, 4, 20, 50):
        remarks = notation.remarks(turn)
        if turn.before.to_move == 0 or not remarks[0]:
            continue
        state, after = turn.before.state[0], turn.after.state[0]
        done = happening(turn.before, turn.labels)
        alive = done.places if done else places_in(state)
        run_over = alive.keys() - places_in(after).keys()
        effects = remarks[0].split(";")[0].split("*")[0].partition("_")[2]
        assert len([each for each in effects.split(",") if each]) == len(run_over)
        told += len(run_over)
    assert told > 5


# Words and what they stand for: a position in words, what is played there, and its word.
WRITTEN = {
    "a move": ("Te3", "Te3e4", "Te3e4"),
    "a stinky, lunchless critter": ("*-We3", "*-We3e4", "We3e4"),
    "a stinky Turkey beside another": ("Te3 *Te3", "*Te3e4", "*Te3e4"),
    "the other one": ("Te3 *Te3 Ph4", "Te3e4", "Te3e4"),
    "a shot": ("He4 de7", "He4:e7", "He4:de7"),
    "one of two Turkeys shot": ("He4 te7 *te7", "He4:e7 *t", "He4:*te7"),
    "a Skunk shot": ("He4 se7 Df6 Tb1", "He4:e7", "He4:se7*Df6"),
    "lunch stolen by a Deer": ("Df1 fd5", "Df1d5", "Df1d5-f"),
    "Shrews squashed by a Deer": ("Df1 fd5 pd5 Pd5", "Df1d5", "Df1d5:P,p-f"),
    "Shrews not squashed in a terminal": ("Dg3 px4", "Dg3x4", "Dg3x4", {"phase": 5}),
    "a Skunk robbed": ("Df1 sd5 Td6", "Df1d5", "Df1d5-s*Dd5,Td6"),
    "lunch stolen by a Fox": ("Fc1 wb2 tb2", "Fc1b2 w", "Fc1b2-w"),
    "a Woodchuck devoured": ("Fc1 -wb2", "Fc1b2", "Fc1b2:-w"),
    "a stinky Woodchuck devoured": ("Fc1 *-wb2", "Fc1b2", "Fc1b2:-w"),
    "a Turkey devoured": ("Fc1 wb2 tb2", "Fc1b2 t", "Fc1b2:t"),
    "a Skunk devoured": ("Fc1 -sb2 Ta1 Wb3", "Fc1b2", "Fc1b2:-s,F*Wb3,Ta1"),
    "a chuck": ("Wg6 hd3", "Wg6^d3", "Wg6^d3-h"),
    "a lunchless Skunk hit": ("Wg6 -sd3 Tc4", "Wg6^d3", "Wg6^d3-s*Tc4"),
    "the sprayed, in stack order": (
        "Wg6 sd3 Me4 Te4 Tc4 *De3 he3 Pe4",
        "Wg6^d3",
        "Wg6^d3-s*De3,Tc4,Te4,Me4,Pe4",
    ),
    "displaced and squashed": ("Be1 pd2 fd2 Wd2", "Be1d2 Wc3 fe3", "Be1d2_p,Wc3,fe3"),
    "displaced only": ("Be1 fd2", "Be1d2 fe3", "Be1d2,fe3"),
    "stinky Shrews squashed": ("Be1 Pd2 *Pd2 Ph4", "Be1d2", "Be1d2_P,P"),
    "squashed only": ("Be1 Pd2 pd2", "Be1d2", "Be1d2_P,p"),
    "displaced Turkeys, the stinky one named": (
        "Be1 *Td2 Td2 Ph4",
        "Be1d2 Tc1 *Te3",
        "Be1d2,Tc1,*Te3",
    ),
    "displaced under the Train, a Skunk among them": (
        "Be2 sd3 Fd3 Hc3 Te5",
        "Be2d3 Fe2 se4",
        "Be2d3,Fe2,se4_*Bd3,Te5",
        {"phase": 6},
    ),
    "both Skunks under the Train": (
        "Bc2 sd3 Sd3 tc5 Wf5",
        "Bc2d3 Sd4 se4",
        "Bc2d3,Sd4_,se4_*Bd3,Wf5,tc5",
        {"phase": 6},
    ),
    "a Skunk under the Train with a victim of its own": (
        "Be2 sd3 Fd3",
        "Be2d3 Fd4 se4",
        "Be2d3,Fd4_,se4_*Bd3",
        {"phase": 6},
    ),
    "displaced into a terminal with the Train": (
        "Bg3 Th3",
        "Bg3h3 Tx4",
        "Bg3h3,Tx4",
        {"phase": 1},
    ),
    "a pass": ("-Ba1 sb2 ta2 tb1", "pass", "pass"),
}


@rows(("critters", "labels", "word", "rest"), [(*case, {})[:4] for case in WRITTEN.values()])
def test_words(critters, labels, word, rest):
    before = at(critters, **rest)
    turn = played(before, *labels.split())
    assert turn.is_complete
    check_what_happens(turn)
    assert notation.write(turn) == word
    assert notation.read(before, word) == turn.labels


def test_case_tells_the_side():
    before = at("be6 We5 te5 fe5", mover="b", phase=6)
    turn = played(before, "be6e5", "Wd5", "fe4", "td4")
    assert notation.write(turn) == "be6e5,Wd5,fe4_,td4_"


# What is read: a position in words, what is written, what it means.
READ = {
    "hyphens": ("Te3", "Te3-e4", "Te3e4"),
    "hyphens and a theft": ("Df1 fd5", "Df1-d5-f", "Df1d5"),
    "capitals for the victim": ("Df1 fd5 hd5", "Df1d5-F", "Df1d5 f"),
    "capitals for the displaced": ("Be1 td2 fd2", "Be1d2,Fe3,Tc3", "Be1d2 fe3 tc3"),
    "the displaced in any order": ("Be1 Td2 fd2 Fd2", "Be1d2,fe3,Fc3,Td1", "Be1d2 Fc3 Td1 fe3"),
    "twins keep their order": ("Be1 Td2 Td2 fd2", "Be1d2,fe3,Te1,Td1", "Be1d2 Te1 Td1 fe3"),
    "effects left out": ("Wg6 sd3 De4 Te4", "Wg6^d3", "Wg6^d3"),
    "effects in part": ("Wg6 sd3 De4 Te4", "Wg6^d3*Te4", "Wg6^d3"),
    "a Skunk sprays, no squares told": ("Wg6 sd3 De4 Te4", "Wg6^d3-S*T,D", "Wg6^d3"),
    "the shot one left out": ("He4 de7", "He4:e7", "He4:e7"),
    "the only victim left out": ("Fc1 wb2 pb2", "Fc1b2", "Fc1b2"),
    "lunch left out": ("Fc1 -wb2", "Fc1b2:w", "Fc1b2"),
    "lunch told": ("-He3", "-He3e4", "-He3e4"),
    "stink told": ("*Te3", "*Te3e4", "*Te3e4"),
    "stink left out": ("*Te3", "Te3e4", "*Te3e4"),
    "an effect tells the victim": ("He4 se7 de7 Tf7", "He4:e7*Tf7", "He4:e7 s"),
    "pass": ("-Ba1 sb2 ta2 tb1", "Pass", "pass"),
}


@rows(("critters", "word", "labels"), READ.values())
def test_reading(critters, word, labels):
    assert notation.read(at(critters), word) == tuple(labels.split())


def test_black_may_be_written_with_capitals():
    before = at("Td3 Te5 be6", mover="b", phase=5)
    assert notation.read(before, "Be6-e5,Td4") == ("be6e5", "Td4")


# What is not read: a position in words, what is written, where it goes wrong, and why.
NOT_READ = {
    "nothing": ("Te3", "", 0, "expected a critter's letter or pass, not the end"),
    "no critter": ("Te3", "Ke3e4", 0, "expected a critter's letter or pass, not 'Ke3e4'"),
    "no square": ("Te3", "Te9e4", 1, "expected the critter's square, not 'e9e4'"),
    "no target": ("Te3", "Te3xe4", 3, "expected a square, or : or ^ and a square, not 'xe4'"),
    "a board too large": ("Te3", "Te3i3", 3, "not 'i3'"),
    "no effect": ("Te3", "Te3e4!", 5, "expected one of the signs _ : - * , and a critter, not '!'"),
    "no room": ("Te3", "Te3 e4", 3, "not ' e4'"),
    "nobody there": ("Te3", "Te4e5", 0, "White has no T on e4"),
    "the other side's": ("te3", "Te3e4", 0, "White has no T on e3"),
    "the other side's letter": ("Te3", "te3e4", 0, "White has no t on e3"),
    "no lunch to lack": ("Te3", "-Te3e4", 0, "White has no -T on e3"),
    "stink compels others": ("*Ta1 Te3", "Te3e4", 0, "Te3 cannot act in this turn"),
    "not so far": (
        "-He3",
        "He3e5",
        3,
        "legal for He3: -He3d3, -He3e2, -He3e4, -He3f3; - is without lunch",
    ),
    "no shot": ("He4 de7", "He4e7", 3, "He4e7 is not legal here; legal for He4: "),
    "a pass without need": ("Te3", "pass", 0, "passing is legal only if nothing else is"),
    "another victim": ("Fc1 wb2 tb2", "Fc1b2-h", 6, "the victim is t or w, not h"),
    "the victim of the wrong side": ("Df1 fd5 hd5 Fd5", "Df1d5-g", 5, "signs"),
    "another one shot": ("He4 de7", "He4:we7", 4, "what happens is He4:de7, so not w"),
    "no theft": ("Fc1 -wb2", "Fc1b2-w", 6, "what happens is Fc1b2:-w, so not w"),
    "not devoured": ("Fc1 wb2", "Fc1b2:w", 6, "what happens is Fc1b2-w, so not w"),
    "not lunchless": ("He4 de7", "He4:-de7", 4, "what happens is He4:de7, so not -d"),
    "not sprayed": (
        "Wg6 sd3 De4",
        "Wg6^d3-s*De4,Te4",
        13,
        "what happens is Wg6^d3-s*De4, so not Te4",
    ),
    "not squashed": ("Df1 pd5 fd5", "Df1d5:p,p-f", 8, "what happens is Df1d5:p-f, so not p"),
    "not run over": ("Be1 fd2", "Be1d2,fe3_", 6, "what happens is Be1d2,fe3, so not fe3_"),
    "not displaced": ("Be1 fd2", "Be1d2,te3", 6, "the Bear displaces f; te3 is none of them"),
    "nobody displaced": ("Te3", "Te3e4,fe3", 6, "what happens is Te3e4, so not fe3"),
    "displaced twice": (
        "Be1 fd2",
        "Be1d2,fe3,fc3",
        10,
        "the Bear displaces f; fc3 is one too many",
    ),
    "displaced too far": ("Be1 fd2", "Be1d2,fe4", 6, "e4 is not next to d2"),
    "displaced nowhere": ("Be1 fd2", "Be1d2,f", 7, "f has no square to go to"),
}


@rows(("critters", "word", "column", "reason"), NOT_READ.values())
def test_not_read(critters, word, column, reason):
    before = at(critters)
    text = before.text
    with pytest.raises(NotationError) as raised:
        notation.read(before, word)
    assert reason in str(raised.value)
    assert raised.value.column == column
    assert raised.value.readings == ()
    assert before.text == text


# What may mean several turns: a position in words, what is written, the readings.
AMBIGUOUS = {
    "which victim": ("He4 de7 te7", "He4:e7", "He4:de7 He4:te7"),
    "which Turkey, of stinky ones too": ("He4 te7 *te7", "He4:e7", "He4:*te7 He4:te7"),
    "where to": (
        "Ba1 fb1",
        "Ba1b1",
        "Ba1b1,fa1 Ba1b1,fa2 Ba1b1,fb2 Ba1b1,fc1 Ba1b1,fc2",
    ),
}


@rows(("critters", "word", "readings"), AMBIGUOUS.values())
def test_ambiguous(critters, word, readings):
    before = at(critters)
    with pytest.raises(NotationError, match="may mean") as raised:
        notation.read(before, word)
    assert raised.value.readings == tuple(readings.split())
    for reading in raised.value.readings:
        assert notation.write(played(before, *notation.read(before, reading))) == reading


def test_a_crowd_left_out_is_ambiguous_at_once():
    crowd = "Td2 Td2 *md2 md2 Md2 Md2 Md2 hd2 fd2 wd2 Dd2"
    with pytest.raises(NotationError, match="very many"):
        notation.read(at(f"Be1 {crowd}"), "Be1d2,fe3,se3"[:9])


@settings(max_examples=100, deadline=None)
@given(
    st.one_of(
        st.text(max_size=30),
        st.text(alphabet="BFPTfpstw*-_:^,bcde123x4", max_size=20).map("Be1d2".__add__),
    )
)
def test_any_text_is_read_or_refused(text):
    """And what is read is a turn that has the word's effects."""
    before = at("Be1 pd2 *Td2 Td2 -se3 Mh4")
    try:
        labels = notation.read(before, text)
    except NotationError as error:
        assert 0 <= error.column <= len(text)
        assert error.readings == () or len(error.readings) > 1
    else:
        assert played(before, *labels).is_complete


@rows("text", ["B" * 10**6, "Te3e4" + ",Te4" * 10**6, "pass " * 10**6])
def test_a_million_characters_are_refused_at_once(text):
    with pytest.raises(NotationError, match=f"at most {LONGEST} characters, not {len(text)}"):
        notation.read(at("Te3"), text)


def test_the_rest_of_a_turn_that_was_under_way():
    start = at("Be1 pd2 fd2 Wd2")
    before = start.copy().play("Be1d2").play("Wc3")
    turn = played(before, "fe3")
    assert notation.write(turn) == "Be1d2_p,Wc3,fe3"
    assert notation.read(before, "Be1d2_p,Wc3,fe3") == ("fe3",)
    with pytest.raises(NotationError, match="does not begin with Be1d2, Wc3"):
        notation.read(before, "Be1d2_p,Wc1,fe3")


class TestRemarks:
    def test_stand_after_blacks_turns(self):
        white = played(Position("pasgl312"), "Th1h2")
        assert notation.remarks(white) == ()
        assert notation.remarks(played(white.after, "th8h7")) == ("Xh4", "W:0 B:0")
        assert notation.columns(white.after) == ("Train", "Score")

    @rows(
        ("critters", "phase", "train"),
        [
            ("", 3, "Xf4"),
            ("T@head f@head S@tail", 3, "Xf4;Tf;S"),
            ("S@tail", 3, "Xf4;;S"),
            ("T@head", 3, "Xf4;T"),
            ("Pf4 T@head f@head S@tail", 3, "Xf4_P;Tf;S"),
            ("sf4 Mf4 pf4 De5 Tg3 Ta1", 3, "Xf4_M,s,p*De5,Tg3"),
            ("Sf4 sf4 De5 tg3", 3, "Xf4_S,s*De5,tg3"),
            ("~Tz4 ~fz5", 10, "Xz5"),
            ("S@head T@tail", 10, "Xz5"),
            ("Tz4 fz5", 9, "Xz4"),
            ("Tz4 fz4 mz5", 10, "Xz5;m;Tf"),
            ("Tz4 fz5", 10, "Xz5;f;T"),
        ],
    )
    def test_tell_of_the_train(self, critters, phase, train):
        turn = played(at(f"{critters} be7", phase=phase, mover="b"), "be7e8")
        assert notation.remarks(turn) == (train, "W:0 B:0")

    def test_tell_the_final_score_after_whites_last_turn(self):
        turn = played(at("He2 be5 Tb2", score="3:4"), "He2:e5")
        assert notation.write(turn) == "He2:be5"
        assert notation.remarks(turn) == ("", "W:23 B:4")

    def test_tell_of_no_train_that_did_not_move(self):
        turn = played(at("he7 Be4", mover="b"), "he7:e4")
        assert notation.remarks(turn) == ("", "W:0 B:20")


class TestLawsonsExamples:
    """As they stand on his page: some cannot happen, and show only how to write."""

    @rows(
        "text",
        [
            "Be4e5_P,fe4_,Wd4,Td4,wd4_",
            "He4e5",
            "He4:De7",
            "Df1d5-F",
            "Df1d5:S-F",
            "Fc1b4:-W",
            "Fc1b4-W",
            "Wg6^d4-H",
            "Wg6^d4-S*De4,We5,Te4",
        ],
    )
    def test_have_all_their_parts(self, text):
        assert str(parse(text)) == text

    def test_of_the_parts_of_a_bears_turn(self):
        word = parse("Be4e5_P,fe4_,Wd4,Td4,wd4_")
        assert [str(mention) for mention in word.killed] == ["P"]
        assert [str(mention) for mention in word.displaced] == ["fe4_", "Wd4", "Td4", "wd4_"]
        assert word.displaced[0] == Mention("f", "", "e4", True, 8)

    def test_of_the_parts_of_a_chuck_at_a_skunk(self):
        word = parse("Wg6^d4-S*De4,We5,Te4")
        assert (word.sign, word.target, str(word.victim)) == ("^", "d4", "S")
        assert [str(mention) for mention in word.sprayed] == ["De4", "We5", "Te4"]

    @rows("word", ["Xf4;Tf;S", "Xf4_P;Tf;S", "Xd4_T", "W:15", "B:18"])
    def test_of_train_and_score_are_remarks(self, word):
        assert notation.is_remark(Position("pasgl312"), word)

    @rows(
        ("critters", "word", "labels"),
        [
            ("He4", "He4e5", "He4e5"),
            ("He4 de7", "He4:De7", "He4:e7"),
            ("Df1 fd5", "Df1d5-F", "Df1d5"),
            ("Df1 fd5 pd5", "Df1d5:S-F", "Df1d5"),
            ("Df1 fd5 hd5 Pd5", "Df1d5:S-F", "Df1d5 f"),
            ("Fc1 -wb4", "Fc1b4:-W", "Fc1b4"),
            ("Fc1 wb4 hb4", "Fc1b4-W", "Fc1b4 w"),
            ("Te3", "Te3-e4", "Te3e4"),
        ],
    )
    def test_are_read(self, critters, word, labels):
        assert notation.read(at(critters), word) == tuple(labels.split())

    @rows(
        ("critters", "word", "column", "reason"),
        [
            (
                "Be4 Pe5 fe5",
                "Be4e5_P,fe4_,Wd4,Td4,wd4_",
                3,
                "Be4e5 is not legal here; legal for Be4: Be4d3",
            ),
            ("Wg6 hd4", "Wg6^d4-H", 3, "legal for Wg6: Wg6"),
            ("Wg6 sd4 De4 Te4", "Wg6^d4-S*De4,We5,Te4", 3, "legal for Wg6: Wg6"),
        ],
    )
    def test_that_cannot_happen_are_refused(self, critters, word, column, reason):
        with pytest.raises(NotationError, match=reason) as raised:
            notation.read(at(critters), word)
        assert raised.value.column == column

    def test_black_bear_that_would_cross_the_middle_is_refused(self):
        with pytest.raises(NotationError, match="Be5e4 is not legal here; legal for Be5: be5d5"):
            notation.read(at("be5 Te4", mover="b", phase=4), "Be5-e4,Td4")

    def test_bear_in_the_nearest_legal_form(self):
        before = at("be6 We5 Te5 Pe5 fe5 we5", mover="b", phase=6)
        labels = notation.read(before, "be6e5_P,fe4_,Wd4,Td4,wd4_")
        assert labels == ("be6e5", "Wd4", "Td4", "fe4", "wd4")
        assert notation.write(played(before, *labels)) == "be6e5_P,Wd4_,Td4_,fe4_,wd4_"

    def test_chucks_in_the_nearest_legal_form(self):
        assert notation.read(at("Wg6 hd3"), "Wg6^d3-H") == ("Wg6^d3",)
        before = at("Wg6 sd3 De4 Te4")
        turn = played(before, *notation.read(before, "Wg6^d3-S*De4,Te4"))
        assert notation.write(turn) == "Wg6^d3-s*De4,Te4"
        with pytest.raises(NotationError, match="so not We4"):
            notation.read(before, "Wg6^d3-S*De4,We4,Te4")

    def test_whole_move_in_the_nearest_legal_form(self):
        """1. Te3-e4 Be5-e4,Td4 Xd4_T W:15 B:18."""
        before = at("Td3 be6 Te5", phase=5, score="13:18")
        white = played(before, *notation.read(before, "Td3-c3"))
        black = played(white.after, *notation.read(white.after, "Be6-e5,Td4"))
        assert notation.write(black) == "be6e5,Td4"
        assert notation.remarks(black) == ("Xd4_T", "W:15 B:18")
