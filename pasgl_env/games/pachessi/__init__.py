"""Pachessi and Grand Pachessi, by Peter Aronson (1999): races of chess pieces, with dice."""

from __future__ import annotations

from pasgl_env.games.contract import Game, OptionsRecord, Spaces, never_full
from pasgl_env.games.pachessi import (
    chance,
    features,
    legal,
    play,
    possible,
    state,
    text,
    value,
    view,
)


def _spaces(options: OptionsRecord) -> Spaces:
    size = int(options.last) + 1
    return Spaces(int(options.number), legal.action_count(size), (view.PLANE_COUNT, size, size))


def _game(name: str, title: str, size: int, hole: int, grand: bool) -> Game:
    return Game(
        name=name,
        rules="pachessi",
        title=title,
        state=state.STATE,
        options=state.options(size, hole, grand),
        derived=state.DERIVED,
        derive=state.derive,
        text_fields=len(text.FIELDS),
        planes=view.PLANES,
        has_points=False,
        spaces=_spaces,
        start=state.start,
        legal_actions=legal.legal_actions,
        play=play.play,
        observe=view.observe,
        to_move=state.to_move,
        winner=state.winner,
        points=state.points,
        turns=state.turns,
        in_turn=state.in_turn,
        is_settled=state.is_settled,
        is_full=never_full,
        is_possible=possible.is_possible,
        evaluate=value.evaluate,
        label=text.label,
        write=text.write,
        read=text.read,
        question=text.question,
        seats=text.seats,
        has_plane_actions=True,
        potential=value.potential,
        decisive=3.0,
        outcomes=chance.OUTCOMES,
        tickets=chance.tickets,
        drawn=chance.drawn,
        resolve=chance.resolve,
        outcome_label=chance.outcome_label,
        team=state.team,
        features=features.FEATURES,
        environment_options={"first": state.LOT},
    )


PACHESSI = _game("pachessi", "Pachessi", 7, 3, False)
GRAND_PACHESSI = _game("grand_pachessi", "Grand Pachessi", 11, 5, True)
