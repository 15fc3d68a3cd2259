"""PASGL 312 Chess, by Ralph Betza (2002): critters, lunches, skunks and a train."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, always_has_room, plane_count
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


GAME = Game(
    name="pasgl312",
    cache_name="pasgl312",
    package=__name__,
    title="PASGL 312 Chess",
    state=state.STATE,
    options=options.OPTIONS,
    derived=state.DERIVED,
    derive=options.derive,
    text_fields=len(position_text.FIELDS),
    planes=observation.PLANES,
    more_planes=observation.MORE_PLANES,
    has_points=True,
    spaces=_spaces,
    start=state.start,
    legal_actions=legal.legal_actions,
    play=play.play,
    observe=observation.observe,
    to_move=state.to_move,
    winner=state.winner,
    points=state.points,
    turns=state.turns,
    in_turn=state.in_turn,
    is_quiescent=state.is_quiescent,
    has_no_room=always_has_room,
    is_valid=validation.is_valid,
    evaluate=evaluation.evaluate,
    label=position_text.label,
    write=position_text.write,
    read=position_text.read,
    question=position_text.question,
    seats=lambda options: ("White", "Black"),
    features=features.FEATURES,
    largest_lead=_largest_lead,
)
