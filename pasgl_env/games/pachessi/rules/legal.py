"""The legal actions of Pachessi.

The action space is 8 planes of the board's cells, from the view of the acting player (see
:mod:`pasgl_env.games.pachessi.rules.board`), and one more action::

    cells * (4 * die + kind) + cell    the lower (0) or the higher (1) of the dice is used to bring
                                       the piece R E H S (kind 0-3) to the cell
    8 * cells                          pass

A single die is the lower one, and so is each of two equal dice. A taken piece is brought to its
starting square by entering; a piece on that square, by being borne off.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.engine.compiled import clear, rule, wide
from pasgl_env.games.base import OptionsRecord, State
from pasgl_env.games.pachessi.rules.board import (
    ALL_DIRECTIONS,
    FIRST_CAMEL,
    FIRST_DIAGONAL,
    FIRST_KNIGHT,
    MAY_GO,
    PIECES,
    STEP,
    cell_of,
    holds,
)
from pasgl_env.games.pachessi.rules.state import (
    ELEPHANT,
    FIRST_SQUARE,
    HORSE,
    OFF,
    RAJA,
    SHIP,
    TAKEN,
    awaits_chance,
    corner_of,
    has_raja_taken,
    home_of,
    laps_beyond,
    piece_on,
    team,
)

PLANES = 2 * PIECES
ANY = (1 << PIECES) - 1
# KIND_OF[die]: the kind of piece that may use it; a 6 is for any kind.
KIND_OF = np.array([RAJA, SHIP, HORSE, ELEPHANT, RAJA, RAJA, RAJA], np.int64)
SIX = 6
# Directions in which R E H S slide: from the first to before the last.
SLIDES = np.array([[0, FIRST_KNIGHT], [0, FIRST_DIAGONAL], [0, 0], [FIRST_DIAGONAL, FIRST_KNIGHT]])


def action_count(size: int) -> int:
    """The size of the action space."""
    return PLANES * size * size + 1


@rule
def legal_actions(state: State, options: OptionsRecord, mask: np.ndarray) -> int:
    """Mark the legal actions; return their number.

    A die must be used if it can be, in any order and without looking ahead (Ruling 1).
    """
    clear(mask)
    if state.over or awaits_chance(state):
        return 0
    player = wide(state.mover)
    low, high = wide(state.dice[0]), wide(state.dice[1])
    lower = kinds_of_die(state, player, low)
    higher = kinds_of_die(state, player, high) if high > low else 0
    cells = (options.last + 1) * (options.last + 1)
    count = 0
    for kind in range(PIECES):
        uses = ((lower >> kind) & 1, (higher >> kind) & 1)
        if uses[0] | uses[1]:
            of_lower = mask[cells * kind :]
            of_higher = mask[cells * (PIECES + kind) :]
            targets = mark_targets(state, options, player, kind, uses, of_lower, of_higher)
            count += targets * (uses[0] + uses[1])
    if count == 0:
        mask[PLANES * cells] = 1
        return 1
    return count


@rule
def kinds_of_die(state: State, player: int, die: int) -> int:
    """Bit set of the kinds of pieces that may use a die now."""
    kind = KIND_OF[die]
    is_any = die == SIX or state.place[PIECES * player + kind] == OFF
    kinds = ANY if is_any else 1 << kind
    return kinds & (1 << RAJA) if has_raja_taken(state, player) else kinds


@rule
def mark_targets(
    state: State,
    options: OptionsRecord,
    player: int,
    kind: int,
    uses: tuple[int, int],
    of_lower: np.ndarray,
    of_higher: np.ndarray,
) -> int:
    """Write ``uses`` for the cells reachable with each die; count the cells.

    Only a piece on its own starting square, with a lap, can be borne off (Ruling 5).
    """
    piece = PIECES * player + kind
    origin = wide(state.place[piece])
    home = home_of(options, player, kind)
    corner = corner_of(options, player)
    count = 0
    if origin >= FIRST_SQUARE:
        if kind == HORSE:
            count = mark_leaps(state, options, player, origin, uses, of_lower, of_higher)
        else:
            count = mark_slides(state, options, player, kind, origin, uses, of_lower, of_higher)
    can_enter = origin == TAKEN and may_enter(state, options, player, kind, home)
    can_leave = origin == home and laps_beyond(state, options, piece) >= 1
    if can_enter or can_leave:
        cell = cell_of(options, corner, home)
        of_lower[cell] = uses[0]
        of_higher[cell] = uses[1]
        count += 1
    return count


@rule
def mark_slides(
    state: State,
    options: OptionsRecord,
    player: int,
    kind: int,
    origin: int,
    uses: tuple[int, int],
    of_lower: np.ndarray,
    of_higher: np.ndarray,
) -> int:
    """Raja, Elephant and Ship: any number of squares up to their range, each of them empty."""
    corner = corner_of(options, player)
    quadrants = wide(options.quadrants[origin])
    count = 0
    for direction in range(SLIDES[kind, 0], SLIDES[kind, 1]):
        if MAY_GO[quadrants, direction]:
            target = origin
            for _ in range(options.range[kind]):
                target += STEP[direction]
                if holds(options.walls, target):
                    break
                is_free = not holds(state.occupied, target)
                if is_free or may_take(state, player, target):
                    cell = cell_of(options, corner, target)
                    of_lower[cell] = uses[0]
                    of_higher[cell] = uses[1]
                    count += 1
                if not is_free:
                    break
    return count


@rule
def mark_leaps(
    state: State,
    options: OptionsRecord,
    player: int,
    origin: int,
    uses: tuple[int, int],
    of_lower: np.ndarray,
    of_higher: np.ndarray,
) -> int:
    """The Horse: a Knight, on the Grand board also a Camel."""
    corner = corner_of(options, player)
    quadrants = wide(options.quadrants[origin])
    count = 0
    for direction in range(FIRST_KNIGHT, ALL_DIRECTIONS if options.grand else FIRST_CAMEL):
        target = origin + STEP[direction]
        is_there = MAY_GO[quadrants, direction] and not holds(options.walls, target)
        if is_there and (not holds(state.occupied, target) or may_take(state, player, target)):
            cell = cell_of(options, corner, target)
            of_lower[cell] = uses[0]
            of_higher[cell] = uses[1]
            count += 1
    return count


@rule
def may_take(state: State, player: int, place: int) -> bool:
    """Whether a player may land on an occupied square: on an enemy's piece, or on a team-mate's.

    The latter only while the team-mate's Raja is taken.
    """
    owner = piece_on(state, place) // PIECES
    return owner != player and (team(owner) != team(player) or has_raja_taken(state, owner))


@rule
def may_enter(state: State, options: OptionsRecord, player: int, kind: int, home: int) -> bool:
    """Whether a taken piece may enter: a Raja even onto a piece of its own side."""
    if not holds(state.occupied, home) or may_take(state, player, home):
        return True
    return kind == RAJA and piece_on(state, home) // PIECES == player
