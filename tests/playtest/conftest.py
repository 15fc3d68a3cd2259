"""What tests of the laboratory have in common."""

import zlib

import numpy as np
import pytest

from pasgl_env import Dice, Position
from pasgl_env.playtest import generic
from pasgl_env.playtest.counting import MARKED_GAMES, MARKS, Counts, table_of, unit_sums
from pasgl_env.playtest.folder import games_in
from pasgl_env.playtest.play import ShardResult
from pasgl_env.statistics.histograms import histogram

START_TURN = 5


@pytest.fixture
def start():
    """The text of a position of Pachessi after some turns."""
    position, dice = Position("pachessi"), Dice(3)
    while position.turns < START_TURN:
        if position.is_chance:
            position.roll(dice)
        else:
            position.play_action(position.legal_actions()[0])
    return position.text


@pytest.fixture
def known_games(monkeypatch):
    """Have runs consist of games that the first mover, side 0, wins with a known chance."""
    pytest.importorskip("scipy")
    from pasgl_env.playtest import lab, run

    def install(chance, length=lambda plan: 20, *, vary=True, plays=True):
        def tallies(plan, number, games):
            rng = np.random.default_rng(
                (
                    number,
                    zlib.crc32(f"{plan.ruleset!r} {plan.players} {plan.openings.texts}".encode()),
                )
            )
            found = np.zeros((games, table_of(plan.ruleset.game).cells))
            won = rng.random(plan.shard)[:games] < chance(plan)
            found[:, [generic.GAMES, generic.DECISIVE]] = 1
            found[:, generic.FIRST_MOVER] = found[:, generic.SCORE] = won
            found[:, generic.SCORE + 1] = ~won
            found[:, generic.TURNS] = (
                length(plan) * rng.choice([0.8, 1.0, 1.25], plan.shard)[:games]
            )
            return found

        def play_shard(shard, progress):
            assert plays, "games are played again"
            plan = shard.plan
            own, table = tallies(plan, shard.number, shard.games), table_of(plan.ruleset.game)
            counts = Counts.none(table.cells)._replace(
                games=shard.games,
                sums=unit_sums(own[::2] + own[1::2], table.divisors),
                lengths=np.stack([histogram(own[:, generic.TURNS])] * 2),
                distinct=shard.games if vary else 1,
                marks=np.zeros((max(min(MARKED_GAMES - shard.first, shard.games), 0), MARKS),
                               np.uint64),
            )  # fmt: skip
            return ShardResult(counts, b"")

        def tallies_of(plan, file):
            shards = run.shards_of(plan, games_in(file.parent, plan), 0, True, 1)
            return np.concatenate([tallies(plan, each.number, each.games) for each in shards])

        monkeypatch.setattr(run, "play_shard", play_shard)
        monkeypatch.setattr(lab, "tallies_of", tallies_of)

    return install
