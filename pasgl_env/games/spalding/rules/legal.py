"""The legal actions of Captain Spalding Chess.

The action space, ``Discrete(2560)``, is 40 planes of 64 squares, from the view of the player to
move (turned by 180° for Black)::

    0 ... 2047      64 * direction + square    the piece on the square makes this relative move
    2048 ... 2559   2048 + 64 * find + square  the container that has moved puts this on the square

The directions are drawn in :mod:`pasgl_env.games.spalding.rules.board`; the finds are R H V C of
the Box, L N of the Pajama, E B of the Great Pajama.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.bits import lowest
from pasgl_env.games.spalding.rules.board import (
    BACKWARD,
    DIRECTION_COUNT,
    ELEPHANT_STEPS,
    FIRST_KNIGHT,
    FORWARD,
    GREAT_STEPS,
    IS_NEXT_TO,
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
from pasgl_env.games.spalding.rules.history import Effect, is_seen, key_of_next, would_repeat
from pasgl_env.games.spalding.rules.state import (
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
    HALF,
    HEADLESS,
    KIND,
    KINDS,
    LEFT_GREAT_ELEPHANT,
    LEFT_HEADLESS,
    LEFT_RHINO,
    LINT,
    MONSTER,
    MOVED_BY,
    OWN,
    PAJAMA,
    RHINO,
    has_box,
    is_left,
    key_of,
    own,
)
from pasgl_env.jit.compiled import clear, inlined_rule, rule, wide

CREATIONS = DIRECTION_COUNT * SQUARES
# The finds of containers, in the order of the action planes.
FOUND = np.array([RHINO, HEADLESS, BAT, CRUMB, ELEPHANT, LINT, GREAT_ELEPHANT, BUNNY], np.int64)
FIND_RHINO, FIND_HEADLESS, FIND_BAT, FIND_CRUMB = range(4)
FIND_ELEPHANT, FIND_LINT = 4, 5
FIND_GREAT, FIND_BUNNY = 6, 7
ACTIONS = CREATIONS + len(FOUND) * SQUARES
# FINDS_OF[kind of container]: its first find, and the one after its last.
FINDS_OF = np.zeros((GREAT + 1, 2), np.int64)
FINDS_OF[BOX], FINDS_OF[PAJAMA], FINDS_OF[GREAT] = (0, 4), (4, 6), (6, 8)

# Ways to move: to an empty square, also with capture, only with capture.
MOVE, MOVE_OR_CAPTURE, CAPTURE = range(3)


def _may_enter() -> np.ndarray:
    """Table [player, how, content] -> 1 where a piece may go.

    Lint and Dust Demons can be captured, Dust Bunnies cannot (Ruling 3).
    """
    table = np.zeros((2, 3, CONTENTS), np.uint8)
    for player in range(2):
        enemies = np.arange(1, KINDS + 1) + KINDS * (1 - player)
        table[player, MOVE_OR_CAPTURE, [*enemies, LINT, DEMON]] = 1
    table[:, CAPTURE] = table[:, MOVE_OR_CAPTURE]
    table[:, [MOVE, MOVE_OR_CAPTURE], EMPTY] = 1
    return table


MAY_ENTER = _may_enter()


def _creates() -> np.ndarray:
    """Table [player, find, content] -> what the find becomes on a square that holds the content.

    EMPTY if it may not be put there. A Bat's file and last rank are checked elsewhere.
    """
    table = np.full((2, len(FOUND), CONTENTS), EMPTY, np.uint8)
    for player in range(2):
        for find, kind in enumerate(FOUND):
            table[player, find, EMPTY] = kind if kind > KINDS else OWN[player] + kind
        table[player, FIND_CRUMB, OWN[player] + CRUMB] = OWN[player] + MONSTER
        table[player, FIND_LINT, LINT] = BUNNY
        table[player, FIND_BUNNY, BUNNY] = DEMON
    return table


CREATES = _creates()


@rule
def legal_actions(state: State, options: OptionsRecord, mask: np.ndarray) -> int:
    """Write the mask of legal actions; return their number."""
    clear(mask)
    mover = wide(state.mover)
    if not has_box(state, mover):
        return 0
    if state.container != NONE:
        return _creations(state, options, mask)
    count = 0
    for half in range(2):
        squares = wide(state.movers[mover, half])
        while squares:
            square = HALF * half + lowest(squares)
            squares &= squares - 1
            count += _moves(state, options, mask, square)
    return count


class MovingPiece(NamedTuple):
    """A piece about to be moved.

    Attributes:
        key: key of the position after the turn, without this piece.
        cell: its square from the mover's view.
    """

    mover: int
    content: int
    square: int
    key: int
    cell: int


@rule
def _moves(state: State, options: OptionsRecord, mask: np.ndarray, square: int) -> int:
    """Mark the moves of a piece; return their number."""
    mover, content = wide(state.mover), wide(state.board[square])
    key = key_of_next(state) ^ key_of(content, square)
    piece = MovingPiece(mover, content, square, key, square ^ TURN[mover])
    kind = MOVED_BY[mover, content]
    if kind <= GREAT:
        return _container_moves(state, options, mask, piece, kind)
    if kind == BAT:
        return _bat_move(state, mask, piece)
    if kind <= HEADLESS:
        marked = _rhino_moves(state, mask, piece, kind)
    elif kind == BOOH:
        marked = _booh_moves(state, mask, piece)
    else:
        marked = _five(state, mask, piece, 0, MOVE if kind == BUNNY else MOVE_OR_CAPTURE)
        if kind in (GREAT_ELEPHANT, DEMON):
            how = MOVE if kind == DEMON else MOVE_OR_CAPTURE
            marked += _five(state, mask, piece, ELEPHANT_STEPS, how)
    return _drop_repetitions(state, mask, piece, marked)


@rule
def _try(
    state: State,
    mask: np.ndarray,
    piece: MovingPiece,
    direction: int,
    target: int,
    how: int,
    if_so: int,
) -> int:
    """Mark a move unless something is in its way; ``if_so`` is 0 if the way there is blocked.

    Monsters and apparent repetitions are rare, so the rest goes without a branch or a call:
    doubtful moves are marked, and :func:`_drop_repetitions` decides.

    Returns:
        1 if the move is marked, plus bit 8 + direction if it is doubtful.
    """
    before = wide(state.board[target])
    may = MAY_ENTER[piece.mover, how, before] & if_so
    key = piece.key ^ key_of(before, target) ^ key_of(piece.content, target)
    mask[SQUARES * direction + piece.cell] = may
    doubt = may & (is_seen(state, key) | wide(state.monsters_near[target] != 0))
    return may + (doubt << (8 + direction))


@rule
def _drop_repetitions(state: State, mask: np.ndarray, piece: MovingPiece, marked: int) -> int:
    """Remove the marked moves that repeat a position; return the number of moves left.

    ``marked`` is the sum of what :func:`_try` returned for the piece.
    """
    count, doubts = marked & 255, marked >> 8
    while doubts:
        direction = lowest(doubts)
        doubts &= doubts - 1
        target = wide(TARGET[piece.mover, piece.square, direction])
        is_new = _is_new(state, piece, target)
        mask[SQUARES * direction + piece.cell] = is_new
        count -= 1 - is_new
    return count


@inlined_rule
def _five(state: State, mask: np.ndarray, piece: MovingPiece, first: int, how: int) -> int:
    """Mark moves in five directions: those of an Elephant, or the leaps of a Great Elephant."""
    targets = TARGET[piece.mover, piece.square]
    marked = 0
    for direction in range(first, first + ELEPHANT_STEPS):
        marked += _try(state, mask, piece, direction, wide(targets[direction]), how, 1)
    return marked


@rule
def _is_new(state: State, piece: MovingPiece, target: int) -> int:
    """1 unless the move repeats a position."""
    arrives = arrives_as(state, piece.content, target)
    return wide(not would_repeat(state, Effect(piece.square, target, arrives, NONE, EMPTY)))


@rule
def arrives_as(state: State, content: int, target: int) -> int:
    """The content of a move's target after promotion and monsters (Ruling 2)."""
    if state.monsters_near[target] != 0:
        return EMPTY
    mover = wide(state.mover)
    if content == own(mover, BAT) and target // 8 == LAST_RANK[mover]:
        return own(mover, BOOH)
    return content


