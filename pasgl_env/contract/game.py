"""The contract between a game and the engine, which knows nothing else of any game.

Rules are compiled scalar functions over one state record and one options record. They allocate
nothing and draw no random numbers. In their signatures ``state`` is a record of :attr:`Game.state`,
``options`` a record of :func:`options_dtype`, an *action* an index of the variant's ``Discrete``
space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from functools import cache
from operator import index
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from pasgl_env.contract.base import (
    NO_CHANCE,
    Chance,
    Features,
    OptionsRecord,
    Plane,
    State,
    Texts,
    always_has_room,
    always_quiescent,
    never_in_turn,
    no_evaluation,
    no_lead,
    no_points,
    nothing_to_forget,
    own_team,
)
from pasgl_env.contract.record import record_dtype
from pasgl_env.contract.symmetry import Symmetry, no_symmetries

# What PettingZoo's and Gymnasium's own environments call a limit.
_OTHER_NAMES_OF_TURN_LIMIT = ("max_cycles", "max_episode_steps", "max_steps")

Number = TypeVar("Number", int, float)

OptionValue: TypeAlias = Any
"""What users write and read as an option's value: an ``int``, ``bool`` or ``str``."""


class Option(NamedTuple):
    """A number that playtesters may change. ``default`` is the inventor's game."""

    name: str
    default: int
    low: int
    high: int
    meaning: str

    @property
    def allowed(self) -> str:
        """The allowed values, for messages."""
        return f"an integer from {self.low} to {self.high}"

    @property
    def field(self) -> tuple[Any, ...]:
        """The field of the options record that holds the value."""
        return (self.name, np.int32)

    def encode(self, value: Any) -> Any:
        """The record's content for a value; ``ValueError`` without a text if it is impossible."""
        number = _whole_number(value)
        if number is None or not self.low <= number <= self.high:
            raise ValueError
        return number

    def decode(self, stored: Any) -> OptionValue:
        """The value that the record holds."""
        return int(stored)

    def parse(self, text: str) -> OptionValue:
        """The value of a text from the command line; the text itself if it means none."""
        return int(text) if _is_number(text) else text


class Choice(NamedTuple):
    """An option with a few values; the record holds the index of the value in ``values``."""

    name: str
    default: OptionValue
    values: tuple[OptionValue, ...]
    meaning: str

    @property
    def allowed(self) -> str:
        """The allowed values, for messages."""
        return " or ".join(filter(None, (", ".join(self._words[:-1]), self._words[-1])))

    @property
    def _words(self) -> list[str]:
        return [str(value) for value in self.values]

    @property
    def _is_flag(self) -> bool:
        return isinstance(self.values[0], bool)

    @property
    def field(self) -> tuple[Any, ...]:
        """The field of the options record that holds the value."""
        return (self.name, np.int32)

    def encode(self, value: Any) -> Any:
        """The record's content for a value; ``ValueError`` without a text if it is impossible."""
        wanted = value if isinstance(value, str | bool) else _whole_number(value)
        if wanted not in self.values or (isinstance(value, bool) and not self._is_flag):
            raise ValueError
        return self.values.index(wanted)

    def decode(self, stored: Any) -> OptionValue:
        """The value that the record holds."""
        return self.values[int(stored)]

    def parse(self, text: str) -> OptionValue:
        """The value of a text from the command line; the text itself if it means none."""
        if self._is_flag and text in ("0", "1"):
            return bool(int(text))
        by_word = {
            word.lower(): value for word, value in zip(self._words, self.values, strict=True)
        }
        return by_word.get(text.lower(), text)


class TextOption(NamedTuple):
    """An option whose value is a text with its own format, such as a board.

    Attributes:
        shape: shape of the record's field, ``int8``.
        to_record: converts a text to the record's content; ``ValueError`` says what is wrong.
        to_text: the inverse.
    """

    name: str
    default: str
    allowed: str
    meaning: str
    shape: tuple[int, ...]
    to_record: Callable[[str], Any]
    to_text: Callable[[Any], str]

    @property
    def field(self) -> tuple[Any, ...]:
        """The field of the options record that holds the value."""
        return (self.name, np.int8, self.shape)

    def encode(self, value: Any) -> Any:
        """The record's content for a value; ``ValueError`` if it is impossible."""
        if not isinstance(value, str):
            raise ValueError
        return self.to_record(value)

    def decode(self, stored: Any) -> OptionValue:
        """The value that the record holds."""
        return self.to_text(stored)

    def parse(self, text: str) -> OptionValue:
        """The value of a text from the command line."""
        return text


