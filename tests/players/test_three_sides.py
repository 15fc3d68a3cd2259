"""Players in games of three sides."""

import numpy as np
import pytest

from pasgl_env import Batch, Position, players
from pasgl_env.contract.ruleset import Ruleset

from ..three import HEAP, RACE

NAMES = ("random", "greedy", "td", "mcts:30", "search:30", "search:30:ahead=2")


pytestmark = pytest.mark.usefixtures("three_sides")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", [HEAP, RACE], ids=lambda game: game.name)
def test_every_player_plays_to_the_end(game, name):
    batch = Batch(Ruleset.of(game, {}), 4, seed=1)
    player = players.make(name, game.name, seed=1)
    for _ in range(400):
        batch.step(players.choose(player, batch, np.arange(4)))
        if batch.terminated.any():
            break
    assert sorted(batch.outcome[0]) == [-1, -1, 1]


@pytest.mark.parametrize("name", NAMES[1:])
def test_the_end_is_seen_one_action_ahead(name):
    position = Position.from_text(Ruleset.of(HEAP, {}), "3 0 0 1 0")
    for seed in range(5):
        player = players.make(name, HEAP.name, seed=seed)
        assert position.label(players.choose_one(player, position)) == "take3"


@pytest.mark.parametrize("name", ["mcts:600", "search:600", "search:600:ahead=2"])
def test_a_loss_of_the_next_player_is_no_win(name):
    """Of 6, to leave 4 makes the next one lose, but the one after next wins; 5 leaves a chance."""
    position = Position(Ruleset.of(HEAP, {}))
    for seed in range(5):
        player = players.make(name, HEAP.name, seed=seed)
        assert position.label(players.choose_one(player, position)) == "take1"
