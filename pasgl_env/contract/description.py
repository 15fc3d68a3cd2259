"""What actions do, as small records, and the labels and words that are made of them.

A game with the part ``description`` (:class:`pasgl_env.contract.parts.Description`) writes an
:data:`ACTION` for each legal action. Boards are clicked, labels written and sentences told by it:
nothing reads a label. In a game without this part, an action is its label, chosen from a list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract import parts
from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.game import Game
from pasgl_env.contract.record import record_dtype
from pasgl_env.jit.compiled import bind

QUESTION = -1
"""Stands for an action: the question for the player to act in the middle of a turn."""
MOST_OTHERS = 8
MOST_KEPT = 2**14
"""Actions, or events, that are kept in memory: many games share them."""

ACTION = record_dtype(
    [
        ("kind", np.int16),  # index of the verb
        ("piece", np.int16),  # symbol of the piece that acts, or that is put or taken
        ("origin", np.int16),  # square that it leaves or acts from
        ("target", np.int16),  # square that it enters or acts on
        ("becomes", np.int16),  # symbol of the piece into which it is promoted
        ("number", np.int16),  # a number that belongs to it, such as a die
        ("others", np.int16, (MOST_OTHERS,)),  # further squares, in order
    ]
)
"""An action. Numbers are indices of the part's ``VERBS``, ``symbols`` and ``SQUARES``; -1: none."""


class Asked(StrEnum):
    """How a player is asked for actions of a kind."""

    BOARD = "board"
    """By their squares; those without squares from the list."""
    LIST = "list"
    """From a list too: they are few."""
    RESERVE = "reserve"
    """The piece is chosen from those beside the board, then its square."""


class Verb(NamedTuple):
    """A kind of actions.

    ``label`` and ``words`` are format strings of these fields: ``{piece}`` and ``{becomes}``, the
    letters of the symbols; ``{name}`` and ``{new}``, their names; ``{which}``, the name with the
    piece's condition; ``{condition}`` and ``{owner}``, this alone and the piece's player;
    ``{origin}``, ``{target}``, ``{number}``, and ``{others}`` joined by ``-``. Those of symbols are
    missing where the record has none.

    >>> Verb("move", "{piece}{origin}-{target}", "Move: {name} {origin} to {target}").name
    'move'

    Attributes:
        name: its name, one word.
        label: the form of labels.
        words: the form of its words for people.
        asked: how a player is asked for it.
        arrives: whether the piece, if there is one, is on the target afterwards.
    """

    name: str
    label: str
    words: str
    asked: Asked = Asked.BOARD
    arrives: bool = True


class Symbol(NamedTuple):
    """A piece in a condition, as drawings tell it apart from others.

    Attributes:
        text: its symbol in drawings, such as ``*-w`` or ``black-R``.
        name: its name.
        seat: the player to whom it belongs; None for nobody.
        condition: what is unusual about it; empty for nothing.
        letter: its symbol in labels; empty for the same.
        icon: the symbol of its picture, for :func:`pasgl_env.render.icon`; empty for the same.
    """

    text: str
    name: str
    seat: int | None = None
    condition: str = ""
    letter: str = ""
    icon: str = ""

    @property
    def which(self) -> str:
        """The name with the condition."""
        return f"{self.name}, {self.condition}" if self.condition else self.name


class Action(NamedTuple):
    """An action before it is played, for people.

    Attributes:
        label: its label.
        kind: the name of its verb; ``word`` in games without descriptions.
        words: what it does.
        asked: how a player is asked for it.
        piece: the piece that acts, or that is put or taken.
        origin: the square that the piece leaves or acts from; empty for none.
        target: the square that it enters or acts on; empty for none.
        becomes: the piece into which it is promoted.
        others: further squares, in order, such as those passed by several captures in a row.
        arrives: whether the piece is on the target afterwards.
    """

    label: str
    kind: str
    words: str
    asked: Asked
    piece: Symbol | None = None
    origin: str = ""
    target: str = ""
    becomes: Symbol | None = None
    others: tuple[str, ...] = ()
    arrives: bool = False

    @property
    def squares(self) -> tuple[str, ...]:
        """The squares that it touches, in order."""
        return tuple(filter(None, (self.origin, *self.others, self.target)))


