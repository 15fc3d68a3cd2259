import numpy as np
import pytest

pytest.importorskip("scipy")

from scipy.special import expit

from pasgl_env.playtest.positions import Sample
from pasgl_env.playtest.values import LEAST_PAIRS, piece_values
from pasgl_env.statistics.estimates import Estimate

NAMES = "Queen", "Pawn"
WORTH = np.array([1.2, 0.4])


def simulated(rng, pairs, shared=0.0):
    """Two positions a pair; ``shared``: how much of luck a pair's games have in common."""
    lead = rng.integers(-2, 3, (2 * pairs, 2))
    to_move = rng.choice([-1, 1], 2 * pairs)
    pair = np.repeat(np.arange(pairs), 2)
    luck = np.where(rng.random(2 * pairs) < shared, rng.random(pairs)[pair], rng.random(2 * pairs))
    chance = expit(lead @ WORTH + 0.3 * to_move + 0.2)
    return Sample(pair, (luck < chance) * 1.0, to_move, np.tile([1, -1], pairs), lead)


def values_of(sample, names=NAMES, unit="Pawn"):
    return piece_values(sample, names, unit, players_differ=True).values


@pytest.mark.parametrize("shared", [0.0, 0.7])
def test_intervals_hold_the_true_values(shared):
    """200 samples of 200 pairs."""
    rng = np.random.default_rng(1)
    held = np.zeros(3)
    for _ in range(200):
        queen, pawn = values_of(simulated(rng, 200, shared))
        for place, (found, truth) in enumerate(
            [(queen.log_odds, WORTH[0]), (pawn.log_odds, WORTH[1]), (queen.relative, 3.0)]
        ):
            held[place] += found.low is None or found.low <= truth <= found.high
    assert (held >= 0.91 * 200).all()
    assert (held <= 0.985 * 200).all()


def test_the_unit_is_worth_1():
    _, pawn = values_of(simulated(np.random.default_rng(2), 200))
    assert pawn.relative == Estimate(1.0, 1.0, 1.0)


def test_draws_count_half():
    sample = simulated(np.random.default_rng(3), 4000)
    draws = sample._replace(result=0.25 + sample.result / 2)
    assert 0 < values_of(draws)[0].log_odds.value < values_of(sample)[0].log_odds.value


def test_who_plays_is_not_taken_for_material():
    """The first player wins more often and has more Queens, which are worth nothing."""
    rng = np.random.default_rng(4)
    sample = simulated(rng, 2000)
    lead = sample.lead.copy()
    lead[:, 0] = sample.player + rng.integers(-1, 2, sample.player.size)
    chance = expit(sample.player + WORTH[1] * lead[:, 1])
    sample = sample._replace(lead=lead, result=(rng.random(chance.size) < chance) * 1.0)
    queen, pawn = values_of(sample)
    assert queen.log_odds.low < 0 < queen.log_odds.high
    assert pawn.log_odds.low < WORTH[1] < pawn.log_odds.high


def test_a_kind_that_is_hardly_seen_has_no_value():
    sample = simulated(np.random.default_rng(5), 200)
    sample.lead[2 * (LEAST_PAIRS - 1) :, 0] = 0
    queen, pawn = values_of(sample)
    assert queen.log_odds == queen.relative == Estimate(None)
    assert 0 < queen.positions < 2 * LEAST_PAIRS
    assert pawn.log_odds.value is not None


def test_kinds_that_always_go_together_have_no_values():
    sample = simulated(np.random.default_rng(6), 200)
    lead = np.column_stack([sample.lead[:, :1], sample.lead[:, :1], sample.lead[:, 1]])
    one, other, pawn = values_of(sample._replace(lead=lead), ("King", "Crown", "Pawn"))
    assert one.log_odds == other.log_odds == Estimate(None)
    assert pawn.log_odds.value is not None


def test_where_material_decides_everything_nothing_is_known():
    sample = simulated(np.random.default_rng(7), 200)
    lead = np.where(sample.lead[:, :1] > 0, 1, -1) * np.ones(2, np.int64)
    decided = sample._replace(lead=lead, result=(lead[:, 0] > 0) * 1.0)
    assert {value.log_odds for value in values_of(decided)} == {Estimate(None)}


def test_a_unit_that_may_be_worth_nothing_leaves_ratios_without_intervals():
    sample = simulated(np.random.default_rng(8), 200)
    lead = np.column_stack([sample.lead[:, 0], np.random.default_rng(9).integers(-1, 2, 400)])
    queen, pawn = values_of(sample._replace(lead=lead))
    assert pawn.log_odds.low < 0 < pawn.log_odds.high
    assert queen.relative.value is not None
    assert queen.relative.low is None


def test_too_few_games():
    sample = simulated(np.random.default_rng(10), 200)
    for pairs in (0, 1, 3):
        few = Sample(*(column[: 2 * pairs] for column in sample))
        assert {value.relative for value in values_of(few)} == {Estimate(None)}


def test_a_value_needs_ten_wins_and_losses_for_each_number_that_is_estimated():
    sample = simulated(np.random.default_rng(11), 200)
    won = np.flatnonzero(sample.result == 1)
    # Of a Queen, a Pawn, the side, who is to move, who plays.
    for wins, is_known in ((49, False), (50, True)):
        result = np.zeros_like(sample.result)
        result[won[:wins]] = 1
        queen, _ = values_of(sample._replace(result=result))
        assert (queen.log_odds.value is not None) == is_known


def test_games_that_hardly_vary_leave_no_values():
    sample = simulated(np.random.default_rng(12), 200)
    alike = piece_values(sample, NAMES, "Pawn", players_differ=True, are_varied=False)
    assert {value.log_odds for value in alike.values} == {Estimate(None)}
