"""What a game provides, stated once. The engine knows this and nothing of any game.

Rules are compiled scalar functions over one state record and one options record. They allocate
nothing and draw no random numbers. In their signatures ``state`` is a record of :attr:`Game.state`,
``options`` a record of :func:`options_dtype`, an *action* an index of the variant's ``Discrete``
space.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import index
from typing import Any, NamedTuple, TypeAlias

import numpy as np

State: TypeAlias = Any
"""One record of a game's state: a ``numpy.record``, or Numba's view of one."""

OptionsRecord: TypeAlias = Any
"""One record of integer options, a field for each :class:`Option`."""


class Option(NamedTuple):
    """A number that a playtester may turn. ``default`` is the inventor's game."""

    name: str
    default: int
    low: int
    high: int
    meaning: str


class Plane(NamedTuple):
    """A run of observation planes, for documentation and for the test that decodes them."""

    first: int
    length: int
    meaning: str


class Spaces(NamedTuple):
    """The size of a variant's spaces under given options.

    Attributes:
        players: number of agents.
        actions: size of the ``Discrete`` action space.
        observation: shape (planes, height, width) of the ``uint8`` observation, values 0 and 1.
    """

    players: int
    actions: int
    observation: tuple[int, int, int]


@dataclass(frozen=True)
class Game:
    """A game's rules and texts.

    Compiled rules:

    - ``start(state, options)``: write the starting position.
    - ``legal_actions(state, options, mask) -> int``: write the whole mask (``uint8[actions]``, 1 is
      legal) and return how many actions are legal: 0 if and only if the game is over. Different
      legal actions have different labels.
    - ``play(state, options, action)``: carry out a legal action, with all that follows from it.
    - ``observe(state, options, player, planes)``: write the whole observation (``uint8[C, H, W]``)
      as ``player`` sees it.
    - ``to_move(state) -> int``: the player who acts next; after the end, who would have.
    - ``is_over(state, options) -> bool``.
    - ``winner(state, options) -> int``: of a finished game; -1 for a draw.
    - ``points(state, player) -> int``: the player's score, 0 in games without scores.
    - ``turns(state) -> int``: turns completed, of all players together.
    - ``in_turn(state) -> bool``: whether a turn has begun and is not complete.
    - ``is_possible(state, options) -> bool``: whether the record is one that the other functions
      can be given: every field in range and all of them consistent.
    - ``evaluate(state, options, player) -> float``: how good the state is for a player, for greedy
      play and search. The scale is the game's own; what a turn's open choices will do does not
      count.

    Texts, plain Python:

    - ``label(state, options, action) -> str``: the text by which people name a legal action.
    - ``write(state, options) -> str``: position text of a state at the start of a turn or finished.
    - ``read(text, options, state)``: the inverse, into a zeroed record; ``ValueError`` names the
      field.

    Attributes:
        name: the variant's name, a valid identifier.
        title: the name for people.
        state: dtype of the state, ``np.dtype((np.record, fields))`` without padding.
        options: what can be set, in the order of the options record; one must be ``turn_limit``,
            the number of turns after which environments truncate, 0 for never.
        text_fields: number of space-separated fields in a position text.
        planes: the observation, run by run.
        has_points: whether ``points`` means anything.
        diagram: a drawing for the terminal.
    """

    name: str
    title: str
    state: np.dtype[Any]
    options: tuple[Option, ...]
    text_fields: int
    planes: tuple[Plane, ...]
    has_points: bool
    spaces: Callable[[OptionsRecord], Spaces]
    start: Callable[[State, OptionsRecord], None]
    legal_actions: Callable[[State, OptionsRecord, np.ndarray], int]
    play: Callable[[State, OptionsRecord, int], None]
    observe: Callable[[State, OptionsRecord, int, np.ndarray], None]
    to_move: Callable[[State], int]
    is_over: Callable[[State, OptionsRecord], bool]
    winner: Callable[[State, OptionsRecord], int]
    points: Callable[[State, int], int]
    turns: Callable[[State], int]
    in_turn: Callable[[State], bool]
    is_possible: Callable[[State, OptionsRecord], bool]
    evaluate: Callable[[State, OptionsRecord, int], float]
    label: Callable[[State, OptionsRecord, int], str]
    write: Callable[[State, OptionsRecord], str]
    read: Callable[[str, OptionsRecord, State], None]
    diagram: Callable[[State, OptionsRecord], str]


def options_dtype(options: tuple[Option, ...]) -> np.dtype[Any]:
    """The record that rule functions get: one ``int32`` for each option."""
    return np.dtype((np.record, [(option.name, np.int32) for option in options]))


def options_dict(game: Game, record: np.ndarray) -> dict[str, int]:
    """All options with their values."""
    return {option.name: int(record[option.name][0]) for option in game.options}


def options_array(game: Game, values: Mapping[str, Any]) -> np.ndarray:
    """Check option values and return them as an array of one record.

    Raises:
        ValueError: for an unknown name or an impossible value; the text says what is allowed.
    """
    known = {option.name: option for option in game.options}
    for name, value in values.items():
        if name not in known:
            allowed = ", ".join(known)
            raise ValueError(f"{game.name} has no option {brief(name)}; its options are {allowed}")
        _check_value(game.name, known[name], value)
    record = np.zeros(1, options_dtype(game.options))
    for option in game.options:
        record[option.name] = values.get(option.name, option.default)
    return record


def brief(value: Any) -> str:
    """What a message shows of a value that somebody gave: its ``repr``, cut if it is long."""
    try:
        shown = repr(value)
    except ValueError:  # Python refuses to write out huge numbers
        return f"a huge {type(value).__name__}"
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _check_value(game: str, option: Option, value: Any) -> None:
    allowed = f"a whole number from {option.low} to {option.high}"
    try:
        number = index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool) or not option.low <= number <= option.high:
        raise ValueError(f"option {option.name} of {game} must be {allowed}, not {brief(value)}")
