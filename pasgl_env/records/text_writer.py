"""Writes the text form of records, ``.pgr``: tags, a blank line, numbered rounds, the result.

Modelled on the Portable Game Notation of chess (S. J. Edwards, "Portable Game Notation
Specification and Implementation Guide", 1994); ``docs/records.md`` has the grammar.
"""

from __future__ import annotations

from collections.abc import Iterator

from pasgl_env.engine.position import Position
from pasgl_env.games.contract import OptionValue
from pasgl_env.records import notation
from pasgl_env.records.game import GameRecord
from pasgl_env.records.turn import Turn

WIDTH = 99
GOES_ON = "..."
"""At the end of a turn that is not complete."""


def write_game(game: GameRecord) -> str:
    """The text of a game, with a blank line at its end.

    Raises:
        ValueError: if its dice do not give the rolls of the game.
    """
    game.check_dice()
    tags = [f'[{name} "{_escaped(value)}"]' for name, value in _tags_of(game)]
    return "\n".join([*tags, "", *_wrapped(_chunks(game)), "", ""])


def _tags_of(game: GameRecord) -> Iterator[tuple[str, str]]:
    yield "Variant", game.variant
    if changed := game.changed_options:
        yield "Options", " ".join(f"{name}={_setting(value)}" for name, value in changed.items())
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
    yield "Result", game.result
    if game.score is not None:
        yield "Score", joined(game.score)
    yield "Termination", game.termination
    yield from game.tags.items()


def _setting(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def joined(score: tuple[int, ...]) -> str:
    """The players' points as a tag has them."""
    return ":".join(map(str, score))


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"")


def _chunks(game: GameRecord) -> Iterator[str]:
    """What stands in the moves, each on one line."""
    yield from _comments(game, 0)
    for played, turn in enumerate(game.turns(), 1):
        yield _numbered(turn, is_first=played == 1)
        yield from remarks_of(turn)
        yield from _comments(game, played)
    yield game.result


def _numbered(turn: Turn, *, is_first: bool) -> str:
    """A turn with its round's number, if it is the round's first, or the first that is written."""
    word = write_turn(turn)
    begins_round = turn.before.turns % len(turn.before.seats) == 0
    if not begins_round and not is_first:
        return word
    return f"{round_of(turn.before)}.{'' if begins_round else '..'} {word}"


def round_of(position: Position) -> int:
    """The number of the round that a turn is in: in each, all players have one."""
    return position.turns // len(position.seats) + 1


def write_turn(turn: Turn) -> str:
    """A turn as one word; one that is not complete by its labels."""
    return notation.write(turn) if turn.is_complete else f"{plain(','.join(turn.labels))}{GOES_ON}"


def remarks_of(turn: Turn) -> list[str]:
    """What the inventor writes beside a turn, entry by entry; nothing if it is not complete."""
    return list(filter(None, notation.remarks(turn))) if turn.is_complete else []


def plain(label: str) -> str:
    """A label without spaces, which end words."""
    return label.replace(" ", "_")


def _comments(game: GameRecord, played: int) -> Iterator[str]:
    for comment in game.comments.get(played, ()):
        yield from f"{{{comment}}}".split(" ")


def _wrapped(chunks: Iterator[str]) -> Iterator[str]:
    """Lines of at most ``WIDTH`` characters, unless one chunk has more."""
    line = next(chunks)
    for chunk in chunks:
        if len(line) + 1 + len(chunk) > WIDTH:
            yield line
            line = chunk
        else:
            line = f"{line} {chunk}"
    yield line
