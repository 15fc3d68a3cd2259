"""The state of Captain Spalding Chess: contents of squares, the STATE record, options, the start.

A square's content is a number: 0 for empty, 1-11 White's X P J R H V W C M L E, 12-22 Black's,
23-25 the neutral N B D, 26 for beyond the board.

The rule that no position may repeat needs the game's history. It is a log of the squares' contents
before each change, two bytes each, and a key of 16 bits for every position at the start of a turn.
Keys find the candidates and the log decides, so the rule is exact.
"""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.games.spalding.rules.board import (
    INDEX,
    KING_STEPS,
    NEIGHBOUR,
    NONE,
    ROOK_STEPS,
    SQUARES,
)
from pasgl_env.jit.compiled import rule, wide

LETTERS = "XPJRHVWCMLE"
NEUTRALS = "NBD"
KINDS = len(LETTERS)
EMPTY = 0
(BOX, PAJAMA, GREAT, RHINO, HEADLESS, BAT, BOOH, CRUMB, MONSTER, ELEPHANT, GREAT_ELEPHANT) = range(
    1, KINDS + 1
)
# The kinds of which a player has at most one.
ONE_EACH = np.array([BOX, PAJAMA, GREAT, RHINO, HEADLESS, ELEPHANT, GREAT_ELEPHANT], np.int64)
LINT, BUNNY, DEMON = range(2 * KINDS + 1, 2 * KINDS + 4)
BEYOND = 2 * KINDS + 4
CONTENTS = BEYOND + 1
# KIND[content]: White's number of the kind; neutral pieces are their own kind.
KIND = np.array(
    [0, *range(1, KINDS + 1), *range(1, KINDS + 1), LINT, BUNNY, DEMON, BEYOND], np.uint8
)
# OWN[player]: what to add to a kind for the player's piece.
OWN = np.array([0, KINDS], np.int64)
# OWNER[content]: the player, or 2 for neutral pieces.
OWNER = np.array([2, *[0] * KINDS, *[1] * KINDS, 2, 2, 2, 2], np.uint8)
# MOVED_BY[player, content]: the kind if the player may move the piece, else EMPTY.
MOVED_BY = np.where(np.isin(KIND, [CRUMB, MONSTER, LINT, BEYOND]), EMPTY, KIND)
MOVED_BY = np.array([MOVED_BY * (OWNER != 1), MOVED_BY * (OWNER != 0)], np.uint8)
IS_MONSTER = np.zeros(CONTENTS, np.uint8)
IS_MONSTER[[MONSTER, KINDS + MONSTER]] = 1

# Bits of ``left``: a player's finds that are left, three bits higher for Black.
FINDS = (RHINO, HEADLESS, GREAT_ELEPHANT)
LEFT_RHINO, LEFT_HEADLESS, LEFT_GREAT_ELEPHANT = 1, 2, 4
LEFT_BITS = 3
FIND_LETTERS = "RHE"
# The finds that come once a game, as the field `left` of position texts writes them.
FIND_CHOICES = ("RHE", "HE", "RE", "RH", "E", "H", "R", "-")
# The parts in which repeated positions agree, besides the player to act (Ruling 5): the board, or
# also the pieces still to be found.
REPETITIONS = ("board", "board and finds")
# The moves of a Box in Betza's letters, all without capture.
BOX_MOVES = ("K", "W", "F")

HALF = SQUARES // 2

# Room for the history: a turn changes two squares or three, rarely more; 2.2 in random games.
TURNS_REMEMBERED = 1000
CHANGES_REMEMBERED = 2500
MOST_CHANGES = 11
KEY_BITS = 16
SEEN_BITS = 12

# KEY[square, content]; 0 for empty squares, and beyond the board. A row is a cache line.
_ROW = 32
_random = np.random.SeedSequence(312).generate_state((SQUARES + 1) * _ROW) >> (32 - KEY_BITS)
KEY = _random.astype(np.uint16).reshape(SQUARES + 1, _ROW)
KEY_BLACK = int(KEY[NONE, 0])
KEY[:, [EMPTY, BEYOND]] = 0

STATE = np.dtype(
    (
        np.record,
        [
            ("turn_count", np.int64),  # turns completed, both players'
            ("keys", np.uint16, (TURNS_REMEMBERED,)),  # keys of the positions at the start of turns
            ("log_at", np.uint16, (TURNS_REMEMBERED,)),  # length of the log at that time
            ("log", np.uint16, (CHANGES_REMEMBERED,)),  # 64 * content before + square
            ("movers", np.uint32, (2, 2)),  # squares of what each player moves; ranks 1-4, 5-8
            ("log_length", np.uint16),
            (
                "history",
                np.uint16,
            ),  # positions remembered, including this turn's start
            ("key", np.uint16),  # key of the board, without the mover
            ("seen", np.uint8, (1 << SEEN_BITS >> 3,)),  # bit set of the low bits of all keys
            ("board", np.uint8, (SQUARES + 1,)),  # contents; the last is BEYOND
            ("monsters_near", np.uint8, (SQUARES + 1,)),  # number of monsters next to a square
            ("number", np.uint8, (CONTENTS,)),  # number of squares with each content but EMPTY
            ("bat_files", np.uint8, (2,)),  # bit sets of the files of each player's Bats
            ("left", np.uint8),  # the finds that are left to the players
            ("mover", np.uint8),
            ("container", np.uint8),  # square of the container that has moved, else NONE
            ("origin", np.uint8),  # its previous square, else NONE
        ],
    )
)

DERIVED = (
    ("found", np.uint8),  # bits of ``left`` that are in the game
    ("box_goes", np.uint8, (2,)),  # [player]: set of the steps of KING_STEPS that the Box may make
)
_STEPS_OF = {"K": KING_STEPS, "W": ROOK_STEPS, "F": np.setdiff1d(KING_STEPS, ROOK_STEPS)}


