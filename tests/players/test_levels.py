"""The levels for human opponents."""

import json
from importlib import resources

import pytest

from pasgl_env import Position, players
from pasgl_env.players import levels


def test_every_level_is_a_player_of_every_variant(every_variant):
    for level in levels.LEVELS:
        assert players.make(levels.player_at(level.name, every_variant), every_variant, seed=1).name


def test_a_level_plays():
    player = players.make(levels.player_at("easy", "pasgl312"), "pasgl312", seed=1)
    assert players.choose_one(player, Position("pasgl312")) in Position("pasgl312").legal_actions()


def test_levels_were_measured_in_every_variant_and_grow(every_variant):
    content = resources.files("pasgl_env.players").joinpath(levels.FILE).read_bytes()
    elo = [row["elo"] for row in json.loads(content)[every_variant]]
    assert len(elo) == len(levels.LEVELS)
    known = [each for each in elo if each is not None]
    assert known == sorted(set(known))
    assert len(known) >= len(elo) - 1


def test_an_unknown_level_is_told_with_those_there_are():
    with pytest.raises(ValueError, match=r"no level 'godlike' .levels: first steps"):
        levels.player_at("godlike", "pasgl312")
