"""The binary form of records, ``.pgb``, which batches write at full speed.

A file is a signature followed by blocks, each with its own checksum. A heading holds the data that
the games after it share; a game block holds its actions and the start of its dice. Numbers are
little-endian; ``docs/records.md`` describes every field.
"""

from __future__ import annotations

import json
import struct
import sys
import zlib
from array import array
from collections.abc import Callable, Iterator
from typing import IO, Any, NamedTuple

from pasgl_env.contract import variants
from pasgl_env.contract.game import brief
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.dice import Dice
from pasgl_env.records.errors import RecordError
from pasgl_env.records.game import (
    BY_THE_RULES,
    MOST_CHOICES,
    NO_ROOM,
    TERMINATIONS,
    TURN_LIMIT,
    GameRecord,
)
from pasgl_env.version import __version__
from pasgl_env.wording import counted

SIGNATURE = b"\x89PGB\r\n\x1a\n"
FORMAT = 1
_HEADING, _GAME = b"H", b"G"
_BLOCK = struct.Struct("<cII")  # kind, length of the content, CRC-32 of kind and content
_FIXED = struct.Struct("<BbBQI")  # termination, winner, flags, generator, length of the JSON
_HAS_DICE, _ROLLS_FOLLOW = 1, 2
_LONGEST_BLOCK = 2 * MOST_CHOICES + 2**24


class Heading(NamedTuple):
    """The data that consecutive games share."""

    ruleset: Ruleset
    players: tuple[str | None, ...]


class StoredGame(NamedTuple):
    """A game as stored in the file.

    Attributes:
        choices: actions and outcomes, or actions alone if the rolls follow from ``dice``.
        dice: the state of the generator; None if the outcomes came from another source.
        rolls_follow: whether outcomes are left out, except one after the last action.
        termination: one of :data:`TERMINATIONS`.
        winner: the team that won, or -1.
        about: as :attr:`GameRecord.about`.
    """

    choices: array[int]
    dice: int | None
    rolls_follow: bool
    termination: str
    winner: int
    about: dict[str, Any]


class BinaryWriter:
    """Makes the blocks of games, with a new heading whenever it changes."""

    def __init__(self) -> None:
        self._heading: Heading | None = None
        self.heading = b""
        """The block of the heading in force."""

    def blocks_of(self, game: GameRecord) -> bytes:
        """The blocks of a record."""
        return self.blocks(Heading(game.ruleset, game.players), _stored(game))

    def blocks(self, heading: Heading, game: StoredGame) -> bytes:
        """The blocks of a game."""
        block = _block(_GAME, _content(game))
        if heading == self._heading:
            return block
        fields = {
            "format": FORMAT,
            "package": __version__,
            "variant": heading.ruleset.name,
            "options": heading.ruleset.unpublished,
            "players": heading.players,
        }
        self._heading, self.heading = heading, _block(_HEADING, _json(fields))
        return self.heading + block


def read_games(
    stream: IO[bytes], file: str, on_error: Callable[[RecordError], None] | None
) -> Iterator[GameRecord]:
    """The games of a stream; see :func:`pasgl_env.records.read_records`."""
    try:
        for location, heading, game in stored_games(stream, file):
            try:
                record = replayed(heading, game)
            except ValueError as reason:
                error = RecordError(file, f"{location}: {reason}")
                if on_error is None:
                    raise error from None
                on_error(error)
            else:
                yield record
    except _Broken as error:
        if on_error is None:
            raise
        on_error(error)


def stored_games(stream: IO[bytes], file: str) -> Iterator[tuple[str, Heading, StoredGame]]:
    """The games as stored, each with its position in the file; nothing is replayed.

    Raises:
        RecordError: at the first block that is damaged, after all games before it.
    """
    heading = None
    number = 0
    for start, kind, content in _blocks(stream, file):
        if kind == _HEADING:
            heading = _read_heading(file, start, content)
            continue
        number += 1
        location = f"game {number}, at byte {start}"
        if heading is None:
            raise _Broken(file, f"{location}: it has no heading")
        yield location, heading, _read_stored(file, location, content)


def whole_size(stream: IO[bytes], file: str, start: int = 0) -> int:
    """The size in bytes of a file's whole blocks; anything after them was cut off while written.

    ``start`` is where to begin: 0, or the end of a block.

    Raises:
        RecordError: if the file is not a binary record, or is damaged elsewhere.
    """
    size = start or len(SIGNATURE)
    stream.seek(start)
    try:
        for at, _, content in _blocks(stream, file, start):
            size = at + _BLOCK.size + len(content)
    except _Torn:
        pass
    return size


class _Broken(RecordError):
    """The rest of the file cannot be read."""


class _Torn(_Broken):
    """The file ends in the middle of a block."""


def _blocks(stream: IO[bytes], file: str, start: int = 0) -> Iterator[tuple[int, bytes, bytes]]:
    """The start of each block, its kind and its content."""
    if not start and stream.read(len(SIGNATURE)) != SIGNATURE:
        raise _Broken(file, "it is not a binary record: the signature of .pgb files is missing")
    start, games = start or len(SIGNATURE), 0
    while head := stream.read(_BLOCK.size):
        if len(head) < _BLOCK.size:
            raise _torn(file, games)
        kind, length, checksum = _BLOCK.unpack(head)
        if kind not in (_HEADING, _GAME) or length > _LONGEST_BLOCK:
            raise _Broken(file, f"at byte {start}: damaged; {_before(games)}")
        content = stream.read(length)
        if len(content) < length:
            raise _torn(file, games)
        if zlib.crc32(content, zlib.crc32(kind)) != checksum:
            raise _Broken(file, f"at byte {start}: wrong checksum; {_before(games)}")
        yield start, kind, content
        start += _BLOCK.size + length
        games += kind == _GAME


