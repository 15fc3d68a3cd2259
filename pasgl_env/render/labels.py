"""Parsing of labels, for choosing moves on a board. Relies on their form only.

>>> read("Te4e5").origin, read("Te4e5").target
('e4', 'e5')
>>> read("4:Ra7-off").kind, read("2:R@-a7").origin
('off', '@')
>>> read("yellow").kind
'word'
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pasgl_env.engine.position import Position


_SQUARE = "[a-z][0-9]{1,2}"
_PIECE = r"(?P<piece>[*-]*[A-Za-z])"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"(?:(?P<die>[1-6]):)?{_PIECE}(?P<origin>@|{_SQUARE})(?P<sign>[-x:^]?)(?P<target>off|{_SQUARE})",
        rf"(?P<sign>/){_PIECE}(?P<target>{_SQUARE})",
        rf"{_PIECE}(?P<target>{_SQUARE})",
        rf"(?P<sign>by )(?P<target>{_SQUARE})",
    )
)
_SIGNS = {"x": "capture", ":": "shot", "^": "throw", "/": "create", "by ": "order"}
_PLAIN = ("pass", "end")
_WORD = re.compile("[a-z]{2,}")


class Action(NamedTuple):
    """A parsed label; missing parts are None.

    Attributes:
        label: the whole label.
        kind: ``move``, ``capture``, ``shot``, ``throw``, ``enter``, ``off``, ``create``, ``push``,
            ``order``, ``victim``, ``word``, ``pass`` or ``end``.
        piece: the symbol of the piece.
        origin: the square that it leaves or acts from; ``@`` for beside the board.
        target: the square that it enters or acts on; ``off`` for leaving the board.
        die: the die used.
    """

    label: str
    kind: str
    piece: str | None = None
    origin: str | None = None
    target: str | None = None
    die: int | None = None


@lru_cache(maxsize=2**14)
def read(label: str) -> Action:
    """Parse a label."""
    if label in _PLAIN:
        return Action(label, label)
    if _WORD.fullmatch(label):
        return Action(label, "word")
    for form in _FORMS:
        if match := form.fullmatch(label):
            parts = match.groupdict()
            die = int(parts["die"]) if parts.get("die") else None
            kind = _kind(parts.get("sign") or "", parts.get("origin"), match["target"])
            return Action(
                label, kind, parts.get("piece"), parts.get("origin"), match["target"], die
            )
    return Action(label, "victim", label)


def _kind(sign: str, origin: str | None, target: str) -> str:
    if target == "off":
        return "off"
    if origin == "@":
        return "enter"
    if origin is None and not sign:
        return "push"
    return _SIGNS.get(sign, "move")


def choices(position: Position) -> list[Action]:
    """The legal actions of a position, in the order of :meth:`Position.legal_actions`."""
    actions = [read(position.label(number)) for number in position.legal_actions()]
    if not position.in_turn:
        return actions
    square = next(
        (each.target for each in map(read, reversed(position.labels)) if each.target), None
    )
    # The label does not name the piece on the target square.
    return [each._replace(target=square) if each.kind == "victim" else each for each in actions]
