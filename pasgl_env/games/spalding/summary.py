"""The rules of Captain Spalding Chess on a page.

Finds, captures, moves of neutral pieces and starting squares come from the tables of the rules. How
pieces move does not: it is written here in Betza's letters, and tests compare it with the rules.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pasgl_env.games.base import OptionsRecord
from pasgl_env.games.spalding.names import KIND_NAMES
from pasgl_env.games.spalding.options import OPTIONS
from pasgl_env.games.spalding.position_text import letter
from pasgl_env.games.spalding.rules.board import NAMES
from pasgl_env.games.spalding.rules.legal import CAPTURE, CREATES, FINDS_OF, FOUND, MAY_ENTER
from pasgl_env.games.spalding.rules.state import (
    BAT,
    BOOH,
    BOX,
    BUNNY,
    CRUMB,
    DEMON,
    ELEPHANT,
    EMPTY,
    FINDS,
    GREAT,
    GREAT_ELEPHANT,
    HEADLESS,
    KIND,
    LINT,
    MONSTER,
    OWNER,
    PAJAMA,
    RHINO,
    START,
)

# How each kind moves, and how it captures.
MOVES = {
    BOX: ("K", "-"),
    PAJAMA: ("F fW", "-"),
    GREAT: ("F A fW fD", "-"),
    RHINO: ("W W-F", "W W-F"),
    HEADLESS: ("W W-F", "W"),
    BAT: ("fW", "fW"),
    BOOH: ("vR", "W"),
    CRUMB: ("-", "-"),
    MONSTER: ("-", "-"),
    ELEPHANT: ("F fW", "F fW"),
    LINT: ("-", "-"),
    BUNNY: ("F fW", "-"),
    GREAT_ELEPHANT: ("F A fW fD", "F A fW fD"),
    DEMON: ("F A fW fD", "F fW"),
}
_HOW_OFTEN = {BAT: ", one on a file", ELEPHANT: ", one at a time"}
_NOBODY = 2
_LINE = "{:<14} {}  {:<9}  {:<9}  {}"
_PAGE = """\
Capture the enemy's Box. A player without a legal turn loses, too. White begins.
No turn may repeat an earlier position with the same player to move.

                  moves      captures   comes from
{pieces}

Moves are in Betza's letters: W is a step like a Rook's, F like a Bishop's, K
either; D leaps two squares like a Rook, A like a Bishop; R moves like a Rook,
over empty squares; W-F is a W to an empty square, then an F. f is only forward,
v only forward or backward.

When a Box, Pajama or Great Pajama has moved, a piece comes out on a square next
to it, which must be empty except as stated above. It may not move if nothing
can come out, or next to a Cookie Monster.

A piece that ends its move next to Cookie Monsters is eaten, after its capture,
and those Monsters of either side vanish with it. Pieces that come out are safe.

Players do not capture their own pieces. Neutral: {neutral}.
Either player may move these, if they move at all, forward as seen by the mover.
Never captured: {safe}."""


def summary(options: OptionsRecord) -> str:
    """The pieces, their sources under these options, and the rules."""
    return _PAGE.format(
        pieces="\n".join(_piece_line(options, kind) for kind in MOVES),
        neutral=", ".join(KIND_NAMES[kind] for kind in MOVES if OWNER[kind] == _NOBODY),
        safe=", ".join(name for kind, name in KIND_NAMES.items() if not _can_be_captured(kind)),
    )


def _piece_line(options: OptionsRecord, kind: int) -> str:
    moves, captures = MOVES[kind]
    found = "; ".join([*_start(kind), *_sources(options, kind)]) or "nowhere"
    return _LINE.format(KIND_NAMES[kind], letter(kind), moves, captures, found)


def _can_be_captured(kind: int) -> bool:
    return bool(MAY_ENTER[:, CAPTURE, kind].any())


def _start(kind: int) -> Iterator[str]:
    squares = [NAMES[square] for content, square in START.tolist() if KIND[content] == kind]
    if squares:
        yield f"{', '.join(squares)} at the start"


def _sources(options: OptionsRecord, kind: int) -> Iterator[str]:
    """The sources of a kind: containers, or finds that are put together."""
    for find, found in enumerate(FOUND.tolist()):
        for content in np.flatnonzero(CREATES[0, find] == kind).tolist():
            # The options state, in the order of the finds, whether each is in the game.
            if options[OPTIONS[find].name]:
                yield _container(find) + _limit(kind) if content == EMPTY else _on(found, content)
    if kind == BOOH:
        yield "a Bat on its last rank"


def _container(find: int) -> str:
    [kind] = (kind for kind in (BOX, PAJAMA, GREAT) if find in range(*FINDS_OF[kind]))
    return KIND_NAMES[kind]


def _limit(kind: int) -> str:
    return ", once a game" if kind in FINDS else _HOW_OFTEN.get(kind, "")


def _on(found: int, content: int) -> str:
    whose = "a" if OWNER[content] == _NOBODY else "one's own"
    return f"a {KIND_NAMES[found]} on {whose} {KIND_NAMES[KIND[content]]}"
