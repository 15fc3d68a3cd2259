"""The record of a whole game: its start, moves, rolls and players."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import Any

from pasgl_env.contract.base import reaches_limit
from pasgl_env.contract.game import brief
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.dice import Dice
from pasgl_env.engine.position import Position
from pasgl_env.engine.results import returns_after_forfeit
from pasgl_env.records.lines import TAG_IN_COMMENT, is_line, single_spaced
from pasgl_env.records.turn import Turn

BY_THE_RULES = "by the rules"
TURN_LIMIT = "turn limit"
NO_ROOM = "no room"
UNFINISHED = "unfinished"
RESIGNATION = "resignation"
TIME_FORFEIT = "time forfeit"
TERMINATIONS = (BY_THE_RULES, TURN_LIMIT, NO_ROOM, UNFINISHED, RESIGNATION, TIME_FORFEIT)
"""Reasons why a game ended; see :attr:`GameRecord.termination`."""

OWN_TAGS = (
    "Variant",
    "Options",
    "Start",
    "Seed",
    "Dice",
    "Date",
    "Resigned",
    "OutOfTime",
    "Result",
    "Score",
    "Termination",
)
"""The tags with a meaning in every variant; the names of its seats are tags too."""

MOST_CHOICES = 2**20
MOST_TAGS = 100
LONGEST_SEED = 100  # digits
LONGEST_VALUE = 2000
LONGEST_WORD = 2000
LONGEST_COMMENT = 2**16
MOST_COMMENTED = 2**20
"""Maximum length of all comments of a game; each comment counts one extra character."""
_TAG_NAME = re.compile(r"[A-Za-z0-9_]{1,100}")
_NOT_IN_COMMENTS = re.compile(rf"[{{}}]|{TAG_IN_COMMENT.pattern}")
_LARGEST_GENERATOR = 2**64 - 1


@dataclass(frozen=True)
class GameRecord:
    """A game, complete or unfinished.

    Labels, result and score are not stored. They follow from the choices, so they cannot contradict
    them.

    >>> start = Position("pasgl312")
    >>> game = GameRecord.of(start, ["Th1h2", "wg8g6"], players=("greedy", "random"))
    >>> [turn.labels for turn in game.turns()]
    [('Th1h2',), ('wg8g6',)]
    >>> game.result, game.score, game.termination
    ('*', (0, 0), 'unfinished')

    Attributes:
        ruleset: the variant with its options.
        choices: the numbers of the actions and of the outcomes of chance, ``array("H")``.
        start: the position text of the start (at the start of a turn, unless every position of
            the variant has its own text); None for the variant's usual start.
        players: the players in the seats, a name or None for each; ``()`` if none is known.
        seed: the seed with which the game was played.
        dice: the generator state (:meth:`pasgl_env.Dice.at`) that determines all rolls.
        date: the date of play.
        tags: further information, by name.
        comments: comments by the number of turns played before them.
        resigned: the seat of the player who resigned; None if nobody did.
        out_of_time: the seat of the player whose time ran out; None if nobody's did.

    Raises:
        ValueError: for an invalid option, start, player, number, tag or comment.

    The game is played only where it is asked for: a choice that is not legal is an error of
    :attr:`final` and of all writers, dice that do not produce the rolls are one of
    :meth:`check_dice` and of all writers. Every other record can be written to every file format
    and read back.

    A record keeps copies of what it is given, and ``copy.copy`` shares nothing that can change.
    """

    ruleset: Ruleset
    choices: array[int]
    start: str | None = None
    players: tuple[str | None, ...] = ()
    seed: int | None = None
    dice: int | None = None
    date: str | None = None
    tags: dict[str, str] = field(default_factory=dict)
    comments: dict[int, tuple[str, ...]] = field(default_factory=dict)
    resigned: int | None = None
    out_of_time: int | None = None

    def __post_init__(self) -> None:
        # Copies, because callers may go on with theirs.
        object.__setattr__(self, "choices", self.choices[:])
        object.__setattr__(self, "tags", dict(self.tags))
        _beginning(self.ruleset, self.start)  # raises an error for a wrong start
        seats = self.ruleset.seats
        for value in self.ruleset.options.values():
            if isinstance(value, str):
                checked_value(value)
        if self.start is not None and self.start == _beginning(self.ruleset, None).text:
            object.__setattr__(self, "start", None)
        self._check_players(seats)
        self._check_forfeit(seats)
        for what, number in (("seed", self.seed), ("dice", self.dice)):
            if number is not None and (type(number) is not int or number < 0):
                raise ValueError(f"{what} must be a non-negative integer, not {brief(number)}")
        if self.dice is not None and self.dice > _LARGEST_GENERATOR:
            raise ValueError(f"dice must be at most {_LARGEST_GENERATOR}, not {brief(self.dice)}")
        if self.seed is not None and self.seed >= 10**LONGEST_SEED:
            raise ValueError(f"seed must have at most {LONGEST_SEED} digits")
        if self.date is not None:
            checked_value(self.date)
        self._check_tags(seats)
        self._check_comments()

    def __copy__(self) -> GameRecord:
        twin = replace(self)
        if "final" in self.__dict__:
            twin.__dict__["final"] = self.final
        return twin

    def _check_forfeit(self, seats: tuple[str, ...]) -> None:
        for name in ("resigned", "out_of_time"):
            given: Any = getattr(self, name)
            if given is not None and (type(given) is not int or given not in range(len(seats))):
                raise ValueError(f"{name} must be the number of a seat, not {brief(given)}")
        if self.resigned is not None and self.out_of_time is not None:
            raise ValueError("a game ends once: by resignation or because time ran out")

    def _check_players(self, seats: tuple[str, ...]) -> None:
        players = tuple(self.players)
        if len(players) not in (0, len(seats)):
            names = ", ".join(seats)
            raise ValueError(f"players must be one name for each of {names}, not {brief(players)}")
        for player in players:
            if player is not None:
                checked_value(player)
        is_known = any(player is not None for player in players)
        object.__setattr__(self, "players", players if is_known else ())

    def _check_tags(self, seats: tuple[str, ...]) -> None:
        if len(self.tags) > MOST_TAGS:
            raise ValueError(f"a game may have at most {MOST_TAGS} further tags")
        for name, value in self.tags.items():
            if not _TAG_NAME.fullmatch(name) or name in (*OWN_TAGS, *seats):
                raise ValueError(f"{brief(name)} cannot be the name of a further tag")
            check_spelling(name, seats)
            checked_value(value)

    def _check_comments(self) -> None:
        comments = {played: tuple(texts) for played, texts in self.comments.items() if texts}
        given: dict[Any, Any] = self.comments
        for played, texts in given.items():
            if type(played) is not int or played < 0 or isinstance(texts, str):
                raise ValueError(
                    "comments must map a number of turns to a tuple of texts,"
                    f" not {brief({played: texts})}"
                )
        for comment in (text for texts in comments.values() for text in texts):
            check_comment(comment)
        if sum(len(text) + 1 for texts in comments.values() for text in texts) > MOST_COMMENTED:
            raise ValueError(f"the comments of a game may have at most {MOST_COMMENTED} characters")
        object.__setattr__(self, "comments", comments)

    @classmethod
    def of(cls, start: Position, labels: Iterable[str], **about: Any) -> GameRecord:
        """Record a game that starts from a position.

        Args:
            start: the start; if it is in the middle of a turn, the record begins with that turn.
            labels: labels of the actions and rolls played from there.
            about: ``players``, ``seed``, ``date``, ``tags``, ``comments`` and ``dice``.

        Raises:
            IllegalMove: if a label is not legal at its place.
            ValueError: as for the class.
        """
        text, before = turn_start(start)
        ruleset = start.ruleset
        begun = None if text == _beginning(ruleset, None).text else text
        position = _beginning(ruleset, begun).copy()
        choices = array("H")
        for label in (*before, *labels):
            choices.append(position.action(label))
            position.play_action(choices[-1])
        return cls(ruleset, choices, begun, **about).ending_at(position)

    @classmethod
    def from_about(
        cls,
        ruleset: Ruleset,
        choices: array[int],
        players: Iterable[str | None],
        about: dict[str, Any],
        dice: int | None = None,
    ) -> GameRecord:
        """The record of a game that :attr:`about` describes."""
        return cls(
            ruleset,
            choices,
            about.get("start"),
            tuple(players),
            about.get("seed"),
            dice,
            about.get("date"),
            about.get("tags", {}),
            {int(played): tuple(texts) for played, texts in about.get("comments", {}).items()},
            about.get("resigned"),
            about.get("out_of_time"),
        )

    @property
    def about(self) -> dict[str, Any]:
        """Start, seed, date, tags, comments and forfeit in the form of JSON, if any."""
        about = {
            "start": self.start,
            "seed": self.seed,
            "date": self.date,
            "tags": self.tags,
            "comments": {str(played): list(texts) for played, texts in self.comments.items()},
            "resigned": self.resigned,
            "out_of_time": self.out_of_time,
        }
        return {name: value for name, value in about.items() if value not in (None, {})}

    def ending_at(self, final: Position) -> GameRecord:
        """This record with a known final position, which saves replaying it.

        Raises:
            ValueError: if a comment or a forfeit comes after the end.
        """
        self._check_end(final)
        self.__dict__["final"] = final
        return self

    def _check_end(self, final: Position) -> None:
        if self.forfeit is not None and (final.is_over or final.is_truncated):
            raise ValueError(f"{self.forfeit_in_words} after the end of the game")
        last = max(self.comments, default=0)
        if last > 0 and last > (turns := sum(1 for _ in self.turns())):
            raise ValueError(f"a comment follows turn {last}, but the game has {turns}")

    def begin(self) -> Position:
        """A new position at the start of the game."""
        return _beginning(self.ruleset, self.start).copy()

    @cached_property
    def final(self) -> Position:
        """The final position; do not play on it.

        Raises:
            IllegalMove: if a choice is not legal; also raised by the methods below.
            ValueError: if a comment or a forfeit comes after the end.
        """
        position = self.begin()
        for choice in self.choices:
            position.play_action(choice)
        self._check_end(position)
        return position

    def positions(self) -> Iterator[Position]:
        """Yield the position before every choice or roll, and the final one; each is a copy."""
        position = self.begin()
        yield position.copy()
        for choice in self.choices:
            yield position.play_action(choice).copy()

    def turns(self) -> Iterator[Turn]:
        """The turns; only the last may be incomplete."""
        position = self.begin()
        before, labels = position.copy(), list[str]()
        for choice in self.choices:
            labels.append(position.label(choice))
            position.play_action(choice)
            if position.is_over or position.turns != before.turns:
                after = position.copy()
                yield Turn(before, tuple(labels), after)
                before, labels = after, []
        if labels:
            yield Turn(before, tuple(labels), position)

    @property
    def forfeit(self) -> int | None:
        """The seat of the player who resigned or ran out of time; None if nobody did."""
        return self.out_of_time if self.resigned is None else self.resigned

    @property
    def forfeit_in_words(self) -> str:
        """Who resigned or ran out of time, such as ``White resigned``; empty if nobody did."""
        if self.forfeit is None:
            return ""
        how = "ran out of time" if self.resigned is None else "resigned"
        return f"{self.ruleset.seats[self.forfeit]} {how}"

    @property
    def returns(self) -> tuple[float, ...] | None:
        """Every player's return; None for a game that was cut off or left."""
        if self.forfeit is None:
            return self.final.returns
        return returns_after_forfeit(self.final.teams, self.forfeit)

    @property
    def result(self) -> str:
        """``1-0``, ``0-1`` or ``1/2-1/2``, one part per team; ``*`` if cut off or left."""
        returns = self.returns
        if returns is None:
            return "*"
        of_team = dict(zip(self.final.teams, returns, strict=True))
        words = {1.0: "1", 0.0: "1/2", -1.0: "0"}
        return "-".join(words[of_team[team]] for team in sorted(of_team))

    @property
    def score(self) -> tuple[int, ...] | None:
        """Every player's points; None in games without them."""
        return self.final.points if self.ruleset.game.has_points else None

    @property
    def termination(self) -> str:
        """Why the game stopped, one of :data:`TERMINATIONS`."""
        final = self.final
        if self.resigned is not None:
            return RESIGNATION
        if self.out_of_time is not None:
            return TIME_FORFEIT
        if final.is_over:
            return BY_THE_RULES
        if not final.is_truncated:
            return UNFINISHED
        return TURN_LIMIT if reaches_limit(final.turn_limit, final.turns) else NO_ROOM

    @property
    def rolled(self) -> bool:
        """Whether ``dice`` is given and produces the rolls of the game."""
        if self.dice is None:
            return False
        position, dice = self.begin(), Dice.at(self.dice)
        for choice in self.choices:
            if position.is_chance and position.label(choice) != position.copy().roll(dice):
                return False
            position.play_action(choice)
        return True

    def check_dice(self) -> None:
        """Raise ``ValueError`` if ``dice`` is given but does not produce the rolls of the game."""
        if self.dice is not None and not self.rolled:
            raise ValueError(f"dice {self.dice:#018x} do not produce the rolls of the game")


