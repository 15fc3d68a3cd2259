"""John Lawson's diagram of PASGL 312 Chess: terminals, railway, campfire, Train and riders.

A square has three lines, and room for nine critters: White's before Black's, stinky or lunchless
ones before the others, otherwise in stack order. A square with the Train has ``XX`` on its second
line and the riders of that car on the first and third. Where Lawson's page leaves open how to draw
something:

- critters on a terminal square with the Train are beside the ``XX``, and ``~`` marks those that are
  leaving, as in position texts;
- a Train without riders that is wholly within a terminal is not drawn, as in his starting position;
- a third car, which an option adds, has no riders;
- critters that do not fit are first written without spaces, then the file is drawn wider;
- a star of the campfire is replaced by critters on its line: a star before a critter means stink.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.games.pasgl312.names import CARS, passes
from pasgl_env.games.pasgl312.position_text import Critter, describe, members, stack
from pasgl_env.games.pasgl312.rules.board import (
    CAR_AT,
    DEAD,
    HEAD_CAR,
    NAMES,
    PICK_UP_PHASES,
    SQUARES,
    TAIL_CAR,
)
from pasgl_env.games.pasgl312.rules.state import at, is_over

_FILES = "zabcdefghx"
_LEAST_WIDTH = 6
_TRAIN = "XX"
# The number of spaces before each file's name in its column, above and below the board.
_LEAD_ABOVE = (2, *[2] * 8, 3)
_LEAD_BELOW = (2, *[3] * 8, 4)
# The text between two squares of the railway, on their second lines.
_ARROWS = {5: ">", 4: "<"}
# The side and the line of the campfire's squares on which it is drawn.
_FIRE = {"d5": (">", 2), "e5": ("<", 2), "d4": (">", 0), "e4": ("<", 0)}

# The symbols on the three lines of a square.
_Square = tuple[list[str], list[str], list[str]]


def diagram(state: State, options: OptionsRecord) -> str:
    """The position as Lawson draws it, with what the drawing does not show."""
    squares = _squares(state, options)
    widths = [_width(squares, file) for file in _FILES]
    lines = [_files_line(widths, _LEAD_ABOVE)]
    for rank in range(8, 0, -1):
        lines += [_edge(rank, widths), *_rank_lines(squares, rank, widths)]
    lines += [_edge(0, widths), _files_line(widths, _LEAD_BELOW), *_notes(state, options)]
    return "\n".join(line.rstrip() for line in lines)


def compact(state: State, options: OptionsRecord) -> str:
    """The position with one line per rank, for small terminals."""
    cells = {name: _line_of(square) for name, square in _squares(state, options).items()}
    width = max([2, *map(len, cells.values())])
    files = "   " + " ".join(f"{file:^{width}}" for file in _FILES)
    ranks = []
    for rank in range(8, 0, -1):
        names = [f"{file}{rank}" for file in _FILES]
        shown = (cells.get(name, _empty(name)) for name in names)
        ranks.append(f"{rank} |" + "|".join(f"{cell:^{width}}" for cell in shown) + "|")
    return "\n".join([files, *ranks, *_notes(state, options)])


def _line_of(square: _Square) -> str:
    return "".join(symbol for line in square for symbol in line)


def _empty(name: str) -> str:
    """The text of a square without critters: track, campfire or a dot; empty off the board."""
    if name[0] in "zx":
        return "=" if name[1] in "45" else ""
    if name in _FIRE:
        return "*"
    return _ARROWS.get(int(name[1]), ".")


def _squares(state: State, options: OptionsRecord) -> dict[str, _Square]:
    """The critters on each line of the occupied squares."""
    standing = _standing(state)
    squares = {NAMES[place]: _spread(standing[place]) for place in standing if place < SQUARES}
    has_riders = bool({HEAD_CAR, TAIL_CAR} & standing.keys())
    if state.phase in PICK_UP_PHASES and options.train_length <= 2 and not has_riders:
        return squares
    for number, square in enumerate(_train(state, options)):
        riders = standing.get(HEAD_CAR + number, []) if number < 2 else []
        half = (len(riders) + 1) // 2
        middle = [_TRAIN, *standing.get(square, [])]
        squares[NAMES[square]] = riders[:half], middle, riders[half:]
    return squares


def _train(state: State, options: OptionsRecord) -> list[int]:
    """The squares of the Train's cars, the head first."""
    squares: list[int] = CAR_AT[state.phase, : options.train_length].tolist()
    return squares


def _standing(state: State) -> dict[int, list[str]]:
    """The symbols of the critters at each place, in drawing order."""
    found: dict[int, list[Critter]] = {}
    for critter, place in enumerate(state.where.tolist()):
        found.setdefault(place, []).append(describe(state, critter))
    return {
        place: [critter.symbol() for critter in sorted(here, key=_drawing_order)]
        for place, here in found.items()
    }


