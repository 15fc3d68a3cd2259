"""Players against exact values."""

import numpy as np
import pytest

from pasgl_env import Position, solve
from pasgl_env.evaluation.regret import decisions, regret, regret_table


@pytest.fixture(scope="module")
def table():
    return solve("chieftain", setup="cm2/4/4/3C")


def test_losses_are_the_differences_of_values(table):
    given = decisions(table, 50, seed=1)
    for state, losses in zip(given.states, given.losses, strict=True):
        position = Position.from_state(table.ruleset, np.array([state]))
        own = {
            action: table.value(position.copy().play_action(action)).returns[position.to_move]
            for action in position.legal_actions()
        }
        best = max(own.values())
        assert best == table.value(position).returns[position.to_move]
        assert {action: best - value for action, value in own.items()} == {
            action: losses[action] for action in np.flatnonzero(~np.isnan(losses))
        }
        assert min(own.values()) < best


def test_a_perfect_player_has_no_regret_and_a_random_one_does(table, tmp_path):
    table.save(tmp_path / "men.npz")
    given = decisions(table, 300)
    perfect, drawn = (
        regret(table, name, given) for name in (f"exact:table={tmp_path / 'men.npz'}", "random")
    )
    assert perfect.mean.value == 0 and perfect.optimal().value == 1
    expected = [np.nanmean(losses) for losses in given.losses]
    assert drawn.mean.low < np.mean(expected) < drawn.mean.high
    assert np.isnan(drawn.errors).all()
    rows = regret_table([perfect, drawn]).rows
    assert [row[0] for row in rows] == [perfect.name, "random"]


def test_errors_are_the_distances_of_a_players_values_from_the_exact_ones(table):
    given = decisions(table, 100)
    seen, guessed = (regret(table, name, given).errors for name in ("search:400", "greedy"))
    assert np.isfinite(guessed).all() and guessed.max() <= 2
    assert np.nanmean(seen) < np.nanmean(guessed)
