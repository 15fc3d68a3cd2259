"""A notation of Chieftain, Superchief and Overlord: ``Hb1-b4(c1),Na2xb4(d2),end``.

In Joyce's text, a player lists the moves of a turn in order. Here they are separated by commas, and
an ``x`` captures. If several Chieftains could activate a piece, the one that did follows in
parentheses: its square before the move. ``end`` ends a turn with activations left, ``pass`` is a
turn without a move. If a turn begins with the question who activates, the answer comes first:
``(c1),Na2xb4``.

Readers accept words without hyphens and ``end``, and without a Chieftain if only one choice lets
the rest of the turn be played. A Chieftain may also be named unnecessarily.

>>> from pasgl_env import Position
>>> position = Position("chieftain", setup="c6/7/7/C1M1C2")
>>> read(position, "Mc1c2,Ca1-a3")
('Mc1-c2', 'by e1', 'Ca1-a3')
>>> read(position, "Mc1c2")
Traceback (most recent call last):
...
pasgl_env.records.notation.NotationError: 'Mc1c2' may mean Mc1-c2(a1),end or Mc1-c2(e1),end
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from pasgl_env.contract.game import brief
from pasgl_env.engine.errors import IllegalMove
from pasgl_env.engine.position import Position
from pasgl_env.games.chieftain.rules.board import FILES, PLACES, cell_of, name_of
from pasgl_env.games.chieftain.rules.legal import BY
from pasgl_env.games.chieftain.rules.state import is_asked, range_of, square_of
from pasgl_env.records.notation import NotationError, only_reading
from pasgl_env.records.turn import Turn

COLUMNS = ()

_SQUARE = rf"[{FILES[0]}-{FILES[-1]}][1-9][0-9]?"
_MOVE = re.compile(
    rf"(?P<piece>[A-Z])(?P<origin>{_SQUARE})(?P<sign>[-x]?)(?P<target>{_SQUARE})"
    rf"(?:\((?P<by>{_SQUARE})\))?"
)
# The maximum number of ways to share out activations. The inventor's games have at most 70.
_MOST_SHARES = 2000

Share = tuple[int, ...]
"""The activations left to each Chieftain, in their order at the start of the turn."""
Able = dict[int, str]
"""The Chieftains near enough to activate a piece, with their squares, in that order."""


class _Order(NamedTuple):
    """A move, and the Chieftain that activates the piece.

    Attributes:
        column: its start in the word that is read.
        text: its spelling there.
        move: the match, with the groups ``piece``, ``origin``, ``sign``, ``target``, ``by``.
    """

    column: int
    text: str
    move: re.Match[str]


def write(turn: Turn) -> str:
    """A complete turn: its moves and the Chieftains that activated them."""
    words = [f"({label[3:]})" if label.startswith("by ") else f",{label}" for label in turn.labels]
    return "".join(words).removeprefix(",")


def remarks(turn: Turn) -> tuple[str, ...]:
    """Nothing."""
    return ()


def is_remark(word: str) -> bool:
    """Never."""
    return False


def read(before: Position, text: str) -> tuple[str, ...]:
    """The labels of the turn that a word means."""
    words = text.split(",")
    ending = words.pop() if words[-1] in ("end", "pass") else ""
    # One more than the maximum proves that there are too many.
    orders = _orders(before, words[: 1 + sum(_activations(before))])
    able = _able(before, orders)
    shares = _shares(before, orders, able)
    turns = (_carried_out(before, orders, choice) for choice in _choices(able, shares))
    if len(shares) <= len(orders):
        next(turns)  # reports an error in earlier orders, if there is one
        order = orders[len(shares) - 1]
        on = f"on {order.move['by']} " if order.move["by"] else ""
        record = before.options_record[0]
        near = "in range" if record.has_leaders else f"within {record.command_range} squares"
        near += f" of {order.move['origin']}"
        raise NotationError(f"no Chieftain {on}{near} has an activation left", order.column)
    return only_reading(text, (_ended(turn, ending, len(text)) for turn in turns))


def _orders(before: Position, words: list[str]) -> list[_Order]:
    """The orders of a turn, first a move whose Chieftain is still to be chosen."""
    column = 0
    if is_asked(before.state[0]):
        waiting = before.labels[-1]
        by = words.pop(0) if words and words[0].startswith("(") else ""
        words = [waiting + by, *words]
        column = -len(waiting) - (by == "")
    orders = []
    for word in words:
        orders.append(_order(before, column, word))
        column += len(word) + 1
    return orders


def _order(before: Position, column: int, word: str) -> _Order:
    move = _MOVE.fullmatch(word)
    if not move:
        raise NotationError(
            f"{brief(word)} is not of the form Hb1-b4 or Na2xb4(d2)", max(column, 0)
        )
    for group in ("origin", "target", "by"):
        if move[group] and not _is_on_board(before, move[group]):
            reason = f"the board has no square {move[group]}"
            raise NotationError(reason, max(column + move.start(group), 0))
    return _Order(max(column, 0), word[max(-column, 0) :], move)


def _point(square: str) -> tuple[int, int]:
    """File and rank, from 0."""
    return FILES.index(square[0]), int(square[1:]) - 1


def _is_on_board(position: Position, square: str) -> bool:
    (file, rank), options = _point(square), position.options_record[0]
    return bool(file < options.files and rank < options.ranks)


def _distance(one: str, other: str) -> int:
    """Distance in king's steps."""
    return max(abs(a - b) for a, b in zip(_point(one), _point(other), strict=True))


