"""Which actions of Captain Spalding Chess are legal.

The action space, ``Discrete(2560)``, is 40 planes of 64 squares, as the player to move sees the
board (turned by 180° for Black)::

    0 ... 2047      64 * direction + square    the piece on the square makes this relative move
    2048 ... 2559   2048 + 64 * find + square  the container that has moved puts this on the square

The directions are drawn in :mod:`pasgl_env.games.spalding.board`; the finds are R H V C of the Box,
L N of the Pajama, E B of the Great Pajama.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.engine.compiled import rule, wide
from pasgl_env.games.contract import OptionsRecord, State
from pasgl_env.games.spalding.board import (
    DIRECTION_COUNT,
    ELEPHANT_STEPS,
    FIRST_KNIGHT,
    FORWARD,
    GREAT_STEPS,
    KING_STEPS,
    LAST_RANK,
    NEIGHBOUR,
    NONE,
    ROOK_STEPS,
    SLIDES,
    SQUARES,
    TARGET,
    TURN,
)
from pasgl_env.games.spalding.history import Turn, would_repeat
from pasgl_env.games.spalding.state import (
    BAT,
    BOOH,
    BOX,
    BUNNY,
    CONTENTS,
    CRUMB,
    DEMON,
    ELEPHANT,
    EMPTY,
    GREAT,
    GREAT_ELEPHANT,
    HEADLESS,
    KIND,
    KINDS,
    LEFT_GREAT_ELEPHANT,
    LEFT_HEADLESS,
    LEFT_RHINO,
    LINT,
    MONSTER,
    PAJAMA,
    RHINO,
    has_box,
    is_left,
    own,
)

CREATIONS = DIRECTION_COUNT * SQUARES
# What containers bring out, in the order of the action planes.
FOUND = np.array([RHINO, HEADLESS, BAT, CRUMB, ELEPHANT, LINT, GREAT_ELEPHANT, BUNNY], np.int64)
FIND_RHINO, FIND_HEADLESS, FIND_BAT, FIND_CRUMB = range(4)
FIND_ELEPHANT, FIND_LINT = 4, 5
FIND_GREAT, FIND_BUNNY = 6, 7
ACTIONS = CREATIONS + len(FOUND) * SQUARES
# FINDS_OF[kind of container]: its first find, and the one after its last.
FINDS_OF = np.zeros((GREAT + 1, 2), np.int64)
FINDS_OF[BOX], FINDS_OF[PAJAMA], FINDS_OF[GREAT] = (0, 4), (4, 6), (6, 8)

# How a piece may go: to an empty square, also to capture, only to capture.
MOVE, MOVE_OR_CAPTURE, CAPTURE = range(3)


def _may_enter() -> np.ndarray:
    """Table [player, how, content] -> 1 where a piece may go."""
    table = np.zeros((2, 3, CONTENTS), np.uint8)
    for player in range(2):
        enemies = np.arange(1, KINDS + 1) + KINDS * (1 - player)
        table[player, MOVE_OR_CAPTURE, [*enemies, LINT, DEMON]] = 1
    table[:, CAPTURE] = table[:, MOVE_OR_CAPTURE]
    table[:, [MOVE, MOVE_OR_CAPTURE], EMPTY] = 1
    return table


MAY_ENTER = _may_enter()


def _moved_by() -> np.ndarray:
    """Table [player, content] -> the kind, where the player may move the piece, else EMPTY."""
    table = np.zeros((2, CONTENTS), np.uint8)
    for player in range(2):
        mine = np.arange(1, KINDS + 1) + KINDS * player
        table[player, mine] = np.arange(1, KINDS + 1)
        table[player, [KINDS * player + CRUMB, KINDS * player + MONSTER]] = EMPTY
    table[:, [BUNNY, DEMON]] = BUNNY, DEMON
    return table


MOVED_BY = _moved_by()


@rule
def legal_actions(state: State, options: OptionsRecord, mask: np.ndarray) -> int:
    """Write the mask of legal actions, return their number."""
    mask[:] = 0
    mover = wide(state.mover)
    if not has_box(state, mover):
        return 0
    if state.container != NONE:
        return _creations(state, options, mask)
    count = 0
    for square in range(SQUARES):
        kind = MOVED_BY[mover, state.board[square]]
        if kind != EMPTY:
            count += _moves(state, options, mask, square, kind)
    return count


@rule
def _moves(state: State, options: OptionsRecord, mask: np.ndarray, square: int, kind: int) -> int:
    if kind <= GREAT:
        return _container_moves(state, options, mask, square, kind)
    if kind <= HEADLESS:
        return _rhino_moves(state, mask, square, kind)
    if kind == BAT:
        return _try(state, mask, square, FORWARD, MOVE_OR_CAPTURE)
    if kind == BOOH:
        return _booh_moves(state, mask, square)
    steps = ELEPHANT_STEPS if kind in (ELEPHANT, BUNNY) else GREAT_STEPS
    count = 0
    for direction in range(steps):
        how = MOVE_OR_CAPTURE
        if kind == BUNNY or (kind == DEMON and direction >= ELEPHANT_STEPS):
            how = MOVE
        count += _try(state, mask, square, direction, how)
    return count


@rule
def _try(state: State, mask: np.ndarray, square: int, direction: int, how: int) -> int:
    """Mark a move, unless something is in its way or it repeats; return how many are marked."""
    mover = wide(state.mover)
    target = wide(TARGET[mover, direction, square])
    if MAY_ENTER[mover, how, state.board[target]] == 0:
        return 0
    arrives = arrives_as(state, wide(state.board[square]), target)
    if would_repeat(state, Turn(square, target, arrives, NONE, EMPTY)):
        return 0
    mask[SQUARES * direction + (square ^ TURN[mover])] = 1
    return 1


@rule
def arrives_as(state: State, content: int, target: int) -> int:
    """What stands on a move's target after promotion and monsters."""
    if state.monsters_near[target] != 0:
        return EMPTY
    mover = wide(state.mover)
    if content == own(mover, BAT) and target // 8 == LAST_RANK[mover]:
        return own(mover, BOOH)
    return content


