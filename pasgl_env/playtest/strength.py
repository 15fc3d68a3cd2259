"""The change of scores, draws, lengths and the values of pieces as play gets stronger.

Each rung is a player against itself. Tomašev, Paquet, Hassabis and Kramnik show scores, draws and
how games end by search effort for variants of chess ("Assessing game balance with AlphaZero:
Exploring alternative rule sets in chess", arXiv 2009.04374, 2020); here there are also lengths and
the values of pieces.

The trend is that of a logistic curve through all games; for lengths it is a line through their
logarithms, so that an extrapolated length is a geometric mean. Standard errors allow for the
dependence of games of the same number, which have the same seeds on all rungs. Where the axis is
simulations and at least three rungs support the trend, the curve is extrapolated beyond the last
one, which assumes that the trend continues.

Needs SciPy.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from math import exp, log2
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit

from pasgl_env.evaluation.table import Table
from pasgl_env.evaluation.tournament import identity
from pasgl_env.playtest.folder import GAMES
from pasgl_env.playtest.lab import (
    MEASURES,
    NO_VERDICT,
    TURNS,
    Lab,
    PlayedRun,
    Question,
    conditions,
    regression_rows,
)
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.plot import draw_intervals, label_vertical_axis, panels_to_svg
from pasgl_env.playtest.values import LEAST_RESULTS, PieceValues
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.regression import fit_linear, fit_logistic, rarer
from pasgl_env.statistics.texts import estimate_text

TITLES = {
    "first_mover_score": "Score of the side that moves first",
    "draws": "Draws",
    "truncations": "Cut off",
    "decisive_games": "Decisive games",
    TURNS: "Turns",
}
AHEAD = 2.0
"""Steps beyond the last rung to which curves are extrapolated."""
LEAST_RUNGS = 3
"""Nothing is extrapolated from fewer: any curve goes through two."""

_SIMULATIONS = re.compile(r"(?:search|mcts):(\d+)(?::.*)?")


class Rung(NamedTuple):
    """A player of the ladder with its games.

    Attributes:
        player: its name.
        effort: the binary logarithm of its simulations, or its number.
        arm: its games.
        values: of pieces; None for a game without material.
    """

    player: str
    effort: float
    arm: PlayedRun
    values: PieceValues | None


class Trend(NamedTuple):
    """The change of a measure along the ladder.

    Attributes:
        slope: the change of the logarithm of its odds, or of a length, per step.
        ahead: the measure extrapolated :data:`AHEAD` steps beyond the last rung; unknown if the
            ladder does not extrapolate.
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
class Ladder(Question["Curve"]):
    """Players that each play the same plan against themselves.

    Attributes:
        players: from the weakest on; those of the plan are ignored.

    Raises:
        ImportError: for a trained agent without the extra ``train``.
        ValueError: for an unknown player, a repeated one, fewer than two, or an odd number of
            games.
    """

    kind = "strength"

    players: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.players) < 2 or len(set(self.players)) < len(self.players):
            given = ", ".join(self.players)
            raise ValueError(f"a ladder has two different players or more, not {given}")
        self.plan.check_games(self.games)
        for name in self.players:
            self._plan_of(name)

    @property
    def efforts(self) -> list[float] | None:
        """The binary logarithms of the players' simulations; None unless all of them search."""
        found = [_SIMULATIONS.fullmatch(name) for name in self.players]
        return [log2(int(match[1])) for match in found if match] if all(found) else None

    @property
    def step(self) -> str:
        """The unit of the axis of effort, in words."""
        return "doubling of simulations" if self.efforts else "rung"

    @property
    def extrapolates(self) -> bool:
        """Whether the axis has a unit, and enough rungs support the trend."""
        return self.efforts is not None and len(self.players) >= LEAST_RUNGS

    def _plan_of(self, player: str) -> Plan:
        return self.plan.changed(players=(player, player))

    def about(self) -> dict[str, Any]:
        own = "players", "shard", "untrained"
        return {name: value for name, value in super().about().items() if name not in own}

    def answer(self, lab: Lab) -> Curve:
        """Play all rungs."""
        lab.expect(len(self.players) * self.games)
        rungs = []
        for effort, name in zip(self.efforts or count(0.0), self.players, strict=False):
            arm_name = identity(name, name, self.plan.ruleset.name)
            arm = lab.play(arm_name, self._plan_of(name), self.games)
            values = None
            with suppress(NotImplementedError):  # of a game without material
                values = PieceValues.of(arm.plan, arm.folder / GAMES)
            rungs.append(Rung(name, effort, arm, values))
            lab.tell(f"{name}: {arm.games} games")
        return Curve(self, tuple(rungs))


