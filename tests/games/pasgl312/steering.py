"""Odd positions of PASGL 312 Chess, and games that are steered to rare states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from pasgl_env import Position
from pasgl_env.games.pasgl312.rules.board import (
    BOARD_SQUARES,
    CAMPFIRE,
    CAR_AT,
    PHASES,
    SQUARES,
    TRAIN_HEAD,
    TURNED,
)
from pasgl_env.games.pasgl312.rules.legal import DISPLACEMENTS, VICTIMS
from pasgl_env.games.pasgl312.rules.state import (
    BEAR,
    DEER,
    FIRST_SHREW,
    FOX,
    HUNTER,
    SIDE,
    SIDE_MASK,
    WOODCHUCK,
)

from ... import steering
from ...reference.pasgl312 import RAILWAY
from ...steering import Beginning
from .positions import CARS, TERMINALS, place

CARRIERS = "BHDFWS"
BOARD = [file + rank for rank in "12345678" for file in "abcdefgh"]
HARMFUL = (HUNTER, DEER, FOX, WOODCHUCK)
HALF = ("1234", "5678")
LAST_RANK = ("8", "1")
START = "tsfhbdwt/pppppppp/8/8/8/8/PPPPPPPP/TSFHBDWT ./././. ./. 1 w 0:0 0 0"

# What a steered game is after: nothing; harm and crowds; terminals, promotion and the Train.
MOODS = AIMLESS, HARM, JOURNEY = range(3)


def beginning(rng: Random) -> Beginning:
    """The start or an odd position, under the default or odd options; never a finished game."""
    options = odd_options(rng)
    if rng.random() < 0.3:
        return Beginning("pasgl312", START, options)
    return Beginning("pasgl312", odd_text(rng, **options), options)


def odd_options(rng: Random) -> dict[str, Any]:
    luck = rng.random()
    if luck < 0.4:
        return {}
    if luck < 0.6:
        return {"win_margin": 255}
    options = steering.odd_options(rng, "pasgl312", 0.4)
    # These two have to go together.
    return {
        **options,
        "win_margin": rng.randint(20, 255),
        "score_handicap": rng.randint(-19, 19),
    }


def odd_text(
    rng: Random,
    win_margin: int = 30,
    train_length: int = 2,
    train_lunch: bool = True,
    passes: int = 40,
    **options: Any,
) -> str:
    """A crowded random position: every condition on every kind of place that can have it."""
    phase = rng.randint(1, PHASES)
    train = [RAILWAY[phase - 1 - car] for car in range(train_length)]
    free = [square for square in BOARD if square not in train]
    crowded = rng.sample(free, rng.randint(1, 8))
    words = [
        odd_critter(rng, side, letter, free, crowded, CARS[:train_length], train_lunch)
        for side in range(2)
        for letter in odd_army(rng)
    ]
    points, lead = rng.randint(0, 300), int(win_margin * rng.random() ** 2)
    score = [points, points + lead]
    rng.shuffle(score)
    return place(
        " ".join(words),
        phase=phase,
        mover=rng.choice("wb"),
        score=f"{score[0]}:{score[1]}",
        passes=rng.choice([0, 0, 0, rng.randint(0, passes - 1)]),
        turns=rng.randint(0, 999),
    )


def odd_army(rng: Random) -> str:
    shrews = rng.choice([0, 2, 4, 8])
    letters = [letter for letter in "HDFWSTT" if rng.random() < 0.75]
    tiny = [rng.choice("PPM") for _ in range(shrews)]
    return "B" + "".join(letters + tiny)


def odd_critter(
    rng: Random,
    side: int,
    letter: str,
    free: list[str],
    crowded: list[str],
    cars: Sequence[str],
    train_lunch: bool,
) -> str:
    """A critter in the words of `positions`: its symbol and where it is."""
    symbol = letter.lower() if side else letter
    luck = rng.random()
    hungry = "" if train_lunch or letter not in CARRIERS else rng.choice(["", "-"])
    if letter != "B" and luck < 0.12:
        return rng.choice(["", "~"]) + hungry + symbol + rng.choice(TERMINALS)
    if letter != "B" and luck < 0.2:
        return hungry + symbol + rng.choice(cars)

    def fits(square: str) -> bool:
        if letter == "B":
            return square[1] in HALF[side]
        return letter != "P" or square[1] != LAST_RANK[side]

    squares = [square for square in crowded if fits(square)] if rng.random() < 0.6 else []
    where = rng.choice(squares or [square for square in free if fits(square)])
    stinky = "*" if letter != "S" and rng.random() < 0.2 else ""
    lunchless = "-" if letter in CARRIERS and rng.random() < 0.3 else ""
    return stinky + lunchless + symbol + where


def steered(position: Position, luck: float, mood: int) -> int:
    """A legal action, chosen by a number from 0 up to 1; hardly ever one that ends the game.

    The more an action is after what the mood is after, the more numbers choose it.
    """
    actions = position.legal_actions()
    if mood == AIMLESS:
        return actions[int(luck * len(actions))]
    interest = _interest(position, mood)
    ranked = sorted(actions, key=interest, reverse=True)
    best = int(luck**3 * len(ranked))
    for action in (ranked[best:] + ranked)[:6]:
        if luck > 0.98 or not _is_careless(position, action):
            return action
    return ranked[best]


def _interest(position: Position, mood: int) -> Callable[[int], float]:
    """How much the mood is after an action of this position."""
    state = position.state[0]
    standing, square_of = state.standing.tolist(), TURNED[state.mover].tolist()
    under_train = CAR_AT[state.phase, : position.options["train_length"]]
    enemies = int(SIDE_MASK[1 - state.mover])

    def interest(action: int) -> float:
        if action >= VICTIMS:
            return 0
        slot, turned = divmod(action, SQUARES)
        square = square_of[turned]
        worth = 2.0 if square in under_train else 0.5 if square in CAMPFIRE else 0
        if action >= DISPLACEMENTS:
            return worth
        worth += 0.8 * standing[square].bit_count()
        if slot in HARMFUL:
            worth += 2 * (standing[square] & enemies).bit_count() ** 2
        if mood == JOURNEY:
            worth += 2 * (square >= BOARD_SQUARES) + 1.5 * (slot >= FIRST_SHREW)
            worth -= 3 * (slot == BEAR)
        return worth

    return interest


def _is_careless(position: Position, action: int) -> bool:
    """Whether the action ends the game or leaves an own Bear in the Train's way."""
    after = position.copy().play_action(action)
    if after.is_over:
        return True
    state = after.state[0]
    bear = position.state[0].mover * SIDE + BEAR
    return bool(state.where[bear] == TRAIN_HEAD[state.phase % PHASES + 1])
