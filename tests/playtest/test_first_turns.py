"""First turns of games, counted again from their records."""

from collections import defaultdict
from statistics import mean

import pytest

pytest.importorskip("scipy")

from pasgl_env.evaluation.openings import Openings
from pasgl_env.playtest import play
from pasgl_env.playtest.first_turns import first_turns
from pasgl_env.playtest.folder import GAMES
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.run import run
from pasgl_env.records import read_records


def played(folder, variant="pasgl312", openings=Openings()):  # noqa: B008
    plan = Plan.of(variant, ("random", "random"), 3, openings=openings, turn_limit=30, win_margin=1)
    run(plan, 200, folder)
    return plan, folder / GAMES


def test_they_are_those_of_the_records_with_the_score_of_who_played_them(tmp_path, monkeypatch):
    monkeypatch.setattr(play, "RANDOM_SHARD", 50)
    plan, file = played(tmp_path)
    scores = defaultdict(list)
    for record in read_records(file):
        scores[" ".join(next(record.turns()).labels)].append(((record.returns or (0,))[0] + 1) / 2)
    found = first_turns(plan, file)
    assert len({each.turn for each in found}) == 10
    assert found[0].games == max(map(len, scores.values()))
    for each in found:
        assert each.games == len(scores[each.turn])
        assert each.score.value == pytest.approx(mean(scores[each.turn]))


def test_games_that_begin_differently_have_none(tmp_path):
    assert first_turns(*played(tmp_path, openings=Openings(turns=(1, 1)))) == ()
