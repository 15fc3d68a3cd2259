"""PASGL 312 Chess, by Ralph Betza (2002): critters, lunches, skunks and a train."""

from __future__ import annotations

from pasgl_env.games.contract import Game, OptionsRecord, Spaces, never_full, no_derived
from pasgl_env.games.pasgl312 import features, legal, play, possible, state, text, value, view


def _spaces(options: OptionsRecord) -> Spaces:
    return Spaces(2, legal.ACTIONS, (view.PLANE_COUNT, view.ROWS, view.COLUMNS))


GAME = Game(
    name="pasgl312",
    rules="pasgl312",
    title="PASGL 312 Chess",
    state=state.STATE,
    options=state.OPTIONS,
    derived=(),
    derive=no_derived,
    text_fields=len(text.FIELDS),
    planes=view.PLANES,
    has_points=True,
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
    seats=lambda options: ("White", "Black"),
    features=features.FEATURES,
)