def derive(options: OptionsRecord) -> None:
    """Write the derived fields."""
    finds = (FIND_CHOICES[options.white_finds], FIND_CHOICES[options.black_finds])
    options.found = sum(
        1 << LEFT_BITS * player + FIND_LETTERS.index(letter)
        for player, letters in enumerate(finds)
        for letter in letters.strip("-")
    )
    for player, moves in enumerate((options.white_box, options.black_box)):
        steps = np.isin(KING_STEPS, _STEPS_OF[BOX_MOVES[moves]])
        options.box_goes[player] = steps @ (1 << np.arange(KING_STEPS.size))


_START = (
    *((kind, square) for kind, square in ((BOX, "e1"), (PAJAMA, "a1"), (GREAT, "h1"))),
    *((KINDS + kind, square) for kind, square in ((BOX, "d8"), (PAJAMA, "h8"), (GREAT, "a8"))),
)
START = np.array([(content, INDEX[name]) for content, name in _START], np.int64)


@rule
def start(state: State, options: OptionsRecord) -> None:
    """Write the starting position."""
    clear(state)
    state.left = options.found
    for piece in range(START.shape[0]):
        put(state, START[piece, 1], START[piece, 0])
    begin_history(state)


@rule
def clear(state: State) -> None:
    """Write an empty board, White to move, no history."""
    state.keys[:] = 0
    state.log_at[:] = 0
    state.log[:] = 0
    state.seen[:] = 0
    state.board[:] = EMPTY
    state.board[NONE] = BEYOND
    state.movers[:, :] = 0
    state.monsters_near[:] = 0
    state.number[:] = 0
    state.bat_files[:] = 0
    state.turn_count = 0
    state.log_length = state.history = state.key = state.left = state.mover = 0
    state.container = state.origin = NONE


@rule
def put(state: State, square: int, content: int) -> None:
    """Change a square's content, and everything that follows from it."""
    before = wide(state.board[square])
    state.board[square] = content
    state.key = wide(state.key) ^ key_of(before, square) ^ key_of(content, square)
    _note_movers(state, square, content)
    state.number[before] = wide(state.number[before]) - (before != EMPTY)
    state.number[content] = wide(state.number[content]) + (content != EMPTY)
    if before == BAT or content == BAT:
        state.bat_files[0] = wide(state.bat_files[0]) ^ (1 << square % 8)
    if before == KINDS + BAT or content == KINDS + BAT:
        state.bat_files[1] = wide(state.bat_files[1]) ^ (1 << square % 8)
    more = wide(IS_MONSTER[content]) - IS_MONSTER[before]
    if more != 0:
        for neighbour in NEIGHBOUR[square]:
            state.monsters_near[neighbour] = wide(state.monsters_near[neighbour]) + more


@rule
def _note_movers(state: State, square: int, content: int) -> None:
    half, place = square // HALF, square % HALF
    for player in range(2):
        others = wide(state.movers[player, half]) & ~(1 << place)
        is_mover = wide(MOVED_BY[player, content] != EMPTY)
        state.movers[player, half] = others | (is_mover << place)


@rule
def key_of(content: int, square: int) -> int:
    """The contribution of a content on a square to the key."""
    return wide(KEY[square, content])


@rule
def begin_history(state: State) -> None:
    """Start the history with the current position."""
    state.log_length = state.history = 0
    state.seen[:] = 0
    remember(state)


@rule
def remember(state: State) -> None:
    """Add the position at the start of a turn to the history."""
    key = position_key(state, wide(state.key), wide(state.mover))
    state.keys[state.history] = key
    state.log_at[state.history] = state.log_length
    state.history += 1
    see(state, key)


@rule
def see(state: State, key: int) -> None:
    """Mark a key in the bit set."""
    low = key & ((1 << SEEN_BITS) - 1)
    state.seen[low >> 3] = wide(state.seen[low >> 3]) | (1 << (low & 7))


@rule
def position_key(state: State, board_key: int, mover: int) -> int:
    """The key of a position for repetition: the board, and whose turn is next (Ruling 5)."""
    return board_key ^ (KEY_BLACK * mover)


@rule
def is_quiescent(state: State) -> bool:
    """Whether the board shows the whole turn: no container has to bring something out."""
    return not in_turn(state)


@rule
def has_no_room(state: State) -> bool:
    """Whether a turn begins for which the history has no room."""
    return state.container == NONE and (
        state.history >= TURNS_REMEMBERED or state.log_length + MOST_CHANGES > CHANGES_REMEMBERED
    )


@rule
def own(player: int, kind: int) -> int:
    """The content for a player's piece of a kind."""
    return OWN[player] + kind


@rule
def is_left(state: State, player: int, bit: int) -> bool:
    """Whether the find of this bit is left to the player."""
    return (wide(state.left) >> (LEFT_BITS * player)) & bit != 0


@rule
def to_move(state: State) -> int:
    """The player who acts."""
    return wide(state.mover)


@rule
def in_turn(state: State) -> bool:
    """Whether a container has moved and has to bring out its piece."""
    return state.container != NONE


@rule
def turns(state: State) -> int:
    """Turns completed, both players'."""
    return wide(state.turn_count)


@rule
def forget(state: State, options: OptionsRecord) -> None:
    """Forget the number of turns; the history matters, because no position may come back."""
    state.turn_count = 0


@rule
def has_box(state: State, player: int) -> bool:
    """Whether the player's Box is on the board."""
    return state.number[own(player, BOX)] != 0


@rule
def winner(state: State, options: OptionsRecord) -> int:
    """The winner of a finished game: the loser has lost the Box or has no legal turn."""
    return 1 - to_move(state)
