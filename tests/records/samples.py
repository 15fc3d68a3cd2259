"""Games for the tests of records."""

from array import array

from pasgl_env import Position
from pasgl_env.records import GameRecord

from ..steering import games


def steered(suite, luck, number, most_actions=40, **about):
    """Records of steered games, which begin in odd positions, in mid-turn and under odd options."""
    start, labels = None, list[str]()
    for position, action in games(suite, luck, number, most_actions):
        if start is None:
            start = position.copy()
        if action is None:
            yield GameRecord.of(start, labels, **about)
            start, labels = None, []
        else:
            labels.append(position.label(action))


def drawn(variant, rng, most_actions=40, **options):
    """A random game from the start of a variant, as long as asked for at most."""
    position, choices = Position(variant, **options), array("H")
    while not position.is_over and len(choices) < most_actions:
        choices.append(rng.choice(position.legal_actions()))
        position.play_action(choices[-1])
    return GameRecord(position.ruleset, choices).ending_at(position)


FULL = {
    "players": ('a "quoted" \\ name', None),
    "seed": 7,
    "date": "2026-11-21",
    "tags": {"Event": "Küche", "Round": "1"},
    "comments": {0: ("before all",), 1: ("one", "two " * 60 + "end"), 2: ("after",)},
    "resigned": 0,
}


def scholars_game(**about):
    """Four turns of PASGL 312 with everything that can be said about a game."""
    labels = ["Df1d5", "pd7e6", "Be1d1", "Hd2", "ph7g6"]
    return GameRecord.of(Position("pasgl312", fox_range=2), labels, **FULL | about)
