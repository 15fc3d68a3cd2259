"""The types in the signatures of compiled rules, and the rules that games share.

A compiled module imports only this, :mod:`pasgl_env.contract.bits`, :mod:`pasgl_env.jit.compiled`
and its own game's rules, because everything that it imports is part of the key of its compiled
code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pasgl_env.jit.compiled import rule, wide

State: TypeAlias = Any
"""One record of a game's state: a ``numpy.record``, or Numba's view of one."""

OptionsRecord: TypeAlias = Any
"""One record of options: a field for each of :attr:`Game.options`, then the derived ones."""


class Plane(NamedTuple):
    """A run of observation planes, for documentation and for the test that decodes them."""

    first: int
    length: int
    meaning: str


def plane_count(options: OptionsRecord, planes: Sequence[Plane], more: Sequence[Plane]) -> int:
    """The number of planes of a game; with the option ``more_planes`` those of ``more`` follow."""
    last = more[-1] if options.more_planes else planes[-1]
    return last.first + last.length


TURNS_LEFT_BITS = 10


def turns_left(first: int) -> Plane:
    """The planes that :func:`show_turns_left` writes."""
    return Plane(
        first,
        TURNS_LEFT_BITS,
        "turns left before the turn limit in binary, at most 1023, also without a limit, lowest bit"
        " first, all 0 or 1",
    )


class FeatureRun(NamedTuple):
    """A run of features, for documentation; ``size`` is their number, as a product."""

    size: str
    meaning: str


class Learning(NamedTuple):
    """The settings with which values of a game are learned, unless a run sets others.

    Attributes:
        exploration: share of actions that are drawn by value instead of being the best.
        opening: largest number of random actions at the start of a game.
        decay: λ of TD(λ).
        horizon: number of turns after which a game is cut off; None: the variant's limit.
        truncated_value: largest value of a game that is cut off; a win counts 1.
        extra_variants: variants with the same rules and features, whose games are learned from too.
        discount: discount factor per turn.
    """

    exploration: float = 0.2
    opening: int = 8
    decay: float = 0.7
    horizon: int | None = None
    truncated_value: float = 0.5
    extra_variants: tuple[str, ...] = ()
    discount: float = 1.0


def no_more(options: Mapping[str, Any]) -> tuple[str, ...]:
    """The :attr:`Features.free_in` of most games: none."""
    del options
    return ()


FREE_OPTIONS = ("turn_limit", "more_planes")
"""Options that are no rules: where a game is cut off, and what it shows."""


class PositionKeys(NamedTuple):
    """Hashes of what is the same in repeated positions.

    Attributes:
        of: rule ``(state) -> uint64``: the hash of a state.
        after: rule ``(state, options, key, action) -> uint64``: the hash after an action in a
            quiescent state with this hash, and after any choices that the action requires.
    """

    of: Callable[[State], Any]
    after: Callable[[State, OptionsRecord, Any, int], Any]


class Features(NamedTuple):
    """The input of learned values: a list of the numbered features that are present in a state.

    Attributes:
        count: ``(options) -> int``: number of features under these options.
        most: largest number of features that are present at once; one that is present twice counts
            twice.
        write: rule ``(state, options, player, indices) -> int``: write the indices of the features
            that are present from ``player``'s point of view; return their number. Called for
            quiescent states of games that are not over, with ``int32[most + memory]``.
        viewpoint: rule ``(state) -> int``: the player from whose point of view a state is valued;
            in symmetric games the player to act or to roll, so that sides share what is learned.
        table: the runs, in order.
        free: options that do not affect what is learned.
        free_in: function ``(options) -> names``: further options of which that holds among these.
        ahead: default number of turns that a search plays on before it evaluates a position, the
            strongest as measured.
        learning: how values are learned best, as measured.
        position_keys: hashes of positions, where players that are ahead should not repeat one, and
            where no position comes back after the points have changed; None for games without this
            problem.
        memory: words that ``write`` needs for itself behind the features.
        evaluate: rule ``(state, options, player, indices) -> float``: :attr:`Game.evaluate` of the
            state whose features were written last, for the same player, where these make it faster.
        changes: rule ``(start, state, options, player, before, indices, gone) -> (int, int)``:
            write the features that an action in ``start`` removes to ``gone`` and those that it
            adds to ``indices``, with the memory for ``evaluate``; return both numbers. ``before``
            holds the features that ``write`` wrote for ``start``. None if writing all features is
            as fast.
        approach: rule ``(start, state, options, player) -> int``: the number of steps by which the
            player's pieces have come nearer to the enemy. They count when nothing has been captured
            for long, so that players do not keep away from each other for ever; None for games
            without this problem.
        units: number of the network's rectified units: more are stronger if they learn for long,
            and slower.
    """

    count: Callable[[OptionsRecord], int]
    most: int
    write: Callable[[State, OptionsRecord, int, np.ndarray], int]
    viewpoint: Callable[[State], int]
    table: tuple[FeatureRun, ...]
    free: tuple[str, ...] = FREE_OPTIONS
    free_in: Callable[[Mapping[str, Any]], tuple[str, ...]] = no_more
    ahead: int = 0
    learning: Learning = Learning()
    position_keys: PositionKeys | None = None
    memory: int = 0
    evaluate: Callable[[State, OptionsRecord, int, np.ndarray], float] | None = None
    changes: Callable[..., tuple[int, int]] | None = None
    approach: Callable[[State, State, OptionsRecord, int], int] | None = None
    units: int = 31


@rule
def show_bits(number: int, first: int, bits: int, planes: np.ndarray) -> None:
    """Write a number in binary: one plane of all 0 or all 1 per bit, lowest bit first."""
    for bit in range(bits):
        planes[first + bit, :, :] = (number >> bit) & 1


@rule
def show_turns_left(turns: int, options: OptionsRecord, first: int, planes: np.ndarray) -> None:
    """Write the number of turns left before the turn limit."""
    most = (1 << TURNS_LEFT_BITS) - 1
    left = min(max(wide(options.turn_limit) - turns, 0), most) if options.turn_limit else most
    show_bits(left, first, TURNS_LEFT_BITS, planes)


@rule
def no_chance_weight(state: State, options: OptionsRecord) -> int:
    """The :attr:`Chance.weight` of games without chance."""
    return 0


@rule
def no_outcome(state: State, options: OptionsRecord, number: int) -> int:
    """The :attr:`Chance.outcome` and :attr:`Chance.apply` of games without chance."""
    return number


class Chance(NamedTuple):
    """Dice and lots. Nothing in a state at a chance node may reveal the outcome.

    Attributes:
        outcomes: number of different outcomes at all chance nodes; 0 without dice.
        weight: rule ``(state, options) -> int``: the sum of the outcomes' weights at a chance node,
            integers in proportion to their probabilities; 0 where a player acts, or the game is
            over.
        outcome: rule ``(state, options, number) -> int``: the outcome, from 0 to ``outcomes - 1``,
            for a number from 0 to ``weight - 1``. Each outcome has as many numbers as its weight.
        apply: rule ``(state, options, outcome)``: carry out a possible outcome.
        label: function ``(outcome) -> str``: the label of an outcome.
    """

    outcomes: int = 0
    weight: Callable[[State, OptionsRecord], int] = no_chance_weight
    outcome: Callable[[State, OptionsRecord, int], int] = no_outcome
    apply: Callable[[State, OptionsRecord, int], Any] = no_outcome
    label: Callable[[int], str] = str


NO_CHANCE = Chance()


def white_and_black(options: OptionsRecord) -> tuple[str, ...]:
    """The :attr:`Texts.seats` of most games for two."""
    del options
    return "White", "Black"


class Texts(NamedTuple):
    """What people read and write, in plain Python.

    Attributes:
        write: ``(state, options) -> str``: position text of a state at the start of a turn or
            finished: fields separated by single spaces, always the same number of them.
        read: ``(text, options, state)``: the inverse, into a zeroed record; ``ValueError`` names
            the field. It gets any text with that number of fields.
        label: ``(state, options, action) -> str``: the label of a legal action; None in games with
            the part ``description``, of which labels are made.
        seats: ``(options) -> tuple[str, ...]``: the players' names.
        spaced_labels: whether labels may contain spaces.
    """

    write: Callable[[State, OptionsRecord], str]
    read: Callable[[str, OptionsRecord, State], None]
    label: Callable[[State, OptionsRecord, int], str] | None = None
    seats: Callable[[OptionsRecord], tuple[str, ...]] = white_and_black
    spaced_labels: bool = False


def no_lead(options: OptionsRecord) -> int:
    """The :attr:`Game.largest_lead` of games without points."""
    return 0


@rule
def reaches_limit(turn_limit: int, turn_count: int) -> bool:
    """Whether a number of turns reaches the option ``turn_limit``, where 0 is no limit."""
    return 0 < wide(turn_limit) <= wide(turn_count)


@rule
def own_team(player: int) -> int:
    """The :attr:`Game.team` of games without teams."""
    return player


@rule
def always_has_room(state: State) -> bool:
    """The :attr:`Game.has_no_room` of games whose states have no history."""
    return False


@rule
def no_points(state: State, player: int) -> int:
    """The :attr:`Game.points` of games without scores."""
    return 0


@rule
def never_in_turn(state: State) -> bool:
    """The :attr:`Game.in_turn` of games whose turns are single actions."""
    return False


@rule
def always_quiescent(state: State) -> bool:
    """The :attr:`Game.is_quiescent` of games whose actions have all their effects at once."""
    return True


@rule
def nothing_to_forget(state: State, options: OptionsRecord) -> None:
    """The :attr:`Game.forget` of games whose states hold nothing but the position."""


@rule
def no_evaluation(state: State, options: OptionsRecord, player: int) -> float:
    """The :attr:`Game.evaluate` of games without one: all positions are equally good."""
    return 0.0