AnyOption: TypeAlias = Option | Choice | TextOption


def flag(name: str, default: bool, meaning: str) -> Choice:
    """An option that is on or off; the record holds 0 or 1."""
    return Choice(name, default, (False, True), meaning)


MORE_PLANES = flag(
    "more_planes", False, "observations also show the turns left and what else they leave out"
)
"""An option for learners: :attr:`Game.more_planes` follow :attr:`Game.planes`."""


TURN_LIMIT = Option(
    "turn_limit", 0, 0, 10**9 - 1, "turns after which environments truncate; 0: never"
)
"""The option that every game has; others replace its ``default``."""


def no_derived(options: OptionsRecord) -> None:
    """The :attr:`Game.derive` of games whose options are independent of each other."""


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
    """A game's rules and texts, collected from modules by :meth:`of`.

    Compiled rules:

    - ``start(state, options)``: write the starting position.
    - ``legal_actions(state, options, mask) -> int``: write the whole mask (``uint8[actions]``, 1 is
      legal) and return the number of legal actions: 0 if and only if the game is over or dice are
      due. Different legal actions have different labels.
    - ``play(state, options, action)``: carry out a legal action and everything that follows
      from it.
    - ``observe(state, options, player, planes)``: write the whole observation (``uint8[C, H, W]``)
      from ``player``'s point of view.
    - ``to_move(state) -> int``: the player who acts next, -1 at a chance node; after the end, the
      player who would have acted.
    - ``winner(state, options) -> int``: a player of the winning team of a finished game; -1 for a
      draw.
    - ``turns(state) -> int``: number of completed turns of all players together.

    Compiled rules that games may leave out:

    - ``points(state, player) -> int``: the player's score; without it, the game has no scores.
    - ``in_turn(state) -> bool``: whether a turn has begun and is not complete, so that its text is
      that of its start and the labels played since; by default never, as in games where every
      state has its own text.
    - ``is_quiescent(state) -> bool``: whether all actions so far have taken effect on the state;
      always true between turns and at chance nodes. Greedy play looks ahead until it is true.
    - ``has_no_room(state) -> bool``: whether the state has no room for another turn, for example in
      its history. Environments then truncate; ``play`` continues as exactly as it can.
    - ``forget(state, options)``: write a fixed value over what cannot affect the rest of the game,
      such as the number of turns completed, so that :mod:`pasgl_env.solving` finds positions again.
      The legal actions, chance and the winner stay the same, now and after any actions that follow.
    - ``is_valid(state, options) -> bool``: whether the other functions can handle the record: every
      field in range and all of them consistent. By default a record is valid if ``texts.read``
      makes it of what ``texts.write`` writes; this takes longer, and needs ``in_turn`` never to be
      true.
    - ``is_terminal(state, options) -> bool``: whether the game is over; players ask it after each
      action that they try. By default ``legal_actions`` tells. A rule is faster, and may leave out
      ends that are rare and take long to find: players do not see these one action ahead.
    - ``evaluate(state, options, player) -> float``: how good the state is for a player, for greedy
      play and search, on the game's own scale. Pending choices of a turn do not count.
    - ``close_choices(state, options)``: make all pending choices, in any way; only in games where
      ``evaluate`` does not depend on them. Otherwise greedy play tries them all.
    - ``potential(state, options, player) -> float``: like ``evaluate``, for shaping rewards; by
      default ``evaluate`` itself. It should not count threats: what has been counted already earns
      nothing when it happens.
    - ``team(player) -> int``: the team of a player; by default each is alone. Teams are numbered
      from 0 and win or lose together.

    Functions in plain Python:

    - ``spaces(options) -> Spaces``: the number of players and the sizes of the spaces.
    - ``derive(options)``: write the derived fields; ``ValueError`` if the options do not go
      together.
    - ``largest_lead(options) -> int``: the largest lead in points with which a game can end; 0 in
      games without scores.
    - ``symmetries(options)``: the images of the board under which the rules stay the same, without
      the identity; each player's view of the board is no part of it.

    Attributes:
        name: the variant's name, a valid identifier.
        title: the name for people.
        summary: the game in a line without a full stop; or empty.
        state: dtype of the state, a structured one without padding.
        planes: the observation, run by run.
        texts: labels, position texts and names.
        options: the options, in the order of the options record; one must be ``turn_limit``, such
            as :data:`TURN_LIMIT`.
        derived: fields of the options record that depend on the options, as ``numpy.dtype`` takes
            them: tables such as a board's geometry.
        more_planes: what follows ``planes`` with :data:`MORE_PLANES`; empty in games without this
            option.
        chance: dice and lots.
        features: features for learned values; None for games without learned values.
        has_plane_actions: whether actions are planes of squares on the observation's grid, numbered
            plane by plane, followed by fewer other actions than there are squares.
        decisive_lead: a lead in the potential that practically decides the game.
        environment_options: options with different defaults in batches and environments.
        note: how the variant may differ from the inventor's game, for users; or empty.
        package: the package with the game's other parts, such as its drawings, in modules named as
            in :mod:`pasgl_env.contract.parts`; empty if it has none.
    """

    name: str
    title: str
    state: np.dtype[Any]
    planes: tuple[Plane, ...]
    texts: Texts
    spaces: Callable[[OptionsRecord], Spaces]
    start: Callable[[State, OptionsRecord], None]
    legal_actions: Callable[[State, OptionsRecord, np.ndarray], int]
    play: Callable[[State, OptionsRecord, int], None]
    observe: Callable[[State, OptionsRecord, int, np.ndarray], None]
    to_move: Callable[[State], int]
    winner: Callable[[State, OptionsRecord], int]
    turns: Callable[[State], int]
    points: Callable[[State, int], int] = no_points
    in_turn: Callable[[State], bool] = never_in_turn
    is_quiescent: Callable[[State], bool] = always_quiescent
    has_no_room: Callable[[State], bool] = always_has_room
    forget: Callable[[State, OptionsRecord], None] = nothing_to_forget
    is_valid: Callable[[State, OptionsRecord], bool] | None = None
    is_terminal: Callable[[State, OptionsRecord], bool] | None = None
    evaluate: Callable[[State, OptionsRecord, int], float] = no_evaluation
    close_choices: Callable[[State, OptionsRecord], Any] | None = None
    potential: Callable[[State, OptionsRecord, int], float] | None = None
    team: Callable[[int], int] = own_team
    options: tuple[AnyOption, ...] = (TURN_LIMIT,)
    derived: tuple[tuple[Any, ...], ...] = ()
    derive: Callable[[OptionsRecord], None] = no_derived
    largest_lead: Callable[[OptionsRecord], int] = no_lead
    symmetries: Callable[[OptionsRecord], tuple[Symmetry, ...]] = no_symmetries
    more_planes: tuple[Plane, ...] = ()
    chance: Chance = NO_CHANCE
    features: Features | None = None
    has_plane_actions: bool = False
    decisive_lead: float = 10.0
    environment_options: Mapping[str, OptionValue] = field(default_factory=dict)
    summary: str = ""
    note: str = ""
    package: str = ""

    def __hash__(self) -> int:
        # Caches look games up in every step; to hash all fields would take a microsecond.
        return hash(self.name)

    def __post_init__(self) -> None:
        if all(option.name != TURN_LIMIT.name for option in self.options):
            raise ValueError(f"options of {self.name}: there is no {TURN_LIMIT.name}")
        object.__setattr__(self, "state", record_dtype(self.state))

    @classmethod
    def of(cls, *modules: ModuleType, **given: Any) -> Game:
        """A game made of what modules define under the names of the fields.

        Functions have a field's name, as ``play``; constants have it in capitals, as ``PLANES``.

        Args:
            modules: the game's modules. As with base classes, the first that has a name counts.
            given: other fields, and those that take precedence over the modules'.

        Raises:
            TypeError: if a field is missing.
        """
        for each in fields(cls):
            name = each.name if "Callable" in str(each.type) else each.name.upper()
            for module in modules:
                if hasattr(module, name):
                    given.setdefault(each.name, getattr(module, name))
        return cls(**given)

    @property
    def cache_name(self) -> str:
        """The name under which compiled code is cached: that of the package, or the game's."""
        return self.package.rpartition(".")[2] or self.name

    @property
    def has_points(self) -> bool:
        """Whether the game has scores."""
        return self.points is not no_points

    def accepts(self, state: State, options: OptionsRecord) -> bool:
        """Whether a record is a possible state: ``is_valid``, or what stands in for it."""
        if self.is_valid is not None:
            return self.is_valid(state, options)
        again = np.zeros(1, self.state)
        try:
            with np.errstate(all="ignore"):
                self.texts.read(self.texts.write(state, options), options, again[0])
        except Exception:  # any: texts are defined for valid records only
            return False
        return again.tobytes() == state.tobytes()

    def __copy__(self) -> Game:
        return self  # it never changes

    def __deepcopy__(self, memo: Any) -> Game:
        return self