class Curve(NamedTuple):
    """The results of a ladder.

    Attributes:
        ladder: the ladder.
        rungs: in its order.
    """

    ladder: Ladder
    rungs: tuple[Rung, ...]

    @property
    def hardly_vary(self) -> bool:
        """Whether the games of a rung hardly differ."""
        return any(each.arm.hardly_vary for each in self.rungs)

    def trend(self, measure: str) -> Trend:
        """The trend of a measure of :data:`TITLES` along the ladder."""
        arms = [(each.effort, each.arm) for each in self.rungs]
        columns, counted, cluster = regression_rows(arms, measure)
        beyond = np.array([1.0, columns[:, 1].max() + AHEAD])
        is_rare = measure != TURNS and rarer(counted) < LEAST_RESULTS
        if np.ptp(counted) == 0 or is_rare or self.hardly_vary:
            return Trend(Estimate(None), Estimate(None))
        if measure == TURNS:
            fit, shown = fit_linear(columns, np.log(np.maximum(counted, 1)), cluster), exp
        else:
            fit, shown = fit_logistic(columns, counted, cluster), expit
        ahead = fit.predict(beyond).map(lambda value: float(shown(value)))
        return Trend(fit.estimate(1), ahead if self.ladder.extrapolates else Estimate(None))

    @property
    def title(self) -> str:
        """The variant and the ends of the ladder."""
        title = self.ladder.plan.ruleset.game.title
        return f"{title} by strength, from {self.rungs[0].player} to {self.rungs[-1].player}"

    @property
    def table(self) -> Table:
        """A row for each rung, then the trend and, if known, its extrapolation."""
        trends = {measure: self.trend(measure) for measure in TITLES}
        rows = [
            [each.arm.plan.shown_players[0], f"{each.arm.games:,}"]
            + [_text(each.arm.estimate(measure), measure) for measure in TITLES]
            for each in self.rungs
        ]
        rows.append(["trend", "", *(trend.word for trend in trends.values())])
        if self.ladder.extrapolates:
            ahead = [_text(trend.ahead, measure) for measure, trend in trends.items()]
            rows.append([f"extrapolated: {AHEAD:g} doublings of simulations more", "", *ahead])
        headings = ["Player", "Games", *TITLES.values()]
        return Table(self.title, headings, rows, list(self._notes(trends["first_mover_score"])))

    def _notes(self, trend: Trend) -> Iterator[str]:
        plan, slope = self.ladder.plan, trend.slope
        yield f"Each player plays itself{conditions(plan)}. In parentheses: 95% intervals."
        if self.hardly_vary:
            yield NO_VERDICT
        if slope.value is not None:
            yield (
                "The logarithm of the odds of the side that moves first changes by"
                f" {estimate_text(slope, False, is_signed=True)} a"
                f" {self.ladder.step}. A trend is not shown if that interval contains 0."
            )
        if self.ladder.extrapolates:
            yield "The last row was not played: it extrapolates the trend."

    @property
    def values(self) -> Table | None:
        """The values of pieces: a row for each kind, a column for each rung; None without any."""
        known = [each.values for each in self.rungs if each.values is not None]
        if not known:
            return None
        kinds = zip(*(values.values for values in known), strict=True)
        return Table(
            f"Values of pieces ({known[0].unit} = 1)",
            ["Kind", *(each.player for each in self.rungs)],
            [
                [rungs[0].kind, *(estimate_text(each.relative, False) for each in rungs)]
                for rungs in kinds
            ],
        )

    def to_markdown(self) -> str:
        """The tables, with their titles above and notes below."""
        return "\n".join(each.to_markdown() for each in (self.table, self.values) if each)

    def to_csv(self) -> bytes:
        """All numbers: a row for each rung and measure."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["player", "effort", "games", "measure", "kind", "value", "low", "high"])
        for each in self.rungs:
            found = [(measure, "", each.arm.estimate(measure)) for measure in TITLES]
            if each.values:
                kinds = each.values.values
                found += [("piece_values", value.kind, value.relative) for value in kinds]
            for measure, kind, estimate in found:
                about = each.player, each.effort, each.arm.games, measure, kind
                writer.writerow([*about, estimate.value, estimate.low, estimate.high])
        return stream.getvalue().encode()

    def to_svg(self) -> bytes:
        """The curve, a panel for each measure; extrapolated values are beyond a dotted line.

        Raises:
            ImportError: without Matplotlib.
        """

        def draw(figure: Any, panels: Any) -> None:
            for panel, measure in zip(panels, TITLES, strict=True):
                self._draw(panel, measure)
            panels[-1].set_xticks(
                [each.effort for each in self.rungs], [each.player for each in self.rungs]
            )
            panels[-1].set_xlabel(f"strength: a step is a {self.ladder.step}")

        return panels_to_svg(self.title, len(TITLES), 2.6, draw)

    def _draw(self, panel: Any, measure: str) -> None:
        points = [(each.effort, each.arm.estimate(measure)) for each in self.rungs]
        last, ahead = max(effort for effort, _ in points), self.trend(measure).ahead
        look = {"marker": "o", "color": "#2f6f6a"}
        panel.plot(
            [effort for effort, _ in points], [estimate.value for _, estimate in points], **look
        )
        if ahead.value is not None:
            points.append((last + AHEAD, ahead))
            panel.plot(last + AHEAD, ahead.value, fillstyle="none", **look)
            panel.axvline(last + AHEAD / 2, color="#6f685e", linestyle=":", linewidth=1)
            panel.annotate("extrapolated", (last + AHEAD, 1.0), xycoords=("data", "axes fraction"))
        draw_intervals(panel, points, look["color"])
        label_vertical_axis(
            panel,
            TITLES[measure].replace(" that", "\nthat"),
            is_share=measure in MEASURES,
            even=self.ladder.plan.even if measure == "first_mover_score" else None,
        )


def _text(estimate: Estimate, measure: str) -> str:
    return estimate_text(estimate, measure in MEASURES)
