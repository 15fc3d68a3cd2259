"""The report of a run: one self-contained HTML page, for people. Needs Jinja.

Every number on it is also in ``results.json``; its exact value is the ``value`` of a ``data``
element. Styles, script and drawings are part of the page, so it opens without a network.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

from pasgl_env.contract.counters import SEAT
from pasgl_env.playtest.first_turns import MOST_CHUNKS
from pasgl_env.playtest.folder import FORMAT, GAMES
from pasgl_env.playtest.positions import TOGETHER
from pasgl_env.playtest.report import charts, heat
from pasgl_env.playtest.report.games import SURVEYED, ShownGame, shown_games
from pasgl_env.playtest.results import Figure, Measure, Results
from pasgl_env.playtest.sheets import Sheet, sections
from pasgl_env.playtest.variety import SHOWN_TURNS
from pasgl_env.playtest.verdict import remarks, shows_first_move
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.texts import interval_text, value_text
from pasgl_env.storage import runs
from pasgl_env.storage.files import write_whole
from pasgl_env.storage.runs import BadRun

try:
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup
except ImportError as error:
    raise ImportError("reports need Jinja: pip install 'pasgl-env[lab]'") from error

REPORT_FILE = "report.html"
_TEMPLATE = "report.html.jinja"
_OVERVIEW = ("decisive_games", "draws", "truncations", "comebacks", "decided_share", "forced")
_WELL_KNOWN = ("chess", "Go", "backgammon")
_REFERENCES = json.loads((resources.files(__name__) / "references.json").read_text("utf-8"))
"""Measures of these games, each with the key of its source, and the sources by their keys."""
_MOST_LETTERS = 14
"""The most letters of a player's name in a plot."""


def write_report(results: Results, folder: Path) -> None:
    """Write the report of a run to its folder; with typical and extreme games if games are kept.

    Raises:
        BadRun: if there is no manifest, or a damaged one, or no game has been played.
        OSError: if something cannot be read or written; an earlier report is kept.
        ValueError: if the file of games is damaged.
    """
    manifest = runs.read_manifest(folder, "playtest", FORMAT)
    if manifest is None:
        raise BadRun(f"{folder} holds no playtest: {runs.MANIFEST} is missing")
    if results.games == 0:
        raise BadRun(f"{folder} holds no games yet, so there is nothing to report")
    file = folder / GAMES
    games = shown_games(results.plan, file) if file.exists() else []
    write_whole(folder / REPORT_FILE, page(results, manifest, games).encode())


def page(results: Results, manifest: dict[str, Any], games: Sequence[ShownGame]) -> str:
    """The page, with the games to step through."""
    environment = Environment(
        loader=FunctionLoader(lambda name: (resources.files(__name__) / name).read_text("utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["safe_svg"] = Markup
    environment.globals |= {"value": value_text, "interval": interval_text, "strip": _strip}
    histogram = results.totals.counts.lengths[0]
    return environment.get_template(_TEMPLATE).render(
        title=results.plan.ruleset.game.title,
        results=results,
        remarks=tuple(remarks(results)),
        well_known=_WELL_KNOWN,
        comparison=tuple(_comparison(results)),
        sources=_REFERENCES["sources"],
        variety=results.variety,
        variety_turns=SHOWN_TURNS,
        looked_at=MOST_CHUNKS * TOGETHER,
        balance=Markup(charts.shares("Scores", tuple(_scores(results)), results.plan.even)),
        overview=Markup(charts.shares("Shares", tuple(_shares(results)))),
        lengths=Markup(charts.lengths("Lengths of games", histogram, "turns")),
        sections=tuple(sections(results)),
        heat_map=partial(heat.heat_map, results),
        games=games,
        opened=next((each for each in games if each.films), None),
        surveyed=min(SURVEYED, results.games),
        kept=GAMES,
        manifest=manifest,
        command=shlex.join(manifest["command"]),
    )


def _comparison(results: Results) -> Iterator[tuple[Measure, Figure, list[list[list[str]]]]]:
    """Measures, with those of well-known games: values and sources."""
    for measure in results.measures:
        if known := _REFERENCES["measures"].get(measure.name):
            yield measure, measure.figures[0], [known[game] for game in _WELL_KNOWN]


def _scores(results: Results) -> Iterator[tuple[str, Estimate]]:
    one = results.plan.players[0]
    short = one if len(one) <= _MOST_LETTERS else f"…{one[1 - _MOST_LETTERS :]}"
    names = {"first_player_score": f"{short}, all sides"}
    if shows_first_move(results):
        names["first_mover_score"] = "Moves first"
    for measure in results.measures:
        if measure.name == "score" or measure.name in names:
            for figure in measure.figures:
                yield figure.cell.get(SEAT) or names[measure.name], figure.estimate


def _shares(results: Results) -> Iterator[tuple[str, Estimate]]:
    for measure in results.measures:
        if measure.name in _OVERVIEW:
            yield measure.title, measure.figures[0].estimate


def _strip(sheet: Sheet, row: Sequence[Figure]) -> Markup:
    """The numbers of a row as a drawing, on the scale of the whole table."""
    ends = [
        end
        for figures in sheet.rows.values()
        for figure in figures
        for end in astuple(figure.estimate)
        if end is not None
    ]
    low, high = min((0.0, *ends)), max((1.0 if sheet.measure.is_share else 0.0, *ends))
    return Markup(charts.strip([figure.estimate for figure in row], low, high))
