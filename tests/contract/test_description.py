"""Descriptions of actions, which labels, boards and sentences are made of."""

import re
from dataclasses import replace

import pytest

from pasgl_env import Dice, Position, render, variants
from pasgl_env.contract.ruleset import Ruleset

STACKS = "4b3/8/8/8/2[h-wp]5/1F6/8/4B3 ./././. ./. 1 w 0:0 0 0"
PUSH = "4b3/8/8/8/8/8/3[TPd]4/4B3 ./././. ./. 1 w 0:0 0 0"
PACHESSI = "R@,Eb7:1,Hc7:0,Sd7:0/Rg1:0,Ef1:0,He1:0,Sd1:0 black 4,5 i 0"
OFF = "Ra7:1,Eb7:0,Hc7:0,Sd7:0/Rg1:0,Ef1:0,He1:0,Sd1:0 black 2,4 i 0"


@pytest.mark.parametrize(
    ("variant", "text", "played", "label", "told"),
    [
        ("pasgl312", STACKS, "", "Fb3c4", ("move", "F", "b3", "c4", "Move: Fox b3 to c4")),
        ("pasgl312", STACKS, "Fb3c4", "-w", ("victim", "-w", "", "c4", None)),
        ("pasgl312", PUSH, "Be1d2", "Tc1", ("push", "T", "", "c1", "Turkey to c1")),
        ("pasgl312", PUSH, "Be1d2 Tc1", "dc3", ("push", "d", "", "c3", "Deer to c3")),
        ("spalding", None, "Xe1-e2", "/Re3", ("create", "R", "", "e3", "Bring out: Rhino")),
        ("chieftain", None, "Cc1-c3", "by c1", ("order", "C", "", "c1", None)),
        ("chieftain", None, "Cc1-c3 by%c1", "end", ("end", "", "", "", "End the turn")),
        ("pachessi", PACHESSI, "", "4:R@-a7", ("enter", "black-R", "", "a7", None)),
        ("pachessi", OFF, "", "4:Ra7-off", ("off", "black-R", "a7", "", None)),
        ("pachessi", OFF, "", "2:Hc7-b5", ("move", "black-H", "c7", "b5", None)),
    ],
)
def test_an_action_names_its_piece_and_squares(variant, text, played, label, told):
    position = Position.from_text(variant, text)
    for each in played.split():
        position.play(each.replace("%", " "))
    action = position.describe(position.action(label))
    piece = action.piece.text if action.piece else ""
    assert (action.kind, piece, action.origin, action.target) == told[:4]
    assert told[4] in (action.words, None)
    assert action.label == label


def test_the_condition_of_a_victim_is_in_its_words():
    position = Position.from_text("pasgl312", STACKS).play("Fb3c4")
    assert sorted(each.words for each in position.choices) == [
        "Take: Hunter",
        "Take: Woodchuck, without lunch",
    ]


def drawn(position):
    """The symbols on each square of a drawing."""
    form = r'class="piece" data-piece="([^"]*)"(?: data-colour="(\w+)")? data-square="(\w+)"'
    found = re.findall(form, render.drawing(position).to_svg())
    return {(f"{colour}-{piece}" if colour else piece, square) for piece, colour, square in found}


def test_the_piece_that_moves_is_drawn_on_its_origin(variant):
    position, dice = Position(variant), Dice(3)
    for _ in range(80):
        if position.is_over:
            break
        if position.is_chance:
            position.roll(dice)
            continue
        shown = drawn(position)
        moves = [each for each in position.choices if each.origin]
        assert {(each.piece.text, each.origin) for each in moves if each.piece} <= shown
        labels = position.legal_moves()
        position.play(labels[len(labels) // 2])


def test_a_game_without_descriptions_is_played_by_its_labels():
    spalding = variants.find("spalding")
    bare = replace(spalding, package="", texts=spalding.texts._replace(label=lambda *_: "odd"))
    position = Position(Ruleset.of(bare, {}))
    action = position.choices[0]
    assert (action.words, action.asked, action.squares) == ("odd", "list", ())
