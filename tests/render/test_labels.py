"""Parsing of labels."""

import pytest

from pasgl_env import Dice, Position
from pasgl_env.render.labels import choices, read


@pytest.mark.parametrize(
    ("label", "kind", "piece", "origin", "target", "die"),
    [
        ("Te4e5", "move", "T", "e4", "e5", None),
        ("*-Wg6f6", "move", "*-W", "g6", "f6", None),
        ("He4:e7", "shot", "H", "e4", "e7", None),
        ("Wg6^d3", "throw", "W", "g6", "d3", None),
        ("fe4", "push", "f", None, "e4", None),
        ("-w", "victim", "-w", None, None, None),
        ("Rd4xe6", "capture", "R", "d4", "e6", None),
        ("/We8", "create", "W", None, "e8", None),
        ("by c11", "order", None, None, "c11", None),
        ("2:Hc7-b5", "move", "H", "c7", "b5", 2),
        ("6:R@-a7", "enter", "R", "@", "a7", 6),
        ("4:Ra7-off", "off", "R", "a7", "off", 4),
        ("pass", "pass", None, None, None, None),
        ("end", "end", None, None, None, None),
    ],
)
def test_every_kind_of_label_is_taken_apart(label, kind, piece, origin, target, die):
    assert read(label) == (label, kind, piece, origin, target, die)


def test_labels_of_random_games_name_what_a_board_can_show(variant):
    position, dice = Position(variant), Dice(3)
    for _ in range(60):
        if position.is_over:
            break
        if position.is_chance:
            position.roll(dice)
            continue
        for action in choices(position):
            assert action.target or action.kind in ("pass", "end")
        labels = position.legal_moves()
        position.play(labels[len(labels) // 2])


def test_a_victim_is_on_the_square_that_was_moved_to():
    text = "4b3/8/8/8/2[h-wp]5/1F6/8/4B3 ./././. ./. 1 w 0:0 0 0"
    position = Position.from_text("pasgl312", text).play("Fb3c4")
    assert {(action.label, action.target) for action in choices(position)} == {
        ("-w", "c4"),
        ("h", "c4"),
    }
