"""What actions did, as small records, and the sentences that are made of them.

A game with the part ``events`` (:class:`pasgl_env.contract.parts.Events`) writes an :data:`EVENT`
for everything that an action changed besides its own move: who was lost, who scored, what became of
whom. Moves, status lines and lessons are told by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract import parts
from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.description import MOST_KEPT, Symbol, array_of
from pasgl_env.contract.game import Game
from pasgl_env.contract.record import record_dtype
from pasgl_env.jit.compiled import bind, rule

EVENT = record_dtype(
    [
        ("kind", np.int32),  # index of the part's KINDS
        ("piece", np.int32),  # symbol of the piece to which it happened, as it was before
        ("square", np.int32),  # where
        ("by", np.int32),  # symbol of the piece that did it
        ("becomes", np.int32),  # symbol of what the piece became
        ("number", np.int32),  # points, or another number
        ("seat", np.int32),  # the player who scored, or whom it concerns
    ]
)
"""An event. Symbols and squares are numbered as in the part ``description``; -1: none."""


class EventKind(NamedTuple):
    """A kind of events.

    ``words`` is a format string of these fields: ``{pieces}``, the pieces to which it happened,
    with their owners; ``{by}``, ``{new}``, ``{square}``, ``{number}`` and ``{side}``, the player.

    Attributes:
        name: its name.
        words: the form of its sentence, in the past tense, for one piece and several.
        could: the same as a warning, with ``{would}`` before the verb; only of kinds that harm
            their piece, or their player if there is no piece.
        loses: whether its piece leaves the board.
        gains: whether its piece comes onto the board.
        scores: whether its number counts as points for its player.
    """

    name: str
    words: str
    could: str = ""
    loses: bool = False
    gains: bool = False
    scores: bool = False


class Event(NamedTuple):
    """An event; see :data:`EVENT`. Empty strings and None stand for what it does not have."""

    kind: EventKind
    piece: Symbol | None = None
    square: str = ""
    by: Symbol | None = None
    becomes: Symbol | None = None
    number: int = 0
    seat: int | None = None

    @property
    def victim(self) -> int | None:
        """The player to whom it happened."""
        return self.piece.seat if self.piece else self.seat


@rule
def tell(out: np.ndarray, count: int, kind: int, piece: int, square: int) -> int:
    """Write an event behind ``count`` others, to which more can be added; return their number."""
    event = out[count]
    event.kind, event.piece, event.square = kind, piece, square
    event.by = event.becomes = event.seat = -1
    event.number = 0
    return count + 1


def events(
    game: Game, before: State, options: OptionsRecord, action: int, after: State
) -> list[Event]:
    """What a legal action did; [] in games without events.

    Args:
        game: the game.
        before: the state in which the action was chosen.
        options: the options record.
        action: the action.
        after: the state directly after it.
    """
    try:
        part: Any = parts.events(game)
        described: Any = parts.description(game)
    except NotImplementedError:
        return []
    out = np.zeros(part.MOST, EVENT)
    tell_all = teller(part.events, game.cache_name)
    count = tell_all(array_of(before), array_of(options), action, array_of(after), out)
    given, row = options.tobytes(), f"V{EVENT.itemsize}"
    rows = out[:count].view(row).tolist()
    return [_event(part, described, given, options.dtype, each) for each in rows]


@lru_cache(MOST_KEPT)
def _event(
    part: Any,
    described: Any,
    options: bytes,
    dtype: np.dtype[Any],
    row: bytes,
) -> Event:
    """The event of a record, given as bytes, as are the options."""
    symbols, squares = described.symbols(np.frombuffer(options, dtype)[0]), described.SQUARES

    def symbol(number: int) -> Symbol | None:
        return symbols[number] if number >= 0 else None

    ((kind, piece, square, by, becomes, number, seat),) = np.frombuffer(row, EVENT).tolist()
    return Event(
        part.KINDS[kind],
        symbol(piece),
        squares[square] if square >= 0 else "",
        symbol(by),
        symbol(becomes),
        number,
        seat if seat >= 0 else None,
    )


def sentences(
    happened: Iterable[Event], seats: Sequence[str], you: Collection[int] = (), would: str = ""
) -> list[str]:
    """Events as sentences, those of a kind together.

    Args:
        happened: the events, in order.
        seats: the names of the players.
        you: the players who read it.
        would: makes them warnings of harm to come: the auxiliary verb, such as "could".
    """
    lines = []
    for same, group in groupby(happened, lambda event: event._replace(piece=None)):
        pieces = [event.piece for event in group if event.piece]
        line = (same.kind.could if would else same.kind.words).format(
            would=would,
            pieces=_listed(pieces, seats, you),
            by=_listed([same.by] if same.by else [], seats, you),
            new=same.becomes.name if same.becomes else "",
            square=same.square,
            number=same.number,
            side="" if same.seat is None else "you" if same.seat in you else seats[same.seat],
        )
        lines.append(line[:1].upper() + line[1:])
    return lines


def _listed(pieces: list[Symbol], seats: Sequence[str], you: Collection[int]) -> str:
    """Pieces with their owners, such as "your 2 Shrews and Fox, and Black's Deer"."""
    owned = []
    for seat, own in groupby(pieces, lambda piece: piece.seat):
        counts = Counter(piece.name for piece in own)
        names = [f"{number} {name}s" if number > 1 else name for name, number in counts.items()]
        whose = "the" if seat is None else "your" if seat in you else f"{seats[seat]}'s"
        owned.append(f"{whose} {_and(names)}")
    return _and(owned, ", and ")


def _and(names: list[str], last: str = " and ") -> str:
    return last.join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""


@cache
def teller(rule: Callable[..., Any], cache_name: str) -> Any:
    """The rule ``events``, for arrays of one record: Numba takes records slowly."""
    return bind(_tell, cache_name, {"events_rule": rule})


events_rule: Any = None  # the game's, in the template below


def _tell(
    before: np.ndarray, options: np.ndarray, action: int, after: np.ndarray, out: np.ndarray
) -> int:
    """Write the events of an action; return their number."""
    count: int = events_rule(before[0], options[0], action, after[0], out)
    return count
