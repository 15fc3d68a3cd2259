"""Chance in Pachessi: rolls of two dice, grace dice, and lots for the first player (Ruling 4).

Outcomes are numbered::

    0 ... 20     roll 1 1, roll 1 2 ... roll 6 6: two dice, the lower first
    21 ... 26    roll 1 ... roll 6: one die, as grace dice are
    27 ... 30    black, green, yellow, red: moves first, by lot, or chooses which of the team does

Two different dice are twice as likely as two equal ones. Lots are drawn between the players in the
game.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import Chance, OptionsRecord, State
from pasgl_env.games.pachessi.rules.state import (
    CHOICE,
    COLOURS,
    FIRST_ROLL,
    LOTS,
    PLAYERS,
    awaits_chance,
    has_one_die,
)
from pasgl_env.jit.compiled import rule, wide

SIDES = 6
PAIRS = np.array(
    [(low, high) for low in range(1, SIDES + 1) for high in range(low, SIDES + 1)], np.int64
)
GRACE_DICE = len(PAIRS)
COLOUR_LOTS = GRACE_DICE + SIDES
OUTCOMES = COLOUR_LOTS + PLAYERS
# PAIR_OF[die, die]: the outcome.
PAIR_OF = np.zeros((SIDES + 1, SIDES + 1), np.int64)
for _outcome, (_low, _high) in enumerate(PAIRS):
    PAIR_OF[_low, _high] = PAIR_OF[_high, _low] = _outcome


@rule
def chance_weight(state: State, options: OptionsRecord) -> int:
    """The sum of the weights of the outcomes; 0 if a player acts or the game is over."""
    if not awaits_chance(state):
        return 0
    if state.roll == LOTS:
        return wide(options.number)
    sides = SIDES + 1 - wide(options.lowest)
    return sides if has_one_die(state, options) else sides * sides


@rule
def chance_outcome(state: State, options: OptionsRecord, number: int) -> int:
    """The outcome of a number."""
    if state.roll == LOTS:
        return COLOUR_LOTS + number * (PLAYERS // options.number)
    lowest = wide(options.lowest)
    if has_one_die(state, options):
        return GRACE_DICE + number + lowest - 1
    sides = SIDES + 1 - lowest
    return PAIR_OF[lowest + number // sides, lowest + number % sides]


@rule
def apply_chance(state: State, options: OptionsRecord, outcome: int) -> None:
    """Put the dice on the table, or let a colour begin, or choose who does."""
    if outcome >= COLOUR_LOTS:
        state.mover = (outcome - COLOUR_LOTS) * options.number // PLAYERS
        state.roll = CHOICE if options.chooses else FIRST_ROLL
    elif outcome >= GRACE_DICE:
        state.dice[0] = outcome - GRACE_DICE + 1
    else:
        state.dice[0] = PAIRS[outcome, 0]
        state.dice[1] = PAIRS[outcome, 1]


def outcome_label(outcome: int) -> str:
    """The label of an outcome."""
    if outcome >= COLOUR_LOTS:
        return COLOURS[outcome - COLOUR_LOTS]
    if outcome >= GRACE_DICE:
        return f"roll {outcome - GRACE_DICE + 1}"
    return f"roll {PAIRS[outcome, 0]} {PAIRS[outcome, 1]}"


CHANCE = Chance(OUTCOMES, chance_weight, chance_outcome, apply_chance, outcome_label)