@rule
def _rhino_moves(state: State, mask: np.ndarray, square: int, kind: int) -> int:
    how = MOVE_OR_CAPTURE if kind == RHINO else MOVE
    count = 0
    for side in range(ROOK_STEPS.size):
        count += _try(state, mask, square, ROOK_STEPS[side], MOVE_OR_CAPTURE)
        middle = TARGET[state.mover, ROOK_STEPS[side], square]
        if state.board[middle] == EMPTY:
            first = FIRST_KNIGHT + 2 * side
            count += _try(state, mask, square, first, how)
            count += _try(state, mask, square, first + 1, how)
    return count


@rule
def _booh_moves(state: State, mask: np.ndarray, square: int) -> int:
    count = 0
    for direction in ROOK_STEPS:
        count += _try(state, mask, square, direction, CAPTURE)
    for way in range(SLIDES.shape[0]):
        for direction in SLIDES[way]:
            if state.board[TARGET[state.mover, direction, square]] != EMPTY:
                break
            count += _try(state, mask, square, direction, MOVE)
    return count


@rule
def _container_moves(
    state: State, options: OptionsRecord, mask: np.ndarray, square: int, kind: int
) -> int:
    mover = wide(state.mover)
    count = 0
    for step in range(container_steps(kind)):
        direction = container_direction(kind, step)
        target = wide(TARGET[mover, direction, square])
        if state.board[target] != EMPTY or state.monsters_near[target] != 0:
            continue
        if can_bring_out(state, options, kind, square, target):
            mask[SQUARES * direction + (square ^ TURN[mover])] = 1
            count += 1
    return count


@rule
def container_steps(kind: int) -> int:
    """In how many directions a container moves."""
    return KING_STEPS.size if kind == BOX else ELEPHANT_STEPS if kind == PAJAMA else GREAT_STEPS


@rule
def container_direction(kind: int, step: int) -> int:
    """The direction of this number in which a container moves."""
    return KING_STEPS[step] if kind == BOX else step


@rule
def can_bring_out(
    state: State, options: OptionsRecord, kind: int, origin: int, target: int
) -> bool:
    """Whether a container may go to ``target`` from ``origin`` (NONE: it is there already)."""
    moved = wide(state.board[target if origin == NONE else origin])
    for find in range(FINDS_OF[kind, 0], FINDS_OF[kind, 1]):
        if not _has(state, options, find):
            continue
        for spot in NEIGHBOUR[target]:
            is_vacated = spot == origin and spot != NONE
            before = EMPTY if is_vacated else wide(state.board[spot])
            created = creates(state, find, wide(spot), before)
            if created != EMPTY and not would_repeat(
                state, Turn(origin, target, moved, wide(spot), created)
            ):
                return True
    return False


@rule
def _creations(state: State, options: OptionsRecord, mask: np.ndarray) -> int:
    mover = wide(state.mover)
    container = wide(state.container)
    kind = KIND[state.board[container]]
    count = 0
    for find in range(FINDS_OF[kind, 0], FINDS_OF[kind, 1]):
        if not _has(state, options, find):
            continue
        for spot in NEIGHBOUR[container]:
            created = creates(state, find, wide(spot), wide(state.board[spot]))
            if created != EMPTY and not would_repeat(
                state, Turn(NONE, NONE, EMPTY, wide(spot), created)
            ):
                mask[CREATIONS + SQUARES * find + (spot ^ TURN[mover])] = 1
                count += 1
    return count


@rule
def _has(state: State, options: OptionsRecord, find: int) -> bool:
    """Whether a find is in the mover's container, wherever it would be put."""
    mover = wide(state.mover)
    if find == FIND_RHINO:
        return options.box_rhino and is_left(state, mover, LEFT_RHINO)
    if find == FIND_HEADLESS:
        return options.box_headless and is_left(state, mover, LEFT_HEADLESS)
    if find == FIND_BAT:
        return options.box_bat != 0
    if find == FIND_CRUMB:
        return options.box_crumb != 0
    if find == FIND_ELEPHANT:
        return options.pajama_elephant and state.number[own(mover, ELEPHANT)] == 0
    if find == FIND_LINT:
        return options.pajama_lint != 0
    if find == FIND_GREAT:
        return options.great_elephant and is_left(state, mover, LEFT_GREAT_ELEPHANT)
    return options.great_bunny != 0


@rule
def creates(state: State, find: int, spot: int, before: int) -> int:
    """What a find put on a square that holds ``before`` becomes there; EMPTY if it may not be."""
    mover = wide(state.mover)
    if find == FIND_BAT:
        if before != EMPTY or has_bat_on(state, mover, spot % 8):
            return EMPTY
        return own(mover, BOOH if spot // 8 == LAST_RANK[mover] else BAT)
    if before == EMPTY:
        is_neutral = find in (FIND_LINT, FIND_BUNNY)
        return FOUND[find] if is_neutral else own(mover, FOUND[find])
    if find == FIND_CRUMB and before == own(mover, CRUMB):
        return own(mover, MONSTER)
    if find == FIND_LINT and before == LINT:
        return BUNNY
    if find == FIND_BUNNY and before == BUNNY:
        return DEMON
    return EMPTY


@rule
def has_bat_on(state: State, player: int, file: int) -> bool:
    """Whether the player has a Bat on a file; a Booh is no Bat."""
    return (wide(state.bat_files[player]) >> file) & 1 == 1
