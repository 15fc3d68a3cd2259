"""Random games of Captain Spalding Chess that come to rare states: odd beginnings, and steering."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from pasgl_env import Position

from ... import steering
from ...steering import Beginning
from .positions import FILES, ONCE_A_GAME, place

START = "j2x3p/8/8/8/8/8/8/P3X2J w RHErhe 0"
BOARD = [file + rank for rank in "12345678" for file in FILES]
LAST_RANK = {"V": "8", "v": "1"}

# What a steered game is after: nothing; monsters and what is put on what; few moves to and fro, so
# that positions would repeat; captures and promotion.
MOODS = AIMLESS, FEAST, SHUFFLE, HUNT = range(4)


def beginning(rng: Random) -> Beginning:
    """The start or an odd position, some in the middle of a turn; never a finished game."""
    options = odd_options(rng)
    while True:
        text = START if rng.random() < 0.3 else odd_text(rng)
        position = Position.from_text("spalding", text, **options)
        if position.is_over:
            continue
        if rng.random() < 0.2:
            moved = position.copy().play(rng.choice(position.legal_moves()))
            position = moved if moved.in_turn else position
        return Beginning("spalding", position.text, options)


def odd_options(rng: Random) -> dict[str, Any]:
    return {} if rng.random() < 0.6 else steering.odd_options(rng, "spalding", 0.5)


def odd_text(rng: Random) -> str:
    """A random position, crowded or nearly empty, whoever is in it."""
    squares = rng.sample(BOARD, len(BOARD))
    crowd = rng.choice([0, 1, 3, 8])
    pieces = ["X", "x"]
    for once in "PJRHLEpjrhle":
        pieces += [once] * (rng.random() < 0.5)
    for many in "WCMwcmNBD":
        pieces += [many] * rng.randint(0, crowd if many in "CcNB" else crowd // 2 + 1)
    words = [piece + squares.pop() for piece in pieces]
    words += odd_bats(rng, squares)
    left = "".join(once for once in ONCE_A_GAME if once not in pieces and rng.random() < 0.6)
    mover, turns = rng.choice("wb"), rng.choice([0, 7, 10**6])
    return place(" ".join(words), mover=mover, left=left or "-", turns=turns)


def odd_bats(rng: Random, free: list[str]) -> list[str]:
    """Bats near their last rank, at most one a file."""
    bats: dict[tuple[str, str], str] = {}
    for square in sorted(free, key=lambda square: rng.random()):
        bat = rng.choice("Vv")
        if square[1] != LAST_RANK[bat] and rng.random() < 0.15:
            bats.setdefault((bat, square[0]), bat + square)
    return list(bats.values())


def steered(position: Position, luck: float, mood: int) -> int:
    """A legal action, chosen by a number from 0 up to 1; hardly ever one that ends the game.

    The more an action is after what the mood is after, the more numbers choose it.
    """
    actions = position.legal_actions()
    if mood == AIMLESS:
        return actions[int(luck * len(actions))]
    interest = {FEAST: hunger, SHUFFLE: restlessness, HUNT: harm}[mood]
    ranked = sorted(actions, key=lambda action: interest(position.label(action)), reverse=True)
    best = int(luck**2 * len(ranked))
    for action in (ranked[best:] + ranked)[:6]:
        if luck > 0.98 or not position.copy().play_action(action).is_over:
            return action
    return ranked[best]


def hunger(label: str) -> int:
    """Crumbs, Monsters, Lint and Bunnies, and the containers that bring them out."""
    return 3 * bool(re.match("/[MBD]", label)) + 2 * bool(re.match("[/BDX]", label))


def restlessness(label: str) -> int:
    """Moves that can be taken back, of pieces that are often there."""
    return 3 * bool(re.match("[BDWLRH].*-", label)) - 2 * ("/" in label)


def harm(label: str) -> int:
    """Captures, Bats."""
    return 3 * ("x" in label) + 2 * bool(re.match("/?[VD]", label))
