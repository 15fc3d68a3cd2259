"""Matches, tournaments and sequential tests as tables for the terminal. Needs rich."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from rich import box
from rich.table import Table

from pasgl_env.evaluation.markdown import duration
from pasgl_env.evaluation.match import MatchResult, Tally, hardly_vary, sides
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.texts import interval_text, value_text

if TYPE_CHECKING:  # they need SciPy
    from pasgl_env.evaluation.tournament import Decision, Standings


def match_table(result: MatchResult, *, times: bool = False) -> Table:
    """A match from the first player's view, in total and by side; fits 80 columns.

    Args:
        result: the match.
        times: whether to show the time per action of each player.
    """
    title = f"{result.first} against {result.second}, {result.ruleset.game.title}"
    table = plain_table(title, _caption(result))
    table.add_column("")
    for heading in ("all", *(f"as {name}" for name in sides(result.ruleset))):
        table.add_column(heading, justify="right", no_wrap=True)
    columns = map(_rows, (result.all, result.as_white, result.as_black))
    for cells in zip(*columns, strict=True):
        table.add_row(cells[0][0], *(value for _, value in cells))
    if times:
        own, other = map(duration, result.thinking.per_action)
        table.add_row("time per action", own)
        table.add_row("opponent's time per action", other)
    return table


def cross_table(standings: Standings) -> Table:
    """A tournament, the best player first."""
    from pasgl_env.evaluation import crosstable

    table = plain_table(crosstable.title(standings), " ".join(crosstable.notes(standings)))
    table.padding = (0, 1, 0, 0)
    for heading in crosstable.headings(standings):
        justify: Literal["left", "right"] = "left" if heading == "player" else "right"
        table.add_column(heading, justify=justify, no_wrap=heading != "player", overflow="fold")
    for cells in crosstable.rows(standings):
        table.add_row(*cells)
    return table


def decision_table(decision: Decision) -> Table:
    """The result of a sequential test."""
    from pasgl_env.evaluation import crosstable

    test, rating = decision.test, decision.rating
    table = plain_table(_verdict(decision), _CAVEAT)
    table.add_column("")
    table.add_column("", no_wrap=True)
    low, high = test.bounds
    table.show_header = False
    rows = {
        "H0": f"Elo {test.elo0:g} or less",
        "H1": f"Elo {test.elo1:g} or more",
        "error rates": f"{test.alpha:.2g} accepting H1, {test.beta:.2g} accepting H0",
        "games": str(decision.games),
        "pairs with 0, 0.5, 1, 1.5, 2 points": ", ".join(map(str, decision.counts)),
        "log likelihood ratio": f"{decision.ratio:.2f} (bounds {low:.2f} and {high:.2f})",
        "Elo": crosstable.elo_text(rating),
        "  95% interval": crosstable.interval_text(rating),
    }
    for name, value in rows.items():
        table.add_row(name, value)
    return table


def plain_table(title: str, caption: str) -> Table:
    """A table with a title above and a caption below."""
    return Table(
        title=title,
        title_style="bold",
        title_justify="left",
        caption=caption,
        caption_style="",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
    )


_CAVEAT = "The interval is that of a fixed number of games; a test that stops early overstates."


def _verdict(decision: Decision) -> str:
    elo = {"H0": f"at most {decision.test.elo1:g}", "H1": f"above {decision.test.elo0:g}"}
    if decision.verdict is None:
        return f"{decision.first} against {decision.second}: undecided, more games are needed"
    stronger = elo[decision.verdict]
    return f"{decision.first} against {decision.second}: {decision.verdict}, Elo {stronger}"


def _rows(tally: Tally) -> Iterator[tuple[str, str]]:
    yield "games", str(tally.games)
    yield "won", str(tally.wins)
    yield "drawn", str(tally.draws)
    yield "lost", str(tally.losses)
    yield "cut off at the turn limit", str(tally.truncated)
    yield from _estimate("win rate", tally.win_rate, is_share=True)
    yield from _estimate("score rate", tally.score_rate, is_share=True)
    if tally.points and tally.opponent_points:
        yield from _estimate("points", tally.points)
        yield from _estimate("opponent's points", tally.opponent_points)
    yield from _estimate("turns in a game", tally.turns)
    yield from _estimate("actions in a game", tally.actions)


def _estimate(
    name: str, estimate: Estimate, *, is_share: bool = False
) -> Iterator[tuple[str, str]]:
    """The rows of an estimate and its interval."""
    yield name, value_text(estimate, is_share)
    yield "  95% interval", interval_text(estimate, is_share) or "–"


def _caption(result: MatchResult) -> str:
    known = f"Seed {result.seed}."
    distinct, games = result.all.distinct, result.all.games
    if not hardly_vary(distinct, games):
        return known
    return (
        f"{known} The {games} games have only {distinct} different last positions: the players"
        " hardly vary, so the intervals are too narrow."
    )
