"""Labels and position text of PASGL 312 Chess. Plain Python, not compiled."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State, Texts
from pasgl_env.contract.fields import read_mover, read_number, write_runs, wrong
from pasgl_env.contract.game import brief
from pasgl_env.games.pasgl312.description import MODIFIERS, STACK_ORDER
from pasgl_env.games.pasgl312.rules.board import (
    BOARD_SQUARES,
    DEAD,
    HALF,
    HEAD_CAR,
    INDEX,
    LAST_RANK,
    NAMES,
    PHASES,
    RANK,
    SQUARES,
    TAIL_CAR,
    TERMINALS,
)
from pasgl_env.games.pasgl312.rules.state import (
    BEAR,
    CARRIERS,
    CHIPMUNK,
    EVERYBODY,
    LETTERS,
    SHREW,
    SIDE,
    SKUNK,
    SLOT_KIND,
    assign_slots,
    at,
    clear,
    kind_of,
    put,
    under_train,
)

FIELDS = ("board", "terminals", "riders", "phase", "mover", "score", "passes", "turns")
_SYMBOL = re.compile(r"(~?)(\*?-?)([BHDFWSTMPbhdfwstmp])")
_PLACE = re.compile(r"\[([^\[\]]*)\]|([A-Za-z])")
_RUN = re.compile(r"[1-8]")


class Critter(NamedTuple):
    """A critter as described by a symbol."""

    side: int
    kind: int
    modifiers: str
    leaving: bool

    def sort_key(self) -> tuple[int, int, int, bool]:
        """Stack order; ``~`` sorts after the same symbol without it."""
        order = STACK_ORDER.index(LETTERS[self.kind])
        return self.side, order, MODIFIERS.index(self.modifiers), self.leaving

    def symbol(self) -> str:
        """The symbol as stacks write it."""
        letter = LETTERS[self.kind]
        letter = letter.lower() if self.side else letter
        return f"{'~' if self.leaving else ''}{self.modifiers}{letter}"


def describe(state: State, critter: int) -> Critter:
    """A critter's side, kind and condition."""
    stinky = "*" if int(state.stinky) >> critter & 1 else ""
    lunchless = "-" if int(state.lunchless) >> critter & 1 else ""
    leaving = bool(int(state.leaving) >> critter & 1)
    return Critter(critter // SIDE, int(kind_of(state, critter)), stinky + lunchless, leaving)


def symbol(state: State, critter: int) -> str:
    """A critter's symbol in labels, which never carry ``~``."""
    return describe(state, critter)._replace(leaving=False).symbol()


def stack(state: State, place: int) -> str:
    """The symbols of all critters at a place, in stack order."""
    return _symbols(state, int(at(state, place)))


def _symbols(state: State, critters: int) -> str:
    """The symbols of a set of critters, in stack order."""
    if not critters:
        return ""
    here = [describe(state, critter) for critter in members(critters)]
    return "".join(critter.symbol() for critter in sorted(here, key=Critter.sort_key))


def members(critters: int) -> Iterator[int]:
    """The numbers of the critters in a set."""
    while critters:
        lowest = critters & -critters
        yield lowest.bit_length() - 1
        critters ^= lowest


def write(state: State, options: OptionsRecord) -> str:
    """Position text of a state at the start of a turn, or finished."""
    places = [_write_place(state, critters) for critters in state.standing.tolist()]
    board = "/".join(write_runs("".join(places[8 * rank :][:8])) for rank in range(7, -1, -1))
    terminals = "/".join(places[INDEX[name]] for name in TERMINALS)
    riders = "/".join(places[car] for car in (HEAD_CAR, TAIL_CAR))
    score = f"{state.score[0]}:{state.score[1]}"
    mover = "wb"[state.mover]
    return (
        f"{board} {terminals} {riders} {state.phase} {mover} {score}"
        f" {state.pass_count} {state.turn_count}"
    )


def _write_place(state: State, critters: int) -> str:
    """A dot, the letter of one unmodified critter, or the stack in brackets."""
    here = _symbols(state, critters)
    return f"[{here}]" if len(here) > 1 else here or "."


def read(text: str, options: OptionsRecord, state: State) -> None:
    """Read a position text into a state; ``ValueError`` says which field is wrong and why."""
    values = dict(zip(FIELDS, text.split(" "), strict=True))
    clear(state)
    state.phase = _read_phase(values["phase"])
    state.mover = read_mover(values["mover"])
    state.score[0], state.score[1] = _read_score(values["score"])
    state.pass_count = read_number("passes", values["passes"], int(options.passes))
    state.turn_count = read_number("turns", values["turns"])
    placed = [
        *_read_board(values["board"]),
        *_read_places("terminals", values["terminals"], [INDEX[name] for name in TERMINALS]),
        *_read_places("riders", values["riders"], [HEAD_CAR, TAIL_CAR]),
    ]
    for place, critter in placed:
        _check_critter(state, options, place, critter)
    _check_numbers(placed)
    _place_all(state, placed)
    _check_bears(state, options)


def _read_phase(text: str) -> int:
    phase = read_number("phase", text)
    if not 1 <= phase <= PHASES:
        raise wrong("phase", f"{phase} is not from 1 to {PHASES}")
    return phase


def _read_score(text: str) -> tuple[int, int]:
    parts = text.split(":")
    if len(parts) != 2:
        raise wrong("score", f"{brief(text)} is not two numbers separated by a colon")
    return read_number("score", parts[0]), read_number("score", parts[1])


def _read_board(text: str) -> Iterator[tuple[int, Critter]]:
    ranks = text.split("/")
    if len(ranks) != 8:
        raise wrong("board", f"{len(ranks)} ranks instead of 8")
    for rank, row in zip(range(8, 0, -1), ranks, strict=True):
        yield from _read_rank(rank, row)


def _read_rank(rank: int, text: str) -> Iterator[tuple[int, Critter]]:
    file = position = 0
    after_run = False
    while position < len(text) and file < 8:
        run = _RUN.match(text, position)
        if run is None:
            critters, position = _read_place("board", text, position)
            yield from ((8 * (rank - 1) + file, critter) for critter in critters)
            file += 1
        elif after_run:
            raise wrong("board", f"rank {rank}: two runs of empty squares side by side")
        else:
            file, position = file + int(run[0]), run.end()
        after_run = run is not None
    if file != 8 or position < len(text):
        raise wrong("board", f"rank {rank}: {brief(text)} does not fill 8 squares")


def _read_places(field: str, text: str, places: list[int]) -> Iterator[tuple[int, Critter]]:
    stacks = text.split("/")
    if len(stacks) != len(places):
        raise wrong(field, f"{brief(text)} is not {len(places)} stacks separated by '/'")
    for place, here in zip(places, stacks, strict=True):
        if here == ".":
            continue
        critters, end = _read_place(field, here, 0)
        if end < len(here):
            raise wrong(field, f"{brief(here)} is not one stack in brackets")
        yield from ((place, critter) for critter in critters)


def _read_place(field: str, text: str, position: int) -> tuple[list[Critter], int]:
    """The critters at a place, and the index after them."""
    match = _PLACE.match(text, position)
    if match is None:
        raise wrong(field, f"{brief(text[position:])} does not begin with a critter or stack")
    stacked, letter = match.groups()
    if letter is not None:
        return _read_stack(field, letter), match.end()
    critters = _read_stack(field, stacked)
    if len(stacked) == 1:
        raise wrong(field, f"[{stacked}] needs no brackets")
    return critters, match.end()


def _read_stack(field: str, text: str) -> list[Critter]:
    critters, position = [], 0
    while position < len(text):
        match = _SYMBOL.match(text, position)
        if match is None:
            raise wrong(field, f"{brief(text[position:])} does not begin with a critter's symbol")
        leaving, modifiers, letter = match.groups()
        kind = LETTERS.index(letter.upper())
        critters.append(Critter(int(letter.islower()), kind, modifiers, bool(leaving)))
        position = match.end()
    if not critters:
        raise wrong(field, "an empty stack")
    if critters != sorted(critters, key=Critter.sort_key):
        raise wrong(field, f"the stack {brief(text)} is not in stack order")
    return critters


def _check_critter(state: State, options: OptionsRecord, place: int, critter: Critter) -> None:
    """Refuse a critter with an impossible condition or place."""
    reason = (
        _condition_fault(critter)
        or (_board_fault(state, options, place, critter) if place < BOARD_SQUARES else "")
        or (_shelter_fault(options, place, critter) if place >= BOARD_SQUARES else "")
    )
    if reason:
        where = NAMES[place] if place < SQUARES else "the Train"
        raise wrong(_field_of(place), f"{critter.symbol()} on {where}: {reason}")


def _condition_fault(critter: Critter) -> str:
    if "-" in critter.modifiers and not CARRIERS >> critter.kind & 1:
        return "it carries no lunch that it could lack"
    if "*" in critter.modifiers and critter.kind == SKUNK:
        return "a Skunk is never stinky"
    return ""


def _board_fault(state: State, options: OptionsRecord, square: int, critter: Critter) -> str:
    if critter.leaving:
        return "nobody is leaving on the board"
    if under_train(state, options, square):
        return "the Train is on that square"
    if critter.kind == BEAR and HALF[square] != critter.side:
        return "a Bear stays in its own half"
    if critter.kind == SHREW and RANK[square] == LAST_RANK[critter.side]:
        return "a Shrew on its last rank is a Chipmunk"
    return ""


def _shelter_fault(options: OptionsRecord, place: int, critter: Critter) -> str:
    if critter.kind == BEAR:
        return "a Bear is never in a terminal or on the Train"
    if "*" in critter.modifiers:
        return "in a terminal and on the Train nobody is stinky"
    if critter.modifiers and options.train_lunch:
        return "in a terminal and on the Train all have their lunch"
    if place == TAIL_CAR and options.train_length == 1:
        return "a Train of one car has no tail car"
    if critter.leaving and place >= SQUARES:
        return "nobody is leaving on the Train"
    return ""


def _slot_group(kind: int) -> int:
    """Chipmunks count as Shrews."""
    return SHREW if kind == CHIPMUNK else kind


def _check_numbers(placed: list[tuple[int, Critter]]) -> None:
    counts: Counter[tuple[int, int]] = Counter()
    for place, critter in placed:
        group = critter.side, _slot_group(critter.kind)
        counts[group] += 1
        most = np.count_nonzero(group[1] == SLOT_KIND)
        if counts[group] > most:
            reason = f"a side starts with no more than {most} of {critter.symbol()!r}"
            raise wrong(_field_of(place), reason)


def _field_of(place: int) -> str:
    """The field of a position text for a place."""
    return "board" if place < BOARD_SQUARES else "terminals" if place < SQUARES else "riders"


def _place_all(state: State, placed: list[tuple[int, Critter]]) -> None:
    """Place all critters, numbering those of a kind in the order of their squares."""
    free = {
        (side, kind): [side * SIDE + slot for slot in range(SIDE) if SLOT_KIND[slot] == kind]
        for side in range(2)
        for kind in range(CHIPMUNK)
    }
    for place, critter in sorted(placed, key=lambda item: item[0]):
        number = free[critter.side, _slot_group(critter.kind)].pop(0)
        put(state, number, place)
        bit = 1 << number
        state.stinky |= bit if "*" in critter.modifiers else 0
        state.lunchless |= bit if "-" in critter.modifiers else 0
        state.leaving |= bit if critter.leaving else 0
        state.promoted |= bit if critter.kind == CHIPMUNK else 0
    assign_slots(state, EVERYBODY)


def _check_bears(state: State, options: OptionsRecord) -> None:
    missing = [side for side in range(2) if state.where[side * SIDE + BEAR] == DEAD]
    if len(missing) == 2:
        raise wrong("board", "both Bears are missing")
    for side in missing:
        if state.score[1 - side] < options.bear_bonus:
            raise wrong(
                "board",
                f"the Bear {'Bb'[side]} is missing, but the other side does not have the"
                f" {options.bear_bonus} points for it",
            )


TEXTS = Texts(write, read)
