"""Pachessi and Grand Pachessi, by Peter Aronson (1999): races of chess pieces, with dice."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, plane_count
from pasgl_env.contract.game import Game, Spaces
from pasgl_env.games.pachessi import options, position_text
from pasgl_env.games.pachessi.rules import (
    chance,
    evaluation,
    features,
    legal,
    observation,
    play,
    state,
    validation,
)


def _spaces(record: OptionsRecord) -> Spaces:
    size = int(record.last) + 1
    return Spaces(
        int(record.number),
        legal.action_count(size),
        (plane_count(record, observation.PLANES, observation.MORE_PLANES), size, size),
    )


def _game(name: str, title: str, summary: str, *, size: int, hole: int, grand: bool) -> Game:
    return Game.of(
        *(state, observation, legal, play, evaluation, validation, chance, features, position_text),
        name=name,
        package=__name__,
        title=title,
        summary=summary,
        options=options.options(size, hole, grand),
        spaces=_spaces,
        has_plane_actions=True,
        decisive_lead=3.0,
        environment_options={"first": state.LOT},
    )


PACHESSI = _game(
    "pachessi",
    "Pachessi",
    "Peter Aronson's race game of chess pieces and dice, for two or four players",
    size=7,
    hole=3,
    grand=False,
)
GRAND_PACHESSI = _game(
    "grand_pachessi",
    "Grand Pachessi",
    "Pachessi on a larger board, with stronger Rajas and Horses",
    size=11,
    hole=5,
    grand=True,
)
