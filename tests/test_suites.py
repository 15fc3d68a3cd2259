"""The table of games under test is complete, and their starts vary."""

from __future__ import annotations

from collections import defaultdict
from random import Random

from pasgl_env.contract.game import Choice
from pasgl_env.contract.variants import find, names

from .steering import NO_RULES
from .suites import SUITES, Suite, over_all_games


def test_every_variant_is_in_one_suite():
    assert sorted(name for suite in SUITES.values() for name in suite.variants) == sorted(names())


@over_all_games
def test_games_begin_in_every_variant_at_the_start_and_elsewhere_under_all_sorts_of_options(
    suite: Suite,
):
    rng = Random(1)
    beginnings = [suite.steering.beginning(rng) for _ in range(300)]
    for variant in suite.variants:
        mine = [each for each in beginnings if each.variant == variant]
        assert len({each.text for each in mine}) > 5
        assert any(not each.options for each in mine)
        assert any(each.options for each in mine)


@over_all_games
def test_games_are_played_under_every_option(suite: Suite):
    """And under every choice of one: what no game is played under, no test of all games reaches."""
    rng = Random(3)
    drawn = defaultdict(set)
    for _ in range(1000):
        for name, value in suite.steering.beginning(rng).options.items():
            drawn[name].add(value)
    for option in (each for name in suite.variants for each in find(name).options):
        if option.name not in NO_RULES:
            every = set(option.values) if isinstance(option, Choice) else set()
            assert drawn[option.name] - {option.default}, option.name
            assert drawn[option.name] | {option.default} >= every, option.name


@over_all_games
def test_no_game_is_over_where_it_begins(suite: Suite):
    rng = Random(2)
    assert not any(suite.steering.beginning(rng).position().is_over for _ in range(100))
