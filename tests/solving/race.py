"""A small race with dice for the tests: two tokens on a track, which players move or push back."""

import numpy as np

from pasgl_env.contract import Chance, Game, Plane, Spaces, Texts, rule
from pasgl_env.contract.game import TURN_LIMIT

GOAL = 5
MOVE, PUSH, WAIT = range(3)
STATE = np.dtype(
    [
        ("turn_count", np.int32),
        ("at", np.int8, (2,)),
        ("mover", np.uint8),
        ("die", np.uint8),  # 0: to be rolled
    ]
)


@rule
def start(state, options):
    state.turn_count = 0
    state.at[0] = state.at[1] = state.mover = state.die = 0


@rule
def is_over(state):
    return state.at[0] >= GOAL or state.at[1] >= GOAL


@rule
def legal_actions(state, options, mask):
    can_act = state.die != 0 and not is_over(state)
    mask[MOVE] = mask[WAIT] = can_act
    mask[PUSH] = can_act and state.at[1 - state.mover] > 0
    return int(mask[MOVE]) + int(mask[WAIT]) + int(mask[PUSH])


@rule
def play(state, options, action):
    if action == MOVE:
        state.at[state.mover] = min(int(state.at[state.mover]) + int(state.die), GOAL)
    if action == PUSH:
        other = 1 - state.mover
        state.at[other] = max(int(state.at[other]) - int(state.die), 0)
    state.mover = 1 - state.mover
    state.die = 0
    state.turn_count += 1


@rule
def observe(state, options, player, planes):
    planes[:, :, :] = 0


@rule
def to_move(state):
    return -1 if state.die == 0 and not is_over(state) else int(state.mover)


@rule
def winner(state, options):
    return 0 if state.at[0] >= GOAL else 1


@rule
def turns(state):
    return int(state.turn_count)


@rule
def forget(state, options):
    state.turn_count = 0


@rule
def weight(state, options):
    return 3 if state.die == 0 and not is_over(state) else 0


@rule
def outcome(state, options, number):
    return min(number, 1)


@rule
def apply(state, options, number):
    state.die = 1 + number


def write(state, options):
    return f"{state.at[0]}/{state.at[1]} {'wb'[state.mover]} {state.die} {state.turn_count}"


def read(text, options, state):
    tokens, mover, die, turn = text.split(" ")
    state.at[:] = [int(token) for token in tokens.split("/")]
    state.mover, state.die, state.turn_count = "wb".index(mover), int(die), int(turn)


def label(state, options, action):
    return ("move", "push", "wait")[action]


RACE = Game(
    name="race",
    title="Race",
    state=STATE,
    planes=(Plane(0, 1, "nothing"),),
    texts=Texts(write, read, label),
    spaces=lambda options: Spaces(2, 3, (1, 1, 1)),
    start=start,
    legal_actions=legal_actions,
    play=play,
    observe=observe,
    to_move=to_move,
    winner=winner,
    turns=turns,
    forget=forget,
    options=(TURN_LIMIT,),
    chance=Chance(2, weight, outcome, apply),
)