@rule
def _bat_move(state: State, mask: np.ndarray, piece: MovingPiece) -> int:
    target = wide(TARGET[piece.mover, piece.square, FORWARD])
    if MAY_ENTER[piece.mover, MOVE_OR_CAPTURE, state.board[target]] == 0:
        return 0
    may = _is_new(state, piece, target)
    mask[SQUARES * FORWARD + piece.cell] = may
    return may


@rule
def _rhino_moves(state: State, mask: np.ndarray, piece: MovingPiece, kind: int) -> int:
    """One step of a Rook, or on to a Knight's square; never two straight on (Ruling 1)."""
    targets = TARGET[piece.mover, piece.square]
    second = MOVE_OR_CAPTURE if kind == RHINO else MOVE
    marked = 0
    for side in range(ROOK_STEPS.size):
        direction = ROOK_STEPS[side]
        middle = wide(targets[direction])
        marked += _try(state, mask, piece, direction, middle, MOVE_OR_CAPTURE, 1)
        is_open = wide(state.board[middle] == EMPTY)
        for knight in range(FIRST_KNIGHT + 2 * side, FIRST_KNIGHT + 2 * side + 2):
            marked += _try(state, mask, piece, knight, wide(targets[knight]), second, is_open)
    return marked


@rule
def _booh_moves(state: State, mask: np.ndarray, piece: MovingPiece) -> int:
    targets = TARGET[piece.mover, piece.square]
    marked = 0
    for direction in ROOK_STEPS:
        how = MOVE_OR_CAPTURE if direction in (FORWARD, BACKWARD) else CAPTURE
        marked += _try(state, mask, piece, direction, wide(targets[direction]), how, 1)
    for way in range(SLIDES.shape[0]):
        for step in range(1, SLIDES.shape[1]):
            if state.board[targets[SLIDES[way, step - 1]]] != EMPTY:
                break
            direction = SLIDES[way, step]
            marked += _try(state, mask, piece, direction, wide(targets[direction]), MOVE, 1)
    return marked


