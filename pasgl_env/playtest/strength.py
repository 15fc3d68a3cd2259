"""The same questions at a ladder of strengths: what changes as play gets better.

Each rung is a player against itself. What is shown by search effort is what Tomašev, Paquet,
Hassabis and Kramnik show of chess variants ("Assessing game balance with AlphaZero: Exploring
alternative rule sets in chess", arXiv 2009.04374, 2020): scores, draws, and how games end; besides,
length and the values of pieces.

The trend is that of a logistic curve, of lengths a line through their logarithms, so that what is
extrapolated of them is a geometric mean; it goes through all games, and standard errors allow for
what games of the same number, which have the same seeds on all rungs, have in common. What it
says beyond the last rung is extrapolated, and holds only if the trend goes on.

Needs SciPy.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, log2, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit

from pasgl_env import variants
from pasgl_env.evaluation.crosstable import markdown_row
from pasgl_env.evaluation.tournament import Progress, identity
from pasgl_env.games import parts
from pasgl_env.playtest.balance import Pace
from pasgl_env.playtest.sheets import interval_text, value_text
from pasgl_env.playtest.sweep.plot import STYLE, check_plots
from pasgl_env.playtest.trials import CHUNK, MEASURES, Played, Trial, journal, play_chunk
from pasgl_env.playtest.values import PieceValues, piece_values
from pasgl_env.statistics.estimates import Estimate, Z
from pasgl_env.statistics.regression import fit_logistic

TURNS = "turns"
TITLES = {
    "first_mover_score": "Score of the side that moves first",
    "draws": "Draws",
    "truncations": "Cut off",
    "decisive_games": "Decisive games",
    TURNS: "Turns",
}
AHEAD = 2.0
"""How many doublings, or rungs, beyond the last one is looked."""

_SIMULATIONS = re.compile(r"(?:search|mcts):(\d+)(?::.*)?")


class Rung(NamedTuple):
    """A player of the ladder, and what it played.

    Attributes:
        player: its name.
        place: on the axis of effort: the binary logarithm of its simulations, or its number.
        played: its games.
        values: of pieces; None if the game says nothing of material.
    """

    player: str
    place: float
    played: Played
    values: PieceValues | None

    def estimate(self, measure: str) -> Estimate:
        """A measure of :data:`TITLES` with its interval."""
        return self.played.length if measure == TURNS else self.played.estimate(measure)


class Trend(NamedTuple):
    """How a measure changes along the ladder.

    Attributes:
        slope: by how much the logarithm of its odds, or of a length, changes per step.
        ahead: what the measure is, extrapolated, :data:`AHEAD` steps beyond the last rung.
    """

    slope: Estimate
    ahead: Estimate

    @property
    def word(self) -> str:
        """Whether it rises or falls."""
        if self.slope.low is None or self.slope.high is None:
            return "unknown"
        return "rises" if self.slope.low > 0 else "falls" if self.slope.high < 0 else "not shown"


@dataclass(frozen=True)
class Ladder:
    """What is to be played.

    Attributes:
        trial: with the first player's name.
        players: from the weakest on.
        games: of each, a multiple of :data:`pasgl_env.playtest.trials.CHUNK`.
    """

    trial: Trial
    players: tuple[str, ...]
    games: int

    @classmethod
    def of(cls, trial: Trial, names: Sequence[str], games: int) -> Ladder:
        """A ladder that can be played.

        Raises:
            ImportError: for a trained agent without the extra ``train``.
            ValueError: for an unknown player, one that comes twice, fewer than two, or a number of
                games that is not whole chunks.
        """
        if len(names) < 2 or len(set(names)) < len(names):
            raise ValueError(f"a ladder has two different players or more, not {', '.join(names)}")
        if games < CHUNK or games % CHUNK:
            raise ValueError(f"games are played {CHUNK} at once: give a multiple, not {games}")
        for name in names:
            Trial.of(trial.variant, name, trial.options)
        return cls(trial, tuple(names), games)

    @property
    def is_by_effort(self) -> bool:
        """Whether all players search, with so many simulations."""
        return all(_SIMULATIONS.fullmatch(name) for name in self.players)

    @property
    def steps(self) -> str:
        """What several of these are."""
        return "doublings of simulations" if self.is_by_effort else "rungs"

    @property
    def step(self) -> str:
        """What the distance 1 on the axis of effort is."""
        return "doubling of simulations" if self.is_by_effort else "rung"

    def place(self, player: str) -> float:
        """Where a player is on the axis of effort."""
        match = _SIMULATIONS.fullmatch(player)
        if self.is_by_effort and match is not None:
            return log2(int(match[1]))
        return float(self.players.index(player))

    def about(self) -> dict[str, Any]:
        """What the games of all rungs have in common, for JSON."""
        about = self.trial.to_dict()
        del about["player"]
        return about


def play_ladder(
    ladder: Ladder,
    folder: Path,
    *,
    command: Sequence[str] = (),
    report: Callable[[Progress], None] = lambda progress: None,
    tell: Callable[[Rung], None] = lambda rung: None,
) -> Curve:
    """Play all rungs, or go on with a ladder that was begun in a folder.

    Args:
        ladder: what is played.
        folder: where games are kept, those of other rungs, too.
        command: what was asked for, for people.
        report: called whenever games have ended.
        tell: called with each rung that has been played.

    Raises:
        BadRun: if the folder holds something else, or damaged files.
        InUse: if another process is at work there.
        OSError: if something cannot be written; what was kept before is safe.
    """
    variant = ladder.trial.variant
    has_material = _has_material(variant)
    rungs = []
    with journal(folder, "strength", ladder.about(), command) as kept:
        pace = Pace(len(ladder.players) * ladder.games, report)
        for name in ladder.players:
            arm = identity(name, name, variant)
            trial, chunks = replace(ladder.trial, player=name), kept.chunks(arm)
            while CHUNK * len(chunks) < ladder.games:
                kept.add(arm, play_chunk(trial, len(chunks), samples=has_material))
                pace.played(CHUNK)
            played = Played(chunks[: ladder.games // CHUNK])
            values = _values(variant, played) if has_material else None
            rungs.append(Rung(name, ladder.place(name), played, values))
            tell(rungs[-1])
    return Curve(ladder, tuple(rungs))


def _has_material(variant: str) -> bool:
    try:
        parts.material(variants.find(variant))
    except NotImplementedError:
        return False
    return True


def _values(variant: str, played: Played) -> PieceValues:
    table = parts.material(variants.find(variant))
    names = (*table.KINDS, *table.COVARIATES)
    return piece_values(played.sample(len(names)), names, table.UNIT, players_differ=False)


class Curve(NamedTuple):
    """What a ladder came to.

    Attributes:
        ladder: what was played.
        rungs: in its order.
    """

    ladder: Ladder
    rungs: tuple[Rung, ...]

    def trend(self, measure: str) -> Trend:
        """How a measure of :data:`TITLES` changes along the ladder."""
        place = np.concatenate([np.full(each.played.games, each.place) for each in self.rungs])
        number = np.concatenate([np.arange(each.played.games) for each in self.rungs])
        columns = np.column_stack([np.ones_like(place), place])
        beyond = np.array([1.0, max(each.place for each in self.rungs) + AHEAD])
        if measure == TURNS:
            counted = np.concatenate([each.played.turns for each in self.rungs])
            return _line(columns, np.log(counted), number, beyond)
        counted = np.concatenate([each.played.shares(measure) for each in self.rungs])
        if counted.min() == counted.max():
            return Trend(Estimate(None), Estimate(None))
        fit = fit_logistic(columns, counted, number)
        if not fit.is_known.all():
            return Trend(Estimate(None), Estimate(None))
        value = float(beyond @ fit.coefficients)
        half = fit.quantile * sqrt(float(beyond @ fit.covariance @ beyond))
        ends = (value, value - half, value + half)
        return Trend(fit.estimate(1), Estimate(*(float(expit(end)) for end in ends)))

    @property
    def title(self) -> str:
        """What was played."""
        title = variants.find(self.ladder.trial.variant).title
        return f"{title} by strength, from {self.rungs[0].player} to {self.rungs[-1].player}"

    @property
    def headings(self) -> list[str]:
        """Of the table's columns."""
        return ["Player", "Games", *TITLES.values()]

    def rows(self) -> Iterator[list[str]]:
        """The table: a row for each rung, then the trend and what it says of stronger play."""
        for each in self.rungs:
            numbers = (_text(each.estimate(measure), measure) for measure in TITLES)
            yield [each.player, f"{each.played.games:,}", *numbers]
        trends = [(measure, self.trend(measure)) for measure in TITLES]
        yield ["trend", "", *(trend.word for _, trend in trends)]
        beyond = f"{AHEAD:g} {self.ladder.steps} more"
        yield [f"extrapolated: {beyond}", "", *(_text(t.ahead, name) for name, t in trends)]

    def notes(self) -> Iterator[str]:
        """What a reader must know of the table, in sentences."""
        trial = self.ladder.trial
        yield (
            f"Each player plays itself, after {trial.opening_turns} turns by"
            f" {trial.opening_player} in every game, seed {trial.seed}. In parentheses: 95%"
            " intervals."
        )
        slope = self.trend("first_mover_score").slope
        if slope.value is not None:
            yield (
                "The logarithm of the odds of the side that moves first changes by"
                f" {slope.value:+.3f} ({slope.low:+.3f} to {slope.high:+.3f}) a"
                f" {self.ladder.step}. A trend is not shown where that interval holds 0."
            )
        yield "The last row was not played: it is what these curves say if they go on."

    def value_rows(self) -> Iterator[list[str]]:
        """Values of pieces: a row for each kind, a column for each rung."""
        known = [each.values for each in self.rungs if each.values is not None]
        for number, first in enumerate(known[0].values if known else ()):
            cells = (_text(values.values[number].relative, TURNS) for values in known)
            yield [first.kind, *cells]

    def to_markdown(self) -> str:
        """The tables, with their title above and notes below."""
        lines = [f"**{self.title}**", "", *_markdown(self.headings, self.rows())]
        lines += [f"\n{note}" for note in self.notes()]
        if values := list(self.value_rows()):
            unit = next(each.values.unit for each in self.rungs if each.values is not None)
            headings = ["Kind", *(each.player for each in self.rungs)]
            lines += ["", f"**Values of pieces, a {unit} being 1**", ""]
            lines += _markdown(headings, values)
        return "\n".join(lines) + "\n"

    def to_csv(self) -> bytes:
        """Every number: a row for each rung and measure."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["player", "place", "games", "measure", "kind", "value", "low", "high"])
        for each in self.rungs:
            about = [each.player, each.place, each.played.games]
            for measure in TITLES:
                writer.writerow([*about, measure, "", *_numbers(each.estimate(measure))])
            for value in each.values.values if each.values else ():
                row = [*about, "piece_values", value.kind, *_numbers(value.relative)]
                writer.writerow(row)
        return stream.getvalue().encode()

    def to_svg(self) -> bytes:
        """The curve, a panel for each measure, what is extrapolated beyond a dashed line.

        Raises:
            ImportError: without Matplotlib.
        """
        check_plots()
        from matplotlib import style
        from matplotlib.figure import Figure

        stream = io.BytesIO()
        with style.context(STYLE, after_reset=True):
            figure = Figure(figsize=(8.0, 2.6 * len(TITLES) + 0.6), layout="constrained")
            panels = figure.subplots(len(TITLES), sharex=True, squeeze=False)[:, 0]
            for panel, measure in zip(panels, TITLES, strict=True):
                self._draw(panel, measure)
            panels[-1].set_xticks(
                [each.place for each in self.rungs], [each.player for each in self.rungs]
            )
            panels[-1].set_xlabel(f"strength: a step is a {self.ladder.step}")
            figure.suptitle(self.title, fontsize=12, wrap=True)
            figure.savefig(stream, format="svg", metadata={"Date": None, "Title": self.title})
        return stream.getvalue()

    def _draw(self, panel: Any, measure: str) -> None:
        places = [each.place for each in self.rungs]
        estimates = [each.estimate(measure) for each in self.rungs]
        panel.plot(places, [each.value for each in estimates], marker="o", color="#2f6f6a")
        ahead = self.trend(measure).ahead
        if ahead.value is not None:
            places, estimates = [*places, max(places) + AHEAD], [*estimates, ahead]
            panel.plot(places[-1], ahead.value, marker="o", color="#2f6f6a", fillstyle="none")
            panel.axvline(max(places) - AHEAD / 2, color="#6f685e", linestyle=":", linewidth=1)
            panel.annotate("extrapolated", (places[-1], 1.0), xycoords=("data", "axes fraction"))
        for place, each in zip(places, estimates, strict=True):
            if each.low is not None and each.high is not None:
                panel.vlines(place, each.low, each.high, color="#2f6f6a", linewidth=2)
        panel.set_ylabel(TITLES[measure].replace(" that", "\nthat"))
        if measure in MEASURES:
            panel.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g}%")
        if measure == "first_mover_score":
            panel.axhline(0.5, color="#6f685e", linewidth=1.2, linestyle="--", zorder=1)


def _line(columns: np.ndarray, counted: np.ndarray, cluster: np.ndarray, at: np.ndarray) -> Trend:
    """A straight line through logarithms, with standard errors that allow for clusters."""
    inverse = np.linalg.inv(columns.T @ columns)
    coefficients = inverse @ columns.T @ counted
    scores = np.zeros((cluster.max() + 1, 2))
    np.add.at(scores, cluster, columns * (counted - columns @ coefficients)[:, None])
    covariance = inverse @ scores.T @ scores @ inverse
    value, half = float(coefficients[1]), Z * sqrt(float(covariance[1, 1]))
    slope = Estimate(value, value - half, value + half)
    value, half = float(at @ coefficients), Z * sqrt(float(at @ covariance @ at))
    return Trend(slope, Estimate(exp(value), exp(value - half), exp(value + half)))


def _text(estimate: Estimate, measure: str) -> str:
    is_share = measure != TURNS
    between = interval_text(estimate, is_share)
    return value_text(estimate, is_share) + f" ({between})" * bool(between)


def _numbers(estimate: Estimate) -> list[float | None]:
    return [estimate.value, estimate.low, estimate.high]


def _markdown(headings: list[str], rows: Iterator[list[str]] | list[list[str]]) -> list[str]:
    rule = markdown_row(["---:"] * len(headings))
    return [markdown_row(headings), rule, *map(markdown_row, rows)]
