"""Write the text form of records, ``.pgr``: tags, a blank line, numbered rounds, the result.

Modelled on the Portable Game Notation of chess (S. J. Edwards, "Portable Game Notation
Specification and Implementation Guide", 1994); ``docs/records.md`` has the grammar.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from pasgl_env.contract.game import OptionValue
from pasgl_env.engine.position import Position
from pasgl_env.records import notation
from pasgl_env.records.game import GameRecord
from pasgl_env.records.turn import Turn

WIDTH = 99
GOES_ON = "..."
"""Marks the end of an incomplete turn."""


def write_game(game: GameRecord) -> str:
    """The text of a game, followed by a blank line.

    Raises:
        ValueError: if its dice do not produce the rolls of the game.
    """
    game.check_dice()
    tags = [f'[{name} "{_escaped(value)}"]' for name, value in _tags_of(game)]
    return "\n".join([*tags, "", *_wrapped(_chunks(game)), "", ""])


def _tags_of(game: GameRecord) -> Iterator[tuple[str, str]]:
    yield "Variant", game.ruleset.name
    if changed := game.ruleset.unpublished:
        yield "Options", settings_text(changed)
    if game.start is not None:
        yield "Start", game.start
    for seat, player in zip(game.final.seats, game.players, strict=False):
        if player is not None:
            yield seat, player
    if game.seed is not None:
        yield "Seed", str(game.seed)
    if game.dice is not None:
        yield "Dice", f"0x{game.dice:016x}"
    if game.date is not None:
        yield "Date", game.date
    if game.resigned is not None:
        yield "Resigned", game.final.seats[game.resigned]
    if game.out_of_time is not None:
        yield "OutOfTime", game.final.seats[game.out_of_time]
    yield "Result", game.result
    if game.score is not None:
        yield "Score", joined(game.score)
    yield "Termination", game.termination
    yield from game.tags.items()


def _setting(value: OptionValue) -> str:
    if isinstance(value, str) and (value.startswith('"') or value.split() not in ([value], [])):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)


def settings_text(options: Mapping[str, OptionValue]) -> str:
    """Options as in the tag ``Options``; :func:`settings_of` reads them."""
    return " ".join(f"{name}={_setting(value)}" for name, value in options.items())


_SETTING = re.compile(r'([^\s="]+=)("(?:[^"\\]|\\.)*")(?!\S)|(\S+)')


def settings_of(text: str) -> list[str]:
    """The parts ``name=value`` of the tag ``Options``; values with spaces are JSON strings.

    >>> settings_of('width=3 setup="a b" quote=a"b')
    ['width=3', 'setup=a b', 'quote=a"b']
    """
    return [
        each[3] or f"{each[1]}{json.loads(each[2], strict=False)}"
        for each in _SETTING.finditer(text)
    ]


def joined(score: tuple[int, ...]) -> str:
    """The players' points as written in a tag."""
    return ":".join(map(str, score))


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"")


def _chunks(game: GameRecord) -> Iterator[str]:
    """The parts of the moves that are not split across lines."""
    yield from _comments(game, 0)
    for played, turn in enumerate(game.turns(), 1):
        yield _numbered(turn, is_first=played == 1)
        yield from remarks_of(turn)
        yield from _comments(game, played)
    yield game.result


def _numbered(turn: Turn, *, is_first: bool) -> str:
    """A turn, with its round's number if it is the first turn of the round or of the text."""
    word = write_turn(turn)
    begins_round = turn.before.turns % len(turn.before.seats) == 0
    if not begins_round and not is_first:
        return word
    return f"{round_of(turn.before)}.{'' if begins_round else '..'} {word}"


def round_of(position: Position) -> int:
    """The number of a turn's round; every player has one turn per round."""
    return position.turns // len(position.seats) + 1


def write_turn(turn: Turn) -> str:
    """A turn as one word; an incomplete turn as its labels."""
    return (
        notation.write(turn)
        if turn.is_complete
        else f"{notation.plain(','.join(turn.labels))}{GOES_ON}"
    )


def remarks_of(turn: Turn) -> list[str]:
    """The inventor's additional entries for a turn; none for an incomplete turn."""
    return list(filter(None, notation.remarks(turn))) if turn.is_complete else []


def _comments(game: GameRecord, played: int) -> Iterator[str]:
    for comment in game.comments.get(played, ()):
        yield from f"{{{comment}}}".split(" ")


def _wrapped(chunks: Iterator[str]) -> Iterator[str]:
    """Lines of at most ``WIDTH`` characters, except for chunks that are longer."""
    line = next(chunks)
    for chunk in chunks:
        if len(line) + 1 + len(chunk) > WIDTH:
            yield line
            line = chunk
        else:
            line = f"{line} {chunk}"
    yield line
