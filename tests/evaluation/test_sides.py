"""A side is a team: nothing depends on the numbers that a game gives to its teams."""

from dataclasses import replace

import pytest

from pasgl_env import Position, variants
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.evaluation import play_match
from pasgl_env.jit.compiled import rule


@rule
def other_team(player: int) -> int:
    return 1 - player % 2


@pytest.fixture
def swapped(monkeypatch):
    """PASGL 312 Chess, whose player 0 has team 1."""
    usual = variants.find("pasgl312")
    game = replace(usual, name="swapped", cache_name="swapped", team=other_team)
    find = variants.find
    monkeypatch.setattr(variants, "find", lambda name: game if name == "swapped" else find(name))
    return Ruleset.of(game, {"turn_limit": 40})


class First:
    """Plays the legal action with the lowest number."""

    name = "first"

    def choose(self, batch, games):
        return batch.action_mask[games].argmax(axis=1)


class Last(First):
    """Plays the legal action with the highest number."""

    name = "last"

    def choose(self, batch, games):
        masks = batch.action_mask[games]
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


TEXT = "tsfhbdwt/pppppppp/8/8/8/8/PPPPPPPP/TSFHBDWT ./././. ./. 1 w 7:3 0 36"


def test_a_match_does_not_take_sides_for_seats(swapped):
    start = Position.from_text("pasgl312", TEXT, turn_limit=40).state
    usual = play_match("pasgl312", Last(), First(), 2, seed=1, starts=start, turn_limit=40).games
    games = play_match(swapped, First(), Last(), 2, seed=1, starts=start).games
    assert games["side"].tolist() == [0, 1]
    assert games["points_for"].tolist() == usual["points_against"].tolist() == [3, 7]
    assert games["points_against"].tolist() == usual["points_for"].tolist() == [7, 3]
    assert (games["ending"] == usual["ending"]).all()
