"""The options of PASGL 312 Chess."""

from __future__ import annotations

from pasgl_env.games.contract import MORE_PLANES, AnyOption, Option
from pasgl_env.games.pasgl312.names import KIND_NAMES

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
    Option("turn_limit", 1000, 0, 10**9 - 1, "turns after which environments truncate; 0: never"),
    MORE_PLANES,
)
