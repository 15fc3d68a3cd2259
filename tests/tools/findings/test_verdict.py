"""Every branch of what is concluded from numbers, with numbers made up for it."""

import pytest

pytest.importorskip("scipy")

from pasgl_env.statistics.estimates import Estimate, proportion
from tools.findings.question import CHANGE, SHARE, Claim, Column, Trend
from tools.findings.verdict import Row, difference, verdict

SCORE = Column("score", "What White scores.", lambda played: Estimate(None), SHARE)
CLAIM = Claim(SCORE, 0.5, "White is ahead.", "Black is ahead.", "Nobody knows.")
HIGH, LOW, OPEN = Estimate(0.7, 0.6, 0.8), Estimate(0.3, 0.2, 0.4), Estimate(0.5, 0.4, 0.6)
FEW = Estimate(0.9)


def told(*estimates, statement=CLAIM):
    """The verdict on numbers of players who are called a, b, c ..., the weakest first."""
    rows = [Row(name, 40, each) for name, each in zip("abcd", estimates, strict=False)]
    return verdict(statement, rows)


@pytest.mark.parametrize(
    ("estimate", "text"),
    [(HIGH, "White is ahead."), (LOW, "Black is ahead."), (OPEN, "Nobody knows.")],
)
def test_the_verdict_is_that_of_the_strongest_players_interval(estimate, text):
    number = SHARE.write_estimate(estimate)
    assert told(estimate) == f"**{text}** The strongest player, `a`: score {number}."


@pytest.mark.parametrize("edge", [Estimate(0.7, 0.5, 0.8), Estimate(0.4, 0.3, 0.5)])
def test_an_interval_that_ends_at_the_threshold_tells_nothing(edge):
    assert told(edge).startswith("**Nobody knows.**")


@pytest.mark.parametrize("row", [Row("b", 40, FEW), Row("b", 38, LOW)])
def test_who_has_too_few_games_has_no_say(row):
    text = verdict(CLAIM, [Row("a", 40, HIGH), row])
    assert text.startswith("**White is ahead.** The strongest player with enough games, `a`:")
    assert "`b`" not in text


@pytest.mark.parametrize("statement", [CLAIM, Trend(SCORE)])
def test_without_enough_games_nothing_is_known(statement):
    lead = "**Nobody knows.** " if statement is CLAIM else ""
    assert told(FEW, FEW, statement=statement) == f"{lead}No player has played enough games."


def test_players_who_agree_are_named_together():
    text = told(LOW, HIGH, OPEN, HIGH)
    assert "Same answer from `b`." in text
    assert "Answer from `c`: Nobody knows." in text
    assert "Answer from `a`: Black is ahead." in text
    assert "Same answer from `b` and `a`." in told(LOW, LOW, LOW)


@pytest.mark.parametrize(
    ("weakest", "strongest", "text"),
    [
        (LOW, HIGH, "From `a` to `c` it rises by +40.0 points (+25.9 to +54.1)."),
        (HIGH, LOW, "From `a` to `c` it falls by −40.0 points (−54.1 to −25.9)."),
        (HIGH, HIGH, "From `a` to `c` there is no clear change: 0.0 points (−14.1 to +14.1)."),
    ],
)
@pytest.mark.parametrize("statement", [CLAIM, Trend(SCORE)])
def test_the_weakest_and_the_strongest_tell_how_strength_changes_it(
    weakest, strongest, text, statement
):
    assert told(weakest, strongest, strongest, statement=statement).endswith(text)


@pytest.mark.parametrize(
    ("estimates", "text"),
    [
        ((OPEN, LOW, HIGH), "From `a` to `c` it rises by +20.0 points (+5.9 to +34.1), but not"),
        ((HIGH, LOW, HIGH), "(−14.1 to +14.1), but there is between other players."),
    ],
)
def test_what_does_not_change_steadily_is_told(estimates, text):
    assert text in told(*estimates)


def test_a_single_player_shows_no_change_with_strength():
    assert "From" not in told(HIGH)


def test_a_difference_has_newcombes_interval():
    """Newcombe's example, of 56 in 70 and 48 in 80."""
    found = difference(proportion(56, 70), proportion(48, 80))
    assert found.low == pytest.approx(0.0524, abs=5e-5)
    assert found.high == pytest.approx(0.3339, abs=5e-5)


def test_a_difference_needs_both_numbers():
    assert difference(HIGH, Estimate(None)) == Estimate(None)
    assert difference(HIGH, Estimate(0.7)) == Estimate(0.0)


def test_what_is_rounded_to_nothing_has_no_sign():
    assert CHANGE.write(-0.001) == CHANGE.write(0.001) == "0.00"
