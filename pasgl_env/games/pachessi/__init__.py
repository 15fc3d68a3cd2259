"""Pachessi and Grand Pachessi, by Peter Aronson (1999): races of chess pieces, with dice."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, always_has_room, plane_count
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


def _game(name: str, title: str, size: int, hole: int, grand: bool) -> Game:
    return Game(
        name=name,
        cache_name="pachessi",
        package=__name__,
        title=title,
        state=state.STATE,
        options=options.options(size, hole, grand),
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
        has_no_room=always_has_room,
        is_valid=validation.is_valid,
        evaluate=evaluation.evaluate,
        label=position_text.label,
        write=position_text.write,
        read=position_text.read,
        question=position_text.question,
        seats=position_text.seats,
        has_plane_actions=True,
        potential=evaluation.potential,
        decisive_lead=3.0,
        outcomes=chance.OUTCOMES,
        chance_weight=chance.chance_weight,
        chance_outcome=chance.chance_outcome,
        apply_chance=chance.apply_chance,
        outcome_label=chance.outcome_label,
        team=state.team,
        features=features.FEATURES,
        environment_options={"first": state.LOT},
    )


PACHESSI = _game("pachessi", "Pachessi", 7, 3, False)
GRAND_PACHESSI = _game("grand_pachessi", "Grand Pachessi", 11, 5, True)
