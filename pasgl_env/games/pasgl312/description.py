"""The actions of PASGL 312 Chess, described."""

from __future__ import annotations

from typing import Any

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.bits import lowest
from pasgl_env.contract.description import QUESTION, Asked, Symbol, Verb
from pasgl_env.games.pasgl312.names import KIND_NAMES
from pasgl_env.games.pasgl312.rules.board import NAMES, TURNED
from pasgl_env.games.pasgl312.rules.board import SQUARES as NUMBER_OF_SQUARES
from pasgl_env.games.pasgl312.rules.legal import DISPLACEMENTS, PASS, VICTIMS
from pasgl_env.games.pasgl312.rules.play import displaced_next
from pasgl_env.games.pasgl312.rules.state import (
    CHOOSE_DISPLACEMENT,
    HUNTER,
    LETTERS,
    SIDE,
    WOODCHUCK,
    at,
    critter_in,
    kind_of,
)
from pasgl_env.jit.compiled import rule, wide

SQUARES = NAMES
CONDITIONS = {"-": "without lunch", "*": "stinky", "~": "leaving"}
MODIFIERS = ("", "-", "*", "*-")
CONDITIONED = 2 * len(MODIFIERS)  # symbols of a kind
STACK_ORDER = "BHDFWSTMP"
VERBS = (
    Verb("move", "{piece}{origin}{target}", "Move: {name} {origin} to {target}"),
    Verb("shot", "{piece}{origin}:{target}", "Shoot: {name} {origin} to {target}", arrives=False),
    Verb(
        "throw",
        "{piece}{origin}^{target}",
        "Throw wood: {name} {origin} to {target}",
        arrives=False,
    ),
    Verb("push", "{piece}{target}", "{which} to {target}"),
    Verb("victim", "{piece}", "Take: {which}", Asked.LIST, arrives=False),
    Verb("pass", "pass", "Pass"),
)
MOVED, SHOT, THREW, PUSHED, TOOK, PASSED = range(len(VERBS))
QUESTIONS = (
    "which critter on {target}?",
    "where does {owner}'s {name} go?",
    "where does {owner}'s {name} ({condition}) go?",
)
WHICH, WHERE, WHERE_WITH_CONDITION = range(len(QUESTIONS))


def _symbol(side: int, kind: int, signs: str) -> Symbol:
    """A critter in labels; case shows its side (Ruling 11)."""
    letter = LETTERS[kind].lower() if side else LETTERS[kind]
    text = f"{signs}{letter}"
    condition = ", ".join(CONDITIONS[sign] for sign in signs)
    return Symbol(text, KIND_NAMES[kind], side, condition, text.removeprefix("~"), letter)


_SYMBOLS = tuple(
    _symbol(side, kind, leaving + modifiers)
    for side in range(2)
    for kind in range(len(LETTERS))
    for leaving in ("", "~")
    for modifiers in MODIFIERS
)


def _stack_order(symbol: int) -> tuple[int, ...]:
    kind, leaving, modifiers = symbol // 8, symbol // 4 % 2, symbol % 4
    side, letter = kind // len(LETTERS), LETTERS[kind % len(LETTERS)]
    return side, STACK_ORDER.index(letter), modifiers, leaving


# The order of symbols in stacks.
_ORDER = np.argsort(sorted(range(len(_SYMBOLS)), key=_stack_order))


def symbols(options: OptionsRecord) -> tuple[Symbol, ...]:
    """The critters in all conditions."""
    return _SYMBOLS


@rule
def describe(state: State, options: OptionsRecord, action: int, out: Any) -> None:
    """Write a legal action, or the question."""
    mover = wide(state.mover)
    if action == QUESTION:
        _ask(state, out)
    elif action == PASS:
        out.kind = PASSED
    elif action >= VICTIMS:
        out.kind = TOOK
        out.piece = symbol_of(state, critter_in(state, 1 - mover, action - VICTIMS))
        out.target = state.target
    elif action >= DISPLACEMENTS:
        out.kind = PUSHED
        out.piece = symbol_of(state, displaced_next(state))
        out.target = TURNED[mover, action - DISPLACEMENTS]
    else:
        critter = critter_in(state, mover, action // NUMBER_OF_SQUARES)
        out.piece = symbol_of(state, critter)
        out.origin = state.where[critter]
        out.target = TURNED[mover, action % NUMBER_OF_SQUARES]
        out.kind = MOVED
        if at(state, wide(out.target)) and critter % SIDE == HUNTER:
            out.kind = SHOT
        elif at(state, wide(out.target)) and critter % SIDE == WOODCHUCK:
            out.kind = THREW


@rule
def _ask(state: State, out: Any) -> None:
    """Write the question."""
    if state.choice != CHOOSE_DISPLACEMENT:
        out.kind = WHICH
        out.target = state.target
        return
    out.piece = symbol_of(state, displaced_next(state))
    out.kind = WHERE if out.piece % CONDITIONED == 0 else WHERE_WITH_CONDITION


@rule
def symbol_of(state: State, critter: int) -> int:
    """The number of a critter's symbol."""
    stinky = (wide(state.stinky) >> critter) & 1
    lunchless = (wide(state.lunchless) >> critter) & 1
    leaving = (wide(state.leaving) >> critter) & 1
    kind = critter // SIDE * len(LETTERS) + kind_of(state, critter)
    return CONDITIONED * kind + 4 * leaving + 2 * stinky + lunchless


@rule
def first_alike(state: State, critters: int) -> int:
    """Those of a set that come first in a stack; several look the same."""
    first, alike = len(_ORDER), 0
    while critters:
        critter = lowest(critters)
        critters &= critters - 1
        order = wide(_ORDER[symbol_of(state, critter)])
        if order < first:
            first, alike = order, 0
        if order == first:
            alike |= wide(1) << critter
    return alike
