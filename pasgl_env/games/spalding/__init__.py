"""Captain Spalding Chess, by Ralph Betza (2002): boxes, pajamas and what comes out of them."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, plane_count
from pasgl_env.contract.game import Game, Spaces
from pasgl_env.contract.symmetry import Symmetry, mirrored_files
from pasgl_env.games.spalding import options, position_text
from pasgl_env.games.spalding.rules import (
    board,
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
    return Spaces(2, legal.ACTIONS, (planes, observation.SIDE, observation.SIDE))


def _symmetries(record: OptionsRecord) -> tuple[Symmetry, ...]:
    _, actions, seen = _spaces(record)
    return (mirrored_files(seen, actions, board.DIRECTIONS),)


GAME = Game(
    name="spalding",
    cache_name="spalding",
    package=__name__,
    title="Captain Spalding Chess",
    state=state.STATE,
    options=options.OPTIONS,
    derived=state.DERIVED,
    derive=state.derive,
    text_fields=len(position_text.FIELDS),
    planes=observation.PLANES,
    more_planes=observation.MORE_PLANES,
    has_points=False,
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
    has_no_room=state.has_no_room,
    is_valid=validation.is_valid,
    evaluate=evaluation.evaluate,
    label=position_text.label,
    write=position_text.write,
    read=position_text.read,
    question=position_text.question,
    seats=lambda options: ("White", "Black"),
    has_plane_actions=True,
    potential=evaluation.potential,
    decisive_lead=evaluation.DECISIVE,
    features=features.FEATURES,
    symmetries=_symmetries,
)
