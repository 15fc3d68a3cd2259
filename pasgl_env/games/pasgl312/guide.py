"""The critters of PASGL 312 Chess, for people."""

from __future__ import annotations

from math import gcd

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.fields import put_on_board, up_to
from pasgl_env.contract.parts import Piece
from pasgl_env.engine.errors import IllegalMove
from pasgl_env.engine.position import Position
from pasgl_env.games.pasgl312.description import CONDITIONS, MODIFIERS
from pasgl_env.games.pasgl312.names import KIND_NAMES, chuck_distances
from pasgl_env.games.pasgl312.position_text import describe as condition
from pasgl_env.games.pasgl312.position_text import members
from pasgl_env.games.pasgl312.rules.board import (
    ACROSS,
    BOARD_SQUARES,
    CAMPFIRE,
    HALF,
    INDEX,
    NAMES,
    PHASES,
    TERMINALS,
    TRAIN_HEAD,
)
from pasgl_env.games.pasgl312.rules.legal import is_compelled, may_enter_occupied
from pasgl_env.games.pasgl312.rules.play import points_of
from pasgl_env.games.pasgl312.rules.state import (
    BEAR,
    CARRIERS,
    CHIPMUNK,
    DEER,
    FOX,
    HUNTER,
    LETTERS,
    SHREW,
    SIDE,
    SIDE_MASK,
    SKUNK,
    TURKEY,
    WOODCHUCK,
    at,
    has_lunch,
    is_leaving,
    kind_of,
    under_train,
)
from pasgl_env.render.svg.silhouette import SEATS

# In braces what depends on options.
_MOVES = {
    BEAR: "One step in any direction, in its own half of the board. With its lunch it squashes"
    " Shrews where it arrives and pushes everybody else aside. Its death ends the game.",
    HUNTER: "One step along a rank or file, to empty squares.{shot}",
    DEER: "Leaps of two squares and one to the side, one or several in a straight line. With"
    " its lunch it squashes Shrews and steals a lunch where it arrives.",
    FOX: "One step straight back{zigzag}. With its lunch it steals a lunch, or eats a Turkey or a"
    " lunchless Woodchuck or Skunk, and dies of a Skunk.",
    WOODCHUCK: "One step or a leap of two along a rank or file, to empty squares.{chuck}",
    SKUNK: "Any distance along a rank or file. When bothered, it sprays: all enemies on"
    " its square and next to it, except Skunks, lose their lunches and become stinky.",
    TURKEY: "{walk}. Carries no lunch.",
    CHIPMUNK: "One step diagonally. A Shrew on the last rank turns into a Chipmunk.",
    SHREW: "One step diagonally forward. Turns into a Chipmunk on the last rank.",
}


def pieces(options: OptionsRecord) -> list[Piece]:
    """The critters."""
    return [
        Piece(
            LETTERS[kind],
            KIND_NAMES[kind],
            f"{_told(kind, options)} {_points(options, kind)}",
            (LETTERS[kind].lower(),),
        )
        for kind in _MOVES
    ]


def _told(kind: int, options: OptionsRecord) -> str:
    """Sentences on a kind's moves and actions."""
    shot = (
        f" With its lunch it shoots {up_to(options.hunter_range, 'square')} along a rank or file."
    )
    zigzag = f", or a zigzag of {up_to(options.fox_range, 'diagonal step')}"
    chuck = (
        f" With its lunch it throws wood {chuck_distances(options.chuck_reach)} squares diagonally:"
        " the critter that is hit drops its lunch."
    )
    walk = f"{up_to(options.turkey_range, 'square').capitalize()} along a rank or file"
    return _MOVES[kind].format(
        shot=shot if options.hunter_range else "",
        zigzag=zigzag if options.fox_range else "",
        chuck=chuck if options.chuck_reach > 1 else "",
        walk=walk if options.turkey_range else "Does not move",
    )


def _points(options: OptionsRecord, kind: int) -> str:
    points = int(points_of(options, kind))
    if points == 0:
        return "Earns nothing at the campfire."
    return f"Earns {points} point{'s' * (points > 1)} a turn by sitting still at the campfire."


SIGNS = {signs: ", ".join(CONDITIONS[sign] for sign in signs) for signs in (*MODIFIERS[1:], "~")}

SHORT_TEXTS = ("{} ./././. ./. 1 w 0:0 0 0",)

BOARD_SIGNS = {
    ".next": "The dashed red frame: the Train's head comes here after Black's turn.",
    'use[href$="-lunch"]': "The paper bag: a critter that has its lunch.",
    'use[href$="-stink"]': "The green fumes: a stinky critter.",
    'use[href$="-leaving"]': "The arrow: a critter that has left the Train and may go on.",
    ".platform": "The boxes beside the rails: platforms, where critters wait for the Train.",
    ".tile": "The dead of each side.",
    ".lead": "The lead in points, of those that end the game.",
}

WHY_PASS = "None of your critters can do anything."

_FILES = "zabcdefghx"