def _able(before: Position, orders: list[_Order]) -> list[Able]:
    """The Chieftains in range of each piece, or the one named, with or without activations left."""
    state, options = before.state[0], before.options_record[0]
    cells = state.chieftain_cell[state.mover, : state.chieftains[state.mover]].tolist()
    squares = {chieftain: name_of(cell) for chieftain, cell in enumerate(cells)}
    reach = [int(range_of(state, options, cell)) for cell in cells]
    able = []
    for order in orders:
        origin, target, by = order.move.group("origin", "target", "by")
        able.append(
            {
                chieftain: square
                for chieftain, square in squares.items()
                if _distance(square, origin) <= reach[chieftain] and by in (None, square)
            }
        )
        squares = {one: target if square == origin else square for one, square in squares.items()}
    return able


def _shares(before: Position, orders: list[_Order], able: list[Able]) -> list[set[Share]]:
    """The activations that may be left before each order and after the last.

    Includes only those from which the orders can be carried out; ends before the first order
    that cannot.
    """
    shares = [{_activations(before)}]
    for order, chieftains in zip(orders, able, strict=True):
        after = {_spent(share, one) for share in shares[-1] for one in chieftains if share[one]}
        if len(after) > _MOST_SHARES:
            reason = (
                f"too many Chieftains may have activated {order.text} and the others: name them"
            )
            raise NotationError(reason, order.column)
        if not after:
            break
        shares.append(after)
    for number in range(len(shares) - 2, -1, -1):
        shares[number] = {
            share
            for share in shares[number]
            if any(share[one] and _spent(share, one) in shares[number + 1] for one in able[number])
        }
    return shares


def _activations(position: Position) -> Share:
    state = position.state[0]
    return tuple(state.left[: state.chieftains[state.mover]].tolist())


def _spent(share: Share, chieftain: int) -> Share:
    return (*share[:chieftain], share[chieftain] - 1, *share[chieftain + 1 :])


def _choices(able: list[Able], shares: list[set[Share]]) -> Iterator[tuple[str, ...]]:
    """All ways to choose Chieftains, as squares, that lead to the end of the shares."""
    if len(shares) == 1:
        yield ()
        return
    [share] = shares[0]
    for chieftain, square in able[0].items():
        if share[chieftain] and _spent(share, chieftain) in shares[1]:
            after = [{_spent(share, chieftain)}, *shares[2:]]
            yield from ((square, *others) for others in _choices(able[1:], after))


def _carried_out(before: Position, orders: list[_Order], choice: tuple[str, ...]) -> Turn:
    """The turn with these orders, as many as there are choices."""
    turn = Turn.begin(before)
    for order, by in zip(orders, choice, strict=False):
        if turn.is_complete:
            raise NotationError(f"the turn has ended before {brief(order.text)}", order.column)
        if not is_asked(turn.after.state[0]):
            turn = _moved(turn, order)
        if is_asked(turn.after.state[0]):
            turn = _play(turn, BY, by)
    return turn


def _play(turn: Turn, plane: int, square: str) -> Turn:
    after = turn.after.copy()
    action = plane * int(after.options_record[0].squares) + _number(after, square)
    label = after.label(action)
    return Turn(turn.before, (*turn.labels, label), after.play_action(action))


def _number(position: Position, square: str) -> int:
    """The number of a square in the actions of the player to move."""
    mover = int(position.state[0].mover)
    return int(square_of(position.options_record[0], mover, cell_of(*_point(square))))


def _moved(turn: Turn, order: _Order) -> Turn:
    piece, origin, sign, target, _ = order.move.groups()
    (file, rank), (to_file, to_rank) = _point(origin), _point(target)
    step = (to_file - file, (to_rank - rank) * (1, -1)[turn.after.state[0].mover])
    if step in PLACES:
        with suppress(IllegalMove):
            after = _play(turn, PLACES.index(step), origin)
            if after.labels[-1] in {f"{piece}{origin}{each}{target}" for each in sign or "-x"}:
                return after
    legal = ", ".join(_labels_from(turn.after, origin)) or "nothing"
    reason = f"{brief(order.text)} is not legal here; legal from {origin}: {legal}"
    raise NotationError(reason, order.column)


def _labels_from(position: Position, square: str) -> list[str]:
    squares, number = int(position.options_record[0].squares), _number(position, square)
    actions = position.legal_actions()
    return [position.label(a) for a in actions if a < BY * squares and a % squares == number]


def _ended(turn: Turn, ending: str, column: int) -> Turn:
    """The turn with its end, or as a pass."""
    if not turn.is_complete:
        with suppress(IllegalMove):
            turn = turn.play(ending or "end")
    if not turn.is_complete or (ending == "pass" and turn.labels != ("pass",)):
        raise NotationError(f"{ending or 'end'} is not legal here", column - len(ending))
    return turn
