"""Captain Spalding Chess, by Ralph Betza (2002): boxes, pajamas and what comes out of them."""

from __future__ import annotations

from pasgl_env.games.contract import Game, OptionsRecord, Spaces, no_derived
from pasgl_env.games.spalding import features, legal, play, possible, state, text, value, view


def _spaces(options: OptionsRecord) -> Spaces:
    return Spaces(2, legal.ACTIONS, (view.PLANE_COUNT, view.SIDE, view.SIDE))


GAME = Game(
    name="spalding",
    rules="spalding",
    title="Captain Spalding Chess",
    state=state.STATE,
    options=state.OPTIONS,
    derived=(),
    derive=no_derived,
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
    is_full=state.is_full,
    is_possible=possible.is_possible,
    evaluate=value.evaluate,
    label=text.label,
    write=text.write,
    read=text.read,
    question=text.question,
    seats=lambda options: ("White", "Black"),
    has_plane_actions=True,
    potential=value.potential,
    decisive=value.DECISIVE,
    features=features.FEATURES,
)
