"""The curve of a ladder of strengths, among games of known chances."""

import csv
import io
import xml.etree.ElementTree as xml

import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("matplotlib")

from pasgl_env.playtest.lab import NO_VERDICT
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.strength import TITLES, Ladder
from pasgl_env.playtest.values import PieceValues

PLAYERS = "search:25", "search:50", "search:100"


@pytest.fixture
def play(known_games, tmp_path, monkeypatch):
    """Play a ladder whose first mover wins by chances, one for each rung, and lengths double."""

    def no_material(*run):
        raise NotImplementedError

    def play(chances, players=PLAYERS, games=640, *, vary=True):
        monkeypatch.setattr(PieceValues, "of", no_material)
        known_games(
            lambda plan: chances[players.index(plan.players[0])],
            lambda plan: 20 * 2 ** players.index(plan.players[0]),
            vary=vary,
        )
        plan = Plan.of("pasgl312", ("greedy", "greedy"))
        return Ladder(plan, games, players).run(tmp_path / "run")

    return play


@pytest.mark.parametrize(
    ("chances", "word"),
    [((0.4, 0.5, 0.6), "rises"), ((0.6, 0.5, 0.4), "falls"), ((0.5, 0.5, 0.5), "not shown")],
)
def test_the_trend_of_the_first_movers_score(play, chances, word):
    assert play(chances).trend("first_mover_score").word == word


def test_the_slope_is_by_doubling_and_goes_on_beyond_the_last_rung(play):
    chances = [1 / (1 + np.exp(-0.4 * step)) for step in range(3)]
    curve = play(chances, games=3200)
    trend = curve.trend("first_mover_score")
    assert curve.ladder.step == "doubling of simulations"
    assert trend.slope.low < 0.4 < trend.slope.high
    assert trend.ahead.low < 1 / (1 + np.exp(-0.4 * 4)) < trend.ahead.high
    assert any(row[0].startswith("extrapolated: 2 doublings") for row in curve.table.rows)


def test_the_length_grows_by_the_same_factor_at_each_step(play):
    trend = play((0.5, 0.5, 0.5)).trend("turns")
    assert trend.slope.low < np.log(2) < trend.slope.high
    assert trend.ahead.low < 20 * 2**4 < trend.ahead.high


def test_what_never_varies_has_no_trend(play):
    assert play((0.5, 0.5, 0.5)).trend("truncations").word == "unknown"


def test_what_hardly_ever_happens_has_no_trend(play):
    assert play((0.003, 0.002, 0.004)).trend("first_mover_score").word == "unknown"


def test_games_that_hardly_vary_show_no_trend(play):
    curve = play((0.4, 0.5, 0.6), vary=False)
    assert curve.trend("first_mover_score").word == "unknown"
    assert NO_VERDICT in curve.table.notes


def test_players_without_simulations_are_rungs(play):
    players = "random", "greedy"
    curve = play((0.4, 0.6), players)
    assert curve.ladder.step == "rung"
    assert [each.effort for each in curve.rungs] == [0, 1]


@pytest.mark.parametrize("players", [("td", "greedy", "random"), ("search:2", "search:4")])
def test_nothing_is_extrapolated_from_two_rungs_or_without_a_unit_of_effort(play, players):
    curve = play([0.4, 0.5, 0.6][: len(players)], players)
    assert curve.trend("first_mover_score").ahead.value is None
    assert "extrapolate" not in curve.to_markdown()
    assert b"extrapolate" not in curve.to_svg()


def test_numbers_are_written_for_programs_and_people(play):
    curve = play((0.4, 0.5, 0.6))
    rows = list(csv.DictReader(io.StringIO(curve.to_csv().decode())))
    scores = [row for row in rows if row["measure"] == "first_mover_score"]
    assert [row["player"] for row in scores] == list(PLAYERS)
    values = [each.arm.estimate("first_mover_score").value for each in curve.rungs]
    assert [float(row["value"]) for row in scores] == values
    assert all(title in curve.to_markdown() for title in TITLES.values())
    drawing = curve.to_svg()
    assert xml.fromstring(drawing).tag.endswith("svg")
    assert drawing == curve.to_svg()


def test_pieces_get_values_where_games_tell_them(tmp_path):
    plan = Plan.of("pasgl312", ("random", "random"), turn_limit=60)
    ladder = Ladder(plan, 40, ("random", "greedy"))
    table = ladder.run(tmp_path / "run").values
    assert table is not None
    kinds = [row[0] for row in table.rows]
    assert {"Hunter", "Shrew", "point"} <= set(kinds)


@pytest.mark.parametrize(
    ("players", "games", "complaint"),
    [
        (("random",), 32, "two different players"),
        (("random", "random"), 32, "two different players"),
        (("random", "nobody"), 32, "no player"),
        (("random", "greedy"), 41, "must be even"),
    ],
)
def test_impossible_ladders_are_refused(players, games, complaint):
    with pytest.raises(ValueError, match=complaint):
        Ladder(Plan.of("pachessi", ("random", "random")), games, players)
