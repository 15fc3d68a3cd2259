import math

import numpy as np
import pytest

from pasgl_env.statistics.ratings import (
    Pairing,
    Rating,
    expected_score,
    largest_misfit,
    rate_against,
    rate_players,
    usual_anchor,
)

from .simulated import KINDS, simulated_tournament

stats = pytest.importorskip("scipy.stats")

EVEN = np.array([0.0, 2.0, 1.0, 1.5, 0.5])
ALL = np.full(20, 2.0)


def by_minorization(elos, pairings):
    """Ratings by Hunter's iteration (Annals of Statistics 32, 2004): another method."""
    players = len(elos)
    strengths = np.ones(players)
    for _ in range(2000):
        points, chances = np.zeros(players), np.zeros(players)
        for one, other, scores in pairings:
            points[one] += scores.sum()
            points[other] += 2 * scores.size - scores.sum()
            for player in (one, other):
                chances[player] += 2 * scores.size / (strengths[one] + strengths[other])
        strengths = points / chances
    return 400 * np.log10(strengths / strengths[0])


def test_two_players_have_the_rating_of_their_score():
    first, second = rate_players(2, [Pairing(0, 1, np.array([2.0, 1.0, 1.5]))], anchor=1)
    assert expected_score(first.elo) == pytest.approx(4.5 / 6)
    assert second == Rating(0, 0, 0)


def test_several_players_as_another_method_has_them():
    elos = 0, 60, -80, 240
    pairings = simulated_tournament(np.random.default_rng(4), elos, 30, draws=0.4)
    ratings = rate_players(4, pairings)
    assert [rating.elo for rating in ratings] == pytest.approx(by_minorization(elos, pairings))


def test_the_anchor_shifts_ratings_and_nothing_else():
    pairings = simulated_tournament(np.random.default_rng(4), (0, 60, -80), 30)
    one, other = rate_players(3, pairings, 0), rate_players(3, pairings, 2)
    shifts = [a.elo - b.elo for a, b in zip(one, other, strict=True)]
    assert shifts == pytest.approx([shifts[0]] * 3)
    assert one[2].high - one[2].low == pytest.approx(other[0].high - other[0].low)


def test_parts_of_a_pairing_count_as_one():
    points = np.array([2.0, 0.5, 1.0, 2.0, 0.0, 1.5])
    whole = rate_players(2, [Pairing(0, 1, points)])[1]
    parts = [Pairing(0, 1, points[:2]), Pairing(1, 0, 2 - points[2:])]
    assert rate_players(2, parts)[1].elo == pytest.approx(whole.elo)


def test_pairs_that_balance_out_leave_less_doubt_than_pairs_that_are_alike():
    balanced = np.ones(40)
    alike = np.array([0.0, 2.0] * 20)
    widths = [
        (rating := rate_players(2, [Pairing(0, 1, points)])[1]).high - rating.low
        for points in (balanced, alike)
    ]
    assert 0 < widths[0] < widths[1] / 3


@pytest.mark.parametrize("pairs", [1, 20, 400])
def test_a_clean_sweep_has_clopper_and_pearsons_bound(pairs):
    best, worst = rate_players(2, [Pairing(0, 1, np.full(pairs, 2.0))], anchor=1)
    known = stats.binomtest(pairs, pairs).proportion_ci(method="exact").low
    assert (best.elo, best.high) == (math.inf, math.inf)
    assert expected_score(best.low) == pytest.approx(known)
    assert worst == Rating(0, 0, 0)


def test_who_lost_everything_has_an_upper_bound():
    _, worst = rate_players(2, [Pairing(0, 1, ALL)])
    best, _ = rate_players(2, [Pairing(0, 1, ALL)], anchor=1)
    assert (worst.elo, worst.low) == (-math.inf, -math.inf)
    assert worst.high == pytest.approx(-best.low)


def test_a_group_that_lost_all_games_against_another_leaves_the_ratings_inside():
    """0 and 1 are even, 2 and 3 as well, but no point went from the first two to the others."""
    pairings = [
        Pairing(0, 1, EVEN),
        Pairing(2, 3, EVEN),
        *(Pairing(strong, weak, ALL) for strong in (0, 1) for weak in (2, 3)),
    ]
    ratings = rate_players(4, pairings)
    assert ratings[1].elo == pytest.approx(0, abs=1e-4)
    assert ratings[2].elo == ratings[3].elo == -math.inf
    alone = rate_players(2, [Pairing(0, 1, ALL)])[1]
    assert ratings[2].high < alone.high  # more games, a better bound


def test_a_bound_goes_through_a_chain_of_players():
    """2 lost all games against 1, who lost all against 0; 0 and 2 never met."""
    ratings = rate_players(3, [Pairing(0, 1, ALL), Pairing(1, 2, ALL)], anchor=2)
    assert [rating.elo for rating in ratings] == [math.inf, math.inf, 0]
    assert ratings[0].low > ratings[1].low > 0


