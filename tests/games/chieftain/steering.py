"""Random games of Chieftain that come to rare states: odd setups and positions, and steering."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from pasgl_env import Position

from ...steering import Beginning
from .positions import FILES, far_corner, listed, place

VARIANTS = ("chieftain", "superchief", "overlord")

# Each side's pieces stand in one another's way, so that with a range of 1 nobody can move.
STUCK = "1mmc/1mmm/1mmm/4/4/1MMM/1MMM/1MMC"
SMALL = "1cc1/mhsn/4/4/HSMN/1CC1"
ALL_KINDS = "c1hsnc/mbrmbr/6/6/6/MBRMBR/CNSH1C"
CROWD = "/".join(["ccmcrcbhcc"] * 3 + ["mhsn2nshm"] + ["MHSN2NSHM"] + ["CCMCRCBHCC"] * 3)
# Alone on the largest board, and in a corner of the smallest.
FAR = "c22c/" + "24/" * 10 + "3b16r3/3R16B3/" + "24/" * 10 + "C22C"
TINY = "c2c/4/4/C2C"

# Leaders beside Chieftains, and on one side alone.
LEADERS = "l1hsnc/mbrmbr/m5/6/5M/MBRMBR/LNSHL1"
SHORT = {
    "chieftain_range": 1,
    "hero_range": 1,
    "shaman_range": 2,
    "man_range": 2,
    "bishopy_range": 1,
    "rookish_range": 3,
}
MEDIUM = {
    "hero_range": 2,
    "shaman_range": 1,
    "man_range": 4,
    "bishopy_range": 3,
    "rookish_range": 2,
}

# What a game can be played under: each comes again in many beginnings.
OPTIONS: list[dict[str, Any]] = [
    {},
    {},
    {"activations": 2, "command_range": 2},
    {"setup": STUCK, "command_range": 1},
    {"setup": SMALL},
    {"setup": ALL_KINDS, "activations": 8},
    {"setup": CROWD, "activations": 2},
    {"setup": FAR, "command_range": 23},
    {"setup": TINY, "activations": 3, "command_range": 1},
    {"setup": SMALL, "activations": 2, "first_turn_orders": 2},
    {"setup": LEADERS},
    {"setup": LEADERS, "leader_activations": 5, "leader_range": 4, "command_range": 2},
    {"setup": ALL_KINDS, **SHORT, "activations": 3},
    {"setup": LEADERS, **MEDIUM},
]

# What a steered game is after: nothing; captures; Chieftains that move one another; short turns.
MOODS = AIMLESS, FIGHT, COUNCIL, HASTE = range(4)


def beginning(rng: Random) -> Beginning:
    """The start or an odd position of any variant, now and then in the middle of a turn."""
    variant, options = rng.choice(VARIANTS), rng.choice(OPTIONS)
    position = Position(variant, **options)
    if rng.random() < 0.7:
        position = Position.from_text(variant, odd_text(rng, position), **options)
    if rng.random() < 0.3:
        after = position.copy().play(rng.choice(position.legal_moves()))
        position = after if after.in_turn else position
    return Beginning(variant, position.text, options)


def odd_text(rng: Random, start: Position) -> str:
    """Some of the start's pieces anywhere on its board, a Chieftain of each side among them."""
    board = start.text.split(" ")[0]
    ranks = board.count("/") + 1
    size = f"{start.observation().shape[2]}x{ranks}"
    squares = [f"{file}{rank}" for file in FILES[: size_of(size)] for rank in range(1, ranks + 1)]
    rng.shuffle(squares)
    letters = [word[0] for word in listed(board).split()]
    share = rng.choice([0.1, 0.4, 0.8, 1])
    kept = [next(letter for letter in letters if letter in royal) for royal in ("CL", "cl")]
    for chieftain in kept:
        letters.remove(chieftain)
    kept += [letter for letter in letters if rng.random() < share]
    if rng.random() < 0.3:
        squares.sort(key=lambda square: int(square[1:]) > ranks // 2)
    words = [letter + square for letter, square in zip(kept, squares, strict=False)]
    passes, turns = rng.choice([0, 0, 1]), rng.choice([0, 7, 10**6])
    return f"{place(' '.join(words), size)} {rng.choice('wb')} {passes} {turns}"


def size_of(size: str) -> int:
    """The number of files of a board."""
    return FILES.index(far_corner(size)[0]) + 1


def steered(position: Position, luck: float, mood: int) -> int:
    """A legal action, chosen by a number from 0 up to 1; hardly ever one that ends the game.

    The more an action is after what the mood is after, the more numbers choose it.
    """
    actions = position.legal_actions()
    if mood == AIMLESS:
        return actions[int(luck * len(actions))]
    interest = {FIGHT: violence, COUNCIL: authority, HASTE: impatience}[mood]
    ranked = sorted(actions, key=lambda action: interest(position.label(action)), reverse=True)
    best = int(luck**2 * len(ranked))
    for action in (ranked[best:] + ranked)[:4]:
        if luck > 0.98 or not position.copy().play_action(action).is_over:
            return action
    return ranked[best]


def violence(label: str) -> int:
    """Captures, and no early end of the turn."""
    return 3 * is_capture(label) - 2 * (label == "end")


def is_capture(label: str) -> bool:
    """File x has an x, too."""
    return re.search(r"\dx", label) is not None


def authority(label: str) -> int:
    """Moves of Chieftains."""
    return 2 * label.startswith(("C", "L")) - (label == "end")


def impatience(label: str) -> int:
    """The end of the turn, and moves of many steps by few kinds."""
    return 3 * (label == "end") + 2 * (label[0] in "BR")
