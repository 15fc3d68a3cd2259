import io
import math

import pytest
from rich.console import Console

pytest.importorskip("scipy")

from pasgl_env import variants
from pasgl_env.cli.tables import shown
from pasgl_env.evaluation.tournament import Decision, Standings
from pasgl_env.statistics.ratings import Rating
from pasgl_env.statistics.sprt import Sprt


def standings(outcomes, names=("a", "b", "c"), anchor=0):
    return Standings(
        ruleset=variants.ruleset("pasgl312"),
        seed=3,
        players=names,
        games=4,
        outcomes=outcomes,
        distinct=dict.fromkeys(outcomes, 4),
        seconds=(4e-6, 0.0123, 2.0),
        anchor=anchor,
        duration=1.0,
    )


ORDERLY = standings({(0, 1): "1001", (0, 2): "1000", (1, 2): "=-10"})


def printed(table, **how):
    file = io.StringIO()
    Console(file=file, width=80, markup=False).print(shown(table, **how))
    return file.getvalue()


def test_rows_are_sorted_by_score_and_add_up():
    rows = ORDERLY.table.rows
    assert [row[:2] for row in rows] == [["1", "c"], ["2", "b"], ["3", "a"]]
    assert [row[4:] for row in rows] == [
        ["62.5%", "2 s", "-", "50", "75"],
        ["50.0%", "12.3 ms", "50", "-", "50"],
        ["37.5%", "4 µs", "25", "50", "-"],
    ]
    assert rows[2][2:4] == ["0", "anchor"]


def test_markdown_is_a_table():
    lines = ORDERLY.table.to_markdown().splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 5
    assert {line.count("|") for line in table} == {10}
    assert lines[0] == "**PASGL 312 Chess, 4 games in each pairing**"


def test_a_bar_in_a_name_does_not_break_the_table():
    odd = standings(ORDERLY.outcomes, names=("a|b", "b", "c"))
    assert r"| a\|b |" in odd.table.to_markdown()


def test_what_has_no_finite_rating_is_explained():
    swept = standings({(0, 1): "1111", (0, 2): "0000", (1, 2): "0000"})
    elos = [row[2].split()[0] for row in swept.table.rows]
    assert elos == ["over", "0", "under"]
    assert any(note.startswith("Over, under") for note in swept.table.notes)
    apart = standings({(0, 1): "1111", (0, 2): "1111", (1, 2): "1111"}, anchor=1)
    assert not any(note.startswith("Unknown") for note in apart.table.notes)
    unknown = standings({(0, 2): "1111", (1, 2): "1111"})
    assert list(unknown._notes())[1].startswith("Unknown: no chain of results leads to a")


def test_players_who_hardly_vary_are_told():
    dull = standings(ORDERLY.outcomes)
    dull.distinct[0, 1] = 2
    assert "The games of a and b have few different last positions" in dull.table.notes[-1]


def test_the_cross_table_fits_80_columns():
    named = standings(ORDERLY.outcomes, ("random", "runs/my_agent", "mcts:400"))
    text = printed(named.table, wraps=False, padding=0)
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "…" not in text
    assert "runs/my_agent" in text


@pytest.mark.parametrize(
    ("verdict", "title"),
    [
        ("H1", "a against b: H1, Elo above 0"),
        ("H0", "a against b: H0, Elo at most 50"),
        (None, "a against b: undecided, more games are needed"),
    ],
)
def test_a_decision_is_told(verdict, title):
    rating = Rating(math.inf, 20.4, math.inf)
    decision = Decision(Sprt(0, 50), "a", "b", verdict, [0, 1, 2, 3, 4], 1.5, rating)
    text = printed(decision.table)
    assert title in text
    assert "0, 1, 2, 3, 4" in text
    assert "over 20" in text
    assert all(len(line) <= 80 for line in text.splitlines())
