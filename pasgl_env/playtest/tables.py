"""Results as tables for the terminal. Needs rich, of the extra ``cli``."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.table import Table

from pasgl_env import variants
from pasgl_env.games.contract import options_array
from pasgl_env.playtest.match import Estimate, MatchResult, Tally


def match_table(result: MatchResult) -> Table:
    """A match as the first player sees it, in all and by side; fits 80 columns."""
    game = variants.find(result.variant)
    table = Table(
        title=f"{result.first} against {result.second}, {game.title}",
        title_style="bold",
        title_justify="left",
        caption=_caption(result),
        caption_style="",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
    )
    table.add_column("")
    for heading in ("all", *(f"as {name}" for name in _sides(result))):
        table.add_column(heading, justify="right", no_wrap=True)
    columns = map(_rows, (result.all, result.as_white, result.as_black))
    for cells in zip(*columns, strict=True):
        table.add_row(cells[0][0], *(value for _, value in cells))
    return table


def _sides(result: MatchResult) -> list[str]:
    """What people call the two players, or teams."""
    game = variants.find(result.variant)
    seats = game.seats(options_array(game, result.options)[0])
    return [
        " and ".join(name for player, name in enumerate(seats) if game.team(player) == side)
        for side in (0, 1)
    ]


def _rows(tally: Tally) -> Iterator[tuple[str, str]]:
    yield "games", str(tally.games)
    yield "won", str(tally.wins)
    yield "drawn", str(tally.draws)
    yield "lost", str(tally.losses)
    yield "cut off at the turn limit", str(tally.truncated)
    yield "win rate", _percent(tally.win_rate.value)
    yield "  95% interval", _percent_interval(tally.win_rate)
    yield "score rate", _percent(tally.score_rate)
    if tally.points and tally.opponent_points:
        yield "points", _mean(tally.points)
        yield "opponent's points", _mean(tally.opponent_points)
    yield "turns in a game", _mean(tally.turns)
    yield "actions in a game", _mean(tally.actions)


def _caption(result: MatchResult) -> str:
    known = f"Means with half the width of their 95% interval. Seed {result.seed}."
    distinct, games = result.all.distinct, result.all.games
    if games == 1 or distinct > games / 2:
        return known
    return (
        f"{known} The {games} games have only {distinct} different last positions: the players"
        " hardly vary, so the intervals are too narrow."
    )


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _percent_interval(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return "-"
    return f"{100 * estimate.low:.1f} to {estimate.high:.1%}"


def _mean(estimate: Estimate) -> str:
    if estimate.value is None:
        return "-"
    if estimate.high is None:
        return f"{estimate.value:.1f}"
    return f"{estimate.value:.1f} ± {estimate.high - estimate.value:.1f}"
