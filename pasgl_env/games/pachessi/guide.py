"""The pieces of Pachessi and Grand Pachessi, for people."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.fields import up_to
from pasgl_env.contract.parts import Piece
from pasgl_env.engine.position import Position
from pasgl_env.games.pachessi.names import KIND_NAMES
from pasgl_env.games.pachessi.position_text import colours_of
from pasgl_env.games.pachessi.rules.board import PIECES, QUADRANTS, place_at
from pasgl_env.games.pachessi.rules.legal import kinds_of_die
from pasgl_env.games.pachessi.rules.state import (
    CHOICE,
    LETTERS,
    has_raja_taken,
    home_of,
)

_DICE = ("a 4 or 5", "a 3", "a 2", "a 1")

SHORT_TEXTS = ("{}/R*,E*,H*,Sf2:0 black 6 i 20",)

BOARD_SIGNS = {
    ".laps": "The number of laps that a piece has run.",
    '[data-square="taken"]': "A taken piece, which waits to enter on its starting square.",
    '[data-square="off"]': "A piece that was borne off.",
    ".die": "The dice that can be used; used ones are pale.",
    ".due": "A grace die, still to be rolled.",
}

WHY_PASS = "None of your pieces can use these dice."


def pieces(options: OptionsRecord) -> list[Piece]:
    """The pieces of all players."""
    colours = colours_of(options)
    moves = (
        "One square in any direction"
        if options.range[0] == 1
        else f"Up to {int(options.range[0])} squares in a straight line",
        f"{up_to(int(options.range[1]), 'square').capitalize()} along a rank or file",
        "A knight's leap" + (", or a leap of (1,3)" if options.grand else ""),
        "Any distance diagonally",
    )
    return [
        Piece(
            f"{colours[0]}-{LETTERS[kind]}",
            KIND_NAMES[kind],
            f"{moves[kind]}. Moves with {_DICE[kind]}, or with a 6, which any piece may use."
            + (" While it is taken, nothing else of its colour moves." if kind == 0 else ""),
            tuple(f"{colour}-{LETTERS[kind]}" for colour in colours[1:]),
        )
        for kind in range(int(options.kinds))
    ]


def describe(position: Position, square: str) -> list[str]:
    """The piece on a square, its progress, and the piece that starts there."""
    state, options = position.state[0], position.options_record[0]
    place = _place(square)
    lines = []
    piece = _piece_on(state, square)
    if piece >= 0:
        player, kind = divmod(piece, PIECES)
        laps = int(state.laps[piece])
        lines.append(
            f"{position.seats[player]} {KIND_NAMES[kind]}, moves with {_DICE[kind]} or a 6."
        )
        if laps >= options.laps and place == int(home_of(options, player, kind)):
            lines.append("It has been around the board and may be borne off.")
        elif laps >= options.laps:
            lines.append("It has been around the board, but must reach its starting square.")
    for player in range(int(options.number)):
        for kind in range(int(options.kinds)):
            if int(home_of(options, player, kind)) == place:
                lines.append(f"Here {position.seats[player]}'s {KIND_NAMES[kind]} starts and ends.")
    return lines


def why_not(position: Position, origin: str, target: str | None) -> str:
    """The rule that forbids the move."""
    state, options = position.state[0], position.options_record[0]
    mover = position.to_move or 0
    if state.roll == CHOICE:
        return "First choose which player of your team begins."
    piece = _piece_on(state, origin)
    if piece < 0:
        return f"Nothing stands on {origin}."
    player, kind = divmod(piece, PIECES)
    if player != mover:
        return f"The {KIND_NAMES[kind]} on {origin} is {position.seats[player]}'s."
    if has_raja_taken(state, mover):
        return "While your Raja is taken, dice can only bring it back."
    dice = [int(die) for die in state.dice if die]
    if not any(int(kinds_of_die(state, mover, die)) >> kind & 1 for die in dice):
        return f"The {KIND_NAMES[kind]} moves with {_DICE[kind]} or a 6, and no such die is left."
    if target is None:
        where = f"The {KIND_NAMES[kind]} on {origin} has nowhere to go"
        return f"{where}: moves go counterclockwise around the board."
    other = _piece_on(state, target)
    if other >= 0 and other // PIECES == mover:
        return "Players do not take their own pieces."
    if other >= 0 and position.teams[other // PIECES] == position.teams[mover]:
        return "A team-mate's pieces are taken only while its Raja is taken."
    if _is_backward(options, _place(origin), origin, target):
        return "Moves go counterclockwise around the board."
    move = pieces(options)[kind].move
    if options.dice and state.dice[1]:
        move += " A use must leave one for the other die if another use does."
    return f"{KIND_NAMES[kind]}: {move}"


def _piece_on(state: State, square: str) -> int:
    """The piece on a square, -1 for none."""
    places = state.place.tolist()
    place = _place(square)
    return places.index(place) if place in places else -1


def _place(square: str) -> int:
    return int(place_at(ord(square[0]) - ord("a"), int(square[1:]) - 1))


def _is_backward(options: OptionsRecord, place: int, origin: str, target: str) -> bool:
    """Whether a quadrant's prohibition forbids the direction."""
    right = ord(target[0]) - ord(origin[0])
    up = int(target[1:]) - int(origin[1:])
    within = int(options.quadrants[place])
    forbidden = {"N": right > 0, "W": up > 0, "S": right < 0, "E": up < 0}
    return any(
        within >> number & 1 and forbidden[letter] for number, letter in enumerate(QUADRANTS)
    )
