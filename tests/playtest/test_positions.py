import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env import Batch, variants
from pasgl_env.contract import parts
from pasgl_env.evaluation.openings import Openings
from pasgl_env.playtest import positions
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.positions import Replayer, chunks, sample_positions
from pasgl_env.playtest.run import run
from pasgl_env.records import BatchRecorder, read_records

from .conftest import START_TURN

TABLE = parts.material(variants.find("pachessi"))
PLAYERS = 2


def quiet_positions(record):
    """(side to move, lead) of every quiet position of a game, played move by move."""
    found, turn, changed, before = set(), -1, 0, None
    position = record.begin()
    for choice in record.choices:
        if not position.is_chance and position.turns != turn:
            turn = position.turns
            counts = TABLE.count(position.state)[0]
            pieces = counts[:, : len(TABLE.KINDS)].tolist()
            changed = turn if pieces != before else changed
            before = pieces
            if turn - changed >= PLAYERS:
                found.add((position.to_move, tuple((counts[0] - counts[1]).tolist())))
        position.play_action(choice)
    return found


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    file = tmp_path_factory.mktemp("run") / "games.pgb"
    plan = Plan.of("pachessi", ("random", "random"), 5, turn_limit=60)
    batch = Batch(plan.ruleset, 8, seed=1)
    with BatchRecorder(batch, file) as recorder:
        while recorder.games < 20:
            recorder.step(batch.sample())
    return plan, file


def test_positions_are_quiet_ones_of_their_games(played):
    plan, file = played
    sample = sample_positions(plan, file)
    quiet = [quiet_positions(record) for record in read_records(file)]
    assert sample.pair.tolist() == [number // 2 for number, found in enumerate(quiet) if found]
    drawn = zip(((1 - sample.to_move) // 2).tolist(), map(tuple, sample.lead.tolist()), strict=True)
    assert all(each in found for each, found in zip(drawn, filter(None, quiet), strict=True))


def test_the_same_seed_draws_the_same_positions(played):
    plan, file = played
    one, same = (sample_positions(plan, file) for _ in range(2))
    assert all(np.array_equal(column, again) for column, again in zip(one, same, strict=True))


def test_who_waits_is_told_how_many_games_were_looked_at(played, monkeypatch):
    monkeypatch.setattr(positions, "TOGETHER", 8)
    plan, file = played
    told: list[int] = []
    sample_positions(plan, file, told.append)
    games = sum(1 for _ in read_records(file))
    assert told == [*range(8, games, 8), games]


def test_games_are_played_again_from_where_they_began(start, tmp_path):
    plan = Plan.of("pachessi", ("random", "random"), openings=Openings((start,)), turn_limit=20)
    run(plan, 4, tmp_path)
    ((_, games),) = chunks(plan, tmp_path / "games.pgb")
    _, _, states, _ = next(Replayer(plan).positions(games, 0))
    assert states["turn_count"].tolist() == [START_TURN] * 4
