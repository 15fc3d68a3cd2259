"""The levels for human opponents."""

import pytest

from pasgl_env import Position, players
from pasgl_env.players import levels


def test_every_level_is_a_player_of_every_variant(every_variant):
    for level in levels.LEVELS:
        assert players.make(level.player, every_variant, seed=1).name


def test_a_level_plays():
    player = players.make(levels.find("easy").player, "pasgl312", seed=1)
    assert players.choose_one(player, Position("pasgl312")) in Position("pasgl312").legal_actions()


def test_an_unknown_level_is_told_with_those_there_are():
    with pytest.raises(ValueError, match=r"no level 'godlike' .levels: first steps"):
        levels.find("godlike")
