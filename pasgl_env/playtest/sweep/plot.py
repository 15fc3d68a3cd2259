"""The plot of a sweep: a panel for each number, with values and intervals by the option's value.

Needs Matplotlib. The plot does not depend on the time, the screen or the user's settings.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from pasgl_env.playtest.stopping import StoppingRule
from pasgl_env.playtest.sweep.grid import Swept
from pasgl_env.playtest.sweep.results import Column, SweepResults

STYLE = {
    "svg.hashsalt": "pasgl",  # the same identifiers each time
    "svg.fonttype": "path",  # looks the same where the font is missing
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e3e0da",
    "axes.edgecolor": "#6f685e",
    "axes.axisbelow": True,
}
_MARKS = "osD^vP*Xph<>"
_WIDTH, _PANEL = 8.0, 3.4  # inches
_ROOM = 14
"""The most labels of values that fit side by side."""
_SIDE_BY_SIDE = 0.35
"""Curves are shifted over this share of the distance between two values, so as not to overlap."""


def check_plots() -> None:
    """Raise ``ImportError`` with advice if Matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "plots of sweeps need Matplotlib: pip install 'pasgl-env[lab]'"
        ) from error


def plot(results: SweepResults) -> bytes:
    """The plot as SVG.

    Raises:
        ImportError: without Matplotlib.
    """
    check_plots()
    from matplotlib import style
    from matplotlib.figure import Figure

    columns = results.columns(results.selection.in_plot)
    stream = io.BytesIO()
    with style.context(STYLE, after_reset=True):
        figure = Figure(figsize=(_WIDTH, _PANEL * len(columns) + 0.6), layout="constrained")
        panels = figure.subplots(len(columns), sharex=True, squeeze=False)[:, 0]
        for panel, column in zip(panels, columns, strict=True):
            _draw(panel, column, results)
        _label_horizontal_axis(panels[-1], results.sweep.swept[0])
        figure.suptitle(results.title, fontsize=12, wrap=True)
        panels[0].set_title(_subtitle(results), fontsize=10)
        if len(results.sweep.swept) > 1:
            title = results.sweep.swept[1].title
            figure.legend(
                *panels[0].get_legend_handles_labels(), title=title, loc="outside right center"
            )
        figure.savefig(stream, format="svg", metadata={"Date": None, "Title": results.title})
    return stream.getvalue()


def _subtitle(results: SweepResults) -> str:
    games = f"{'at most ' * bool(results.until)}{results.games:,} games for each point"
    undecided = "; hollow: undecided" if results.until else ""
    return f"{games}; lines are 95% intervals{undecided}"


def _draw(panel: Any, column: Column, results: SweepResults) -> None:
    """Draw one number of all arms, a curve for each value of the second option."""
    from matplotlib import colormaps

    first, *rest = results.sweep.swept
    places, curves = _places(first), rest[0].values if rest else (None,)
    step = _SIDE_BY_SIDE * _distance(places)
    for number, value in enumerate(curves):
        shift = step * ((number + 0.5) / len(curves) - 0.5)
        colour = colormaps["viridis"](0.15 + 0.65 * number / max(len(curves) - 1, 1))
        look = {"color": colour, "marker": _MARKS[number]}  # also distinct without colours
        arms = range(number, len(places) * len(curves), len(curves))
        known = sorted(
            (place + shift, arm, figure.estimate)
            for place, arm in zip(places, arms, strict=True)
            if (figure := column.figures[arm]) is not None and figure.estimate.value is not None
        )
        panel.plot(
            [place for place, _, _ in known],
            [estimate.value for _, _, estimate in known],
            label=rest[0].word(value) if rest else None,
            linewidth=1 if first.is_numeric else 0,  # choices have no order
            **look,
        )
        for place, arm, estimate in known:
            if estimate.low is not None and estimate.high is not None:
                panel.vlines(place, estimate.low, estimate.high, color=colour, linewidth=2)
            decision = results.arms[arm].decision
            if decision and decision.verdict is None:
                panel.plot(place, estimate.value, markerfacecolor="white", zorder=3, **look)
    _label_vertical_axis(panel, column, results.until)


def _label_vertical_axis(panel: Any, column: Column, until: StoppingRule | None) -> None:
    """Label the vertical axis; mark an even score and the limits of a stopping rule."""
    panel.set_ylabel(f"{column.title},\n{column.measure.phrase}")
    if column.measure.is_share:
        panel.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g}%")
    if column.measure.name.endswith("score"):
        panel.axhline(0.5, color="#6f685e", linewidth=1.2, linestyle="--", zorder=1)
    if until and until.pick == column.pick:
        panel.axhspan(until.low, until.high, color="#fff3d6", zorder=0)


def _places(swept: Swept) -> list[float]:
    """The positions of the values: numbers on a scale, others side by side."""
    return [
        float(each) for each in (swept.values if swept.is_numeric else range(len(swept.values)))
    ]


def _distance(places: Sequence[float]) -> float:
    """The smallest distance between two of them; 1 if there is only one."""
    return min((after - before for before, after in pairwise(sorted(places))), default=1.0)


def _label_horizontal_axis(panel: Any, swept: Swept) -> None:
    """Label the horizontal axis."""
    from matplotlib.ticker import MaxNLocator

    places = _places(swept)
    if _distance(places) * _ROOM >= max(places) - min(places):
        panel.set_xticks(places, [swept.word(value) for value in swept.values])
    else:
        panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    panel.set_xlabel(f"{swept.title}: {swept.option.meaning}")
