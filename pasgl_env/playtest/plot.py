"""Plots of estimates with their intervals, a panel for each measure. Needs Matplotlib.

Plots do not depend on the time, the screen or the user's settings.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pasgl_env.playtest.swept import Swept
from pasgl_env.statistics.estimates import Estimate

if TYPE_CHECKING:  # it needs Jinja
    from pasgl_env.playtest.sweep import Column, SweepResults

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
_WIDTH = 8.0  # inches
_SWEEP_PANEL = 3.4
_ROOM = 14
"""The most labels of values that fit side by side."""
_SIDE_BY_SIDE = 0.35
"""Curves are shifted over this share of the distance between two values, so as not to overlap."""


def check_plots() -> None:
    """Raise ``ImportError`` with advice if Matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError("plots need Matplotlib: pip install 'pasgl-env[lab]'") from error


def panels_to_svg(
    title: str, number: int, height: float, draw: Callable[[Any, Any], None]
) -> bytes:
    """Panels of a height in inches, one below the other, as SVG, which ``draw`` fills.

    Raises:
        ImportError: without Matplotlib.
    """
    check_plots()
    from matplotlib import style
    from matplotlib.figure import Figure

    stream = io.BytesIO()
    with style.context(STYLE, after_reset=True):
        figure = Figure(figsize=(_WIDTH, height * number + 0.6), layout="constrained")
        draw(figure, figure.subplots(number, sharex=True, squeeze=False)[:, 0])
        figure.suptitle(title, fontsize=12, wrap=True)
        figure.savefig(stream, format="svg", metadata={"Date": None, "Title": title})
    return stream.getvalue()


def draw_intervals(panel: Any, points: Iterable[tuple[float, Estimate]], color: Any) -> None:
    """Draw the intervals of estimates at some positions; those without one are left out."""
    for position, estimate in points:
        if estimate.low is not None and estimate.high is not None:
            panel.vlines(position, estimate.low, estimate.high, color=color, linewidth=2)


def label_vertical_axis(panel: Any, label: str, *, is_share: bool, even: float | None) -> None:
    """Label the vertical axis of a panel, and mark an even score if it shows scores."""
    panel.set_ylabel(label)
    if is_share:
        panel.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g}%")
    if even is not None:
        panel.axhline(even, color="#6f685e", linewidth=1.2, linestyle="--", zorder=1)


def sweep_to_svg(results: SweepResults) -> bytes:
    """The numbers of a sweep by the option's value, a curve for each value of the second option.

    Raises:
        ImportError: without Matplotlib.
    """
    columns = results.columns(results.sweep.in_plot)

    def draw(figure: Any, panels: Any) -> None:
        for panel, column in zip(panels, columns, strict=True):
            _draw_column(panel, column, results)
        _label_horizontal_axis(panels[-1], results.sweep.swept[0])
        undecided = "; hollow: undecided" if results.sweep.until else ""
        subtitle = f"{results.limit} for each point; lines are 95% intervals{undecided}"
        panels[0].set_title(subtitle, fontsize=10)
        if len(results.sweep.swept) > 1:
            handles = panels[0].get_legend_handles_labels()
            title = results.sweep.swept[1].title
            figure.legend(*handles, title=title, loc="outside right center")

    return panels_to_svg(results.title, len(columns), _SWEEP_PANEL, draw)


def _draw_column(panel: Any, column: Column, results: SweepResults) -> None:
    """Draw one number of all arms."""
    from matplotlib import colormaps

    (first, *rest), until = results.sweep.swept, results.sweep.until
    positions, curves = _positions(first), rest[0].values if rest else (None,)
    step = _SIDE_BY_SIDE * _distance(positions)
    for number, value in enumerate(curves):
        shift = step * ((number + 0.5) / len(curves) - 0.5)
        colour = colormaps["viridis"](0.15 + 0.65 * number / max(len(curves) - 1, 1))
        look = {"color": colour, "marker": _MARKS[number]}  # also distinct without colours
        arms = range(number, len(positions) * len(curves), len(curves))
        known = sorted(
            (position + shift, arm, figure.estimate)
            for position, arm in zip(positions, arms, strict=True)
            if (figure := column.figures[arm]) is not None and figure.estimate.value is not None
        )
        panel.plot(
            [position for position, _, _ in known],
            [estimate.value for _, _, estimate in known],
            label=rest[0].word(value) if rest else None,
            linewidth=1 if first.is_numeric else 0,  # choices have no order
            **look,
        )
        draw_intervals(panel, ((position, estimate) for position, _, estimate in known), colour)
        for position, arm, estimate in known:
            decision = results.arms[arm].decision
            if decision and decision.verdict is None:
                panel.plot(position, estimate.value, markerfacecolor="white", zorder=3, **look)
    if all(not (each and each.estimate.value) for each in column.figures):
        top = max((each.estimate.high or 0.0 for each in column.figures if each), default=0.0)
        panel.set_ylim(0, 1.1 * top or 1)  # not on both sides of 0
    label_vertical_axis(
        panel,
        f"{column.title},\n{column.measure.phrase}",
        is_share=column.measure.is_share,
        even=results.sweep.plan.even if column.measure.name.endswith("score") else None,
    )
    if until and until.pick == column.pick:
        panel.axhspan(until.low, until.high, color="#fff3d6", zorder=0)


def _positions(swept: Swept) -> list[float]:
    """The positions of the values: numbers on a scale, others side by side."""
    return [
        float(each) for each in (swept.values if swept.is_numeric else range(len(swept.values)))
    ]


def _distance(positions: Sequence[float]) -> float:
    """The smallest distance between two of them; 1 if there is only one."""
    return min((after - before for before, after in pairwise(sorted(positions))), default=1.0)


def _label_horizontal_axis(panel: Any, swept: Swept) -> None:
    from matplotlib.ticker import MaxNLocator

    positions = _positions(swept)
    if _distance(positions) * _ROOM >= max(positions) - min(positions):
        panel.set_xticks(positions, [swept.word(value) for value in swept.values])
    else:
        panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    panel.set_xlabel(f"{swept.title}: {swept.option.meaning}")
