"""The counters of Captain Spalding Chess."""

from __future__ import annotations

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.bits import lowest
from pasgl_env.contract.counters import Axis, Counter, first_cells, seats
from pasgl_env.games.spalding.names import KIND_NAMES
from pasgl_env.games.spalding.rules.board import (
    FIRST_KNIGHT,
    NAMES,
    NONE,
    ROOK_STEPS,
    SQUARES,
    TARGET,
    TURN,
)
from pasgl_env.games.spalding.rules.evaluation import CAPTURES_ALONG
from pasgl_env.games.spalding.rules.legal import CREATIONS, FIND_LINT, FOUND
from pasgl_env.games.spalding.rules.state import (
    BAT,
    BOOH,
    BOX,
    BUNNY,
    DEMON,
    ELEPHANT,
    EMPTY,
    GREAT,
    GREAT_ELEPHANT,
    HALF,
    HEADLESS,
    KIND,
    LEFT_GREAT_ELEPHANT,
    LINT,
    MONSTER,
    MOVED_BY,
    OWNER,
    PAJAMA,
    RHINO,
    is_left,
    own,
)
from pasgl_env.jit.compiled import rule, wide


def _axis(name: str, kinds: list[int]) -> Axis:
    return Axis(name, tuple(KIND_NAMES[kind] for kind in kinds))


def _cells(kinds: list[int]) -> np.ndarray:
    """Table [kind] -> its cell."""
    table = np.zeros(DEMON + 1, np.int64)
    table[kinds] = range(len(kinds))
    return table


_MOVING = [BOX, PAJAMA, GREAT, RHINO, HEADLESS, BAT, BOOH, ELEPHANT, GREAT_ELEPHANT, BUNNY, DEMON]
_CAPTORS = [RHINO, HEADLESS, BAT, BOOH, ELEPHANT, GREAT_ELEPHANT, DEMON]
_PIECES = list(range(BOX, GREAT_ELEPHANT + 1))
_NEUTRALS = [LINT, DEMON]
_EDIBLE = [RHINO, HEADLESS, BAT, BOOH, ELEPHANT, GREAT_ELEPHANT, BUNNY, DEMON]
MOVING_CELL, CAPTOR_CELL, EDIBLE_CELL = _cells(_MOVING), _cells(_CAPTORS), _cells(_EDIBLE)
MOVING, CAPTORS, PIECES, EDIBLE = len(_MOVING), len(_CAPTORS), len(_PIECES), len(_EDIBLE)
NEUTRALS = len(_NEUTRALS)
FINDS = len(FOUND)
# Results of putting two things together, and of Bats on their last rank.
BOOH_AT_ONCE, MONSTER_MADE, BUNNY_MADE, DEMON_MADE = range(4)
MAKINGS = 4
# Answers of a player to an attack on its Box.
BOX_MOVES, CAPTURES_SOMETHING, BRINGS_OUT, OTHERWISE = range(4)
ANSWERS = 4
# Stages of a game, by the turns of both players completed.
OPENING_TURNS, MIDDLE_TURNS = 20, 60
STAGES = 3

_SEATS = seats(2)
_SQUARE = Axis("square", NAMES)
_STAGE = Axis("stage", ("turns 1-20", "turns 21-60", "later"))