@rule
def _container_moves(
    state: State, options: OptionsRecord, mask: np.ndarray, piece: MovingPiece, kind: int
) -> int:
    """Mark a container's moves; it may not stop beside a Monster (Ruling 4)."""
    targets = TARGET[piece.mover, piece.square]
    usual = _usual_find(state, options, kind)
    count = 0
    for step in range(container_steps(kind)):
        if not container_goes(options, piece.mover, kind, step):
            continue
        direction = container_direction(kind, step)
        target = wide(targets[direction])
        if state.board[target] != EMPTY or state.monsters_near[target] != 0:
            continue
        if _surely_brings_out(state, usual, piece, target) or can_bring_out(
            state, options, kind, piece.square, target
        ):
            mask[SQUARES * direction + piece.cell] = 1
            count += 1
    return count


@rule
def container_steps(kind: int) -> int:
    """The number of directions in which a container moves."""
    return KING_STEPS.size if kind == BOX else ELEPHANT_STEPS if kind == PAJAMA else GREAT_STEPS


@rule
def container_goes(options: OptionsRecord, player: int, kind: int, step: int) -> bool:
    """Whether a container may go in the direction of this number: options may slow a Box."""
    return kind != BOX or (wide(options.box_goes[player]) >> step) & 1 == 1


@rule
def container_direction(kind: int, step: int) -> int:
    """The direction of this number in which a container moves.

    No Pajama steps sideways (Ruling 1).
    """
    return KING_STEPS[step] if kind == BOX else step


@rule
def _usual_find(state: State, options: OptionsRecord, kind: int) -> int:
    """A find that a container may put on any empty square, as a content; EMPTY if none."""
    for find in range(FINDS_OF[kind, 1] - 1, FINDS_OF[kind, 0] - 1, -1):
        if find != FIND_BAT and _has(state, options, find):
            return wide(CREATES[state.mover, find, EMPTY])
    return EMPTY


@rule
def _surely_brings_out(state: State, usual: int, piece: MovingPiece, target: int) -> bool:
    """Whether the usual find can be put next to the target; False is not certain."""
    if usual == EMPTY:
        return False
    key = piece.key ^ key_of(piece.content, target)
    if IS_NEXT_TO[piece.square, target]:
        # The square that the container leaves is empty.
        return is_seen(state, key ^ key_of(usual, piece.square)) == 0
    for spot in NEIGHBOUR[target]:
        if state.board[spot] == EMPTY and is_seen(state, key ^ key_of(usual, wide(spot))) == 0:
            return True
    return False


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
                state, Effect(origin, target, moved, wide(spot), created)
            ):
                return True
    return False


@rule
def _creations(state: State, options: OptionsRecord, mask: np.ndarray) -> int:
    container, mover, key = wide(state.container), wide(state.mover), key_of_next(state)
    kind = KIND[state.board[container]]
    count = 0
    for find in range(FINDS_OF[kind, 0], FINDS_OF[kind, 1]):
        if not _has(state, options, find):
            continue
        for neighbour in NEIGHBOUR[container]:
            spot = wide(neighbour)
            before = wide(state.board[spot])
            created = creates(state, find, spot, before)
            may = wide(created != EMPTY)
            if may & is_seen(state, key ^ key_of(before, spot) ^ key_of(created, spot)):
                may = wide(not would_repeat(state, Effect(NONE, NONE, EMPTY, spot, created)))
            # Off the board nothing is marked, whatever the square.
            cell = (spot & (SQUARES - 1)) ^ TURN[mover]
            mask[CREATIONS + SQUARES * find + cell] |= may
            count += may
    return count


@rule
def _has(state: State, options: OptionsRecord, find: int) -> bool:
    """Whether a find is in the mover's container, regardless of squares for it."""
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
    """The piece that a find becomes on a square with ``before``; EMPTY if it may not be put there.

    A Bat needs a file without an own Bat, also on its last rank, where it is a Booh (Ruling 6).
    """
    mover = wide(state.mover)
    created = wide(CREATES[mover, find, before])
    if find == FIND_BAT and created != EMPTY:
        if has_bat_on(state, mover, spot % 8):
            return EMPTY
        if spot // 8 == LAST_RANK[mover]:
            return own(mover, BOOH)
    return created


@rule
def has_bat_on(state: State, player: int, file: int) -> bool:
    """Whether the player has a Bat on a file; a Booh is not a Bat."""
    return (wide(state.bat_files[player]) >> file) & 1 == 1
