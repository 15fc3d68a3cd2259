"""What a playtest says of its games, and what it must not say."""

from dataclasses import replace

import pytest

pytest.importorskip("scipy")
pytest.importorskip("jinja2")

from pasgl_env import Position, variants
from pasgl_env.evaluation.ladder import strength
from pasgl_env.evaluation.openings import Openings
from pasgl_env.playtest import report
from pasgl_env.playtest.folder import Totals
from pasgl_env.playtest.play import Plan, Shard, play_shard
from pasgl_env.playtest.results import Results
from pasgl_env.playtest.verdict import (
    doubt_about,
    doubt_of,
    gives_move_away,
    however_ended,
    is_one_sided,
    remarks,
    side_of,
)
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.texts import value_text

VERDICTS = ("moving first is", "neither an advantage")


def played(plan, games):
    """The results of some games of a plan."""
    totals = Totals.none(plan)
    for number in range(-(-games // plan.shard)):
        size = min(plan.shard, games - number * plan.shard)
        totals = totals.plus(play_shard(Shard(plan, number, size, False, 1)), 0)
    return Results.of(plan, totals)


def told(results):
    return [remark.text for remark in remarks(results)]


def has_verdict(results):
    return any(verdict in text for text in told(results) for verdict in VERDICTS)


@pytest.fixture(scope="module")
def alike():
    """300 games of greedy against itself, which share a line through a dozen turns."""
    return played(Plan.of("pasgl312", ("greedy", "greedy")), 300)


def test_games_that_hardly_vary_say_so_first_and_give_no_verdict(alike):
    assert alike.figure("first_mover_score").estimate.high < 0.5
    first, *others = remarks(alike)
    assert first.warns
    assert "hardly vary" in first.text
    assert "all share one line through turn 13" in first.text
    assert f"after 20 in {alike.variety.different[20]} positions" in first.text
    assert alike.variety.different[20] < 20
    assert not has_verdict(alike)
    assert any("no verdict" in remark.text for remark in others)


def test_games_from_openings_of_their_own_give_one_that_names_the_players(alike):
    plan = Plan.of("pasgl312", ("greedy", "greedy"), openings=Openings(turns=(4, 4)))
    results = played(plan, 80)
    assert results.variety.shared_turns == -1
    assert not any(remark.warns for remark in remarks(results))
    assert has_verdict(results)
    assert any(
        "When greedy (0 Elo) plays itself, the side that moves first scored" in text
        for text in told(results)
    )
    assert any("4 turns, uniformly random" in text for text in told(results))


@pytest.mark.parametrize(
    ("players", "turns", "player", "gives"),
    [
        (2, (4, 4), "random", False),
        (2, (3, 3), "random", True),
        (2, (2, 4), "random", True),
        (4, (2, 2), "random", True),
        (4, (4, 4), "random", False),
        (2, (2, 4), "greedy", False),
    ],
)
def test_random_turns_of_one_side_only_give_its_first_move_away(players, turns, player, gives):
    openings = Openings(turns=turns, player=player)
    plan = Plan.of("pachessi", ("random", "random"), openings=openings, players=players)
    assert gives_move_away(plan) is gives


def test_who_gave_the_first_move_away_gets_no_verdict():
    plan = Plan.of("pachessi", ("random", "random"), openings=Openings(turns=(3, 3)), turn_limit=40)
    results = played(plan, 80)
    assert not has_verdict(results)
    doubt = doubt_about(results, "first_mover_score")
    assert "another side has the first considered move" in doubt
    assert any(text.endswith(f": no verdict. {doubt}") for text in told(results))
    assert not doubt_about(results, "turns")


def test_a_restriction_of_one_side_is_no_disadvantage_of_moving_first():
    plan = Plan.of("pachessi", ("random", "random"), forbidden=["Black:?:H*"], turn_limit=40)
    results = played(plan, 80)
    assert not has_verdict(results)
    assert any("nothing about moving first" in text for text in told(results))
    score = value_text(results.figure("score", seat="Black").estimate, True)
    assert any(text.startswith(f"Black scored {score}") for text in told(results))


@pytest.mark.parametrize("who", ["first", "second"])
def test_a_restricted_player_is_told_with_its_own_score(who):
    plan = Plan.of("pachessi", ("greedy", "random"), forbidden=[f"{who}:castles"], turn_limit=300)
    results = played(plan, 80)
    score = results.figure("first_player_score").estimate.value
    score = 1 - score if who == "second" else score
    (text,) = [text for text in told(results) if text.startswith(f"{who} scored ")]
    assert float(text.split()[2].rstrip("%.")) == pytest.approx(100 * score, abs=0.06)


@pytest.mark.parametrize(
    ("forbidden", "is_so"),
    [
        ([], False),
        (["Black:a"], True),
        (["Black:a", "Yellow:b"], True),
        (["Black:a", "Yellow:a"], False),
        (["Black:a", "turn:Yellow:a"], True),
        (["first:a"], True),
        (["first:a", "second:a"], False),
    ],
)
def test_what_is_one_sided(forbidden, is_so):
    assert is_one_sided(Plan.of("pachessi", ("random", "random"), forbidden=forbidden)) is is_so


def test_given_positions_say_nothing_of_the_first_move():
    openings = Openings((Position("pachessi", first="black").text,))
    plan = Plan.of("pachessi", ("random", "random"), openings=openings)
    results = played(plan, 80)
    assert not has_verdict(results)
    assert any(text.endswith("they begin at given positions.") for text in told(results))


def test_games_that_were_cut_off_are_shown_for_what_they_bias():
    results = played(Plan.of("pachessi", ("greedy", "greedy"), turn_limit=80), 80)
    share = results.figure("truncations").estimate.value
    score = results.figure("first_mover_score").estimate.value
    assert 0 < share < 1
    (text,) = [text for text in told(results) if "cut off by the turn limit" in text]
    assert f"from {score - share / 2:.0%} to {score + share / 2:.0%}" in text
    ended = results.figure("ended_first_mover_score").estimate.value
    assert ended == pytest.approx((score - share / 2) / (1 - share))


def test_cut_off_games_that_could_turn_it_round_leave_no_verdict():
    results = played(Plan.of("pachessi", ("random", "random"), turn_limit=30), 80)
    assert results.figure("truncations").estimate.value > 0.9
    assert not has_verdict(results)


@pytest.mark.parametrize(
    ("low", "high", "cut_off", "side"),
    [
        (0.52, 0.6, 0.0, "above"),
        (0.52, 0.6, 0.02, "above"),
        (0.52, 0.6, 0.04, "unknown"),
        (0.4, 0.48, 0.02, "below"),
        (0.4, 0.48, 0.04, "unknown"),
        (0.47, 0.53, 0.0, "within"),
        (0.47, 0.53, 0.05, "unknown"),
        (0.44, 0.53, 0.0, "unknown"),
    ],
)
def test_a_verdict_holds_however_games_that_were_cut_off_had_ended(low, high, cut_off, side):
    bounds = however_ended(Estimate((low + high) / 2, low, high), cut_off, 0.5)
    assert side_of(bounds, 0.5, 0.05) == side


def test_a_few_pairs_are_too_few():
    first = next(remarks(played(Plan.of("pachessi", ("random", "random"), turn_limit=40), 8)))
    assert first.text == "4 pairs of games are too few for a verdict: 20 are needed."


def test_players_are_told_with_their_strength():
    results = played(Plan.of("pasgl312", ("greedy", "random"), turn_limit=40), 4)
    elo = strength("random", variants.ruleset("pasgl312"))
    assert any(f"random ({elo} Elo, greedy being 0) in 4" in each for each in told(results))
    plan = Plan.of("pasgl312", ("random", "random"), turn_limit=4, hunter_range=2)
    assert any("random (not on the ladder)" in each for each in told(played(plan, 2)))


def test_games_that_end_alike_are_warned_of():
    results = played(Plan.of("pachessi", ("random", "random"), turn_limit=60), 60)
    assert not doubt_of(results)
    few = results.totals.counts._replace(distinct=15)
    doubt = doubt_of(results._replace(totals=replace(results.totals, counts=few)))
    assert doubt.startswith("Only 15 different last positions in 60 games")


def test_a_report_begins_with_the_doubt_and_sets_numbers_beside_those_of_known_games(alike):
    manifest = {"command": ["pasgl"], "versions": {}, "machine": "", "plan": {"version": "1"}}
    page = report.page(alike, manifest, ())
    body = page[page.index("<body>") :]
    assert body.index("hardly vary") < body.index("What to look at") < body.index("Compared with")
    assert "58.1% without komi" in body
    assert ">Moves first<" not in body