COUNTERS = (
    Counter("turns_begun", "Turns that the player began.", "turns", (_SEATS, _STAGE)),
    Counter(
        "moves",
        "Moves of the player, by the kind of the piece moved.",
        "moves",
        (_SEATS, _axis("moved", _MOVING)),
        title="Moves by piece",
    ),
    Counter(
        "found",
        "Pieces that the player brought out of Box and Pajamas.",
        "pieces",
        (_SEATS, _axis("find", [int(kind) for kind in FOUND])),
        title="Finds",
    ),
    Counter(
        "made",
        "Finds that changed when they were put down: Bats that were Boohs at once, Crumbs on "
        "Crumbs, Lint on Lint, a Great Pajama's Dust Bunnies on Dust Bunnies.",
        "pieces",
        (_SEATS, Axis("made", ("Booh", "Cookie Monster", "Dust Bunny", "Dust Demon"))),
        title="What finds became",
    ),
    Counter(
        "promotions",
        "The player's Bats that became Boohs by a move.",
        "Bats",
        (_SEATS,),
        title="Bats promoted",
    ),
    Counter(
        "captures",
        "Captures by the player, by the kind that captured.",
        "captures",
        (_SEATS, _axis("captor", _CAPTORS)),
        title="Captures by captor",
    ),
    Counter(
        "captures_on",
        "Captures by both players on this square.",
        "captures",
        (_SQUARE,),
        title="Captures by square",
    ),
    Counter(
        "lost",
        "The player's pieces that were captured, by kind.",
        "pieces",
        (_SEATS, _axis("piece", _PIECES)),
        title="Pieces lost",
    ),
    Counter(
        "neutrals_taken",
        "Lint and Dust Demons that the player captured.",
        "pieces",
        (_SEATS, _axis("neutral", _NEUTRALS)),
        title="Lint and Dust Demons captured",
    ),
    Counter(
        "box_taken_by",
        "Games in which the player captured the enemy's Box, by the kind that did.",
        "games",
        (_SEATS, _axis("captor", _CAPTORS)),
        is_share=True,
        title="Boxes captured",
    ),
    Counter(
        "eaten",
        "Pieces that the player moved and Cookie Monsters ate, by the kind moved.",
        "pieces",
        (_SEATS, _axis("eaten", _EDIBLE)),
        title="Eaten by Cookie Monsters",
    ),
    Counter(
        "monsters_fed",
        "The player's Cookie Monsters that ate and vanished.",
        "Cookie Monsters",
        (_SEATS,),
        title="Cookie Monsters fed",
    ),
    Counter(
        "spent_great_moves",
        "Moves of the player's Great Pajama when its Great Elephant had been found already.",
        "moves",
        (_SEATS,),
        title="Moves of a spent Great Pajama",
    ),
    Counter(
        "attacked",
        "Turns that the player began with its Box under attack: the enemy could capture it, were "
        "it the enemy's turn.",
        "turns",
        (_SEATS, _STAGE),
        per="turns_begun",
        is_share=True,
        title="Turns begun with the Box attacked",
    ),
    Counter(
        "answers",
        "How the player answered an attack on its Box: by moving the Box, else by a capture, else "
        "by moving a Pajama or Great Pajama, or otherwise.",
        "turns",
        (_SEATS, Axis("answer", ("moves the Box", "captures", "brings out", "otherwise"))),
        title="Answers to attacks on the Box",
    ),
)
SECTIONS = {
    "Moves": "turns_begun moves spent_great_moves",
    "Finds": "found made promotions",
    "Captures": "captures captures_on lost neutrals_taken",
    "Cookie Monsters": "monsters_fed eaten",
    "The Box": "attacked answers box_taken_by",
}
_AT = first_cells(COUNTERS)
TURNS_BEGUN, MOVES, FOUND_AT, MADE = _AT["turns_begun"], _AT["moves"], _AT["found"], _AT["made"]
PROMOTIONS, CAPTURES, LOST = _AT["promotions"], _AT["captures"], _AT["lost"]
CAPTURES_ON = _AT["captures_on"]
NEUTRALS_TAKEN, BOX_TAKEN_BY = _AT["neutrals_taken"], _AT["box_taken_by"]
EATEN, MONSTERS_FED = _AT["eaten"], _AT["monsters_fed"]
SPENT_GREAT_MOVES = _AT["spent_great_moves"]
ATTACKED, ANSWERS_AT = _AT["attacked"], _AT["answers"]


