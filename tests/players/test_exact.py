"""The player of a table."""

import numpy as np
import pytest

from pasgl_env import Batch, players, solve, variants
from pasgl_env.players import ExactPlayer, TreeSearchPlayer


@pytest.fixture(scope="module")
def table():
    return solve("chieftain", setup="c3/m3/4/2MC")


@pytest.mark.parametrize("kind", [ExactPlayer, TreeSearchPlayer])
@pytest.mark.parametrize("opponent", ["random", "greedy", "exact"])
def test_with_a_table_a_player_never_does_worse_than_the_value(table, opponent, kind):
    """It wins what is won, in no more turns than the table says, and loses nothing else."""
    exact = kind(variants.find("chieftain"), 1, table=table)
    other = exact if opponent == "exact" else players.make(opponent, "chieftain", seed=1)
    starts = np.flatnonzero(table.turns > 2)[:: len(table) // 200]
    batch = Batch(table.ruleset.changed(turn_limit=40), len(starts), seed=1)
    batch.states = np.concatenate([table.position(number).state for number in starts])
    seats, running = batch.to_move.copy(), np.ones(len(starts), bool)
    values, turns = table.values[starts] * (1 - 2 * seats), table.turns[starts]
    while running.any():
        actions = np.zeros(len(starts), np.int64)
        own = running & (batch.to_move == seats)
        for player, acts in ((exact, own), (other, running & ~own)):
            games = np.flatnonzero(acts)
            actions[games] = players.choose(player, batch, games)
        games = np.flatnonzero(running)
        batch.step_some(games, actions[games])
        for game, last in zip(batch.ended, batch.final_states, strict=True):
            running[game] = False
            number = int(last["turn_count"])
            outcome = batch.reward[game, seats[game]]
            if values[game] > 0:
                assert outcome == 1 and number <= turns[game]
            elif opponent == "exact":
                assert outcome == -1 and number == turns[game]
    assert (values > 0).any() and (values < 0).any()


def test_a_position_that_is_not_in_the_table_is_refused(table, tmp_path):
    table.save(tmp_path / "men.npz")
    exact = players.make(f"exact:table={tmp_path / 'men.npz'}", "chieftain")
    batch = Batch(table.ruleset.changed(setup="c3/mm2/4/2MC"), 1)
    for player in (exact, TreeSearchPlayer(variants.find("chieftain"), table=table)):
        with pytest.raises(ValueError, match="made with setup=c3/m3/4/2MC, but this game has setu"):
            player.choose(batch, np.arange(1))
    with pytest.raises(ValueError, match="a table of chieftain, not of superchief"):
        players.make(f"exact:table={tmp_path / 'men.npz'}", "superchief")
    with pytest.raises(ValueError, match="exact needs the file of a table"):
        ExactPlayer(variants.find("chieftain"))
