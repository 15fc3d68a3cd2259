"""Read the text form of records, ``.pgr``, and check everything in it."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import IO, Any, NamedTuple

from pasgl_env.contract import variants
from pasgl_env.contract.game import brief
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.dice import Dice
from pasgl_env.records import notation
from pasgl_env.records.errors import RecordError
from pasgl_env.records.game import (
    LONGEST_COMMENT,
    LONGEST_SEED,
    LONGEST_WORD,
    MOST_CHOICES,
    MOST_COMMENTED,
    MOST_TAGS,
    OWN_TAGS,
    GameRecord,
    check_comment,
    check_spelling,
    checked_value,
)
from pasgl_env.records.lines import TAG_IN_COMMENT, TextLines, is_blank, single_spaced
from pasgl_env.records.text_writer import (
    GOES_ON,
    joined,
    remarks_of,
    round_of,
    settings_of,
)
from pasgl_env.records.turn import Turn

_MOST_KNOWN = 50_000
_TAG = re.compile(r'\[\s*(?P<name>[A-Za-z0-9_]{1,100})\s+"(?P<value>(?:[^"\\]|\\["\\])*)"\s*\]\s*')
_TAG_NAME = re.compile(r"\[\s*([A-Za-z0-9_]+)")
_WORD = re.compile(r"\{|\(|[^\s{(][^\s{]*")
_IN_VARIATION = re.compile(r"[(){]")
_END_OF_COMMENT = re.compile(r"\}")
_NUMBER = re.compile(r"([0-9]{1,12})\.(?:\.\.)?")
_GLYPH = re.compile(r"\$[0-9]{1,3}")  # numeric annotation glyphs of PGN
_RESULT = re.compile(r"\*|(?:1/2|[01])(?:-(?:1/2|[01]))+")
_ESCAPED = re.compile(r"\\(.)")
_SEED = re.compile(rf"[0-9]{{1,{LONGEST_SEED}}}")
_DICE = re.compile(r"0x[0-9a-f]{16}")


def read_games(
    stream: IO[Any], file: str, on_error: Callable[[RecordError], None] | None
) -> Iterator[GameRecord]:
    """The games of a stream; see :func:`pasgl_env.records.read_records`."""
    lines = TextLines(stream, file)
    known: _Known = {}
    while True:
        try:
            if not _skip_to_game(lines):
                return
            game = _Reader(lines, known).read()
        except RecordError as error:
            if on_error is None:
                raise
            on_error(error)
            _skip_game(lines, on_error)
        else:
            yield game


def _skip_game(lines: TextLines, on_error: Callable[[RecordError], None]) -> None:
    try:
        lines.skip_game()
    except RecordError as error:  # the rest cannot be read
        on_error(error)


def _skip_to_game(lines: TextLines) -> bool:
    """Skip blank lines; return whether a game follows."""
    while not lines.at_end() and not lines.at_tag():
        line = lines.read()
        if not is_blank(line):
            raise lines.error('a game must start with tags, such as [Variant "pasgl312"]')
    return not lines.at_end()


class _Tag(NamedTuple):
    value: str
    line: int
    column: int  # of the value's first character


class _Word(NamedTuple):
    text: str
    line: int
    column: int


_Known = dict[tuple[str, str], "array[int]"]
"""The choices of turns, by variant and word."""


class _Reader:
    """Reads one game."""

    def __init__(self, lines: TextLines, known: _Known) -> None:
        self._lines = lines
        self._words_known = known
        self._first_line = lines.number + 1
        self._comments: dict[int, list[str]] = {}
        self._commented = 0  # characters
        self._turn: Turn | None = None  # the last one
        self._remarks: list[str] | None = None  # those that may still follow the turn
        self._played = 0
        self._result: _Word | None = None

    def read(self) -> GameRecord:
        """Read the game that starts at the next line.

        Raises:
            RecordError: if there is none, or anything in it is wrong.
        """
        tags = self._read_tags()
        game = self._headed(tags)
        self._choices = game.choices
        self._position = game.begin()
        self._dice = None if game.dice is None else Dice.at(game.dice)
        for word in self._words():
            self._take(word)
        game.comments.update({played: tuple(texts) for played, texts in self._comments.items()})
        game.ending_at(self._position)
        self._check_ending(game, tags)
        return game

    def _read_tags(self) -> dict[str, _Tag]:
        tags: dict[str, _Tag] = {}
        while self._lines.at_tag() or self._at_more(tags):
            line = self._lines.read()
            match = _TAG.fullmatch(line)
            if match is None:
                raise self._lines.error(f'a tag must look like [Name "value"], not {brief(line)}')
            if match["name"] in tags:
                raise self._lines.error(f"duplicate tag {match['name']}", match.start("name") + 1)
            if len(tags.keys() - OWN_TAGS) == MOST_TAGS:
                raise self._lines.error(f"a game may have at most {MOST_TAGS} further tags")
            value = _ESCAPED.sub(r"\1", match["value"])
            tags[match["name"]] = _Tag(value, self._lines.number, match.start("value") + 1)
        return tags

    def _at_more(self, tags: dict[str, _Tag]) -> bool:
        """Skip blank lines; return whether more tags of this game follow, as in some databases."""
        if not self._lines.at_blank():
            return False
        while self._lines.at_blank():
            self._lines.read()
        name = self._lines.next_match(_TAG_NAME)
        return name is not None and name[1] not in tags

    def _headed(self, tags: dict[str, _Tag]) -> GameRecord:
        """The record with its tags; the choices are filled in later."""
        if "Variant" not in tags:
            raise self._lines.error("a game needs the tag Variant", line=self._first_line)
        usual = self._value(tags, "Variant", _ruleset)
        ruleset = self._value(tags, "Options", lambda text: _ruleset(usual.name, text)) or usual
        start = self._value(tags, "Start", lambda text: GameRecord(ruleset, array("H"), text).start)
        seats = ruleset.seats
        players = [self._value(tags, seat, checked_value) for seat in seats]
        own = {*OWN_TAGS, *seats}
        for name in tags.keys() - own:
            with self._blaming(tags[name]):
                check_spelling(name, seats)
        return GameRecord(
            ruleset,
            array("H"),
            start,
            tuple(players),
            self._value(tags, "Seed", _number),
            self._value(tags, "Dice", _generator),
            self._value(tags, "Date", checked_value),
            {name: self._value(tags, name, checked_value) for name in tags if name not in own},
            resigned=self._value(tags, "Resigned", lambda name: _seat(name, seats)),
            out_of_time=self._value(tags, "OutOfTime", lambda name: _seat(name, seats)),
        )

    def _value(self, tags: dict[str, _Tag], name: str, read: Callable[[str], Any]) -> Any:
        """The value of a tag, None if it is missing."""
        if name not in tags:
            return None
        with self._blaming(tags[name], f"{name}: "):
            return read(tags[name].value)

    def _words(self) -> Iterator[_Word]:
        """The words up to the result, the next game or the end; collects comments."""
        lines = self._lines
        while not (self._result or lines.at_end() or lines.at_tag()):
            line, column = lines.read(), 0
            if is_blank(line):
                continue
            while match := _WORD.search(line, column):
                column = match.end()
                if match[0] == "{":
                    line, column = self._read_comment(line, column)
                    continue
                if match[0] == "(":
                    line, column = self._read_variation(line, column)
                    continue
                if match[0][0] == ";":
                    opened = _Word(";", lines.number, match.start() + 1)
                    self._keep_comment(single_spaced(line[match.start() + 1 :]), opened)
                    break
                if len(match[0]) > LONGEST_WORD:
                    reason = f"a word may have at most {LONGEST_WORD} characters"
                    raise lines.error(reason, match.start() + 1)
                yield _Word(match[0], lines.number, match.start() + 1)

    def _read_comment(self, line: str, column: int) -> tuple[str, int]:
        """Collect a comment whose brace is before that column; return the text after it."""
        opened = _Word("{", self._lines.number, column)
        parts, length = list[str](), 0
        while (end := line.find("}", column)) < 0:
            parts.append(line[column:])
            length += len(parts[-1])
            if length > LONGEST_COMMENT:
                raise self._at(opened, f"a comment may have at most {LONGEST_COMMENT} characters")
            line, column = self._next_within(opened, "comment"), 0
        parts.append(line[column:end])
        self._keep_comment(single_spaced(" ".join(parts)), opened)
        return line, end + 1

    def _read_variation(self, line: str, column: int) -> tuple[str, int]:
        """Collect a variation of another tool as a comment, without reading it; returns likewise.

        It may contain variations and comments. Comments hold no braces, so these are left out.
        """
        opened = _Word("(", self._lines.number, column)
        parts, length, depth, in_comment = ["("], 0, 1, False
        while depth:
            sign = (_END_OF_COMMENT if in_comment else _IN_VARIATION).search(line, column)
            parts.append(line[column : sign.start()] if sign else f"{line[column:]} ")
            length += len(parts[-1])
            if length > LONGEST_COMMENT:
                raise self._at(opened, f"a variation may have at most {LONGEST_COMMENT} characters")
            if sign is None:
                line, column = self._next_within(opened, "variation"), 0
                continue
            column, in_comment = sign.end(), sign[0] == "{"
            depth += {"(": 1, ")": -1}.get(sign[0], 0)
            parts.append(sign[0].strip("{}"))
        self._keep_comment(single_spaced("".join(parts)), opened)
        return line, column

    def _keep_comment(self, text: str, opened: _Word) -> None:
        if not text:
            return
        with self._blaming(opened):
            check_comment(text)
        self._commented += len(text) + 1
        if self._commented > MOST_COMMENTED:
            reason = f"the comments of a game may have at most {MOST_COMMENTED} characters"
            raise self._at(opened, reason)
        self._comments.setdefault(self._played, []).append(text)

    def _next_within(self, opened: _Word, what: str) -> str:
        """The next line of a comment or variation."""
        if self._lines.at_end():
            raise self._at(opened, f"the {what} has no end")
        if self._lines.at_tag() and self._lines.next_match(TAG_IN_COMMENT):
            raise self._at(opened, f"the {what} has no end before the next game")
        return self._lines.read()

    def _take(self, word: _Word) -> None:
        """Handle a number, turn, remark or result."""
        if self._result is not None:
            raise self._at(word, "only the tags of another game may follow a result")
        text = word.text
        if number := _NUMBER.match(text):
            if int(number[1]) != round_of(self._position):
                right = round_of(self._position)
                raise self._at(word, f"the number of this round is {right}, not {brief(number[1])}")
            if number.end() == len(text):
                return
            word = _Word(text[number.end() :], word.line, word.column + number.end())
        if _RESULT.fullmatch(word.text):
            self._result = word
        elif _GLYPH.fullmatch(word.text):
            self._keep_comment(word.text, word)
        elif notation.is_remark(self._position, word.text):
            self._check_remark(word)
        else:
            self._play_turn(word)

    def _check_remark(self, word: _Word) -> None:
        if self._remarks is None:
            self._remarks = " ".join(remarks_of(self._turn) if self._turn else ()).split()
        if word.text not in self._remarks:
            right = " ".join(self._remarks) or "nothing more"
            raise self._at(word, f"expected {right}, found {brief(word.text)}")
        del self._remarks[: self._remarks.index(word.text) + 1]

    def _play_turn(self, word: _Word) -> None:
        if self._position.is_over:
            raise self._at(word, f"the game is over before {brief(word.text)}")
        if self._turn is not None and not self._turn.is_complete:
            raise self._at(word, "nothing may follow an incomplete turn")
        before = self._position.copy()
        is_part = word.text.endswith(GOES_ON)
        labels = self._play_part(word) if is_part else self._play_whole(word)
        self._turn, self._remarks = Turn(before, labels, self._position), None
        self._played += 1
        if self._turn.is_complete == is_part:
            what = "complete" if self._turn.is_complete else "not complete"
            raise self._at(word, f"the turn {brief(word.text)} is {what}")

    def _play_whole(self, word: _Word) -> tuple[str, ...]:
        """Play a turn in the inventor's notation; return its labels."""
        first = len(self._choices)
        try:
            labels = self._known(word.text) or notation.read(self._position, word.text)
        except notation.NotationError as error:
            fault = _Word(word.text, word.line, word.column + error.column)
            raise self._at(fault, str(error)) from None
        for label in labels:
            self._play(word, label)
        if len(self._words_known) == _MOST_KNOWN:
            self._words_known.clear()
        self._words_known[self._position.variant, word.text] = self._choices[first:]
        return labels

    def _known(self, text: str) -> tuple[str, ...]:
        """The labels of a word that was read before, if they are written the same way here.

        Reading returns the labels that are written as a word, so the result is the same at a
        fraction of the cost: reading compares the labels of all legal actions.
        """
        before, position = self._position.copy(), self._position.copy()
        labels = list[str]()
        for choice in self._words_known.get((position.variant, text), ()):
            if position.turns != before.turns or choice not in position.legal_actions():
                return ()
            labels.append(position.label(choice))
            position.play_action(choice)
        turn = Turn(before, tuple(labels), position)
        is_same = turn.is_complete and notation.write(turn) == text
        return turn.labels if is_same else ()

    def _play_part(self, word: _Word) -> tuple[str, ...]:
        """Play the labels of an incomplete turn."""
        labels = list[str]()
        for part in word.text.removesuffix(GOES_ON).split(","):
            named = [each for each in self._position.legal_moves() if notation.plain(each) == part]
            if not named:
                raise self._at(word, f"{brief(part)} is not legal here")
            self._play(word, named[0])
            labels += named
        return tuple(labels)

    def _play(self, word: _Word, label: str) -> None:
        if len(self._choices) == MOST_CHOICES:
            raise self._at(word, f"a game may have at most {MOST_CHOICES} actions and outcomes")
        if self._dice is not None and self._position.is_chance:
            rolled = self._position.copy().roll(self._dice)
            if rolled != label:
                raise self._at(word, f"the tag Dice gives {rolled!r}, not {label!r}")
        with self._blaming(word):
            self._choices.append(self._position.action(label))
        self._position.play_action(self._choices[-1])

    def _check_ending(self, game: GameRecord, tags: dict[str, _Tag]) -> None:
        score = "" if game.score is None else joined(game.score)
        right = {"Result": game.result, "Score": score, "Termination": game.termination}
        for name, value in right.items():
            if name in tags and tags[name].value != value:
                reason = (
                    f"{name} is {value!r} according to the moves, not {brief(tags[name].value)}"
                )
                raise self._at(tags[name], reason)
        if self._result is not None and self._result.text != game.result:
            reason = f"the result is {game.result} according to the moves"
            raise self._at(self._result, f"{reason}, not {brief(self._result.text)}")

    @contextmanager
    def _blaming(self, part: _Word | _Tag, what: str = "") -> Iterator[None]:
        """Say where a part is, if it is wrong."""
        try:
            yield
        except ValueError as error:
            raise self._at(part, f"{what}{error}") from None

    def _at(self, part: _Word | _Tag, reason: str) -> RecordError:
        return self._lines.error(reason, part.column, part.line)


@lru_cache(maxsize=16)
def _ruleset(variant: str, settings: str = "") -> Ruleset:
    options = variants.read_options(variant, settings_of(settings))
    return variants.published_ruleset(variant, **options)


def _seat(name: str, seats: tuple[str, ...]) -> int:
    if name not in seats:
        raise ValueError(f"{brief(name)} is not one of the seats {', '.join(seats)}")
    return seats.index(name)


def _number(text: str) -> int:
    if not _SEED.fullmatch(text):
        raise ValueError(f"{brief(text)} is not an integer of at most 100 digits")
    return int(text)


def _generator(text: str) -> int:
    if not _DICE.fullmatch(text):
        raise ValueError(f"{brief(text)} is not 0x followed by 16 hexadecimal digits")
    return int(text, 16)
