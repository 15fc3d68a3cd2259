"""``pasgl replay``: show recorded games."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pasgl_env.cli.arguments import Delay, flag, number, value, wrong_input
from pasgl_env.cli.boards import print_diagram
from pasgl_env.cli.output import printable, say, say_wrapped
from pasgl_env.cli.turns import ending
from pasgl_env.wording import counted

if TYPE_CHECKING:
    from pasgl_env.records import GameRecord, Turn

_RANGE = re.compile(r"([0-9]{1,12})?(\.\.)?([0-9]{1,12})?")


class _Quit(Exception):
    """The user has seen enough."""


def command(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Record file: .pgr, .pgr.gz, .pgb; - is stdin.")
    ],
    game: Annotated[int | None, number("Only the Nth game of the file.")] = None,
    turns: Annotated[
        str | None, value("A..B", "Only the turns with these numbers; also A.. or ..B.")
    ] = None,
    delay: Delay = None,
    step: Annotated[bool, flag("--step", "Wait for a key after every turn; q quits.")] = False,
) -> None:
    r"""Show recorded games, turn by turn.

    \b
    Examples:
      pasgl replay games.pgr
      pasgl replay games.pgb --game 3 --turns 20..30
      pasgl replay games.pgr --step
    """
    wait = _wait_for_key if step else partial(time.sleep, delay or 0.0)
    with wrong_input():
        shown = _numbers(turns)
    try:
        for number, record in _selected(file, game):
            _show(number, record, shown, wait)
    except (_Quit, KeyboardInterrupt):
        say()


def _selected(file: Path, wanted: int | None) -> Iterator[tuple[int, GameRecord]]:
    """The games to show, with their numbers."""
    with wrong_input():
        from pasgl_env.records import read_records

        for number, game in enumerate(read_records(file), 1):
            if wanted in (None, number):
                yield number, game
            if wanted == number:
                return
        if wanted is not None:
            raise ValueError(f"{file} has no game number {wanted}")


def _numbers(text: str | None) -> range:
    """The numbers of the turns to show."""
    match = _RANGE.fullmatch(text or "..")
    if match is None or not any(match.groups()):
        raise ValueError(f"--turns must be A..B, A.., ..B or a number, not {text!r}")
    first, dots, last = match.groups()
    low = int(first or 0)
    numbers = range(low, int(last) + 1 if last else 10**12 if dots else low + 1)
    if not numbers:
        raise ValueError(f"--turns {text} names no turns: {last} comes before {first}")
    return numbers


def _wait_for_key() -> None:
    try:
        key = typer.getchar()
    except (EOFError, KeyboardInterrupt):
        raise _Quit from None
    if key in "qQ\x1b":
        raise _Quit


def _show(number: int, game: GameRecord, shown: range, wait: Callable[[], None]) -> None:
    _say_heading(number, game)
    is_drawn = is_whole = False
    for played, turn in enumerate(game.turns(), 1):
        is_whole = turn.before.turns + 1 in shown
        if not is_whole:
            continue
        if not is_drawn:
            _say_comments(game, played - 1)
            print_diagram(turn.before)
            is_drawn = True
        wait()
        _say_turn(turn, game)
        print_diagram(turn.after)
        _say_comments(game, played)
    if not is_drawn:
        _say_comments(game, 0)
        print_diagram(game.final)
        is_whole = True
    say(_ending(game) if is_whole else f"The game continues to turn {game.final.turns}.", "bold")
    say()


def _say_heading(number: int, game: GameRecord) -> None:
    seats = zip(game.final.seats, game.players, strict=False)
    names = ", ".join(f"{seat}: {name}" for seat, name in seats if name is not None)
    title = f"Game {number}, {game.ruleset.game.title}"
    say(printable(f"{title}{f' ({names})' if names else ''}"), "bold")
    options = game.ruleset.unpublished.items()
    about = {"Options": " ".join(f"{name}={value}" for name, value in options)}
    about |= {"Date": game.date or "", **game.tags}
    for name, text in about.items():
        if text:
            say(printable(f"{name}: {text}"))


def _say_turn(turn: Turn, game: GameRecord) -> None:
    from pasgl_env.contract.events import sentences
    from pasgl_env.records.text_writer import remarks_of, write_turn
    from pasgl_env.render.words import mover

    position = turn.before.copy()
    for label in turn.labels:
        if not position.is_chance:
            break
        position.play(label)
    words = " ".join([write_turn(turn), *remarks_of(turn)])
    say(f"\n{turn.before.turns + 1}. {mover(position)}: {words}", "bold")
    for line in sentences(turn.after.events, position.seats):
        say(f"  {line}")


def _say_comments(game: GameRecord, played: int) -> None:
    for comment in game.comments.get(played, ()):
        say_wrapped(printable(comment))


def _ending(game: GameRecord) -> str:
    from pasgl_env.records.game import UNFINISHED

    if game.forfeit is not None:
        return f"{game.forfeit_in_words} after {counted(game.final.turns, 'turn')}."
    if game.termination == UNFINISHED:
        return f"Unfinished after {counted(game.final.turns, 'turn')}."
    return ending(game.final)
