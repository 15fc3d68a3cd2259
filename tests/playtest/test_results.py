import json
from io import StringIO

import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("rich")

from rich.console import Console

from pasgl_env import Batch
from pasgl_env.cli.playtest_table import playtest_table
from pasgl_env.contract.counters import Axis, Counter, seats
from pasgl_env.games.pachessi.statistics import counters as pachessi
from pasgl_env.playtest import generic
from pasgl_env.playtest.counting import cells_of
from pasgl_env.playtest.folder import Totals
from pasgl_env.playtest.play import Plan, Shard, play_shard
from pasgl_env.playtest.results import Results
from pasgl_env.playtest.values import PieceValues, Value
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.texts import interval_text, value_text


@pytest.fixture(scope="module")
def results():
    plan = Plan.of("pachessi", ("random", "random"), 2)
    return Results.of(plan, Totals.none(plan).plus(play_shard(Shard(plan, 0, 60, False, 1)), 0))


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
    without = set()
    for figure in results.figures():
        if figure.estimate.low is None:
            without.add(figure.measure)
        else:
            assert figure.estimate.low <= figure.estimate.value <= figure.estimate.high
    assert without <= {"turns_95th", "actions_95th"}  # too few games for a rank beyond


def test_games_without_points_have_no_measures_of_points(results):
    names = {measure.name for measure in results.measures}
    assert "score" in names
    assert not {"points", "margin", "games"} & names
    with pytest.raises(KeyError):
        results.figure("points", seat="Black")


VALUES = PieceValues(
    "lap",
    40,
    20,
    (
        Value("Raja", Estimate(2.5, 2.0, 3.0), Estimate(0.5, 0.4, 0.6), 30),
        Value("Horse", Estimate(None), Estimate(None), 0),
    ),
)


def known(row):
    return {name: value for name, value in row.items() if value is not None}


def test_json_and_parquet_hold_the_same_numbers(results, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "results.parquet"
    results = results._replace(values=VALUES)
    file.write_bytes(results.to_parquet())
    rows = parquet.read_table(file).to_pylist()
    rows, values = rows[:-4], rows[-4:]
    assert {row["kind"] for row in values} == {"Raja", "Horse"}
    assert known(values[0]) == {
        **{"measure": "piece_values", "kind": "Raja", "total": 30},
        **{"value": 2.5, "low": 2.0, "high": 3.0},
    }
    assert known(values[3]) == {"measure": "piece_log_odds", "kind": "Horse", "total": 0}
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
    square = Counter("captures_on", "", "", (Axis("square", ("a1", "b1")),))
    assert list(cells_of(square, (), {"b1"})) == [None, {"square": "b1"}]
    assert len(list(cells_of(square, ()))) == 2
    assert list(cells_of(Counter("turns", "", ""), ("White", "Black"))) == [{}]


def test_a_restriction_that_forbids_nothing_is_warned_of():
    plan = Plan.of("pachessi", ("random", "random"), 2, ["Black:castles"], turn_limit=6)
    totals = Totals.none(plan).plus(play_shard(Shard(plan, 0, 2, False, 1)), 0)
    assert any(
        "No legal action had such a label" in each for each in Results.of(plan, totals).warnings()
    )


@pytest.fixture(scope="module")
def of_four():
    """A run of four players in which all options are given."""
    options = Batch("pachessi", 1).options | {"players": 4, "turn_limit": 9}
    plan = Plan.of("pachessi", ("random", "greedy"), 2, **options)
    return Results.of(plan, Totals.none(plan).plus(play_shard(Shard(plan, 0, 4, False, 1)), 0))


@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize("fixture", ["results", "of_four"])
def test_the_table_fits_and_has_names_that_people_read(fixture, width, request):
    results = request.getfixturevalue(fixture)
    stream = StringIO()
    Console(file=stream, width=width).print(playtest_table(results))
    text = stream.getvalue()
    assert " against " in text.splitlines()[0]
    assert all(len(line.rstrip()) <= width for line in text.splitlines())
    assert "_" not in text
    for heading in (*generic.SECTIONS, *pachessi.SECTIONS):
        assert heading in text
    for seat in results.measures[3].figures:
        assert seat.cell["seat"] in text
    truncations = results.figure("truncations").estimate
    assert f"{value_text(truncations, True)} ({interval_text(truncations, True)})" in text


def test_four_players_are_two_teams(of_four):
    squares = [each.cell for each in of_four.figures() if each.measure == "captures_on"]
    assert len(squares) == 7 * 7 - 3 * 3
    names = [figure.cell["seat"] for figure in of_four.figures() if figure.measure == "score"]
    assert names == ["Black", "Green", "Yellow", "Red"]
    score = [of_four.figure("score", seat=name).estimate.value for name in names]
    assert score[0] == score[2]
    assert score[0] + score[1] == pytest.approx(1)
