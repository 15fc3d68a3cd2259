"""Games of a run that are worth a look: typical and extreme ones, as films."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pasgl_env import variants
from pasgl_env.games.contract import options_array
from pasgl_env.playtest.counting import GameCounter
from pasgl_env.playtest.generic import TURNS, WORST_DEFICIT
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.results import unit_of_lead
from pasgl_env.records.binary import StoredGame, replayed, stored_games
from pasgl_env.records.game import GameRecord
from pasgl_env.render.animation import film_of
from pasgl_env.render.svg.theme import THEMES

SURVEYED = 2000
"""So many games of a run are looked at, from the first on."""

MOST_FRAMES = 800
"""Longer games are not drawn."""

MOST_BYTES = 2_500_000
"""Of all drawings of games together; those that come too late are left out."""


class Chosen(NamedTuple):
    """A game that is worth a look.

    Attributes:
        number: in the file, from 1.
        reasons: why it was chosen.
        turns: how long it is.
        record: the game.
    """

    number: int
    reasons: tuple[str, ...]
    turns: int
    record: GameRecord


class Shown(NamedTuple):
    """A chosen game with its drawings.

    Attributes:
        game: which.
        seats: of each seat its name and who played there.
        films: SVG by theme; empty if there was no room.
        frames: how many each film has.
    """

    game: Chosen
    seats: tuple[tuple[str, str], ...]
    films: dict[str, str]
    frames: int


def chosen(plan: Plan, file: Path) -> Iterator[Chosen]:
    """Of the first :data:`SURVEYED` games one of median length, and the extreme ones.

    Raises:
        ValueError: if the file is damaged, as RecordError where a game cannot be read at all.
        OSError: if it cannot be read.
    """
    with file.open("rb") as stream:
        found = list(islice(stored_games(stream, str(file)), SURVEYED))
    tallies = _tallies(plan, [game for _, _, game in found])
    for number, reasons in _picked(tallies, unit_of_lead(plan.variant)).items():
        _, heading, game = found[number]
        yield Chosen(number + 1, reasons, round(tallies[number, TURNS]), replayed(heading, game))


def shown(games: Iterator[Chosen]) -> Iterator[Shown]:
    """The games drawn, in both themes where there is room, else in the light one or none."""
    room = MOST_BYTES
    for game in games:
        films: dict[str, str] = {}
        frames = 0
        for theme in THEMES if len(game.record.choices) <= MOST_FRAMES else ():
            film = film_of(game.record, theme)
            drawn = film.to_svg()
            if len(drawn) > room:
                break
            room -= len(drawn)
            films[theme], frames = drawn, len(film)
        names = zip(game.record.final.seats, game.record.players, strict=True)
        yield Shown(game, tuple((seat, name or "?") for seat, name in names), films, frames)


def _tallies(plan: Plan, games: list[StoredGame]) -> np.ndarray:
    """What is counted in each game alone: ``float64[n, cells]``."""
    options = options_array(variants.find(plan.variant), plan.options)
    counter = GameCounter(plan.variant, options, begins=plan.begins(0, -(-len(games) // 2)))
    return counter.add_known(games)


def _picked(tallies: np.ndarray, unit: str) -> dict[int, tuple[str, ...]]:
    """The games that are worth a look, each with why."""
    turns, behind = tallies[:, TURNS], tallies[:, WORST_DEFICIT]
    order = np.argsort(turns, kind="stable")
    picked: dict[int, tuple[str, ...]] = {}

    def pick(number: int, reason: str) -> None:
        picked[number] = (*picked.get(number, ()), reason)

    pick(int(order[(len(order) - 1) // 2]), "median length")
    pick(int(order[0]), "shortest")
    if behind.max() > 0:
        pick(int(behind.argmax()), f"biggest comeback, from {behind.max():.4g} {unit} behind")
    pick(int(turns.argmax()), "longest")
    return picked
