"""PASGL 312 Chess, by Ralph Betza (2002): critters, lunches, skunks and a train."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, plane_count
from pasgl_env.contract.game import Game, Spaces
from pasgl_env.games.pasgl312 import options, position_text
from pasgl_env.games.pasgl312.rules import (
    evaluation,
    features,
    legal,
    observation,
    play,
    state,
    validation,
)


def _spaces(record: OptionsRecord) -> Spaces:
    planes = plane_count(record, observation.PLANES, observation.MORE_PLANES)
    return Spaces(2, legal.ACTIONS, (planes, observation.ROWS, observation.COLUMNS))


# Critters per side by the options that set their points; each Shrew may be a Chipmunk.
_ARMY = {
    "bear": 1,
    "hunter": 1,
    "deer": 1,
    "fox": 1,
    "woodchuck": 1,
    "skunk": 1,
    "turkey": 2,
    "shrew": 8,
    "chipmunk": 8,
}


def _largest_lead(record: OptionsRecord) -> int:
    """Just short of the margin, plus a dead Bear, or all of a side at the campfire and riding."""
    campfire = sum(count * int(record[f"{kind}_points"]) for kind, count in _ARMY.items())
    riding = (state.SIDE - 1) * int(record.ride_points)
    return int(record.win_margin) - 1 + max(int(record.bear_bonus), campfire + riding)


GAME = Game.of(
    *(state, observation, legal, play, evaluation, validation, features, position_text),
    name="pasgl312",
    package=__name__,
    title="PASGL 312 Chess",
    summary="Ralph Betza's game of critters, stolen lunches, skunks and a train",
    options=options.OPTIONS,
    derive=options.derive,
    spaces=_spaces,
    is_terminal=state.is_over,
    largest_lead=_largest_lead,
)
