"""The options of PASGL 312 Chess."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord
from pasgl_env.contract.game import MORE_PLANES, AnyOption, Choice, Option, flag
from pasgl_env.games.pasgl312.names import KIND_NAMES
from pasgl_env.games.pasgl312.rules import state
from pasgl_env.games.pasgl312.rules.board import MOST_CARS
from pasgl_env.games.pasgl312.rules.observation import MOST_PASSES

SIDES = ("white", "black")
_MOST_POINTS = 254

_POINTS = (5, 4, 3, 3, 3, 2, 2, 0, 1)
OPTIONS: tuple[AnyOption, ...] = (
    Option("win_margin", 30, 1, 255, "points ahead that end the game at once"),
    Option("bear_bonus", 20, 0, 255, "points to the other side for a dead Bear"),
    *(
        Option(f"{name.lower()}_points", points, 0, 99, f"points of a {name} at the campfire")
        for name, points in zip(KIND_NAMES, _POINTS, strict=True)
    ),
    Option("hunter_range", 3, 0, 7, "how far the Hunter shoots; 0: never"),
    Option("fox_range", 3, 0, 7, "longest zigzag of the Fox, in steps"),
    Option("turkey_range", 3, 0, 7, "longest move of the Turkey"),
    Option("chuck_reach", 3, 1, 7, "how far the Woodchuck chucks, from 2 squares; 1: never"),
    Option("train_length", 2, 1, MOST_CARS, "cars of the Train"),
    flag("train_lunch", True, "carriers get a lunch at a terminal"),
    Option("ride_points", 0, 0, 99, "points for each own critter that the Train puts down"),
    Option("passes", 40, 1, MOST_PASSES, "passes in a row that end the game"),
    Choice(
        "first", SIDES[0], SIDES, "first to move; the Train advances after Black's turns anyway"
    ),
    Option(
        "score_handicap",
        0,
        -_MOST_POINTS,
        _MOST_POINTS,
        "points with which the side that does not begin starts; below 0: the side that begins",
    ),
    Option("turn_limit", 1000, 0, 10**9 - 1, "turns after which environments truncate; 0: never"),
    MORE_PLANES,
)


def derive(options: OptionsRecord) -> None:
    """Write the derived fields; ``ValueError`` if the handicap would end the game at its start."""
    if abs(options.score_handicap) >= options.win_margin:
        raise ValueError(
            f"option score_handicap must be less than win_margin, {options.win_margin}, either way,"
            f" not {options.score_handicap}"
        )
    state.derive(options)
