"""The observation of Captain Spalding Chess, decoded from what the table of planes says."""

from __future__ import annotations

import numpy as np

from pasgl_env import Position
from pasgl_env.games.spalding import GAME

from .invariants import left, standing
from .positions import FILES

# The table, in its order.
EMPTY, OWN, ENEMY, NEUTRAL, OWN_FINDS, ENEMY_FINDS, BLACK, TO_ACT, CONTAINER, ORIGIN = (
    slice(plane.first, plane.first + plane.length) for plane in GAME.planes
)
KINDS = "XPJRHVWCMLE"
FINDS = {"R": "box_rhino", "H": "box_headless", "E": "great_elephant"}


def square_name(player: int, row: int, column: int) -> str:
    return f"{FILES[7 - column]}{8 - row}" if player else f"{FILES[column]}{row + 1}"


def squares(plane: np.ndarray, player: int) -> set[str]:
    return {square_name(player, row, column) for row, column in np.argwhere(plane).tolist()}


def pieces(planes: np.ndarray, letters: str, player: int) -> dict[str, str]:
    return {
        square: letter
        for plane, letter in zip(planes, letters, strict=True)
        for square in squares(plane, player)
    }


def flag(plane: np.ndarray) -> bool:
    assert plane.min() == plane.max()
    return bool(plane.max())


def finds(planes: np.ndarray) -> str:
    return "".join(find for find, plane in zip(FINDS, planes, strict=True) if flag(plane))


def check(position: Position, player: int) -> None:
    """The whole position can be read off what a player sees."""
    seen = position.observation(player)
    letters = (KINDS.lower(), KINDS) if player else (KINDS, KINDS.lower())
    decoded = {
        **pieces(seen[OWN], letters[0], player),
        **pieces(seen[ENEMY], letters[1], player),
        **pieces(seen[NEUTRAL], "NBD", player),
    }
    assert decoded == standing(position)
    assert seen[: EMPTY.stop + 25].sum() == 64
    assert (seen[: EMPTY.stop + 25].sum(0) == 1).all()
    check_finds(position, player, seen)
    assert flag(seen[BLACK]) == (player == 1)
    assert flag(seen[TO_ACT]) == (player == position.state[0].mover)
    move = position.labels[0] if position.in_turn else ""
    assert squares(seen[CONTAINER][0], player) == ({move[4:6]} if move else set())
    assert squares(seen[ORIGIN][0], player) == ({move[1:3]} if move else set())


def check_finds(position: Position, player: int, seen: np.ndarray) -> None:
    """What is left and in a container at all."""
    findable = [find for find in left(position) if position.options[FINDS[find.upper()]]]
    sides = [
        "".join(find for find in findable if find.isupper()),
        "".join(find for find in findable if find.islower()).upper(),
    ]
    assert [finds(seen[OWN_FINDS]), finds(seen[ENEMY_FINDS])] == [sides[player], sides[1 - player]]
