"""``pasgl draw``: pictures of positions, and of whole games."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pasgl_env.cli.arguments import (
    Force,
    MaybeVariant,
    PositionText,
    Settings,
    check_new,
    flag,
    read_ruleset,
    value,
    wrong_input,
)
from pasgl_env.cli.output import say
from pasgl_env.storage.files import write_whole

if TYPE_CHECKING:
    from pasgl_env.records import GameRecord

_SIZE, _SECONDS = 480, 1.0
_NUMBERED = re.compile(r"(.+):([0-9]{1,9})")


def command(
    variant: MaybeVariant = None,
    text: PositionText = None,
    output: Annotated[
        Path | None,
        value(
            "FILE",
            "A .svg or .png file, or a .svg or .gif for a game; default: VARIANT.svg or FILE.svg.",
            "--output",
            "-o",
            show_default=False,
        ),
    ] = None,
    game: Annotated[
        str | None,
        value(
            "FILE[:N]", "Draw the first game, or the N-th, of a record file instead of a position."
        ),
    ] = None,
    theme: Annotated[str, value("light|dark", "Colours.")] = "light",
    size: Annotated[int, value("PIXELS", "Width of an SVG; otherwise the longer side.")] = _SIZE,
    origin: Annotated[
        str | None, value("SQUARE", "Mark where the piece on this square can go.")
    ] = None,
    legend: Annotated[bool, flag("--legend", "Name the pieces below the board.")] = False,
    seconds: Annotated[
        float | None, value("S", "Time to show each picture of a game; default: 1.")
    ] = None,
    tells: Annotated[
        bool, flag("--events", "Tell below each picture of a game what happened.")
    ] = False,
    force: Force = False,
    settings: Settings = None,
) -> None:
    r"""Draw a position, or a whole game as an animation.

    \b
    Examples:
      pasgl draw pasgl312
      pasgl draw spalding --legend -o start.svg
      pasgl draw pachessi --set players=4 --theme dark --size 800 -o start.png
      pasgl draw --game games.pgr:3 --seconds 0.5 --events -o third.gif
    """
    with wrong_input():
        from pasgl_env import render
        from pasgl_env.animation import film_of
        from pasgl_env.engine.position import Position

        if (variant is None) == (game is None):
            raise ValueError("give either VARIANT or --game FILE")
        output = output or Path(f"{variant or Path(_file_and_number(game or '')[0]).stem}.svg")
        check_new(output, force)
        _check_format(output, is_game=game is not None)
        if game is None:
            assert variant is not None
            if seconds is not None or tells:
                raise ValueError("--seconds and --events are for games, not for positions")
            ruleset = read_ruleset(variant, settings, published=True)
            position = Position.from_text(ruleset, text)
            kind = render.svg if output.suffix == ".svg" else render.png
            drawn = kind(position, theme=theme, size=size, origin=origin, legend=legend)
        else:
            if origin is not None or settings or legend:
                raise ValueError("--origin, --legend and --set are for positions, not for games")
            pace = _SECONDS if seconds is None else seconds
            film = film_of(_game_of(game), theme, tells=tells)
            drawn = (film.to_svg if output.suffix == ".svg" else film.to_gif)(size, pace)
        picture = drawn.encode() if isinstance(drawn, str) else drawn
        write_whole(output, picture)
    say(f"{output}: {len(picture):,} bytes")


def _check_format(output: Path, *, is_game: bool) -> None:
    """Refuse unsupported formats before any rules are compiled."""
    what, pixels = ("a game", ".gif") if is_game else ("a position", ".png")
    if output.suffix not in (".svg", pixels):
        raise ValueError(f"{what} can be drawn as .svg or {pixels}, not as {output.name}")
    if output.suffix == pixels:
        from pasgl_env.render import raster  # noqa: F401  to report a missing extra


def _file_and_number(text: str) -> tuple[str, int]:
    """The file and number in FILE or FILE:N."""
    numbered = _NUMBERED.fullmatch(text)
    return (numbered[1], int(numbered[2])) if numbered else (text, 1)


def _game_of(text: str) -> GameRecord:
    from pasgl_env.records import read_records

    file, number = _file_and_number(text)
    if number == 0:
        raise ValueError("games in a file are numbered from 1")
    game = next(islice(read_records(file), number - 1, None), None)
    if game is None:
        raise ValueError(f"{file} has fewer than {number} games")
    return game
