"""The options of PASGL 312 Chess."""

from __future__ import annotations

from pasgl_env.games.base import OptionsRecord
from pasgl_env.games.contract import MORE_PLANES, AnyOption, Choice, Option
from pasgl_env.games.pasgl312.names import KIND_NAMES

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
    Choice("first", SIDES[0], SIDES, "who begins; the Train advances after Black's turns anyway"),
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
    """Write nothing; ``ValueError`` if the handicap would end the game at its start."""
    if abs(options.score_handicap) >= options.win_margin:
        raise ValueError(
            f"option score_handicap must be less than win_margin, {options.win_margin}, either way,"
            f" not {options.score_handicap}"
        )