@rule
def count(
    before: State, option: OptionsRecord, action: int, after: State, tally: np.ndarray
) -> None:
    """Count the effects of an action; see :class:`pasgl_env.contract.parts.Counters`."""
    mover = wide(before.mover)
    square = (action % SQUARES) ^ wide(TURN[mover])
    if action >= CREATIONS:
        _count_find(mover, (action - CREATIONS) // SQUARES, wide(after.board[square]), tally)
        return
    target = wide(TARGET[mover, square, action // SQUARES])
    moved, captured = wide(before.board[square]), wide(before.board[target])
    _count_beginning(before, wide(KIND[moved]), captured, tally)
    _count_move(before, wide(KIND[moved]), tally)
    if captured != EMPTY:
        tally[CAPTURES_ON + target] += 1
        _count_capture(mover, wide(KIND[moved]), captured, tally)
    if KIND[moved] > GREAT:
        _count_arrival(before, after, moved, captured, wide(after.board[target]), tally)


@rule
def _count_find(mover: int, find: int, created: int, tally: np.ndarray) -> None:
    tally[FOUND_AT + mover * FINDS + find] += 1
    if KIND[created] == BOOH:
        tally[MADE + mover * MAKINGS + BOOH_AT_ONCE] += 1
    elif KIND[created] == MONSTER:
        tally[MADE + mover * MAKINGS + MONSTER_MADE] += 1
    elif created == BUNNY and find == FIND_LINT:
        tally[MADE + mover * MAKINGS + BUNNY_MADE] += 1
    elif created == DEMON:
        tally[MADE + mover * MAKINGS + DEMON_MADE] += 1


@rule
def _count_beginning(before: State, kind: int, captured: int, tally: np.ndarray) -> None:
    """Count an attacked Box at the start of a turn, and how a move of this kind answers it."""
    mover = wide(before.mover)
    turn = wide(before.turn_count)
    stage = wide(turn >= OPENING_TURNS) + wide(turn >= MIDDLE_TURNS)
    tally[TURNS_BEGUN + mover * STAGES + stage] += 1
    if not is_attacked(before, mover):
        return
    tally[ATTACKED + mover * STAGES + stage] += 1
    answer = OTHERWISE
    if kind == BOX:
        answer = BOX_MOVES
    elif captured != EMPTY:
        answer = CAPTURES_SOMETHING
    elif kind <= GREAT:
        answer = BRINGS_OUT
    tally[ANSWERS_AT + mover * ANSWERS + answer] += 1


@rule
def is_attacked(state: State, player: int) -> bool:
    """Whether the enemy could capture a player's Box if it were to move."""
    box, enemy = _box_of(state, player), 1 - player
    for direction in range(CAPTURES_ALONG.shape[1]):
        # The two players' directions are opposite, so this is how the enemy reaches the Box.
        origin = TARGET[player, box, direction]
        kind = MOVED_BY[enemy, state.board[origin]]
        if CAPTURES_ALONG[kind, direction] and _is_open(state, enemy, origin, direction):
            return True
    return False


@rule
def _box_of(state: State, player: int) -> int:
    """The square of a player's Box, or NONE."""
    for half in range(2):
        squares = wide(state.movers[player, half])
        while squares:
            square = HALF * half + lowest(squares)
            squares &= squares - 1
            if state.board[square] == own(player, BOX):
                return square
    return NONE


@rule
def _is_open(state: State, player: int, origin: int, direction: int) -> bool:
    """Whether the square where a Rhino turns is empty; True for other directions."""
    if direction < FIRST_KNIGHT:
        return True
    step = ROOK_STEPS[(direction - FIRST_KNIGHT) // 2]
    return state.board[TARGET[player, origin, step]] == EMPTY


@rule
def _count_move(before: State, kind: int, tally: np.ndarray) -> None:
    mover = wide(before.mover)
    tally[MOVES + mover * MOVING + MOVING_CELL[kind]] += 1
    if kind == GREAT and not is_left(before, mover, LEFT_GREAT_ELEPHANT):
        tally[SPENT_GREAT_MOVES + mover] += 1


@rule
def _count_capture(mover: int, kind: int, captured: int, tally: np.ndarray) -> None:
    tally[CAPTURES + mover * CAPTORS + CAPTOR_CELL[kind]] += 1
    if KIND[captured] >= LINT:
        tally[NEUTRALS_TAKEN + mover * NEUTRALS + wide(captured == DEMON)] += 1
        return
    tally[LOST + wide(OWNER[captured]) * PIECES + KIND[captured] - BOX] += 1
    if KIND[captured] == BOX:
        tally[BOX_TAKEN_BY + mover * CAPTORS + CAPTOR_CELL[kind]] += 1


@rule
def _count_arrival(
    before: State, after: State, moved: int, captured: int, arrived: int, tally: np.ndarray
) -> None:
    """Count what became of the piece that moved: eaten, promoted or neither."""
    mover = wide(before.mover)
    if arrived == EMPTY:
        tally[EATEN + mover * EDIBLE + EDIBLE_CELL[KIND[moved]]] += 1
        for side in range(2):
            monster = own(side, MONSTER)
            gone = wide(before.number[monster]) - wide(after.number[monster])
            tally[MONSTERS_FED + side] += gone - wide(captured == monster)
    elif KIND[moved] == BAT and KIND[arrived] == BOOH:
        tally[PROMOTIONS + mover] += 1
