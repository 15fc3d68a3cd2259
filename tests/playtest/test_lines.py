"""Lines of play that inventors looked at, to a verdict."""

import pytest

pytest.importorskip("scipy")

from pasgl_env import variants
from pasgl_env.contract.parts import LineOfPlay
from pasgl_env.playtest.lines import START, JudgedLine, JudgedLines, lines_of
from pasgl_env.playtest.play import Plan
from pasgl_env.statistics.estimates import Estimate

PLAN = Plan.of("spalding", ("random", "random"), turn_limit=60)
SPALDING = variants.find("spalding")


def test_all_lines_of_the_inventor_can_be_played():
    asked = JudgedLines(PLAN, 32, lines_of(SPALDING), 10)
    assert asked.lines[0].title == START
    turns = [asked.end_of(line).turns for line in asked.lines]
    assert turns == [0, 1, 16, 6, 1, 5, 8, 10, 10, 6]


def test_a_line_that_wins_works_and_one_that_loses_fails(tmp_path):
    # The Elephant takes the Box, or the Box goes where the other Elephant takes it.
    lines = (
        LineOfPlay("wins", "4x3/3L4/8/8/8/8/8/4X3 w - 9", "Ld7xe8"),
        LineOfPlay("loses", "4x3/8/8/8/8/3l4/8/4X3 w - 9", "Xe1-e2/Vf3 Ld3xe2"),
    )
    won, lost = JudgedLines(PLAN, 32, lines, 200).run(tmp_path / "run")
    assert (won.verdict, lost.verdict) == ("works", "fails")
    assert [step.is_bad for step in won.steps] == [False]
    assert [(step.turn, step.side, step.is_bad) for step in lost.steps] == [
        ("Xe1-e2/Vf3", 0, True),
        ("Ld3xe2", 1, False),
    ]


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.51, 0.54, "works"),
        (0.46, 0.49, "fails"),
        (0.46, 0.54, "even"),
        (0.44, 0.54, "open"),
        (None, None, "not settled"),
    ],
)
def test_the_verdict_follows_from_the_whole_interval(low, high, verdict):
    line = LineOfPlay("line", "", "")
    assert JudgedLine(line, (), Estimate(0.5, low, high)).verdict == verdict


def test_games_that_hardly_vary_settle_nothing():
    score = Estimate(0.6, 0.55, 0.65)
    assert JudgedLine(lines_of(SPALDING)[0], (), score, hardly_vary=True).verdict == "not settled"


def test_a_game_without_analyses_is_refused():
    with pytest.raises(NotImplementedError, match="no analyses"):
        lines_of(variants.find("pachessi"))


@pytest.mark.parametrize(("games", "simulations"), [(0, 10), (33, 10), (32, 0)])
def test_impossible_numbers_are_refused(games, simulations):
    with pytest.raises(ValueError):
        JudgedLines(PLAN, games, (), simulations)