class UnknownOption(ValueError, TypeError):
    """No option has this name.

    Also a ``TypeError``, as Python raises for unknown keyword arguments: frameworks try keywords
    and drop those that raise one.
    """


@cache
def options_dtype(game: Game) -> np.dtype[Any]:
    """The record that rule functions get."""
    columns = [*(option.field for option in game.options), *game.derived]
    # The widest numbers first, so that all are aligned: a GPU reads them from no other addresses.
    columns.sort(key=lambda column: -np.dtype(column[1]).base.itemsize)
    return record_dtype(columns)


def options_dict(game: Game, record: np.ndarray) -> dict[str, OptionValue]:
    """All options with their values."""
    return {option.name: option.decode(record[option.name][0]) for option in game.options}


def environment_values(
    game: Game, given: Mapping[str, OptionValue] | None = None
) -> dict[str, OptionValue]:
    """Values of all options as in environments: those that are given, defaults for the others."""
    defaults = {option.name: option.default for option in game.options}
    return {**defaults, **game.environment_options, **(given or {})}


def options_array(game: Game, values: Mapping[str, Any]) -> np.ndarray:
    """Check option values and return them as an array of one record.

    Raises:
        UnknownOption: for an unknown name.
        ValueError: for an impossible value, or values that do not go together; the text says what
            is allowed.
    """
    known = {option.name: option for option in game.options}
    for name in values:
        if name not in known:
            raise UnknownOption(unknown_option(game, name))
    record = np.zeros(1, options_dtype(game))
    for name, option in known.items():
        record[name] = encoded(game, option, values.get(name, option.default))
    game.derive(record[0])
    return record