def _before(games: int) -> str:
    return f"{counted(games, 'game')} before {'is' if games == 1 else 'are'} whole"


def _torn(file: str, games: int) -> _Torn:
    return _Torn(file, f"it ends in the middle of a game; {_before(games)}")


def _block(kind: bytes, content: bytes) -> bytes:
    return _BLOCK.pack(kind, len(content), zlib.crc32(content, zlib.crc32(kind))) + content


def _json(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()


def _content(game: StoredGame) -> bytes:
    about = _json(game.about) if game.about else b""
    flags = _HAS_DICE * (game.dice is not None) + _ROLLS_FOLLOW * game.rolls_follow
    ending = TERMINATIONS.index(game.termination)
    fixed = _FIXED.pack(ending, game.winner, flags, game.dice or 0, len(about))
    return fixed + about + _little_endian(game.choices).tobytes()


def _little_endian(choices: array[int]) -> array[int]:
    if sys.byteorder == "big":
        choices = choices[:]
        choices.byteswap()
    return choices


def _stored(game: GameRecord) -> StoredGame:
    game.check_dice()
    actions = _actions_alone(game)
    return StoredGame(
        game.choices if actions is None else actions,
        game.dice,
        actions is not None,
        game.termination,
        winner_of(game),
        game.about,
    )


def winner_of(game: GameRecord) -> int:
    """The team that won, or -1."""
    returns = game.returns or ()
    return next((game.final.teams[seat] for seat, value in enumerate(returns) if value > 0), -1)


def _actions_alone(game: GameRecord) -> array[int] | None:
    """The actions, if the outcomes follow from them and the dice; otherwise None."""
    if game.dice is None:
        return None
    actions, is_roll = array("H"), False
    position = game.begin()
    for choice in game.choices:
        is_roll = position.is_chance
        if not is_roll:
            actions.append(choice)
        position.play_action(choice)
    return None if is_roll else actions


def _read_heading(file: str, start: int, content: bytes) -> Heading:
    try:
        fields = json.loads(content)
        if fields["format"] != FORMAT:
            raise ValueError(f"format {brief(fields['format'])} is not {FORMAT}, which is known")
        ruleset = variants.published_ruleset(str(fields["variant"]), **fields["options"])
        return heading_of(ruleset, tuple(fields["players"]))
    except Exception as error:  # damaged content can make its readers raise anything
        raise _Broken(file, f"heading at byte {start}: {error}") from None


def heading_of(ruleset: Ruleset, players: tuple[str | None, ...]) -> Heading:
    """The data that games share; ``ValueError`` if a record cannot hold it."""
    GameRecord(ruleset, array("H"), players=players)
    return Heading(ruleset, players)


def headings_of(ruleset: Ruleset, first: str, second: str) -> list[Heading]:
    """The headings of games between two players, by the side of the first one."""
    return [
        heading_of(ruleset, tuple(first if team == side else second for team in ruleset.teams))
        for side in range(len(ruleset.members))
    ]


def _read_stored(file: str, location: str, content: bytes) -> StoredGame:
    try:
        ending, winner, flags, generator, length = _FIXED.unpack_from(content)
        begins = _FIXED.size + length
        about = json.loads(content[_FIXED.size : begins]) if length else {}
        choices = array("H", content[begins:])
        if len(choices) > MOST_CHOICES:
            raise ValueError(f"a game has at most {MOST_CHOICES} actions and outcomes")
        dice = generator if flags & _HAS_DICE else None
        return StoredGame(
            _little_endian(choices),
            dice,
            bool(flags & _ROLLS_FOLLOW),
            TERMINATIONS[ending],
            winner,
            about,
        )
    except Exception as error:  # as above
        raise _Broken(file, f"{location}: {error}") from None


def replayed(heading: Heading, game: StoredGame) -> GameRecord:
    """The record of a stored game; checks every choice.

    Raises:
        ValueError: if anything in it is invalid.
    """
    try:
        record = GameRecord.from_about(
            heading.ruleset, array("H"), heading.players, game.about, game.dice
        )
    except Exception as error:  # as above
        raise ValueError(str(error)) from None
    position = record.begin()
    dice = Dice.at(game.dice) if game.rolls_follow and game.dice is not None else None

    def roll() -> None:
        while dice is not None and position.is_chance:
            record.choices.append(position.action(position.copy().roll(dice)))
            position.play_action(record.choices[-1])

    for action in game.choices:
        roll()
        position.play_action(action)
        record.choices.append(action)
    is_cut_off = game.termination in (TURN_LIMIT, NO_ROOM)
    if game.termination == BY_THE_RULES or (is_cut_off and not position.is_truncated):
        roll()  # which has ended the game, or cut it off
    record.ending_at(position)
    if not game.rolls_follow:
        record.check_dice()
    if (record.termination, winner_of(record)) != (game.termination, game.winner):
        raise ValueError(
            f"according to its moves the game ends {record.termination}, with {record.result}"
        )
    return record
