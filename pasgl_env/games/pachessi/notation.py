"""A notation of Pachessi modelled on backgammon: ``2-6:Hc7-b5,Ra7xb6;4:Ra7-off``.

Aronson gives none. A roll is written as its dice, a colon and the moves, separated by commas:
``R@-a7`` enters a piece, ``Ra7-off`` bears it off, an ``x`` takes, ``pass`` gives up the remaining
dice. A grace die follows a semicolon. If either die could have been used, the one used is in
parentheses: ``2-6:Hc7-b5(6),...``. Dice already on the table at the start of a turn are written as
if just rolled. If lots decide the first player, the turn starts with a colour: ``black;2-6:...``.

Readers accept words without hyphens, without the dice on the table, without a die in parentheses if
only one is possible, and without a pass.

>>> from pasgl_env import Position
>>> position = Position("pachessi").play("roll 2 6")
>>> read(position, "2-6:Hc7b5,Ra7a6")
('2:Hc7-b5', '6:Ra7-a6')
>>> read(position, "Hc7-b5(6),pass")
Traceback (most recent call last):
...
pasgl_env.records.notation.NotationError: 'pass' is not legal here; legal is Hb5-a3
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pasgl_env.contract.game import brief
from pasgl_env.engine.position import Position
from pasgl_env.games.pachessi.position_text import name_of
from pasgl_env.games.pachessi.rules.state import COLOURS, FIRST_SQUARE
from pasgl_env.records.notation import NotationError, only_reading
from pasgl_env.records.turn import Turn

COLUMNS = ()

_ROLL = re.compile(r"(?P<low>[1-6])(?:-?(?P<high>[1-6]))?:")
_MOVE = re.compile(
    r"(?P<start>[REHS](?:@|[a-z][1-9][0-9]?))(?P<sign>[-x]?)(?P<end>off|[a-z][1-9][0-9]?)"
    r"(?:\((?P<die>[1-6])\))?"
)
_PLAIN = ("pass", *COLOURS)
_MOST_SHOWN = 8


class _Step(NamedTuple):
    """A part of a word.

    Attributes:
        column: its start in the word.
        roll: the match if it is a roll.
        move: the match if it is a move; if both are None, the text is a label.
    """

    column: int
    text: str
    roll: re.Match[str] | None = None
    move: re.Match[str] | None = None


def write(turn: Turn) -> str:
    """A complete turn with its rolls."""
    position = turn.before.copy()
    text = "" if position.is_chance else _dice(_on_table(position))
    for label in turn.labels:
        separator = ";" if position.is_chance else ","
        text += ("" if text == "" or text.endswith(":") else separator) + _written(position, label)
        position.play(label)
    return text


def remarks(turn: Turn) -> tuple[str, ...]:
    """Nothing."""
    return ()


def is_remark(word: str) -> bool:
    """Never."""
    return False


def read(before: Position, text: str) -> tuple[str, ...]:
    """The labels of the turn that a word means."""
    turns = [Turn.begin(before)]
    for step in _steps(text):
        after = [next_turn for turn in turns for next_turn in _follow(turn, step)]
        if not after:
            raise NotationError(_why_not(turns[0], step), step.column)
        turns = after
    complete = [turn for turn in map(_without_useless_dice, turns) if turn.is_complete]
    if not complete:
        reason = f"the turn continues after {brief(text)}; {_legal(turns[0].after)}"
        raise NotationError(reason, len(text))
    return only_reading(text, complete)


def _dice(dice: list[str]) -> str:
    return f"{'-'.join(dice)}:"


def _on_table(position: Position) -> list[str]:
    return [str(die) for die in position.state[0].dice if die]


def _written(position: Position, label: str) -> str:
    """A legal label as written in a word."""
    if label in _PLAIN:
        return label
    if position.is_chance:
        return _dice(label.split()[1:])
    die, _, move = label.partition(":")
    start, _, end = move.partition("-")
    is_clear = sum(legal.endswith(f":{move}") for legal in position.legal_moves()) == 1
    return f"{start}{_sign(position, end)}{end}{'' if is_clear else f'({die})'}"


def _sign(position: Position, end: str) -> str:
    places = position.state[0].place
    is_taken = any(place >= FIRST_SQUARE and name_of(place) == end for place in places.tolist())
    return "x" if is_taken else "-"


def _steps(text: str) -> Iterator[_Step]:
    """Yield the parts of a word; the rest is parsed only when needed."""
    column = 0
    for rolled in text.split(";"):
        roll = _ROLL.match(rolled)
        if roll:
            yield _Step(column, roll[0], roll=roll)
        moves = rolled[roll.end() :] if roll else rolled
        column += len(rolled) - len(moves)
        if moves or not roll:
            for word in moves.split(","):
                yield _step(column, word)
                column += len(word) + 1
        else:
            column += 1


def _step(column: int, word: str) -> _Step:
    move = _MOVE.fullmatch(word)
    if not move and word not in _PLAIN:
        raise NotationError(f"{brief(word)} is not of the form Hc7-b5 or 2-6:Hc7-b5,Ra7xb6", column)
    return _Step(column, word, move=move)


def _follow(turn: Turn, step: _Step) -> Iterator[Turn]:
    """The turn with one more part of the word, in all possible readings."""
    if step.roll:
        if step.column == 0 and _on_table(turn.after) == _rolled(step.roll):
            yield turn
            return
        turn = _without_useless_dice(turn)
    if not turn.is_complete and _has_right_sign(turn.after, step):
        yield from map(turn.play, _labels(turn.after, step))


def _without_useless_dice(turn: Turn) -> Turn:
    """The turn after a pass, if nothing else is legal."""
    return turn.play("pass") if turn.after.legal_moves() == ["pass"] else turn


def _rolled(roll: re.Match[str]) -> list[str]:
    return sorted(filter(None, roll.groups()))


def _labels(position: Position, step: _Step) -> list[str]:
    """The legal labels that a part of a word may mean, ignoring its sign."""
    if step.roll:
        wanted = [f"roll {' '.join(_rolled(step.roll))}"]
    elif step.move:
        dice = [step.move["die"]] if step.move["die"] else _on_table(position)
        wanted = [f"{die}:{step.move['start']}-{step.move['end']}" for die in dice]
    else:
        wanted = [step.text]
    return [label for label in position.legal_moves() if label in wanted]


def _has_right_sign(position: Position, step: _Step) -> bool:
    return not step.move or step.move["sign"] in ("", _sign(position, step.move["end"]))


def _why_not(turn: Turn, step: _Step) -> str:
    if turn.is_complete:
        return f"the turn has ended before {brief(step.text)}"
    if step.move and _labels(turn.after, step):
        return f"{step.text} takes {'nothing' if step.move['sign'] == 'x' else 'a piece'}"
    return f"{brief(step.text)} is not legal here; {_legal(turn.after)}"


def _legal(position: Position) -> str:
    labels = position.legal_moves()
    shown = ", ".join(_written(position, label) for label in labels[:_MOST_SHOWN])
    more = f", ... ({len(labels)} in all)" if len(labels) > _MOST_SHOWN else ""
    return f"legal {'is' if len(labels) == 1 else 'are'} {shown}{more}"
