"""Dangers: told are harm to oneself, what every reply does, and what most other actions avoid."""

from pasgl_env import Position
from pasgl_env.dangers import dangers

from .rows import rows

TRAIN = "4b3/8/8/8/3T4/8/8/4B3 ./././. ./. 5 w 0:0 0 0"
BLACK = "4b3/8/8/8/3t4/8/8/4B3 ./././. ./. 5 b 0:0 0 0"
SQUASH = "4b3/8/8/8/8/8/4P3/4B3 ./././. ./. 1 w 0:0 0 0"
SHREWS = "4b3/8/8/8/8/8/4[PP]3/4B3 ./././. ./. 1 w 0:0 0 0"
HUNTER = "4b3/8/4h3/8/8/3B4/8/8 ./././. ./. 12 w 0:0 0 0"
MONSTER = "4x3/8/8/3m4/8/4R3/8/4X3 w - 1"
RACE = "Rc1:0,Eb2:0,Hf4:0,Sa2:0/Rc7:0,Eg1:0,He1:0,Sg4:0 yellow 1 i 23"


@rows(
    ("variant", "text", "label", "lines"),
    [
        ("pasgl312", SQUASH, "Be1e2", ["Your Bear would squash your Shrew on e2."]),
        ("pasgl312", SHREWS, "Be1e2", ["Your Bear would squash your 2 Shrews on e2."]),
        ("pasgl312", SQUASH, "Pe2d3", []),
        ("pasgl312", TRAIN, "Be1d1", ["The Train would run over your Turkey on d4."]),
        ("pasgl312", BLACK, "be8d8", ["The Train would run over your Turkey on d4."]),
        ("pasgl312", TRAIN, "Td4d5", []),
        (
            "pasgl312",
            HUNTER,
            "Bd3e3",
            [
                "Black's Hunter could shoot your Bear on e3.",
                "The game could be lost with the next action.",
            ],
        ),
        ("spalding", MONSTER, "Re3-e4", ["Black's Cookie Monster would eat your Rhino on e4."]),
        (
            "pachessi",
            RACE,
            "1:Sg4-e6",
            ["On 56% of the rolls:", "Black's Horse could take your Ship on e6."],
        ),
    ],
)
def test_an_action_s_dangers_are_told(variant, text, label, lines):
    position = Position.from_text(variant, text)
    found = {position.label(each.action): each.in_words(position) for each in dangers(position)}
    assert found[label] == lines
