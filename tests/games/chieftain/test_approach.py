"""How far a side has come nearer to the enemy Chieftains."""

from pasgl_env import Position
from pasgl_env.games.chieftain.rules.board import MOST
from pasgl_env.games.chieftain.rules.features import FEATURES

from ...rows import rows
from .positions import place


def state_of(pieces, setup):
    return Position.from_text("chieftain", f"{place(pieces)} w 0 0", setup=place(setup))


@rows(
    ("before", "after", "steps"),
    [
        ("Ca1 Ma2 ch8", "Ca1 Mb3 ch8", 1),
        ("Ca1 Rb2 ch8", "Ca1 Rb6 ch8", 0),
        ("Ca1 Rh2 ch8", "Ca1 Rh6 ch8", 4),
        ("Ca1 Mc3 ch8", "Ca1 Mb2 ch8", -1),
        ("Ca1 Ma2 ch8", "Cc3 Mb3 ch8", 3),
        # The nearest of several, wherever they go.
        ("Ca1 Ma2 ch8 ca7", "Ca1 Ma3 ch8 ca7", 1),
        ("Ca1 Ma2 ch8", "Ca1 Ma3 ce5", 0),
        # Capturing one is no step back, being captured is many.
        ("Ca1 Ma6 ch8 ca7", "Ca1 Ma7 ch8", 1),
        ("Ca1 Ma6 ch8", "Ca1 ch8", -(MOST - 7)),
    ],
)
def test_steps_nearer_to_where_the_enemy_chieftains_were(before, after, steps):
    start, position = state_of(before, before), state_of(after, before)
    options = position.options_record[0]
    assert FEATURES.approach is not None
    assert FEATURES.approach(start.state[0], position.state[0], options, 0) == steps
