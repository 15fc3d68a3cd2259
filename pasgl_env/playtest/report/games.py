"""Typical and extreme games of a run, as animated drawings."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pasgl_env.animation import film_of
from pasgl_env.playtest.counting import GameCounter
from pasgl_env.playtest.generic import TURNS, WORST_DEFICIT
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.results import unit_of_lead
from pasgl_env.records.binary import replayed, stored_games
from pasgl_env.records.game import GameRecord
from pasgl_env.render.svg.theme import THEMES

SURVEYED = 2000
"""Games are chosen among the first ones of a run, up to this number."""

MOST_FRAMES = 800
"""Longer games are not drawn."""

MOST_BYTES = 2_500_000
"""The most bytes of all drawings of games together; further ones are left out."""


class ShownGame(NamedTuple):
    """A game worth a look, with its drawings.

    Attributes:
        number: in the file, from 1.
        reasons: why it was chosen.
        turns: its length.
        record: the game.
        films: SVG by theme; empty if the game is too long or there was no space left.
        frames: number of frames of each film.
    """

    number: int
    reasons: list[str]
    turns: int
    record: GameRecord
    films: dict[str, str]
    frames: int

    @property
    def seats(self) -> list[tuple[str, str]]:
        """The name of each seat and the player on it."""
        names = zip(self.record.final.seats, self.record.players, strict=True)
        return [(seat, name or "?") for seat, name in names]


def shown_games(plan: Plan, file: Path) -> list[ShownGame]:
    """The game of median length and the extreme ones among the first :data:`SURVEYED`.

    They are drawn in both themes while there is space, else in the light one or not at all.

    Raises:
        ValueError: if the file is damaged, as RecordError where a game cannot be read at all.
        OSError: if it cannot be read.
    """
    with file.open("rb") as stream:
        found = list(islice(stored_games(stream, str(file)), SURVEYED))
    begins = plan.begins(0, len(found))
    counter = GameCounter(plan.ruleset, begins=begins)
    tallies = counter.add_known([game for _, _, game in found])
    space = MOST_BYTES
    games = []
    for number, reasons in _chosen(tallies, unit_of_lead(plan.ruleset.game)).items():
        _, heading, game = found[number]
        record = replayed(heading, game)
        films, frames = _drawn(record, space)
        space -= sum(map(len, films.values()))
        turns = round(tallies[number, TURNS])
        games.append(ShownGame(number + 1, reasons, turns, record, films, frames))
    return games


def _drawn(record: GameRecord, space: int) -> tuple[dict[str, str], int]:
    """A game drawn in as many themes as there is space for, and the number of frames."""
    films: dict[str, str] = {}
    frames = 0
    for theme in THEMES if len(record.choices) <= MOST_FRAMES else ():
        film = film_of(record, theme, tells=True)
        drawn = film.to_svg()
        space -= len(drawn)
        if space < 0:
            break
        films[theme], frames = drawn, len(film)
    return films, frames


def _chosen(tallies: np.ndarray, unit: str) -> dict[int, list[str]]:
    """The numbers of the games worth a look, with the reasons."""
    turns, deficit = tallies[:, TURNS], tallies[:, WORST_DEFICIT]
    order = np.argsort(turns, kind="stable")
    reasons = [
        (order[(len(order) - 1) // 2], "median length"),
        (order[0], "shortest"),
        (turns.argmax(), "longest"),
    ]
    if deficit.max() > 0:
        comeback = f"biggest comeback, from {deficit.max():.4g} {unit} behind"
        reasons.insert(2, (deficit.argmax(), comeback))
    chosen: dict[int, list[str]] = {}
    for number, reason in reasons:
        chosen.setdefault(int(number), []).append(reason)
    return chosen