def describe(position: Position, square: str) -> list[str]:
    """The critters on a square, the properties of the square, and the Train's next effect on it."""
    state = position.state[0]
    if square not in INDEX:
        return []
    place = INDEX[square]
    lines = [_about(state, critter) for critter in members(int(at(state, place)))]
    lines = list(dict.fromkeys(lines))
    options = position.options_record[0]
    if under_train(state, options, place):
        lines.append("The Train is here: nobody moves onto, through or over it.")
    elif int(TRAIN_HEAD[int(state.phase) % PHASES + 1]) == place:
        end = ", and kills everybody on the square" if place < BOARD_SQUARES else ""
        lines.append(f"The Train comes here next, after Black's turn{end}.")
    if place in CAMPFIRE:
        lines.append(
            "The campfire: critters that sit still here earn points, carriers only with their"
            " lunch, and nobody who stinks."
        )
    if square in TERMINALS:
        lunch = " get a lunch if they have lost theirs," if options.train_lunch else ""
        lines.append(
            f"A terminal: critters that arrive are safe,{lunch} and wait for the Train; they cannot"
            " step back onto the board."
        )
    return lines


def _about(state: State, critter: int) -> str:
    kind, side = int(kind_of(state, critter)), critter // SIDE
    name = f"{SEATS[side]} {KIND_NAMES[kind]}"
    here = condition(state, critter)
    signs = []
    if "-" in here.modifiers:
        signs.append("no lunch: may not enter occupied squares or harm anybody")
    if "*" in here.modifiers:
        signs.append("stinky: earns nothing, and must move unless something worse threatens")
    if here.leaving:
        signs.append("has left the Train: goes on by its usual move, but into no terminal")
    if "-" not in here.modifiers and kind in (HUNTER, WOODCHUCK):
        signs.append("never enters occupied squares")
    return f"{name}, {'; '.join(signs)}." if signs else f"{name}."


def why_not(position: Position, origin: str, target: str | None) -> str:
    """The rule that forbids the move."""
    state, mover = position.state[0], int(position.state[0].mover)
    here = int(at(state, INDEX[origin])) if origin in INDEX else 0
    own = list(members(here & int(SIDE_MASK[mover])))
    if not own:
        return f"None of {SEATS[mover]}'s critters is on {origin}."
    stinky = int(state.stinky) & int(SIDE_MASK[mover])
    movable = any(action.origin == origin for action in position.choices)
    if stinky and is_compelled(state, position.options_record[0]) and not movable:
        return "Stink compels: only stinky critters may move now."
    critter = own[0]
    reason = _place_fault(position, state, critter, target) if target in INDEX else ""
    name = KIND_NAMES[int(kind_of(state, critter))]
    if reason:
        return reason
    if target is None or _can_reach_alone(position, origin, target, critter):
        if target is None:
            return f"The {name} on {origin} cannot move now."
        return f"{_in_the_way(state, origin, target)} is in the way from {origin} to {target}."
    return f"{name}: {_told(int(kind_of(state, critter)), position.options_record[0])}"


def _place_fault(position: Position, state: State, critter: int, target: str | None) -> str:
    """The reason why the target square is forbidden, regardless of the way there."""
    assert target is not None
    place, kind = INDEX[target], int(kind_of(state, critter))
    name, where = KIND_NAMES[kind], int(state.where[critter])
    if under_train(state, position.options_record[0], place):
        return f"The Train is on {target}: nobody moves onto it."
    is_waiting = where >= BOARD_SQUARES and not is_leaving(state, critter)
    if is_waiting and place != ACROSS[where]:
        return (
            "A critter that waits for the Train can only move to the other square of the terminal."
        )
    if where >= BOARD_SQUARES and place >= BOARD_SQUARES and not is_waiting:
        return "A critter that has left the Train goes to a square that is not a terminal."
    if kind == BEAR and place >= BOARD_SQUARES:
        return "A Bear never enters a terminal."
    if kind == BEAR and HALF[place] != critter // SIDE:
        return "A Bear stays in its own half of the board."
    if int(at(state, place)) and not may_enter_occupied(state, critter):
        if int(CARRIERS) >> kind & 1 and not has_lunch(state, critter):
            return f"The {name} has no lunch: it may not enter occupied squares."
        return f"The {name} never enters occupied squares."
    return ""


def _in_the_way(state: State, origin: str, target: str) -> str:
    """The first critter on the straight line between two squares, as a subject."""
    (x, y), (right, up) = ((_FILES.index(name[0]), int(name[1])) for name in (origin, target))
    steps = gcd(right - x, up - y)
    for step in range(1, steps):
        square = f"{_FILES[x + (right - x) * step // steps]}{y + (up - y) * step // steps}"
        for critter in members(int(at(state, INDEX[square])) if square in INDEX else 0):
            name = KIND_NAMES[int(kind_of(state, critter))]
            return f"{SEATS[critter // SIDE]}'s {name} on {square}"
    return "Something"


def _can_reach_alone(position: Position, origin: str, target: str, critter: int) -> bool:
    """Whether a critter could go there on an otherwise empty board."""
    state = position.state[0]
    symbol = condition(state, critter)._replace(modifiers="", leaving=False).symbol()
    board = "8/8/8/8/8/8/8/8"
    for bear in (BEAR, SIDE + BEAR):
        home = NAMES[state.where[bear]] if int(state.where[bear]) < BOARD_SQUARES else ""
        if home and home not in (origin, target):
            board = put_on_board(board, home, "Bb"[bear // SIDE])
    if origin not in TERMINALS:
        board = put_on_board(board, origin, symbol)
    mover = "wb"[int(state.mover)]
    text = f"{board} ./././. ./. {int(state.phase)} {mover} 20:20 0 0"
    try:
        alone = Position.from_text("pasgl312", text, **position.options)
        return any(move.endswith(f"{origin}{target}") for move in alone.legal_moves())
    except (ValueError, IllegalMove):
        return False
