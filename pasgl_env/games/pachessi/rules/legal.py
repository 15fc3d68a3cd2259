"""The legal actions of Pachessi.

The action space is 8 planes of the board's cells, from the view of the acting player (see
:mod:`pasgl_env.games.pachessi.rules.board`), and one more action::

    cells * (4 * die + kind) + cell    the lower (0) or the higher (1) of the dice is used to bring
                                       the piece R E H S (kind 0-3) to the cell
    8 * cells                          pass

A single die is the lower one, and so is each of two equal dice. A taken piece is brought to its
starting square by entering; a piece on that square, by being borne off. A player who chooses
which of the team begins brings the Raja to the starting square of that player's Raja.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
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
    laps_gained,
    place_of_cell,
)
from pasgl_env.games.pachessi.rules.state import (
    CHOICE,
    ELEPHANT,
    FIRST_SQUARE,
    GRACE,
    HORSE,
    OFF,
    RAJA,
    SHIP,
    TAKEN,
    corner_of,
    has_raja_taken,
    home_of,
    laps_beyond,
    piece_on,
    team,
)
from pasgl_env.jit.compiled import clear, rule, wide

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

    A die must be used if it can be, in any order and without looking ahead (Ruling 1), unless an
    option says otherwise.
    """
    clear(mask)
    if state.over or state.dice[0] == 0:
        return mark_beginners(state, options, mask)
    cells = (options.last + 1) * (options.last + 1)
    player = wide(state.mover)
    low, high = wide(state.dice[0]), wide(state.dice[1])
    lower = kinds_of_die(state, player, low)
    higher = kinds_of_die(state, player, high) if high > low else 0
    count = 0
    for kind in range(PIECES):
        uses = ((lower >> kind) & 1, (higher >> kind) & 1)
        if uses[0] | uses[1]:
            of_lower = mask[cells * kind :]
            of_higher = mask[cells * (PIECES + kind) :]
            targets = mark_targets(state, options, player, kind, uses, of_lower, of_higher)
            count += targets * (uses[0] + uses[1])
    if options.adjusts and count != 0:
        return adjust(state, options, player, mask, count)
    if count == 0:
        mask[PLANES * cells] = 1
        return 1
    return count


@rule
def mark_beginners(state: State, options: OptionsRecord, mask: np.ndarray) -> int:
    """Before a roll there is a choice only if a player says which of the team begins (Ruling 4)."""
    if state.roll != CHOICE or state.over:
        return 0
    mask[0] = mask[(options.last + 1) * (options.last + 1) - 1] = 1
    return 2


@rule
def adjust(state: State, options: OptionsRecord, player: int, mask: np.ndarray, count: int) -> int:
    """Add a pass or unmark uses of the dice as options say; return the number of actions."""
    if may_pass(state, options, player, count):
        mask[PLANES * (options.last + 1) * (options.last + 1)] = 1
        return count + 1
    if options.dice and state.dice[1] != 0:
        return drop_wasteful(state, options, player, mask, count)
    return count


@rule
def may_pass(state: State, options: OptionsRecord, player: int, count: int) -> bool:
    """Whether a player may throw dice away that have some uses.

    Options allow it of a grace die (Ruling 10), and if all uses bear a piece off (Ruling 9).
    """
    if options.grace_move and state.roll == GRACE:
        return True
    return options.bear_off != 0 and bearings_off(state, options, player) == count


@rule
def bearings_off(state: State, options: OptionsRecord, player: int) -> int:
    """The number of actions that bear a piece off."""
    low, high = wide(state.dice[0]), wide(state.dice[1])
    lower = kinds_of_die(state, player, low)
    higher = kinds_of_die(state, player, high) if high > low else 0
    count = 0
    for kind in range(options.kinds):
        if can_leave(state, options, player, kind):
            count += ((lower >> kind) & 1) + ((higher >> kind) & 1)
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
    """Write ``uses`` for the cells reachable with each die; count the cells."""
    origin = wide(state.place[PIECES * player + kind])
    home = home_of(options, player, kind)
    corner = corner_of(options, player)
    count = 0
    if origin >= FIRST_SQUARE:
        if kind == HORSE:
            count = mark_leaps(state, options, player, origin, uses, of_lower, of_higher)
        else:
            count = mark_slides(state, options, player, kind, origin, uses, of_lower, of_higher)
    can_enter = origin == TAKEN and may_enter(state, options, player, kind, home)
    if can_enter or can_leave(state, options, player, kind):
        cell = cell_of(options, corner, home)
        of_lower[cell] = uses[0]
        of_higher[cell] = uses[1]
        count += 1
    return count


