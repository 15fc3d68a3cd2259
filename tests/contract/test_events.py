"""What actions did, in sentences. That nothing is left out, `tests/test_invariants.py` checks."""

import pytest

from pasgl_env import Position
from pasgl_env.contract.events import sentences

STACK = "4b3/8/8/8/2[h-wp]5/1F6/8/4B3 ./././. ./. 1 w 0:0 0 0"
PUSH = "4b3/8/8/8/8/8/3[TPd]4/4B3 ./././. ./. 1 w 0:0 0 0"
FIRE = "4b3/8/8/8/3D4/8/8/4B3 ./././. ./. 1 w 0:0 0 0"
RAJA = "Ra7:1,E*,H*,S*/Ra1:0,Ef1:0,He1:0,Sd1:0 black 1,4 i 0"


def told(variant, text, labels, you=(), **options):
    position = Position.from_text(variant, text, **options)
    for label in labels:
        position.play(label)
    return sentences(position.events, position.seats, you)


@pytest.mark.parametrize(
    ("variant", "text", "labels", "lines"),
    [
        ("pasgl312", STACK, ["Fb3c4", "h"], ["Your Fox stole the lunch of Black's Hunter."]),
        ("pasgl312", STACK, ["Fb3c4", "-w"], ["Your Fox devoured Black's Woodchuck on c4."]),
        (
            "pasgl312",
            PUSH,
            ["Be1d2", "Tc1", "dc3"],
            [
                "Your Bear squashed your Shrew on d2.",
                "Your Bear pushed your Turkey to c1.",
                "Your Bear pushed Black's Deer to c3.",
            ],
        ),
        ("pasgl312", FIRE, ["Be1d1"], ["+3 for your Deer at the campfire."]),
        (
            "spalding",
            "4x3/8/8/8/3m4/4R3/8/4X3 w - 1",
            ["Re3-e4"],
            [
                "Black's Cookie Monster ate your Rhino on e4.",
                "Black's Cookie Monster on d4 vanished after the meal.",
            ],
        ),
        ("pachessi", RAJA, ["4:Ra7-off"], ["Black's Raja was borne off: 0 to go."]),
    ],
)
def test_a_turn_is_told(variant, text, labels, lines):
    you = () if variant == "pachessi" else (0,)
    assert told(variant, text, labels, you) == lines


def test_a_capture_in_the_middle_of_a_turn_is_told_with_its_points():
    setup = "c3/2m1/1m2/CM2"
    assert told("chieftain", f"{setup} w 0 0", ["Ca1xb2"], {1}, setup=setup) == [
        "White's Chieftain captured your Man on b2: +1."
    ]


def test_a_victim_that_is_robbed_and_sprayed_loses_its_lunch_once():
    text = "2t5/1[mp]2W1m1/3[-S]3b/8/6f[-s]/7B/3m4/2t2[-w]2 ./././. [Pd]/[-H] 1 b 100:70 0 126"
    assert told("pasgl312", text, ["fg4h3"], win_margin=60, train_lunch=False) == [
        "Black's Fox stole the lunch of White's Bear.",
        "The Train ran over Black's Skunk on h4.",
        "Black's Skunk sprayed White's Bear: stinky.",
    ]


def test_pieces_of_a_kind_are_counted():
    text = "4b3/8/8/8/7[TPPt]/8/8/4B3 ./././. ./. 1 b 0:0 0 1"
    assert told("pasgl312", text, ["be8d8"], {1}) == [
        "The Train ran over White's Turkey and 2 Shrews, and your Turkey on h4."
    ]


def test_a_stranger_s_game_needs_no_events():
    from ..test_pocket import RULES

    assert Position(RULES).play("Pa2-a3").events == []
