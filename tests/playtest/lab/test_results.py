import json

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env.playtest.lab.folder import Totals
from pasgl_env.playtest.lab.measures import Axis, Counter, seats
from pasgl_env.playtest.lab.play import Plan, Shard, play_shard
from pasgl_env.playtest.lab.results import Results, cells_of
from pasgl_env.playtest.tables import playtest_table


@pytest.fixture(scope="module")
def results():
    plan = Plan.of("pachessi", ("random", "random"), 2)
    return Results.of(
        plan, Totals.none("pachessi").plus(play_shard(Shard(plan, 0, 60, False, 1)), 0)
    )


def test_measures_agree_with_each_other(results):
    value = {figure.measure: figure.estimate.value for figure in results.figures()}
    assert value["decisive_games"] + value["draws"] + value["truncations"] == pytest.approx(1)
    assert value["actions"] == pytest.approx(value["turns"] * value["actions_in_a_turn"])
    assert value["geometric_branching"] < value["branching"]
    logs = np.log10(value["geometric_branching"]) * value["actions"]
    assert logs == pytest.approx(value["game_tree"])
    both = [results.figure("score", seat=seat).estimate.value for seat in ("Black", "Yellow")]
    assert sum(both) == pytest.approx(1)
    assert value["turns_5th"] < value["turns_median"] < value["turns_95th"] <= 1000


def test_values_lie_within_their_intervals(results):
    for figure in results.figures():
        assert figure.estimate.low <= figure.estimate.value <= figure.estimate.high


def test_games_without_points_have_no_measures_of_points(results):
    names = {measure.name for measure in results.measures}
    assert "score" in names
    assert not {"points", "margin", "games"} & names
    with pytest.raises(KeyError):
        results.figure("points", seat="Black")


def known(row):
    return {name: value for name, value in row.items() if value is not None}


def test_json_and_parquet_hold_the_same_numbers(results, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "results.parquet"
    file.write_bytes(results.to_parquet())
    rows = parquet.read_table(file).to_pylist()
    found = json.loads(results.to_json())
    cells = [
        {"measure": measure["name"], **cell}
        for measure in found["measures"]
        for cell in measure["cells"]
    ]
    # A column for each axis that any measure has.
    assert [known(row) for row in rows] == [known(cell) for cell in cells]
    assert (found["games"], found["seed"], found["options"]["turn_limit"]) == (60, 2, 1000)


def test_seats_that_there_are_not_are_left_out():
    counter = Counter("captures", "", "", (Axis("piece", ("K", "Q")), seats(4)))
    cells = list(cells_of(counter, ("White", "Black")))
    assert cells[:3] == [
        {"piece": "K", "seat": "White"},
        {"piece": "K", "seat": "Black"},
        None,
    ]
    assert len(cells) == 8
    assert list(cells_of(Counter("turns", "", ""), ("White", "Black"))) == [{}]


def test_hardly_varied_games_are_warned_of(results):
    counts = results.totals.counts
    assert list(results.warnings()) == []
    few = results.totals.__class__(1, counts._replace(distinct=30), np.zeros(2, np.int64), 0)
    (warning,) = Results.of(results.plan, few).warnings()
    assert "Only 30 different last positions in 60 games" in warning


def test_a_restriction_that_forbids_nothing_is_warned_of():
    plan = Plan.of("pachessi", ("random", "random"), 2, ["Black:castles"], turn_limit=6)
    totals = Totals.none("pachessi").plus(play_shard(Shard(plan, 0, 2, False, 1)), 0)
    assert any(
        "No legal action had such a label" in each for each in Results.of(plan, totals).warnings()
    )


def test_the_table_fits_and_tells_shares_in_percent(results):
    from io import StringIO

    from rich.console import Console

    stream = StringIO()
    Console(file=stream, width=80).print(playtest_table(results))
    text = stream.getvalue()
    assert "random against random" in text
    assert f"{results.figure('truncations').estimate.value:.2%}" in text
    assert all(len(line.rstrip()) <= 80 for line in text.splitlines())
