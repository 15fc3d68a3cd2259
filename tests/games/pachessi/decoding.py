"""The observation of Pachessi, decoded from what the table of planes says."""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np

from pasgl_env import Position
from pasgl_env.games.pachessi import PACHESSI

from .invariants import sides
from .positions import Fields, fields
from .steering import COLOURS, homes_of

# The table, in its order: six runs of planes for each of four seats, then the others.
RUNS = [slice(plane.first, plane.first + plane.length) for plane in PACHESSI.planes]
SEATS = [RUNS[first : first + 5] for first in (0, 5, 10, 15)]
LOWER, HIGHER, MEANING, TURN, GRACE, CAPTURED, CHANCE, FORBIDDEN = RUNS[20:]
CORNERS = ("green", "black", "red", "yellow")  # clockwise from the lower left one
# How many turns later the players of the seats play.
LATER = {2: (0, None, 1, None), 4: (0, 2, 1, 3)}


def flag(plane: np.ndarray) -> bool:
    assert plane.min() == plane.max()
    return bool(plane.max())


def name(player_colour: str, row: int, column: int, size: int) -> str:
    """The real name of a cell: the board was turned clockwise or not, corner by corner."""
    x, y = column, row
    for _ in range(CORNERS.index(player_colour)):
        x, y = y, size - 1 - x
    return f"{ascii_lowercase[x]}{y + 1}"


def squares(plane: np.ndarray, colour: str) -> set[str]:
    return {name(colour, row, column, len(plane)) for row, column in np.argwhere(plane).tolist()}


def check(position: Position, player: int) -> None:
    """All but the number of turns, and laps beyond 3 or below -1, is read off."""
    seen = position.observation(player)
    now = fields(position)
    pieces = sides(now)
    colours = COLOURS[len(pieces)]
    for runs, later in zip(SEATS, LATER[len(colours)], strict=True):
        if later is None:
            assert not any(seen[run].any() for run in runs)
        else:
            seat = (player + later) % len(colours)
            check_seat(seen, runs, colours[player], colours[seat], pieces[seat])
    check_dice(now, colours[player], seen)
    assert flag(seen[CHANCE]) == position.is_chance
    check_quadrants(position, seen[FORBIDDEN])


def check_seat(
    seen: np.ndarray, runs: list[slice], viewer: str, colour: str, pieces: dict[str, str]
) -> None:
    kinds, below, laps, taken, off = (seen[run] for run in runs)
    homes = homes_of(len(kinds[0]), colour)
    decoded = {}
    behind, rounds = squares(below[0], viewer), [squares(more, viewer) for more in laps]
    for letter, plane in zip("REHS", kinds, strict=True):
        for square in squares(plane, viewer):
            shown = -1 if square in behind else sum(square in some for some in rounds)
            assert letter not in decoded
            decoded[letter] = f"{square}:{shown}"
    for sign, plane in (("@", taken[0]), ("*", off[0])):
        at = squares(plane, viewer)
        decoded |= {letter: sign for letter, home in homes.items() if home in at}
    assert decoded == {letter: clipped(word) for letter, word in pieces.items()}
    assert below.sum() + laps[0].sum() <= kinds.sum()


def clipped(word: str) -> str:
    square, colon, laps = word.partition(":")
    return f"{square}:{max(-1, min(3, int(laps)))}" if colon else word


def check_dice(now: Fields, viewer: str, seen: np.ndarray) -> None:
    pieces = sides(now)
    colours = COLOURS[len(pieces)]
    mover = -1 if now.mover == "lot" else colours.index(now.mover)
    dice = [
        str(number)
        for run in (LOWER, HIGHER)
        for number, plane in enumerate(seen[run], 1)
        if flag(plane)
    ]
    assert (",".join(dice) or "-") == now.dice
    whose = [flag(plane) for plane in seen[TURN]]
    later = (mover - colours.index(viewer)) % len(colours)
    assert whose == [mover >= 0 and later == turns for turns in LATER[len(colours)]]
    assert flag(seen[GRACE]) == (now.roll[0] == "g")
    assert flag(seen[CAPTURED]) == ("+" in now.roll)
    if mover < 0:
        assert not seen[MEANING].any()
        return
    homes = homes_of(seen.shape[1], now.mover)
    for plane, number in zip(seen[MEANING], [*dice, "", ""], strict=False):
        assert squares(plane, viewer) == meant(pieces[mover], homes, number)


def meant(own: dict[str, str], homes: dict[str, str], die: str) -> set[str]:
    """Where the pieces are that a die is for, those that wait to enter included."""
    if not die:
        return set()
    letter = {"1": "S", "2": "H", "3": "E", "4": "R", "5": "R"}.get(die)
    letters = list(own) if letter is None or own[letter] == "*" else [letter]
    if own["R"] == "@":
        letters = [letter for letter in letters if letter == "R"]
    words = {letter: own[letter] for letter in letters if own[letter] != "*"}
    return {
        homes[letter] if word == "@" else word.partition(":")[0] for letter, word in words.items()
    }


def check_quadrants(position: Position, planes: np.ndarray) -> None:
    """North, West, South and East as the corner diagonals cut them."""
    size, hole = position.options["size"], position.options["hole"]
    # Twice the distances above the centre and to the right of it.
    up, right = 2 * np.indices((size, size)) - (size - 1)
    exists = np.maximum(abs(up), abs(right)) >= hole
    forbidden = [up >= abs(right), -right >= abs(up), -up >= abs(right), right >= abs(up)]
    assert (planes == [exists & way for way in forbidden]).all()