def _drawing_order(critter: Critter) -> tuple[Any, ...]:
    is_plain = not (critter.modifiers or critter.leaving)
    return critter.side, is_plain, critter.sort_key()


def _spread(symbols: list[str]) -> _Square:
    """Spread critters over the lines: few on the second, more on the outer ones, many on all."""
    number, third = len(symbols), -(-len(symbols) // 3)
    if number <= 3:
        ends = 0, number
    elif number <= 6:
        white = sum(symbol.isupper() for symbol in symbols)
        first = white if number - 3 <= white <= 3 else (number + 1) // 2
        ends = first, first
    else:
        ends = max(3, third), number - max(3, third)
    spread = _cut(symbols, *ends)
    return spread if _width_of(spread) <= _LEAST_WIDTH else _cut(symbols, third, 2 * third)


def _cut(symbols: list[str], first_end: int, second_end: int) -> _Square:
    return symbols[:first_end], symbols[first_end:second_end], symbols[second_end:]


def _width_of(square: _Square) -> int:
    """The width of a square without spaces."""
    return max(len("".join(line)) for line in square)


def _width(squares: dict[str, _Square], file: str) -> int:
    here = [_width_of(square) for name, square in squares.items() if name[0] == file]
    return max([_LEAST_WIDTH, *here])


def _files_line(widths: list[int], leads: tuple[int, ...]) -> str:
    """The names of the files; in wider columns they keep their offset."""
    columns = (
        " " * (lead + (width - _LEAST_WIDTH) // 2) + file
        for file, width, lead in zip(_FILES, widths, leads, strict=True)
    )
    return "  " + "".join(
        f" {column:<{width}}" for column, width in zip(columns, widths, strict=True)
    )


def _edge(above: int, widths: list[int]) -> str:
    """The line above a rank."""
    middle = "+".join("-" * width for width in widths[1:-1])
    if above == 4:
        # The fire is where files d and e meet.
        fire = sum(widths[1:5]) + 4 - 1
        middle = f"{middle[:fire]}*{middle[fire + 1 :]}"
        ends = [f"{sign:-^{width}}" for sign, width in (("^^", widths[0]), ("VV", widths[-1]))]
        return f"  +{ends[0]}+{middle}+{ends[1]}+"
    if above in (3, 5):
        return f"  +{'=' * widths[0]}+{middle}+{'=' * widths[-1]}+"
    return f"   {' ' * widths[0]}+{middle}+"


def _rank_lines(squares: dict[str, _Square], rank: int, widths: list[int]) -> Iterator[str]:
    has_terminals = rank in _ARROWS
    for line in range(3):
        cells = [
            _cell(squares, f"{file}{rank}", line, width)
            for file, width in zip(_FILES, widths, strict=True)
        ]
        is_middle = line == 1
        bar = _ARROWS[rank] if has_terminals and is_middle else "|"
        outer = "|" if has_terminals else " "
        name = str(rank) if is_middle else " "
        yield f"{name} {outer}{bar.join(cells)}{outer} {name}"


def _cell(squares: dict[str, _Square], name: str, line: int, width: int) -> str:
    symbols = squares[name][line] if name in squares else []
    side, fire_line = _FIRE.get(name, ("", None))
    if line == fire_line and not symbols:
        return f"{'*':{side}{width}}"
    spaced, jammed = " ".join(symbols), "".join(symbols)
    text = spaced if len(spaced) <= width else jammed
    return f"{' ' * ((width - len(text)) // 2)}{text}".ljust(width)


def _notes(state: State, options: OptionsRecord) -> Iterator[str]:
    train = [
        f"{car} {NAMES[square]}" for car, square in zip(CARS, _train(state, options), strict=False)
    ]
    riders = [
        f"{car} car {stack(state, HEAD_CAR + number) or 'empty'}"
        for number, car in enumerate(CARS[: min(2, int(options.train_length))])
    ]
    mover = ("White", "Black")[state.mover]
    over = is_over(state, options)
    stands = "the game is over" if over else f"{mover} to move"
    yield (
        f"Turn {int(state.turn_count) + (not over)}, {stands}."
        f" White {state.score[0]}, Black {state.score[1]}."
        + (f" {passes(int(state.pass_count))} in a row." if state.pass_count else "")
    )
    yield f"Train X (phase {state.phase}): {', '.join(train)}; {', '.join(riders)}."
    dead = "".join(describe(state, critter).symbol() for critter in members(int(at(state, DEAD))))
    yield f"Off the board: {dead or 'nobody'}."
