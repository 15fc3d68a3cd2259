"""Rules, "A turn": labels, and how they are played."""

import pytest

from pasgl_env import IllegalMove, Position

from ...rows import rows
from .positions import fields

START_MOVES = "Jh1-f3 Jh1-g2 Jh1-h2 Jh1-h3 Pa1-a2 Pa1-b2 Xe1-d1 Xe1-d2 Xe1-e2 Xe1-f1 Xe1-f2"


def test_moves_of_the_start():
    assert Position("spalding").legal_moves() == START_MOVES.split()


def test_moves_of_black_at_the_start():
    position = Position("spalding").play("Pa1-a2").play("/Na1")
    moves = "Ja8-a6 Ja8-a7 Ja8-b7 Ja8-c6 Ph8-g7 Ph8-h7 Xd8-c7 Xd8-c8 Xd8-d7 Xd8-e7 Xd8-e8"
    assert position.legal_moves() == moves.split()


@rows(
    ("pieces", "label"),
    [
        ("Xd4", "Xd4-d5"),
        ("Pd4", "Pd4-d5"),
        ("Jd4", "Jd4-d6"),
        ("Rd4 cd5", "Rd4xd5"),
        ("Hd4", "Hd4-c6"),
        ("Vd4", "Vd4-d5"),
        ("Wd4", "Wd4-d1"),
        ("Ld4 Nd5", "Ld4xd5"),
        ("Bd4", "Bd4-d5"),
        ("Ed4", "Ed4-d6"),
        ("Dd4 ce5", "Dd4xe5"),
    ],
)
def test_letters_are_capital_for_both_players(side, pieces, label):
    assert side.label(label) in side.position(pieces).legal_moves()


def test_creation_has_a_slash_before_it():
    position = Position("spalding").play("Jh1-g2")
    assert position.legal_moves() == sorted(
        f"/{letter}{square}" for letter in "BE" for square in "f1 f2 f3 g1 g3 h1 h2 h3".split()
    )


@rows("pieces", ["Xd4 Ra1 Nd5 Bd3 De7", "Rd4 cd5 ce4 cc4 cd3", "Xd4 xd6 Pa1 Je4 Wg1"])
def test_legal_moves_are_sorted_and_distinct(side, pieces):
    position = side.position(pieces, left="Ee")
    labels = position.legal_moves()
    assert labels == sorted(set(labels))
    assert position.perft(1) == len(labels)


def test_play_returns_the_position():
    position = Position("spalding")
    assert position.play("Xe1-e2") is position


def test_turns_alternate_and_are_counted(side):
    position = side.position("Wa1 wb8", turns=5)
    for turn, label in enumerate(["Wa1-a2", "Wb8-b7", "Wa2-a3", "Wb7-b6"], 6):
        side.play(position, label)
        assert fields(position).turns == str(turn)
        assert position.to_move == (side.index + turn - 5) % 2
        assert not position.is_chance


@rows(
    "label",
    [
        *("", "pass", "-", "Xe1", "Xe1e2", "Xe1-e3", "Xe1xe2", "xe1-e2", "Xe1-e2 ", " Xe1-e2"),
        *("Xe1-e2/Rd3", "/Rd3", "/Re1", "Xd8-d7", "Xe2-e3", "Pe1-e2", "Xe1-E2", "Jh1-f3/"),
    ],
)
def test_illegal_label_is_refused_and_changes_nothing(label):
    position = Position("spalding")
    before, moves = position.text, position.legal_moves()
    with pytest.raises(IllegalMove):
        position.play(label)
    assert (position.text, position.legal_moves()) == (before, moves)
    assert issubclass(IllegalMove, ValueError)


@rows(
    "label",
    [
        *("", "Rd3", "/rd3", "/Rd4", "/Re2", "/Ld3", "/Nd3", "/Bd3", "/Ed3", "/Md3", "/Wd3"),
        *("/Xd3", "/R", "/Rd3 ", "//Rd3", "Xe1-e2", "Xe2-e3", "/Ra2", "Xd8-d7"),
    ],
)
def test_illegal_creation_is_refused_and_changes_nothing(label):
    position = Position("spalding").play("Xe1-e2")
    before, moves = position.text, position.legal_moves()
    with pytest.raises(IllegalMove):
        position.play(label)
    assert (position.text, position.legal_moves()) == (before, moves)


def test_copies_are_independent_in_mid_turn_too():
    position = Position("spalding").play("Xe1-e2")
    before = position.text
    copy = position.copy()
    assert copy.text == before
    copy.play("/Rd3").play("Xd8-d7").play("/Re8")
    assert position.text == before
    assert "/Rd3" in position.legal_moves()


def test_perft_leaves_the_position_as_it_is():
    position = Position("spalding").play("Xe1-e2")
    before = position.text
    assert position.perft(0) == 1
    assert position.perft(1) == 32
    assert position.text == before