def brief(value: Any) -> str:
    """The ``repr`` of a given value for messages, shortened if it is long."""
    try:
        shown = repr(value)
    except (ValueError, RecursionError):  # Python refuses to print huge numbers and deep lists
        return f"a huge {type(value).__name__}"
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


_NUMBERS: dict[type, tuple[str, tuple[Any, ...]]] = {
    int: ("an integer", (int, np.integer)),
    float: ("a number", (int, float, np.integer, np.floating)),
}


def checked_number(name: str, value: Any, low: Number, high: Number) -> Number:
    """An argument as a number of Python in a range: an ``int`` or ``float``, as the bounds are.

    Compute with this one: NumPy's small integers, such as ``uint8``, overflow.

    Raises:
        ValueError: if it is not such a number; names the range.
    """
    kind = type(low)
    wanted, taken = _NUMBERS[kind]
    if isinstance(value, taken) and not isinstance(value, bool):
        # Python's integers are compared as they are: they may be too large for a float.
        number = value if isinstance(value, int) else kind(value)
        if low <= number <= high:
            return kind(number)
    raise ValueError(f"{name} must be {wanted} from {low} to {high}, not {brief(value)}")


def meant(name: Any, names: Iterable[str]) -> str:
    """The question for a misspelt name in a message; empty if nothing is like it.

    >>> meant("gredy", ["random", "greedy"])
    "; did you mean 'greedy'?"
    """
    near = get_close_matches(str(name)[:60], list(names), 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def unknown_option(game: Game, name: Any) -> str:
    """The message for a name that no option has."""
    if name in _OTHER_NAMES_OF_TURN_LIMIT:
        hint = "; use 'turn_limit', which counts the turns of all players"
    else:
        names = [option.name for option in game.options]
        hint = f"{meant(name, names)} (options: {', '.join(names)})"
    named = brief(name)
    message = f"{game.name} has no option {named}{hint}"
    if len(named) > 40:
        return message
    # Python's wording, which frameworks look for.
    return f"{message} (got an unexpected keyword argument {named})"


def encoded(game: Game, option: AnyOption, value: Any) -> Any:
    """An option's value as the rules take it; ``ValueError`` if it is not allowed."""
    try:
        return option.encode(value)
    except ValueError as error:
        why = f": {error}" if error.args and isinstance(option, TextOption) else ""
        raise ValueError(
            f"option {option.name} of {game.name} must be {option.allowed}, not {brief(value)}{why}"
        ) from None


def _is_number(text: str) -> bool:
    try:
        int(text)
    except ValueError:
        return False
    return True


def _whole_number(value: Any) -> int | None:
    """A value as an ``int``, or None if it is not an integer."""
    try:
        return None if isinstance(value, bool | np.bool_) else index(value)
    except TypeError:
        return None
