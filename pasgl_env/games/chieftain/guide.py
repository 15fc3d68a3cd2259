"""The pieces of Chieftain, Superchief and Overlord, for people."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord
from pasgl_env.contract.fields import spelled, up_to
from pasgl_env.contract.parts import Piece
from pasgl_env.engine.position import Position
from pasgl_env.games.chieftain.names import ALL_NAMES
from pasgl_env.games.chieftain.position_text import letter_of
from pasgl_env.games.chieftain.rules.board import ALL_LETTERS, EMPTY, WALL, Ranges, cell_of
from pasgl_env.games.chieftain.rules.legal import reaches
from pasgl_env.games.chieftain.rules.state import commanders, file_of, rank_of, side_at
from pasgl_env.render.svg.silhouette import SEATS

_ORDERS = (
    " Orders {orders} within {reach} to move each turn, itself or another.{first_turn} A side"
    " without {royal} loses."
)
_STEPS = ("One step in any direction.", "One or two steps in any direction, turning as it likes.")
_STEP_AND_LEAP = (
    "A step {}.",
    "A step or a leap of two {}.",
    "A step or a leap of two {}, or both in one straight line.",
)
_SLIDE = "{} {}, or a leap of two {}."
_STRAIGHT, _DIAGONAL = "along a rank or file", "diagonally"

BOARD_SIGNS = {
    ".command": "The violet frame: squares under command. Only pieces here can be activated.",
    'use[href*="-active-"]': "The yellow crown: a Chieftain that can still give orders this turn.",
    ".badge": "The number of orders that a Chieftain can still give, if more than one.",
    ".moved": "The violet line: a piece that has moved this turn.",
}

WHY_PASS = "No piece under your command can move."


def pieces(options: OptionsRecord) -> list[Piece]:
    """The pieces in the setup."""
    return [
        Piece(
            letter,
            ALL_NAMES[kind],
            _told(letter, options),
            (letter.lower(),),
        )
        for kind, letter in enumerate(ALL_LETTERS)
        if options.most[:, kind].any()
    ]


def describe(position: Position, square: str) -> list[str]:
    """The piece on a square, and the Chieftains that can order it."""
    state, options = position.state[0], position.options_record[0]
    cell = _cell(square)
    if not _is_on_board(options, square) or int(state.board[cell]) == EMPTY:
        return []
    letter = letter_of(int(state.board[cell]))
    lines = [f"{_name(letter)}: {_told(letter.upper(), options)}"]
    if position.to_move == int(letter.islower()) and not position.is_over:
        if int(state.moved[rank_of(cell)]) >> int(file_of(cell)) & 1:
            lines.append("It has moved in this turn.")
        else:
            number = int(commanders(state, options, cell)).bit_count()
            plural = "s" * (number != 1)
            or_leaders = f" or Leader{plural}" if options.has_leaders else ""
            lines.append(
                f"{number} Chieftain{plural}{or_leaders} with an order left can order it to move."
            )
    return lines


def why_not(position: Position, origin: str, target: str | None) -> str:
    """The rule that forbids the move."""
    state, options = position.state[0], position.options_record[0]
    cell, mover = _cell(origin), position.to_move or 0
    if int(state.board[cell]) == EMPTY:
        return f"Nothing stands on {origin}."
    letter = letter_of(int(state.board[cell]))
    if int(letter.islower()) != mover:
        return f"The {_name(letter)} on {origin} is not {SEATS[mover]}'s."
    if int(state.moved[rank_of(cell)]) >> int(file_of(cell)) & 1:
        return "This piece has already moved in this turn."
    if not commanders(state, options, cell):
        return f"No Chieftain with an order left is within {_nearness(options, origin)}."
    how = _told(letter.upper(), options)
    if target is None:
        return f"The {_name(letter)} on {origin} cannot move now. {how}"
    other = _cell(target)
    if int(state.board[other]) != EMPTY and int(side_at(state, other)) == mover:
        return "Players do not capture their own pieces."
    alone = position.state[0]
    alone.board[alone.board != WALL] = EMPTY
    alone.board[cell] = state.board[cell]
    if reaches(alone, options, mover, cell, other):
        return "Something stands in the way."
    return f"{_name(letter)}: {how}"


def _told(letter: str, options: OptionsRecord) -> str:
    """Sentences on a kind's moves and its command."""
    ranges = Ranges(*(int(options[f"{kind}_range"]) for kind in Ranges._fields))
    if letter in "CL":
        return _STEPS[ranges.chieftain - 1] + _commands(letter, options)
    return {
        "H": _STEP_AND_LEAP[ranges.hero - 1].format(_STRAIGHT),
        "S": _STEP_AND_LEAP[ranges.shaman - 1].format(_DIAGONAL),
        "N": "A knight's leap.",
        "M": f"{_up_to(ranges.man, 'step')} in any direction.",
        "B": _SLIDE.format(_up_to(ranges.bishopy, "square"), _DIAGONAL, _STRAIGHT),
        "R": _SLIDE.format(_up_to(ranges.rookish, "square"), _STRAIGHT, _DIAGONAL),
    }[letter]


def _up_to(number: int, what: str) -> str:
    return up_to(number, what).capitalize()


def _commands(letter: str, options: OptionsRecord) -> str:
    orders, reach = (
        (options.activations, options.command_range)
        if letter == "C"
        else (options.leader_activations, options.leader_range)
    )
    first = int(options.first_turn_orders)
    in_first = f" In the game's first turn all together order at most {spelled(first, 'piece')}."
    return _ORDERS.format(
        orders=spelled(orders, "piece"),
        reach=spelled(reach, "square"),
        first_turn=in_first if first else "",
        royal="Chieftains and Leaders" if options.has_leaders else "Chieftains",
    )


def _nearness(options: OptionsRecord, square: str) -> str:
    near = f"{spelled(options.command_range, 'square')} of {square}"
    if not options.has_leaders:
        return near
    return f"{near}, and no such Leader within {spelled(options.leader_range, 'square')}"


def _name(letter: str) -> str:
    return f"{SEATS[int(letter.islower())]} {ALL_NAMES[ALL_LETTERS.index(letter.upper())]}"


def _cell(square: str) -> int:
    return int(cell_of(ord(square[0]) - ord("a"), int(square[1:]) - 1))


def _is_on_board(options: OptionsRecord, square: str) -> bool:
    return ord(square[0]) - ord("a") < options.files and 0 < int(square[1:]) <= options.ranks