_EMPTY = np.full(1, -1, [("", np.int16, (ACTION.itemsize // 2,))]).view(ACTION)


def label(game: Game, state: State, options: OptionsRecord, action: int) -> str:
    """The label of a legal action."""
    if game.texts.label is not None:
        return game.texts.label(state, options, action)
    return describe(game, state, options, [action])[0].label


def describe(
    game: Game, state: State, options: OptionsRecord, actions: Sequence[int]
) -> list[Action]:
    """Legal actions, in the given order."""
    own = game.texts.label
    try:
        part: Any = parts.description(game)
    except NotImplementedError:
        names = [label(game, state, options, action) for action in actions]
        return [Action(name, "word", name, Asked.LIST) for name in names]
    out = _EMPTY.repeat(len(actions))
    write = writer(part.describe, game.cache_name)
    write(array_of(state), array_of(options), np.array(actions, np.int64), out)
    given, row = options.tobytes(), f"V{ACTION.itemsize}"
    described = [_action(game, given, options.dtype, each) for each in out.view(row).tolist()]
    if own is None:
        return described
    return [
        each._replace(label=own(state, options, action))
        for each, action in zip(described, actions, strict=True)
    ]


def question(game: Game, state: State, options: OptionsRecord) -> str:
    """The choice of the player to act in the middle of a turn; empty in games that do not say."""
    try:
        part: Any = parts.description(game)
    except NotImplementedError:
        return ""
    if not hasattr(part, "QUESTIONS"):
        return ""
    out = _EMPTY.copy()
    write = writer(part.describe, game.cache_name)
    write(array_of(state), array_of(options), np.array([QUESTION]), out)
    asked = _told(part, game.texts.seats(options), part.symbols(options), out.tobytes())
    form: str = part.QUESTIONS[asked.kind]
    return form.format_map(asked.fields)


class _Told(NamedTuple):
    """A record, and the fields of format strings."""

    kind: int
    piece: Symbol | None
    becomes: Symbol | None
    others: tuple[str, ...]
    fields: dict[str, Any]


def _told(part: Any, seats: Sequence[str], symbols: Sequence[Symbol], row: bytes) -> _Told:
    """What a record says, given as bytes."""
    kind, piece, origin, target, becomes, number, *others = np.frombuffer(row, np.int16).tolist()
    if kind < 0:
        raise IndexError("describe writes no kind for a legal action, or for the question")
    squares = part.SQUARES
    acts = symbols[piece] if piece >= 0 else None
    new = symbols[becomes] if becomes >= 0 else None
    passed = tuple(squares[square] for square in others if square >= 0)
    fields: dict[str, Any] = {
        "origin": squares[origin] if origin >= 0 else "",
        "target": squares[target] if target >= 0 else "",
        "number": number,
        "others": "-".join(passed),
    }
    if acts:
        owner = "" if acts.seat is None else seats[acts.seat]
        fields |= {"piece": acts.letter or acts.text, "name": acts.name, "which": acts.which}
        fields |= {"condition": acts.condition, "owner": owner}
    if new:
        fields |= {"becomes": new.letter or new.text, "new": new.name}
    return _Told(kind, acts, new, passed, fields)


@lru_cache(MOST_KEPT)
def _action(game: Game, options: bytes, dtype: np.dtype[Any], row: bytes) -> Action:
    """The action of a record, given as bytes, as are the options."""
    part, option = parts.description(game), np.frombuffer(options, dtype)[0]
    kind, acts, new, others, fields = _told(
        part, game.texts.seats(option), part.symbols(option), row
    )
    verb = part.VERBS[kind]
    return Action(
        label=verb.label.format_map(fields),
        kind=verb.name,
        words=verb.words.format_map(fields),
        asked=verb.asked,
        piece=acts,
        origin=fields["origin"],
        target=fields["target"],
        becomes=new,
        others=others,
        arrives=verb.arrives and acts is not None,
    )


@cache
def writer(rule: Callable[..., Any], cache_name: str) -> Any:
    """The rule ``describe``, for arrays of one record: Numba takes records slowly."""
    return bind(_write, cache_name, {"describe_rule": rule})


describe_rule: Any = None  # the game's, in the template below


def _write(states: np.ndarray, options: np.ndarray, actions: np.ndarray, out: np.ndarray) -> None:
    """Write legal actions."""
    for number in range(actions.size):
        describe_rule(states[0], options[0], actions[number], out[number])


def array_of(record: Any) -> np.ndarray:
    """A record as an array that shares its memory."""
    return np.frombuffer(record, record.dtype)
