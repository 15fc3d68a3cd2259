"""Results as tables for the terminal. Needs rich, of the extra ``cli``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Literal

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from pasgl_env import variants
from pasgl_env.playtest.match import Estimate, MatchResult, Tally, hardly_vary, sides

if TYPE_CHECKING:  # they need SciPy
    from pasgl_env.playtest.lab.results import Figure, Measure, Results
    from pasgl_env.playtest.lab.sheets import Section, Sheet
    from pasgl_env.playtest.lab.sweep.results import SweepResults
    from pasgl_env.playtest.lab.values import PieceValues
    from pasgl_env.playtest.tournament import Decision, Standings


def match_table(result: MatchResult) -> Table:
    """A match as the first player sees it, in all and by side; fits 80 columns."""
    game = variants.find(result.variant)
    table = _table(f"{result.first} against {result.second}, {game.title}", _caption(result))
    table.add_column("")
    for heading in ("all", *(f"as {name}" for name in sides(result.variant, result.options))):
        table.add_column(heading, justify="right", no_wrap=True)
    columns = map(_rows, (result.all, result.as_white, result.as_black))
    for cells in zip(*columns, strict=True):
        table.add_row(cells[0][0], *(value for _, value in cells))
    return table


def cross_table(standings: Standings) -> Table:
    """A tournament, the best player first."""
    from pasgl_env.playtest import crosstable

    table = _table(crosstable.title(standings), " ".join(crosstable.notes(standings)))
    table.padding = (0, 1, 0, 0)
    for heading in crosstable.headings(standings):
        justify: Literal["left", "right"] = "left" if heading == "player" else "right"
        table.add_column(heading, justify=justify, no_wrap=heading != "player", overflow="fold")
    for cells in crosstable.rows(standings):
        table.add_row(*cells)
    return table


def decision_table(decision: Decision) -> Table:
    """What a sequential test came to."""
    from pasgl_env.playtest import crosstable

    test, rating = decision.test, decision.rating
    table = _table(_verdict(decision), _CAVEAT)
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


def playtest_table(results: Results) -> Group:
    """What was measured in a playtest, a table for each heading; wide ones are only named."""
    from pasgl_env.playtest.lab.sheets import VALUES, sections

    one, other = results.plan.players
    title = f"{variants.find(results.plan.variant).title}: {one} against {other}"
    about = f"{results.games:,} games, seed {results.plan.seed}; 95% intervals in parentheses."
    tables = chain.from_iterable(
        _section_tables(section) for section in sections(results) if section.title != VALUES
    )
    return Group(Text(title, "bold"), about, "", *tables)


def values_table(values: PieceValues) -> Table:
    """What kinds of pieces are worth."""
    caption = f"{values.positions} positions from {values.pairs} pairs of games."
    table = _table(f"Values of pieces, a {values.unit} being 1", caption)
    for heading in ("kind", "value", "95% interval", "log odds", "95% interval"):
        justify: Literal["left", "right"] = "left" if heading == "kind" else "right"
        table.add_column(heading, justify=justify, no_wrap=heading != "kind", overflow="fold")
    for value in values.values:
        table.add_row(
            value.kind, *_value_cells(value.relative, ".2f"), *_value_cells(value.log_odds, ".3f")
        )
    return table


def sweep_table(results: SweepResults) -> Table:
    """The arms of a sweep, each with the numbers that are shown of it."""
    table = _table(results.title, "\n".join(results.notes()))
    table.padding = (0, 1, 0, 0)
    for heading in results.headings:
        table.add_column(heading, justify="right", overflow="fold")
    for cells in results.rows():
        table.add_row(*(cell.replace(" (", "\n(") for cell in cells))
    return table


def _value_cells(estimate: Estimate, form: str) -> tuple[str, str]:
    if estimate.value is None:
        return "-", "-"
    if estimate.low is None:
        return format(estimate.value, form), "unbounded"
    return format(estimate.value, form), f"{estimate.low:{form}} to {estimate.high:{form}}"


_MOST_CELLS = 8
_MOST_COLUMNS = 2


def _section_tables(section: Section) -> Iterator[Table | Text]:
    """The measures under a heading: those without seats, those by seat, and what is left out."""
    yield Text(section.title, "bold")
    short = [sheet for sheet in section.sheets if len(sheet.measure.figures) <= _MOST_CELLS]
    for columns in ((), *dict.fromkeys(_columns(sheet) for sheet in short if _columns(sheet))):
        alike = [sheet for sheet in short if _columns(sheet) == columns]
        if alike:
            yield _numbers_table(alike, columns)
    long = [sheet.measure.title for sheet in section.sheets if sheet not in short]
    if long:
        yield Text(f"In the report: {', '.join(long)}.\n", "dim")


def _columns(sheet: Sheet) -> tuple[str, ...]:
    """The seats that have columns; none where there is no room for all."""
    return sheet.columns if 1 < len(sheet.columns) <= _MOST_COLUMNS else ()


def _numbers_table(sheets: Sequence[Sheet], columns: tuple[str, ...]) -> Table:
    table = Table(box=None, show_header=bool(columns), padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("", overflow="fold")
    for column in columns or ("",):
        table.add_column(column, no_wrap=True)
    for sheet in sheets:
        unit = f", {sheet.measure.phrase}" if sheet.measure.per else ""
        title = Text.assemble(sheet.measure.title, (unit, "dim"))
        lines = dict(_lines(sheet, columns))
        if "" not in lines:
            table.add_row(title, *([] if lines else ["never"]))
        for name, figures in lines.items():
            cells = (_number(sheet.measure, figure.estimate) for figure in figures)
            table.add_row(f"  {name}" if name else title, *cells)
    table.add_row()
    return table


def _lines(sheet: Sheet, columns: tuple[str, ...]) -> Iterator[tuple[str, Sequence[Figure]]]:
    """The lines of a measure: what they are of, nothing if there is one only, and their figures."""
    for row in sheet.rows:
        if columns or len(row.figures) == 1:
            yield row.name, row.figures
            continue
        for seat, figure in zip(sheet.columns, row.figures, strict=True):
            yield ", ".join(filter(None, (row.name, seat))), (figure,)


def _number(measure: Measure, estimate: Estimate) -> str:
    from pasgl_env.playtest.lab.sheets import interval_text, value_text

    value = value_text(estimate, measure.is_share)
    between = interval_text(estimate, measure.is_share)
    return f"{value} ({between})" if between else value


_CAVEAT = "The interval is that of a fixed number of games; a test that stops early overstates."


def _verdict(decision: Decision) -> str:
    elo = {"H0": f"at most {decision.test.elo1:g}", "H1": f"above {decision.test.elo0:g}"}
    if decision.verdict is None:
        return f"{decision.first} against {decision.second}: undecided, more games are needed"
    stronger = elo[decision.verdict]
    return f"{decision.first} against {decision.second}: {decision.verdict}, Elo {stronger}"


def _table(title: str, caption: str) -> Table:
    return Table(
        title=title,
        title_style="bold",
        title_justify="left",
        caption=caption,
        caption_style="",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
    )


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
    if not hardly_vary(distinct, games):
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
