"""Animations of whole games: animated SVG, which needs no script, and animated GIF.

>>> from pasgl_env import Position
>>> position = Position("pasgl312")
>>> film = Film()
>>> film.add(position)
>>> film.add(position.play("Th1h2"))
>>> len(film)
2
>>> print(film.to_svg(size=400))
<svg xmlns="http://www.w3.org/2000/svg" viewBox=... width="400" ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from io import BytesIO
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pasgl_env import render
from pasgl_env.contract.events import sentences
from pasgl_env.contract.game import brief
from pasgl_env.engine.position import Position
from pasgl_env.records import GameRecord, notation
from pasgl_env.records.lines import is_line
from pasgl_env.render.size import checked_size
from pasgl_env.render.svg.canvas import Canvas, Shapes
from pasgl_env.render.svg.theme import THEMES

if TYPE_CHECKING:
    from PIL import Image

MOST_FRAMES = 5000
# The maximum for all frames of a GIF, which are in memory while it is made.
MOST_PIXELS = 10**9
SHORTEST, LONGEST = 0.02, 60.0
# The last frame is shown this many times as long as the others.
_REST = 4
# Below a drawing there are a line of text and a progress bar; their sizes are fractions of the
# drawing's width.
_STRIP, _LETTERS, _BAR = 0.065, 0.034, 0.012
_MOST_LETTERS = 44
# What happened is in a second line, in smaller letters.
_TOLD, _TOLD_LETTERS, _MOST_TOLD = 0.038, 0.027, 62
# The number of frames from which the colours of a GIF are taken.
_SAMPLES = 12
# One of 256 colours is reserved for pixels that do not change.
_COLOURS, _APART = 255, 12
_SHIFTS = np.array([16, 8, 0])  # of red, green and blue in a colour's integer


class _Frame(NamedTuple):
    parts: list[int]
    caption: str
    events: str
    text: str  # position text


class Film:
    """Drawings of positions on one board, to be shown in sequence.

    Shapes that recur in several drawings are stored once, so long games need little memory.

    Args:
        theme: ``"light"`` or ``"dark"``.
        tells: whether sentences below the captions tell what the turns did, in games with events.
    """

    def __init__(self, theme: str = "light", *, tells: bool = False) -> None:
        self._theme, self._tells = theme, tells
        self._blank = Canvas(0, 0, "")
        self._parts: list[str] = []
        self._numbers: dict[str, int] = {}  # of the parts
        self._frames: list[_Frame] = []

    def __len__(self) -> int:
        """The number of frames."""
        return len(self._frames)

    def add(self, position: Position, caption: str | None = None) -> None:
        """Add a position as the next frame.

        Args:
            position: the position; its last turn is marked.
            caption: a line of text below the drawing; None for the turn.

        Raises:
            ValueError: for an unknown theme, another variant or board than before, a caption that
                is not a line of text, or more than ``MOST_FRAMES`` frames.
        """
        given: Any = caption
        if given is not None and not is_line(given):
            raise ValueError(f"a caption must be a line of text, not {brief(caption)}")
        if len(self) == MOST_FRAMES:
            raise ValueError(f"a film may have at most {MOST_FRAMES} frames")
        drawn = render.drawing(position, theme=self._theme, marks=render.marks_of(position))
        title = f"A game of {position.ruleset.game.title}"
        if not self._frames:
            self._blank = Canvas(drawn.width, drawn.height, title, drawn.prefix)
        blank = self._blank
        if (title, drawn.width, drawn.height) != (blank.title, blank.width, blank.height):
            raise ValueError("all frames of a film must show one variant, on boards of one size")
        self._blank.symbols |= drawn.symbols
        parts = [self._number(part) for part in drawn.parts]
        shown = _what_was_played(position) if caption is None else caption
        events = sentences(position.events, position.seats) if self._tells else []
        self._frames.append(_Frame(parts, shown, " ".join(events), position.text))

    def drawing(self, number: int) -> Canvas:
        """A frame as a drawing, with its caption.

        Args:
            number: index of the frame; negative to count from the end.
        """
        frame = self._frames[number]
        canvas = self._canvas(frame.text)
        canvas.parts += [self._parts[part] for part in frame.parts]
        canvas.parts += self._strip(number % len(self))
        return canvas

    def to_svg(self, size: float | None = None, seconds: float = 1.0) -> str:
        """The film as a looping SVG document.

        Viewers without animation show the last frame.

        Args:
            size: width in pixels; None lets the viewer choose.
            seconds: time per frame; the last one is shown four times as long.

        Raises:
            ValueError: for a film without frames, a time that is not from 0.02 to 60, or a size
                that is not a number above 0.
        """
        self._check(seconds)
        canvas = self._canvas(self._frames[-1].text)
        columns = zip(*(frame.parts for frame in self._frames), strict=False)
        ground = [column[0] for column in takewhile(lambda each: len(set(each)) == 1, columns)]
        canvas.parts += [self._parts[part] for part in ground]
        frames = [frame.parts[len(ground) :] for frame in self._frames]
        count = Counter(part for parts in frames for part in parts)
        # In an HTML page, ids are shared by all documents: equal ids must mean equal parts.
        names = {part: _name_of(self._parts[part]) for part in count if count[part] > 1}
        canvas.add(f"<defs>{''.join(self._definition(part, names[part]) for part in names)}</defs>")
        for number, parts in enumerate(frames):
            with canvas.group(display=None if number == len(self) - 1 else "none"):
                canvas.add(self._timing(number, seconds))
                for part in parts:
                    canvas.add(
                        f'<use href="#{names[part]}"/>' if part in names else self._parts[part]
                    )
                canvas.parts += self._strip(number)
        return canvas.to_svg(size)

    def to_gif(self, size: int = 480, seconds: float = 1.0) -> bytes:
        """The film as a looping GIF file. Needs the extra ``render``.

        Args:
            size: the longer side in pixels.
            seconds: time per frame, to 0.01; the last one is shown four times as long.

        Raises:
            ValueError: for a film without frames, a time that is not from 0.02 to 60, a size that
                is not an integer from 32 to 4096, or frames of more than ``MOST_PIXELS`` in
                total.
            ImportError: without the extra.
        """
        self._check(seconds)
        if len(self) * checked_size(size) ** 2 > MOST_PIXELS:
            raise ValueError(f"{len(self)} frames of size {size} need too much memory for a GIF")
        images = self._images(size)
        file = BytesIO()
        next(images).save(
            file,
            "GIF",
            save_all=True,
            append_images=images,
            duration=[round(seconds * 100) * 10 * times for times in self._lengths()],
            loop=0,
        )
        return file.getvalue()

    def _number(self, part: str) -> int:
        if part not in self._numbers:
            self._numbers[part] = len(self._parts)
            self._parts.append(part)
        return self._numbers[part]

    def _check(self, seconds: Any) -> None:
        if not self._frames:
            raise ValueError("a film needs at least one frame")
        if not isinstance(seconds, int | float) or not SHORTEST <= seconds <= LONGEST:
            raise ValueError(
                f"a frame must be shown for {SHORTEST} to {LONGEST:g} seconds, not {brief(seconds)}"
            )

    def _canvas(self, description: str) -> Canvas:
        """An empty drawing with room for the strip."""
        width, height = self._blank.width, self._blank.height
        strip = self._strip_height * width
        canvas = Canvas(width, height + strip, self._blank.title, self._blank.prefix)
        canvas.description = description
        canvas.symbols = self._blank.symbols
        canvas.rect(0, height, width, strip, fill=THEMES[self._theme].page)
        return canvas

    @property
    def _strip_height(self) -> float:
        """The height of the strip, as a fraction of the drawing's width."""
        has_events = self._tells and any(frame.events for frame in self._frames)
        return _STRIP + _TOLD if has_events else _STRIP

    def _strip(self, number: int) -> list[str]:
        """Caption, what happened, and bar of a frame."""
        width, theme = self._blank.width, THEMES[self._theme]
        top, frame = self._blank.height, self._frames[number]
        bar = top + (self._strip_height - _BAR) * width
        line = top + (_STRIP - _BAR - 0.35 * _LETTERS) * width
        shapes = Shapes()
        caption = _cut(frame.caption, _MOST_LETTERS)
        shapes.text(width / 2, line, caption, _LETTERS * width, fill=theme.ink)
        if frame.events:
            events, letters = _cut(frame.events, _MOST_TOLD), _TOLD_LETTERS * width
            shapes.text(width / 2, line + _TOLD * width, events, letters, fill=theme.ink)
        done = number / max(len(self) - 1, 1)
        shapes.rect(0, bar, width, _BAR * width, fill=theme.faint, fill_opacity=0.3)
        shapes.rect(0, bar, width * done, _BAR * width, fill=theme.last)
        return shapes.parts

    def _lengths(self) -> list[int]:
        """The duration of each frame, as a multiple of an ordinary one."""
        return [1] * (len(self) - 1) + [_REST]

    def _timing(self, number: int, seconds: float) -> str:
        """The SVG animation that shows a frame at its time."""
        total = len(self) - 1 + _REST
        states = {number / total: "inline", (number + 1) / total: "none"}
        if number == len(self) - 1:
            del states[(number + 1) / total]
        if number:
            states = {0.0: "none", **states}
        return (
            f'<animate attributeName="display" values="{";".join(states.values())}"'
            f' keyTimes="{";".join(f"{time:.6g}" for time in states)}" calcMode="discrete"'
            f' dur="{total * seconds:g}s" repeatCount="indefinite"/>'
        )

    def _definition(self, part: int, name: str) -> str:
        return f'<g id="{name}">{self._parts[part]}</g>'

    def _images(self, size: int) -> Iterator[Image.Image]:
        """The frames as images with shared colours, which keeps files small."""
        from PIL import Image

        from pasgl_env.render.raster import pixels

        palette = Image.new("P", (1, 1))
        palette.putpalette(self._colours())
        for number in range(len(self)):
            image = Image.fromarray(pixels(self.drawing(number), size))
            yield image.quantize(palette=palette, dither=Image.Dither.NONE)

    def _colours(self) -> bytes:
        """The most common colours of some of the frames, including the last one."""
        from pasgl_env.render.raster import pixels

        count = Counter[int]()
        for number in range(len(self) - 1, -1, -max(1, len(self) // _SAMPLES)):
            image = pixels(self.drawing(number), 240) @ (1 << _SHIFTS)
            colours, times = np.unique(image, return_counts=True)
            count.update(dict(zip(colours.tolist(), times.tolist(), strict=True)))
        return _apart([colour for colour, _ in count.most_common()])


def film_of(game: GameRecord, theme: str = "light", *, tells: bool = False) -> Film:
    """A film of a recorded game, turn by turn; in games with dice, move by move.

    Arguments are those of :class:`Film`.

    >>> from pasgl_env import Position
    >>> from pasgl_env.records import GameRecord
    >>> len(film_of(GameRecord.of(Position("pasgl312"), ["Th1h2", "wg8g6"])))
    3

    Raises:
        ValueError: for an unknown theme, or a game too long for ``MOST_FRAMES``.
    """
    film = Film(theme, tells=tells)
    if game.ruleset.game.chance.outcomes:
        for position in game.positions():
            film.add(position)
        return film
    film.add(game.begin())
    for number, turn in enumerate(game.turns(), game.begin().turns + 1):
        if turn.is_complete:
            words = (f"{number}.", notation.write(turn), *notation.remarks(turn))
            film.add(turn.after, " ".join(words))
        else:
            film.add(turn.after)
    return film


def _cut(text: str, letters: int) -> str:
    """A text, cut if it is longer than this."""
    return text if len(text) <= letters else f"{text[: letters - 3]}..."


def _what_was_played(position: Position) -> str:
    labels = position.labels
    turn = position.turns + bool(labels)
    return f"{turn}. {', '.join(labels or position.last_turn)}" if turn else ""


def _apart(colours: list[int]) -> bytes:
    """The first of the colours that are far enough from each other.

    Pillow merges similar colours.
    """
    left = np.array(colours)[:, np.newaxis] >> _SHIFTS & 255
    chosen = list[np.ndarray]()
    while len(left) and len(chosen) < _COLOURS:
        chosen.append(left[0])
        left = left[np.abs(left - left[0]).max(axis=1) >= _APART]
    return np.array(chosen, np.uint8).tobytes()


def _name_of(part: str) -> str:
    return f"f{blake2b(part.encode(), digest_size=5).hexdigest()}"
