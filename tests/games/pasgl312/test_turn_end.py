"""Rules, "The end of a turn": effects, the Train, the score, the end of the game, in this order."""

import pytest

from pasgl_env import IllegalMove, Position

from ...rows import rows
from .positions import fields, listed, place

POINTS = {"B": 5, "H": 4, "D": 3, "F": 3, "W": 3, "S": 2, "T": 2, "M": 1, "P": 0}
STUCK = "-Ba1 sb2 ta2 tb1"


def played(critters, label, **rest):
    return Position.from_text("pasgl312", place(critters, **rest)).play(label)


# 1. Effects; a dead Bear.


def test_dead_bear_ends_the_game_at_once_for_20_points_and_no_scoring(side):
    position = side.position("Hd4 bd6 Te4 te5", "Hd4:d6")
    assert position.is_over
    assert side.score("Hd4 bd6 Te4 te5", "Hd4:d6") == "20:0"


@rows(
    ("score", "after", "own_return"),
    [("0:0", "20:0", 1), ("5:24", "25:24", 1), ("5:25", "25:25", 0), ("0:21", "20:21", -1)],
)
def test_who_has_more_points_wins_even_with_the_bear_dead(side, score, after, own_return):
    position = side.position("Hd4 bd6", "Hd4:d6", score=score)
    assert side.score("Hd4 bd6", "Hd4:d6", score=score) == after
    assert position.returns[side.index] == own_return
    assert position.returns[1 - side.index] == -own_return


def test_train_does_not_advance_when_black_shoots_the_bear():
    position = played("Bd4 hd7 Te4", "hd7:d4", phase=4, mover="b")
    assert fields(position).phase == "4"
    assert listed(position) == "Te4 hd7"


# 2. The Train; a dead Bear.


@rows(
    ("critters", "label", "phase", "score"),
    [
        ("Be4 td5 bd8", "bd8e8", 4, "0:20"),
        ("bd5 te5 Te4 td8", "td8c8", 14, "20:0"),
        ("bd6 te5 Te4", "bd6d5", 14, "20:0"),
    ],
)
def test_bear_run_over_ends_the_game_at_once_and_nobody_scores(critters, label, phase, score):
    position = played(critters, label, phase=phase, mover="b")
    assert position.is_over
    assert fields(position).score == score
    assert fields(position).phase == str(phase + 1)


def test_train_finishes_its_advance_before_a_dead_bear_ends_the_game():
    position = played("Be4 Se4 td5 hf3 Tf5", "td5d6", phase=4, mover="b")
    assert listed(position) == "*-hf3 Tf5 td6"
    assert position.is_over


# 3. The score.


@rows("letter", POINTS)
@rows("square", ["d4", "e4"])
def test_campfire_points(side, letter, square):
    assert side.score(f"{letter}{square} Tb2", "Tb2a2") == f"{POINTS[letter]}:0"


@rows("letter", sorted(POINTS.keys() - {"B"}))
@rows("square", ["d5", "e5"])
def test_campfire_points_across_the_middle(side, letter, square):
    assert side.score(f"{letter}{square} Tb2", "Tb2a2") == f"{POINTS[letter]}:0"


def test_all_who_qualify_score(side):
    assert side.score("Bd4 He4 Dd5 Te5 Tb2", "Tb2a2") == "14:0"
    assert side.score("Hd4 Dd4 Md4 Md4 Pd4 Tb2", "Tb2a2") == "9:0"


def test_points_add_up(side):
    assert side.score("Hd4 Tb2", "Tb2a2", score="7:9") == "11:9"


def test_only_the_player_who_moved_scores(side):
    assert side.score("te5 hd5 Tb2", "Tb2a2") == "0:0"


@rows(
    ("critters", "labels", "score"),
    [
        ("Tc4", ["Tc4d4"], "0:0"),
        ("Td4", ["Td4d5"], "0:0"),
        ("Td4", ["Td4c4"], "0:0"),
        ("Tc4 Td4", ["Tc4d4"], "2:0"),
        ("Td4 Te4", ["Td4e4"], "2:0"),
        ("Td4 Td4", ["Td4e4"], "2:0"),
        ("Bc3 Td4", ["Bc3d4", "Te4"], "0:0"),
        ("Bc3 Td4 Te4", ["Bc3d4", "Te4"], "2:0"),
        ("Bd3 Te3", ["Bd3e3", "Te4"], "0:0"),
        ("Hd4 td6", ["Hd4:d6"], "0:0"),
        ("Hd4 td6 Te4", ["Hd4:d6"], "2:0"),
        ("Hd4 td6 Tb2", ["Tb2a2"], "4:0"),
        ("Wd4 hf6", ["Wd4^f6"], "0:0"),
        ("Wd4 hf6 Tb2", ["Tb2a2"], "3:0"),
        ("-Hd4 -De4 -Fd5 -We5 -Sd4 Tb2", ["Tb2a2"], "0:0"),
        ("-Bd4 Tb2", ["Tb2a2"], "0:0"),
        ("*Td4 Tb2 hd6", ["Tb2a2"], "0:0"),
        ("*Hd4 Tb2 hd6", ["Tb2a2"], "0:0"),
        ("Td4 Tb2 hd6", ["Tb2a2"], "2:0"),
        ("Td4 He4 Df3 se5", ["Df3e5"], "0:0"),
        ("Td4 He4 Df3 he5", ["Df3e5"], "6:0"),
    ],
)
def test_who_scores(side, critters, labels, score):
    assert side.score(critters, *labels) == score


