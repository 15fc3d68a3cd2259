"""Captain Spalding Chess, by Ralph Betza (2002): boxes, pajamas and what comes out of them."""

from __future__ import annotations

from pasgl_env.games.base import OptionsRecord
from pasgl_env.games.contract import Game, Spaces
from pasgl_env.games.spalding import options, position_text
from pasgl_env.games.spalding.rules import (
    evaluation,
    features,
    legal,
    observation,
    play,
    state,
    validation,
)


def _spaces(record: OptionsRecord) -> Spaces:
    return Spaces(2, legal.ACTIONS, (observation.PLANE_COUNT, observation.SIDE, observation.SIDE))


GAME = Game(
    name="spalding",
    rules="spalding",
    package=__name__,
    title="Captain Spalding Chess",
    state=state.STATE,
    options=options.OPTIONS,
    derived=state.DERIVED,
    derive=state.derive,
    text_fields=len(position_text.FIELDS),
    planes=observation.PLANES,
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
    is_full=state.is_full,
    is_valid=validation.is_valid,
    evaluate=evaluation.evaluate,
    label=position_text.label,
    write=position_text.write,
    read=position_text.read,
    question=position_text.question,
    seats=lambda options: ("White", "Black"),
    has_plane_actions=True,
    potential=evaluation.potential,
    decisive=evaluation.DECISIVE,
    features=features.FEATURES,
)
