"""Writes the events of a turn of PASGL 312 Chess in Lawson's notation."""

from __future__ import annotations

from collections.abc import Iterable

from pasgl_env.contract.base import State
from pasgl_env.engine.position import Position
from pasgl_env.games.pasgl312.notation.happening import (
    happening,
    places_in,
    sprayed_by,
    whole,
)
from pasgl_env.games.pasgl312.notation.word import Mention, Word, listed
from pasgl_env.games.pasgl312.position_text import Critter, describe, members, stack
from pasgl_env.games.pasgl312.rules.board import (
    BOARD_SQUARES,
    HEAD_CAR,
    NAMES,
    TAIL_CAR,
    TRAIN_HEAD,
)
from pasgl_env.games.pasgl312.rules.state import CARRIERS, FOX, HUNTER, SIDE, WOODCHUCK, at
from pasgl_env.records.turn import Turn

_SIGNS = {HUNTER: ":", WOODCHUCK: "^"}


def word_of(turn: Turn) -> Word | None:
    """Lawson's notation of a complete turn; None for a pass."""
    start, labels = whole(turn)
    done = happening(start, labels)
    if done is None:
        return None
    state, kind, victim = start.state[0], done.actor % SIDE, done.victim
    # The squashed are never chosen, so they need not be distinguished.
    killed = [_mention(state, critter)._replace(modifiers="") for critter in done.squashed]
    robbed = []
    if victim in done.places:
        robbed.append(_mention(state, victim))
    elif victim is not None:
        killed.append(_devoured(state, victim) if kind == FOX else _mention(state, victim))
    if done.actor not in done.places:
        killed.append(_mention(state, done.actor))
    return Word(
        _mention(state, done.actor, NAMES[state.where[done.actor]]),
        _SIGNS.get(kind, "") if victim is not None else "",
        NAMES[done.target],
        tuple(killed),
        tuple(robbed),
        tuple(
            _mention(state, critter, NAMES[square], critter in done.run_over)
            for critter, square in done.pushed.items()
        ),
        _sprayed(state, done.sprayed, done.places),
    )


def train_word(turn: Turn) -> str:
    """The Train's move after a complete turn, with its victims; empty if it stays."""
    start, labels = whole(turn)
    before, after = start.state[0], turn.after.state[0]
    if before.phase == after.phase:
        return ""
    done = happening(start, labels)
    places = done.places if done else places_in(before)
    head = int(TRAIN_HEAD[after.phase])
    run_over = [each for each, place in places.items() if place == head < BOARD_SQUARES]
    safe = {each: place for each, place in places.items() if each not in run_over}
    sprayed = sprayed_by(dict.fromkeys(run_over, head), safe)
    effects = f"_{listed(_letters(before, run_over))}" if run_over else ""
    effects += f"*{listed(_sprayed(before, sprayed, safe))}" if sprayed else ""
    riders = ";".join(stack(after, car) for car in (HEAD_CAR, TAIL_CAR))
    return f"X{NAMES[head]}{effects};{riders}".rstrip(";")


def score_word(position: Position) -> str:
    """The score as two words."""
    return "W:{} B:{}".format(*position.points)


def _mention(state: State, critter: int, square: str = "", run_over: bool = False) -> Mention:
    """A critter by its letter; marked as stinky if a similar one is not."""
    modifiers, plain = describe(state, critter).modifiers, _plain(state, critter)
    here = [describe(state, each) for each in members(int(at(state, state.where[critter])))]
    shown = "*" if modifiers == "*" and plain in here else ""
    return Mention(plain.symbol(), shown, square, run_over, unsaid=modifiers)


def _plain(state: State, critter: int) -> Critter:
    return describe(state, critter)._replace(modifiers="", leaving=False)


def _devoured(state: State, victim: int) -> Mention:
    """Lawson marks a victim that has no lunch to steal."""
    mention = _mention(state, victim)
    return mention._replace(modifiers="-") if 1 << victim & CARRIERS else mention


def _sprayed(state: State, sprayed: Iterable[int], places: dict[int, int]) -> tuple[Mention, ...]:
    """The sprayed and their squares, in stack order, similar ones in the order of their squares."""
    order = sorted(sprayed, key=lambda each: (_plain(state, each).sort_key(), places[each]))
    return tuple(
        Mention(_plain(state, each).symbol(), square=NAMES[places[each]], unsaid="*-")
        for each in order
    )


def _letters(state: State, critters: Iterable[int]) -> list[str]:
    """The letters of critters in stack order."""
    plain = sorted((_plain(state, each) for each in critters), key=Critter.sort_key)
    return [each.symbol() for each in plain]
