"""Betza's notation of Captain Spalding Chess: ``Xe1-e2/Rd3``.

A move and, after a slash, what a container brings out. Labels are spelled the same way, so a turn
is its labels concatenated; the rest of a turn in progress is ``/Rd3``.

Readers accept words without the hyphen or x, and without the find of a container if only one is
possible. Signs at the end, as in ``Rd3-d4+`` and ``Eg3xg5?!``, are comments, which are dropped.

>>> from pasgl_env import Position
>>> read(Position("spalding"), "Xe1e2/Rd3!")
('Xe1-e2', '/Rd3')
>>> read(Position("spalding"), "Pa1-c3")
Traceback (most recent call last):
...
pasgl_env.records.notation.NotationError: Pa1-c3 is not legal here; legal for Pa1: Pa1-a2, Pa1-b2
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from pasgl_env.contract.game import brief
from pasgl_env.engine.errors import IllegalMove
from pasgl_env.engine.position import Position
from pasgl_env.records.notation import NotationError, only_reading
from pasgl_env.records.turn import Turn

COLUMNS = ()

_MOVE = re.compile(r"(?P<piece>[A-Z][a-h][1-8])(?P<sign>[-x]?)(?P<target>[a-h][1-8])")
_CREATION = re.compile(r"/[A-Z](?P<square>[a-h][1-8])")
_COMMENT = re.compile(r"\+?[!?]{0,2}")


class _WordParts(NamedTuple):
    """The parts of a word; None for missing ones."""

    move: re.Match[str] | None
    creation: re.Match[str] | None


def write(turn: Turn) -> str:
    """A complete turn as Betza writes it."""
    return "".join(turn.labels)


def remarks(turn: Turn) -> tuple[str, ...]:
    """Always empty: Betza's analysis has moves only."""
    return ()


def is_remark(word: str) -> bool:
    """Never."""
    return False


def read(before: Position, text: str) -> tuple[str, ...]:
    """The labels of the turn that a word means."""
    word = _parse(text)
    turn = Turn.begin(before)
    if not before.in_turn:
        turn = _move(turn, word.move)
    elif word.move:
        raise NotationError(f"{brief(text)} begins with a move, which has been made already")
    if not turn.is_complete:
        return only_reading(text, _creations(turn, word.creation))
    if word.creation:
        reason = f"nothing comes out after {turn.labels[0]}"
        raise NotationError(reason, word.creation.start())
    return turn.labels


def _parse(text: str) -> _WordParts:
    move = _MOVE.match(text)
    at = move.end() if move else 0
    creation = _CREATION.match(text, at)
    at = creation.end() if creation else at
    is_word = _COMMENT.fullmatch(text, at) is not None
    if not is_word or not (move or creation):
        reason = f"{brief(text[at:])} is not of the form Rd3-d4 or Xe1-e2/Rd3"
        raise NotationError(reason, at)
    return _WordParts(move, creation)


def _move(turn: Turn, move: re.Match[str] | None) -> Turn:
    if move is None:
        raise NotationError("there is no move before what comes out")
    piece, sign, target = move.groups()
    for label in (f"{piece}{each}{target}" for each in sign or "-x"):
        with suppress(IllegalMove):
            return turn.play(label)
    own = [label for label in turn.after.legal_moves() if label.startswith(piece)]
    raise NotationError(f"{move[0]} is not legal here; legal for {piece}: {_listed(own)}")


def _creations(turn: Turn, creation: re.Match[str] | None) -> Iterable[Turn]:
    """The turn with the named creation, or with every legal one if none is named."""
    if creation is None:
        return map(turn.play, turn.after.legal_moves())
    with suppress(IllegalMove):
        return [turn.play(creation[0])]
    square = creation["square"]
    there = [label for label in turn.after.legal_moves() if label.endswith(square)]
    reason = f"{creation[0]} is not legal here; legal on {square}: {_listed(there)}"
    raise NotationError(reason, creation.start())


def _listed(labels: list[str]) -> str:
    return ", ".join(labels) or "nothing"