@rule
def can_leave(state: State, options: OptionsRecord, player: int, kind: int) -> bool:
    """Whether a piece may be borne off: on its own starting square, with a lap (Ruling 5)."""
    piece = PIECES * player + kind
    is_home = state.place[piece] == home_of(options, player, kind)
    return is_home and laps_beyond(state, options, piece) >= 1


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

    The latter only while the team-mate's Raja is taken. No square is safe (Ruling 11).
    """
    owner = piece_on(state, place) // PIECES
    return owner != player and (team(owner) != team(player) or has_raja_taken(state, owner))


@rule
def may_enter(state: State, options: OptionsRecord, player: int, kind: int, home: int) -> bool:
    """Whether a taken piece may enter: a Raja even onto a piece of its own side."""
    if not holds(state.occupied, home) or may_take(state, player, home):
        return True
    return kind == RAJA and piece_on(state, home) // PIECES == player


class Use(NamedTuple):
    """A use of one of two dice, and what the other one shows."""

    player: int
    kind: int
    origin: int
    target: int
    other: int


@rule
def drop_wasteful(
    state: State, options: OptionsRecord, player: int, mask: np.ndarray, count: int
) -> int:
    """Unmark uses that leave the other die without one, if another use makes both usable.

    Return the number of actions that remain (Ruling 1, ``dice="all"``). A use that wins remains.
    """
    actions = PLANES * (options.last + 1) * (options.last + 1)
    obliges = False
    for action in range(actions):
        obliges |= mask[action] != 0 and makes_both_usable(state, options, player, action)
    if not obliges:
        return count
    for action in range(actions):
        if mask[action]:
            use = use_of(state, options, player, action)
            if not (can_use_other(state, options, use, True) or wins(state, options, use)):
                mask[action] = 0
                count -= 1
    return count


@rule
def makes_both_usable(state: State, options: OptionsRecord, player: int, action: int) -> bool:
    """Whether a use leaves one for the other die; nobody has to bear off where that is free."""
    use = use_of(state, options, player, action)
    if options.bear_off and use.origin == use.target:
        return False
    return can_use_other(state, options, use, options.bear_off == 0)


@rule
def use_of(state: State, options: OptionsRecord, player: int, action: int) -> Use:
    """The use of a die that an action means."""
    cells = (options.last + 1) * (options.last + 1)
    plane, cell = action // cells, action % cells
    kind = plane % PIECES
    origin = wide(state.place[PIECES * player + kind])
    target = place_of_cell(options, corner_of(options, player), cell)
    return Use(player, kind, origin, target, wide(state.dice[1 - plane // PIECES]))


@rule
def place_after(state: State, use: Use, kind: int) -> int:
    """The place of a piece of the player after a use; the Raja may take one."""
    place = wide(state.place[PIECES * use.player + kind])
    if kind == use.kind:
        return OFF if use.origin == use.target else use.target
    return TAKEN if place == use.target else place


@rule
def wins(state: State, options: OptionsRecord, use: Use) -> bool:
    """Whether a use bears off the player's last piece."""
    for kind in range(options.kinds):
        if place_after(state, use, kind) != OFF:
            return False
    return True


@rule
def can_use_other(state: State, options: OptionsRecord, use: Use, bears_off: bool) -> bool:
    """Whether the other die has a use after this one; bearing off may count."""
    named = KIND_OF[use.other]
    is_any = use.other == SIX or place_after(state, use, named) == OFF
    is_raja_taken = place_after(state, use, RAJA) == TAKEN
    for kind in range(options.kinds):
        if (is_any or kind == named) and (kind == RAJA or not is_raja_taken):
            place = place_after(state, use, kind)
            if place == TAKEN:
                is_usable = may_enter_after(state, options, use, kind)
            else:
                is_usable = place != OFF and can_go_after(state, options, use, kind, place)
                is_usable |= bears_off and can_leave_after(state, options, use, kind, place)
            if is_usable:
                return True
    return False


@rule
def may_enter_after(state: State, options: OptionsRecord, use: Use, kind: int) -> bool:
    """Whether a taken piece may enter after a use."""
    home = home_of(options, use.player, kind)
    if home == use.target:
        return kind == RAJA
    return home == use.origin or may_enter(state, options, use.player, kind, home)


@rule
def can_leave_after(state: State, options: OptionsRecord, use: Use, kind: int, place: int) -> bool:
    """Whether a piece that is on a square after a use may then be borne off."""
    home = home_of(options, use.player, kind)
    laps = laps_beyond(state, options, PIECES * use.player + kind)
    if kind == use.kind and use.origin != TAKEN:
        laps += laps_gained(options, home, use.origin, use.target)
    return place == home and laps >= 1


@rule
def can_go_after(state: State, options: OptionsRecord, use: Use, kind: int, place: int) -> bool:
    """Whether a piece that is on a square after a use can then move: a slider, by one square."""
    quadrants = wide(options.quadrants[place])
    first, after = SLIDES[kind, 0], SLIDES[kind, 1]
    if kind == HORSE:
        first, after = FIRST_KNIGHT, ALL_DIRECTIONS if options.grand else FIRST_CAMEL
    for direction in range(first, after):
        target = place + STEP[direction]
        if MAY_GO[quadrants, direction] and not holds(options.walls, target):
            if target == use.origin:
                return True
            is_free = not holds(state.occupied, target) or may_take(state, use.player, target)
            if is_free and target != use.target:
                return True
    return False
