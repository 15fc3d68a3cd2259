"""Rules, "A player's actions": labels, and what a player is asked."""

import pytest

from pasgl_env import IllegalMove, Position

from ...rows import rows
from .positions import fields, listed, place


def test_moves_shots_and_chucks(side):
    legal = side.legal("He4 te7 Wg6 hd3 Ta1").split()
    assert {"He4e5", "He4:e7", "Wg6^d3", "Wg6g8", "Ta1a4"} <= set(legal)


def test_legal_moves_are_sorted_and_distinct(side):
    labels = side.position("Te4 Te4 He4 De2 he6 de6 ta1").legal_moves()
    assert labels == sorted(set(labels))


def test_alike_critters_share_labels(side):
    assert side.after("Te4 Te4", "Te4e5") == "Te4 Te5"


def test_stinky_turkey_is_told_from_the_other_however_they_met():
    # Threatened by the Hunter, Black is not compelled.
    position = Position.from_text("pasgl312", place("Ha5 *ta8 ta6", mover="b")).play("ta6a8")
    assert position.copy().play("Ha5:a8").legal_moves() == ["*t", "t"]
    position.play("Be1d1")
    assert {"*ta8a7", "ta8a7"} <= set(position.legal_moves())
    assert listed(position.copy().play("*ta8a7")) == "Bd1 Ha5 ta7 ta8"
    assert listed(position.copy().play("ta8a7")) == "*ta8 Bd1 Ha5 ta7"


@rows(
    ("critters", "legal"),
    [
        ("-Ba1 ta2 tb1 sb2", "pass"),
        ("-Ba1 ta2 tb1", "-Ba1b2"),
        ("-Ba1 ta2 tb1 sb2 Tz4", "Tz4z5"),
        ("-Ba1 ta2 tb1 sb2 Hz4 pz5", "pass"),
        ("-Ba1 ta2 tb1 sb2 T@head", "pass"),
    ],
)
def test_pass_only_when_nothing_else_is_legal(side, critters, legal):
    assert side.legal(critters) == legal


def test_pass_does_nothing_else(side):
    critters = "-Ba1 sb2 ta2 tb1"
    assert side.after(critters, "pass") == critters


@rows("label", ["", "pass", "ta8a7", "Ta1a5", "Ta1a2 ", "Ta1", "*Ta1a2", "t"])
def test_illegal_label_is_refused_and_changes_nothing(label):
    position = Position("pasgl312")
    before = position.text
    with pytest.raises(IllegalMove):
        position.play(label)
    assert position.text == before
    assert issubclass(IllegalMove, ValueError)


def test_illegal_label_in_mid_turn_changes_nothing(side):
    position = side.position("Df1 he3 fe3", "Df1e3")
    before = position.text
    with pytest.raises(IllegalMove):
        position.play("pass")
    assert position.text == before


@rows(
    ("critters", "label", "victims"),
    [
        ("Df1 he3 fe3", "Df1e3", "f h"),
        ("Fc1 tc3 -wc3 hc3", "Fc1c3", "-w h t"),
        ("He4 te7 he7", "He4:e7", "h t"),
        ("Wg6 hd3 -sd3", "Wg6^d3", "-s h"),
        ("Fc1 tc3 tc3", "Fc1c3", "t"),
        ("He4 te7 te7", "He4:e7", "t"),
        ("Fc1 *tc3 tc3 *-wc3", "Fc1c3", "*-w *t t"),
    ],
)
def test_victim_is_asked_for_when_there_are_two_or_more(side, critters, label, victims):
    position = side.position(critters, label)
    assert position.to_move == side.index
    assert fields(position).turns == "0"
    assert side.legal(critters, label) == victims


@rows(
    ("critters", "label"),
    [
        ("Df1 he3 te3 -fe3 He3", "Df1e3"),
        ("Fc1 tc3 -hc3 pc3 mc3", "Fc1c3"),
        ("He4 te7 me7 Te7", "He4:e7"),
        ("Wg6 hd3 -wd3 td3", "Wg6^d3"),
    ],
)
def test_single_candidate_is_taken_without_asking(side, critters, label):
    assert side.position(critters, label).to_move == 1 - side.index


@rows(
    ("critters", "labels", "asked"),
    [
        ("Bd3 te3", ["Bd3e3"], "td2 td3 td4 te2 te4 tf2 tf3 tf4"),
        ("Bb1 *-wa1", ["Bb1a1"], "*-wa2 *-wb1 *-wb2"),
        ("Bb1 ta1 ta1", ["Bb1a1"], "ta2 tb1 tb2"),
        ("Bb1 ta1 ta1", ["Bb1a1", "tb1"], "ta2 tb1 tb2"),
    ],
)
def test_displacement_is_asked_for_critter_by_critter(side, critters, labels, asked):
    assert side.legal(critters, *labels) == asked


@rows(
    ("critters", "label", "after"),
    [
        ("*Te3", "*Te3e4", "Te4"),
        ("*-Wg2", "*-Wg2g1", "Wg1"),
        ("Pb7", "Pb7a8", "Ma8"),
        ("~Tz4", "Tz4a4", "Ta4"),
    ],
)
def test_label_shows_the_symbol_before_the_action(side, critters, label, after):
    assert label in side.legal(critters).split()
    assert side.after(critters, label) == after


def test_label_shows_what_the_critter_has_become():
    position = Position.from_text("pasgl312", place("De2 hf4 sg5")).play("De2f4")
    assert "-hf4e4" in position.legal_moves()
    assert "hf4e4" not in position.legal_moves()
