"""The actions of Captain Spalding Chess, described."""

from __future__ import annotations

from typing import Any

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.description import QUESTION, Symbol, Verb
from pasgl_env.games.spalding.names import KIND_NAMES
from pasgl_env.games.spalding.rules.board import NAMES, TARGET, TURN
from pasgl_env.games.spalding.rules.board import SQUARES as NUMBER_OF_SQUARES
from pasgl_env.games.spalding.rules.legal import CREATIONS, creates
from pasgl_env.games.spalding.rules.state import EMPTY, KIND, KINDS, LETTERS, NEUTRALS
from pasgl_env.jit.compiled import rule, wide

SQUARES = NAMES
VERBS = (
    Verb("move", "{piece}{origin}-{target}", "Move: {name} {origin} to {target}"),
    Verb("capture", "{piece}{origin}x{target}", "Capture: {name} {origin} to {target}"),
    Verb("create", "/{piece}{target}", "Bring out: {name}"),
)
MOVED, CAPTURED, CREATED = range(len(VERBS))
QUESTIONS = ("what comes out of the {name}, and where?",)


def _symbol(content: int, letter: str) -> Symbol:
    seat = None if content > 2 * KINDS else (content - 1) // KINDS
    return Symbol(letter, KIND_NAMES[int(KIND[content])], seat, letter=letter.upper())


_SYMBOLS = tuple(
    _symbol(content, letter)
    for content, letter in enumerate(f"{LETTERS}{LETTERS.lower()}{NEUTRALS}", 1)
)


def symbols(options: OptionsRecord) -> tuple[Symbol, ...]:
    """The pieces, in the order of the contents of squares."""
    return _SYMBOLS


@rule
def describe(state: State, options: OptionsRecord, action: int, out: Any) -> None:
    """Write a legal action, or the question."""
    if action == QUESTION:
        out.kind = 0
        out.piece = state.board[state.container] - 1
        return
    square = (action % NUMBER_OF_SQUARES) ^ TURN[state.mover]
    content = wide(state.board[square])
    if action >= CREATIONS:
        find = (action - CREATIONS) // NUMBER_OF_SQUARES
        out.kind = CREATED
        out.piece = creates(state, find, square, content) - 1
        out.target = square
        return
    target = wide(TARGET[state.mover, square, action // NUMBER_OF_SQUARES])
    out.kind = MOVED if state.board[target] == EMPTY else CAPTURED
    out.piece = content - 1
    out.origin = square
    out.target = target