@lru_cache(maxsize=1024)
def check_spelling(tag: str, seats: tuple[str, ...]) -> None:
    """Raise ``ValueError`` if a further tag looks like a misspelt standard tag."""
    if meant := get_close_matches(tag, (*OWN_TAGS, *seats), 1, 0.8):
        raise ValueError(f"no tag {tag!r}; did you mean {meant[0]!r}?")


def turn_start(position: Position) -> tuple[str, list[str]]:
    """The position text at the start of the current turn, and the labels played since."""
    if not position.in_turn:
        return position.text, []
    return position.text.removesuffix(f" {','.join(position.labels)}"), position.labels


def checked_value(text: Any) -> str:
    """Return a tag's value; raise ``ValueError`` if a file cannot hold it."""
    if not is_line(text):
        raise ValueError(f"{brief(text)} is not a line of text")
    if len(text) > LONGEST_VALUE:
        raise ValueError(f"{brief(text)} has more than {LONGEST_VALUE} characters")
    return str(text)


def check_comment(text: Any) -> None:
    """Raise ``ValueError`` if a file cannot hold a comment."""
    if not is_line(text) or text != single_spaced(text):
        raise ValueError(
            f"comment {brief(text)} is not a text with single spaces between its words"
        )
    if not text or len(text) > LONGEST_COMMENT:
        raise ValueError(f"a comment must have 1 to {LONGEST_COMMENT} characters, not {len(text)}")
    if max(map(len, text.split(" "))) > LONGEST_WORD:
        raise ValueError(f"a word of a comment may have at most {LONGEST_WORD} characters")
    if _NOT_IN_COMMENTS.search(text):
        raise ValueError(f"comment {brief(text)} contains a brace or a tag")


@lru_cache(maxsize=16)
def _beginning(ruleset: Ruleset, start: str | None) -> Position:
    """The start of a game; do not change it."""
    position = Position.from_text(ruleset, start)
    if position.in_turn:
        raise ValueError(
            "a record must start at the start of a turn: give the labels played in a turn as moves"
        )
    return position
