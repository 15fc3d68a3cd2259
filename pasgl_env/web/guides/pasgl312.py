"""The critters of PASGL 312 Chess, for people."""

from __future__ import annotations

from pasgl_env.games.contract import OptionsRecord
from pasgl_env.games.pasgl312.play import points_of
from pasgl_env.games.pasgl312.state import (
    BEAR,
    CHIPMUNK,
    DEER,
    FOX,
    HUNTER,
    LETTERS,
    SHREW,
    SKUNK,
    TURKEY,
    WOODCHUCK,
)
from pasgl_env.render.svg.critters import KIND_NAMES
from pasgl_env.web.guides import Piece

_MOVES = {
    BEAR: "One step in any direction, in its own half of the board. Squashes Shrews where it"
    " arrives and pushes everybody else aside. If it dies, the game is over.",
    HUNTER: "One step along a rank or file, to empty squares. With its lunch it shoots up to"
    " {hunter_range} squares along a rank or file.",
    DEER: "Knight's leaps, one or several in a straight line. With its lunch it squashes Shrews"
    " and steals a lunch where it arrives.",
    FOX: "One step straight back, or a diagonal zigzag of up to {fox_range} steps. With its lunch"
    " it steals a lunch, or eats a Turkey or a Woodchuck or Skunk without lunch.",
    WOODCHUCK: "One step along a rank or file, or a leap of two, to empty squares. With its lunch"
    " it throws wood two or three squares diagonally: whoever is hit drops the lunch.",
    SKUNK: "Any distance along a rank or file. Whoever harms it makes it spray: all enemies beside"
    " it lose their lunches and are stinky.",
    TURKEY: "Up to {turkey_range} squares along a rank or file. Carries no lunch.",
    CHIPMUNK: "One step diagonally. A Shrew on the last rank turns into a Chipmunk.",
    SHREW: "One step diagonally forward. Turns into a Chipmunk on the last rank.",
}


def pieces(options: OptionsRecord) -> list[Piece]:
    """The critters."""
    ranges = {name: int(options[name]) for name in ("hunter_range", "fox_range", "turkey_range")}
    return [
        Piece(
            LETTERS[kind],
            KIND_NAMES[kind],
            f"{move.format(**ranges)} {_points(options, kind)}",
            (LETTERS[kind].lower(),),
        )
        for kind, move in _MOVES.items()
    ]


def _points(options: OptionsRecord, kind: int) -> str:
    points = int(points_of(options, kind))
    if points == 0:
        return "Earns nothing at the campfire."
    return f"Earns {points} point{'s' * (points > 1)} a turn by sitting still at the campfire."
