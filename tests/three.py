"""Games for three sides: a heap, whose last stone wins, and Pig, a race of dice."""

import sys
from typing import Any

import numpy as np

from pasgl_env.contract import Chance, FeatureRun, Features, Game, Plane, Spaces, Texts, rule, wide

PLAYERS, MOST, GOAL, SIDES = 3, 31, 20, 6
ROLL = 1
SEATS = ("North", "South", "West")
STATE = np.dtype([("count", np.int32, PLAYERS), ("turn", np.int32), ("due", np.uint8)])
PLANES = (Plane(0, 5, "the first count in binary"),)
HEAP_START = 6


def spaces(options: Any) -> Spaces:
    return Spaces(PLAYERS, 3, (5, 1, 1))


@rule
def start(state: Any, options: Any) -> None:
    state.count[:] = 0
    state.count[0] = HEAP_START
    state.turn = state.due = 0


@rule
def legal_actions(state: Any, options: Any, mask: np.ndarray) -> int:
    for action in range(3):
        mask[action] = action < state.count[0]
    return min(wide(state.count[0]), 3)


@rule
def play(state: Any, options: Any, action: int) -> None:
    state.count[0] -= action + 1
    state.turn += 1


@rule
def observe(state: Any, options: Any, player: int, planes: np.ndarray) -> None:
    for bit in range(5):
        planes[bit, :, :] = wide(state.count[0]) >> bit & 1


@rule
def turns(state: Any) -> int:
    return wide(state.turn)


@rule
def to_move(state: Any) -> int:
    return wide(state.turn) % PLAYERS


@rule
def winner(state: Any, options: Any) -> int:
    return (wide(state.turn) - 1) % PLAYERS


@rule
def write_features(state: Any, options: Any, player: int, indices: np.ndarray) -> int:
    indices[0] = min(wide(state.count[0]), MOST)
    return 1


def label(state: Any, options: Any, action: int) -> str:
    return f"take{action + 1}"


def write(state: Any, options: Any) -> str:
    return " ".join(map(str, (*state.count.tolist(), state.turn, state.due)))


def read(text: str, options: Any, state: Any) -> None:
    numbers = [int(each) for each in text.split(" ")]
    if len(numbers) != PLAYERS + 2 or not all(0 <= each < 10**6 for each in numbers):
        raise ValueError("count: a number is out of range")
    state.count, state.turn, state.due = numbers[:PLAYERS], numbers[PLAYERS], numbers[-1]


TEXTS = Texts(write, read, label, seats=lambda options: SEATS)
FEATURES = Features(
    count=lambda options: MOST + 1,
    most=1,
    write=write_features,
    viewpoint=to_move,
    table=(FeatureRun("32", "a number"),),
)
HEAP = Game.of(sys.modules[__name__], name="heap_of_three", title="Heap for three")


@rule
def start_race(state: Any, options: Any) -> None:
    state.count[:] = 0
    state.turn = 0
    state.due = ROLL


@rule
def is_won(state: Any) -> bool:
    return state.count[0] >= GOAL or state.count[1] >= GOAL or state.count[2] >= GOAL


@rule
def may_roll(state: Any, options: Any, mask: np.ndarray) -> int:
    """To roll again, or to pass."""
    mask[:] = 0
    if state.due == ROLL or is_won(state):
        return 0
    mask[0] = mask[1] = 1
    return 2


@rule
def roll_or_pass(state: Any, options: Any, action: int) -> None:
    state.due = ROLL
    if action == 1:
        state.turn += 1


@rule
def roller(state: Any) -> int:
    return -1 if state.due == ROLL else wide(state.turn) % PLAYERS


@rule
def first_there(state: Any, options: Any) -> int:
    for player in range(PLAYERS):
        if state.count[player] >= GOAL:
            return player
    return -1


@rule
def score_of(state: Any, options: Any, player: int) -> float:
    return np.float64(state.count[player])


@rule
def roll_is_due(state: Any, options: Any) -> int:
    return SIDES if state.due == ROLL else 0


@rule
def rolled(state: Any, options: Any, number: int) -> int:
    return number


@rule
def add_roll(state: Any, options: Any, outcome: int) -> None:
    """A 1 takes half of what the player has, and the turn."""
    player = wide(state.turn) % PLAYERS
    state.due = 0
    if outcome == 0:
        state.count[player] //= 2
        state.turn += 1
        state.due = ROLL
    else:
        state.count[player] += outcome + 1


def roll_label(outcome: int) -> str:
    return f"roll{outcome + 1}"


RACE = Game.of(
    sys.modules[__name__],
    name="race_of_three",
    title="Pig for three",
    start=start_race,
    legal_actions=may_roll,
    play=roll_or_pass,
    to_move=roller,
    winner=first_there,
    evaluate=score_of,
    chance=Chance(SIDES, roll_is_due, rolled, add_roll, roll_label),
    texts=TEXTS._replace(label=lambda state, options, action: ("roll", "pass")[action]),
    features=FEATURES._replace(viewpoint=rule(lambda state: wide(state.turn) % PLAYERS)),
)