def test_players_whom_no_chain_of_results_connects_are_unknown():
    ratings = rate_players(4, [Pairing(0, 1, EVEN), Pairing(2, 3, EVEN)])
    assert math.isfinite(ratings[1].elo)
    assert all(math.isnan(bound) for rating in ratings[2:] for bound in vars(rating).values())


def test_two_who_both_beat_a_third_cleanly_are_unknown_to_each_other():
    ratings = rate_players(3, [Pairing(0, 2, ALL), Pairing(1, 2, ALL)])
    assert math.isnan(ratings[1].elo)
    assert ratings[2].elo == -math.inf


def test_the_usual_anchor_is_in_the_largest_group():
    assert usual_anchor(3, [Pairing(0, 1, 2 - ALL), Pairing(1, 2, EVEN)]) == 1
    assert usual_anchor(2, [Pairing(0, 1, ALL)]) == 0


@pytest.mark.parametrize(
    ("players", "pairing", "anchor", "reason"),
    [
        (2, Pairing(0, 1, EVEN), 2, "anchor must be"),
        (2, Pairing(0, 2, EVEN), 0, "no pairing of 2 players: 0 and 2"),
        (2, Pairing(1, 1, EVEN), 0, "no pairing of 2 players: 1 and 1"),
        (2, Pairing(0, 1, np.array([3.0])), 0, "0, 0.5, 1, 1.5 or 2 points"),
        (2, Pairing(0, 1, np.array([np.nan])), 0, "0, 0.5, 1, 1.5 or 2 points"),
    ],
)
def test_wrong_arguments(players, pairing, anchor, reason):
    with pytest.raises(ValueError, match=reason):
        rate_players(players, [pairing], anchor)


def share_held(elos, pairs, tournaments, draws, kind):
    """How often the intervals of simulated tournaments hold the true ratings, for each player."""
    rng = np.random.default_rng(1)
    held = np.zeros(len(elos))
    for _ in range(tournaments):
        ratings = rate_players(
            len(elos), simulated_tournament(rng, elos, pairs, draws=draws, kind=kind)
        )
        held += [r.low <= elo <= r.high for r, elo in zip(ratings, elos, strict=True)]
    return held[1:] / tournaments


def test_intervals_hold_the_true_rating():
    assert (share_held((0, 80, 200), 25, 100, 0.4, "independent") > 0.87).all()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("draws", [0.0, 0.6])
@pytest.mark.parametrize(
    ("elos", "pairs"),
    [((0, 50, 150, 300), 25), ((0, 200, 600, 1000), 30), ((0, 100), 10), ((0, 600), 50)],
)
def test_intervals_hold_the_true_rating_95_times_in_100(elos, pairs, draws, kind):
    """Their own error is 1% here; the same few pairs alike make intervals wider, not narrower."""
    assert (share_held(elos, pairs, 500, draws, kind) > 0.92).all()


def test_against_opponents_of_known_ratings_the_expected_score_is_the_actual_one():
    elos, points = (-150.0, 220.0), (np.array([2.0, 1.5]), np.array([1.0, 0.0]))
    rating = rate_against(elos, points)
    expected = sum(2 * expected_score(rating.elo - elo) for elo in elos)
    assert 2 * expected == pytest.approx(4.5)
    assert rating.low < rating.elo < rating.high


@pytest.mark.parametrize("points", [EVEN, ALL, 0 * ALL])
def test_against_one_opponent_the_rating_is_that_of_two_players(points):
    alone, _ = rate_players(2, [Pairing(0, 1, points)], anchor=1)
    moved = rate_against([100.0], [points])
    assert (moved.elo, moved.low, moved.high) == pytest.approx(
        (alone.elo + 100, alone.low + 100, alone.high + 100)
    )


def test_results_that_no_number_a_player_describes_are_shown():
    circle = [Pairing(a, b, np.tile([2.0, 1.0], 20)) for a, b in ((0, 1), (1, 2), (2, 0))]
    worst = largest_misfit(circle, rate_players(3, circle))
    assert worst is not None
    assert worst.score == 0.75
    assert worst.predicted == pytest.approx(0.5)


@pytest.mark.parametrize("elos", [[0, 100, 250, 300], [0, 300, 600, 1300]], ids=["near", "far"])
def test_results_that_the_model_made_seldom_misfit(elos):
    rng, misfits = np.random.default_rng(3), 0
    for _ in range(200):
        pairings = [
            Pairing(a, b, rng.binomial(2, expected_score(elos[a] - elos[b]), 40).astype(float))
            for a in range(4)
            for b in range(a)
        ]
        misfits += largest_misfit(pairings, rate_players(4, pairings)) is not None
    assert misfits <= 0.08 * 200