def test_passing_counts_as_doing_nothing(side):
    assert side.score(f"{STUCK} Hd4 pc4 pd3 pd5 pe4", "pass") == "4:0"


@rows(
    ("critters", "score"),
    [("te4", "0:0"), ("td5", "0:2"), ("td5 Se4", "0:0"), ("hd5 Se4", "0:0"), ("td5 se4", "0:2")],
)
def test_train_advances_before_black_scores(critters, score):
    assert fields(played(f"{critters} tb7", "tb7a7", phase=4, mover="b")).score == score


def test_white_scores_before_the_train_advances():
    assert fields(played("Te4 Tb2", "Tb2a2", phase=4)).score == "2:0"


# 4. The end of the game.


@rows(("score", "over"), [("28:0", True), ("27:0", False), ("135:107", True), ("135:108", False)])
def test_30_points_ahead_ends_the_game_at_once(side, score, over):
    position = side.position("Td4 Tb2", "Tb2a2", score=score)
    assert position.is_over is over
    if over:
        assert position.returns[side.index] == 1
        assert position.returns[1 - side.index] == -1
        assert position.legal_moves() == []


def test_30_points_behind_after_ones_own_turn_is_out_of_reach(side):
    # Only the mover's score changes, so it is the mover who gets ahead.
    assert not side.position("Tb2 td4 te4", "Tb2a2", score="0:29").is_over


@rows(
    ("passes", "label", "critters", "after", "over"),
    [
        (39, "pass", STUCK, "40", True),
        (38, "pass", STUCK, "39", False),
        (0, "pass", STUCK, "1", False),
        (39, "-Ba1b2", "-Ba1 ta2 tb1", "0", False),
    ],
)
def test_40_passes_in_a_row_end_the_game(side, passes, label, critters, after, over):
    position = side.position(critters, label, passes=passes)
    assert fields(position).passes == after
    assert position.is_over is over


@rows(("score", "own_return"), [("3:3", 0), ("4:3", 1), ("3:4", -1)])
def test_more_points_win_after_40_passes_too(side, score, own_return):
    position = side.position(STUCK, "pass", passes=39, score=score)
    assert position.returns[side.index] == own_return
    assert position.returns[1 - side.index] == -own_return


def test_scoring_precedes_the_fortieth_pass(side):
    position = side.position(f"{STUCK} Hd4 pc4 pd3 pd5 pe4", "pass", passes=39, score="0:3")
    assert position.returns[side.index] == 1


def test_game_that_goes_on_has_no_returns(side):
    position = side.position("Td4", "Td4d3")
    assert position.returns is None
    assert not position.is_over
    assert not position.is_chance
    assert position.to_move == 1 - side.index


def test_finished_game_allows_nothing(side):
    position = side.position("Hd4 bd6", "Hd4:d6")
    before = position.text
    assert position.to_move is None
    assert not position.is_chance
    assert position.legal_moves() == []
    assert (position.perft(0), position.perft(1), position.perft(2)) == (1, 0, 0)
    with pytest.raises(IllegalMove):
        position.play("pass")
    assert position.text == before


@rows(
    ("start", "label", "after"),
    [
        (
            place("Hd4 bd6", phase=5, turns=12, passes=3),
            "Hd4:d6",
            "8/8/8/8/3H4/8/8/4B3 ./././. ./. 5 b 20:0 0 13",
        ),
        (
            place("Bd4 hd6", phase=5, turns=13, mover="b", passes=3),
            "hd6:d4",
            "4b3/8/3h4/8/8/8/8/8 ./././. ./. 5 w 0:20 0 14",
        ),
        (
            place("Be4 bd8", phase=4, turns=7, mover="b", score="3:4", passes=1),
            "bd8e8",
            "4b3/8/8/8/8/8/8/8 ./././. ./. 5 w 3:24 0 8",
        ),
        (
            place("Hd4 Tb2", phase=20, turns=5, score="26:0"),
            "Tb2a2",
            "4b3/8/8/8/3H4/8/T7/4B3 ./././. ./. 20 b 30:0 0 6",
        ),
        (
            place("hd4 tb2 Tz4", phase=10, turns=5, mover="b", score="0:26"),
            "tb2a2",
            "4b3/8/8/8/3h4/8/t7/4B3 ./././. ./T 11 w 0:30 0 6",
        ),
        (
            place(STUCK, turns=99, passes=39),
            "pass",
            "4b3/8/8/8/8/8/ts6/[-B]t6 ./././. ./. 1 b 0:0 40 100",
        ),
        (
            place("-ba8 Sb7 Ta7 Tb8", phase=20, turns=0, mover="b", passes=39),
            "pass",
            "[-b]T6/TS6/8/8/8/8/8/4B3 ./././. ./. 1 w 0:0 40 1",
        ),
    ],
)
def test_text_of_a_finished_game(start, label, after):
    position = Position.from_text("pasgl312", start).play(label)
    assert position.text == after
    read = Position.from_text("pasgl312", after)
    assert read.is_over
    assert read.text == after
    assert read.returns == position.returns
