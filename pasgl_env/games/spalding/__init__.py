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


GAME = Game.of(
    *(state, observation, legal, play, evaluation, validation, features, position_text),
    name="spalding",
    package=__name__,
    title="Captain Spalding Chess",
    summary="Ralph Betza's game of boxes, pajamas and what comes out of them",
    options=options.OPTIONS,
    spaces=_spaces,
    has_plane_actions=True,
    decisive_lead=evaluation.DECISIVE,
    symmetries=_symmetries,
)
