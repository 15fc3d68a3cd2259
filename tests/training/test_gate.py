"""New values are accepted only if games show that they are stronger."""

import pytest

pytest.importorskip("scipy")

from pasgl_env.statistics.sprt import Sprt
from pasgl_env.training.gate import compare


def test_a_stronger_player_is_accepted_and_a_weaker_one_is_not():
    better = compare("pasgl312", "greedy", "random", seed=1)
    assert better.accepted
    assert better.score > 0.9
    assert sum(better.pairs) == better.games / 2
    worse = compare("pasgl312", "random", "greedy", seed=1)
    assert worse.verdict == "H0"
    assert not worse.accepted


def test_too_few_games_decide_nothing():
    seen: list[str] = []
    test = Sprt(elo0=0, elo1=1)
    gate = compare("pachessi", "greedy", "greedy", test=test, most=100, progress=seen.append)
    assert gate.verdict is None
    assert gate.games == 100
    assert len(seen) == 2
