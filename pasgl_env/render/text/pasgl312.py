"""The diagram of PASGL 312 Chess: stacks, terminals, railway, fire, Train, score."""

from __future__ import annotations

from collections.abc import Iterator

from pasgl_env.games.contract import OptionsRecord, State
from pasgl_env.games.pasgl312.board import (
    BOARD_SQUARES,
    CAMPFIRE,
    DEAD,
    HEAD_CAR,
    INDEX,
    NAMES,
    SQUARES,
    TAIL_CAR,
    TRAIN_HEAD,
    TRAIN_TAIL,
)
from pasgl_env.games.pasgl312.state import at, is_over, under_train
from pasgl_env.games.pasgl312.text import describe, members, stack


def diagram(state: State, options: OptionsRecord) -> str:
    """The position drawn in characters: stacks, terminals, railway, fire, Train, score."""
    cells = {square: _cell(state, square) for square in range(SQUARES)}
    width = max(3, *(len(cell) for cell in cells.values()))
    lines = [_files_line(width)]
    for rank in range(8, 0, -1):
        lines += [_rule_line(rank, width), _rank_line(cells, rank, width)]
    lines += [_rule_line(0, width), _files_line(width), *_notes(state, options)]
    return "\n".join(line.rstrip() for line in lines)


def _cell(state: State, square: int) -> str:
    here = stack(state, square)
    if under_train(state, square):
        return f"X{here}"
    if here or square >= BOARD_SQUARES:
        return here
    return "*" if square in CAMPFIRE else ""


def _files_line(width: int) -> str:
    return "   " + "".join(f" {file:^{width}}" for file in "zabcdefghx")


def _rule_line(above: int, width: int) -> str:
    """The line above a rank; the terminals are drawn double."""
    track = above in (3, 4, 5)
    bar = ("=" if track else " ") * width
    edge = "+" if track else " "
    return f"   {edge}{bar}+" + "+".join(["-" * width] * 8) + f"+{bar}{edge}"


def _rank_line(cells: dict[int, str], rank: int, width: int) -> str:
    names = [f"{file}{rank}" for file in "zabcdefghx"]
    texts = [f"{cells[INDEX[name]]:^{width}}" if name in INDEX else " " * width for name in names]
    edge = "|" if rank in (4, 5) else " "
    return f" {rank} {edge}{'|'.join(texts)}{edge} {rank}"


def _notes(state: State, options: OptionsRecord) -> Iterator[str]:
    head, tail = (NAMES[table[state.phase]] for table in (TRAIN_HEAD, TRAIN_TAIL))
    riders = [stack(state, car) or "-" for car in (HEAD_CAR, TAIL_CAR)]
    mover = ("White", "Black")[state.mover]
    stands = "the game is over" if is_over(state, options) else f"{mover} to move"
    yield (
        f"Turn {int(state.turn_count) + 1}, {stands}."
        f" White {state.score[0]}, Black {state.score[1]}."
        + (f" {state.pass_count} passes in a row." if state.pass_count else "")
    )
    yield (
        f"Train X (phase {state.phase}): head {head}, tail {tail};"
        f" head car {riders[0]}, tail car {riders[1]}."
    )
    dead = "".join(describe(state, critter).symbol() for critter in members(int(at(state, DEAD))))
    yield f"Off the board: {dead or '-'}."
