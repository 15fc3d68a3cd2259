"""The plot of a sweep: a panel for each number, its value and interval by the option's value.

Needs Matplotlib. Nothing of it depends on the time, the machine's screen or its settings.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from pasgl_env.playtest.sweep.grid import Swept
from pasgl_env.playtest.sweep.results import Column, SweepResults

STYLE = {
    "svg.hashsalt": "pasgl",  # names of parts are the same each time
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
"""Values that are closer than so many to the width of the plot cannot all have their labels."""
_SIDE_BY_SIDE = 0.35
"""The part of the distance between two values over which curves are shifted, to be told apart."""


def check_plots() -> None:
    """Raise ``ImportError``, which says what to do, without Matplotlib."""
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
        _describe_values(panels[-1], results.sweep.swept[0])
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
    settled = "; hollow: not settled" if results.until else ""
    return f"{games}; lines are 95% intervals{settled}"


class _Curve(NamedTuple):
    """The arms with the same value of the second option; all arms if there is no second one."""

    arms: Sequence[int]
    places: Sequence[float]
    look: dict[str, Any]
    label: str | None


def _draw(panel: Any, column: Column, results: SweepResults) -> None:
    """One number of all arms."""
    for curve in _curves(results.sweep.swept):
        _draw_curve(panel, column, results, curve)
    _scale(panel, column, results)


def _curves(swept: Sequence[Swept]) -> Iterator[_Curve]:
    first, *rest = swept
    values = rest[0].values if rest else (None,)
    places = _places(first)
    step = _SIDE_BY_SIDE * _distance(places)
    for number, value in enumerate(values):
        shift = step * ((number + 0.5) / len(values) - 0.5)
        yield _Curve(
            range(number, len(places) * len(values), len(values)),
            [place + shift for place in places],
            _look(number, len(values)),
            rest[0].word(value) if rest else None,
        )


def _look(number: int, curves: int) -> dict[str, Any]:
    """The colour and the mark of a curve; also told apart without colours."""
    from matplotlib import colormaps

    colour = colormaps["viridis"](0.15 + 0.65 * number / max(curves - 1, 1))
    return {"color": colour, "marker": _MARKS[number]}


def _draw_curve(panel: Any, column: Column, results: SweepResults, curve: _Curve) -> None:
    known = sorted(
        (place, arm, figure.estimate)
        for place, arm in zip(curve.places, curve.arms, strict=True)
        if (figure := column.figures[arm]) is not None and figure.estimate.value is not None
    )
    panel.plot(
        [place for place, _, _ in known],
        [estimate.value for _, _, estimate in known],
        label=curve.label,
        linewidth=1 if results.sweep.swept[0].is_numeric else 0,  # choices have no order
        **curve.look,
    )
    for place, arm, estimate in known:
        if estimate.low is not None and estimate.high is not None:
            panel.vlines(place, estimate.low, estimate.high, color=curve.look["color"], linewidth=2)
        settled = results.arms[arm].settled
        if settled and settled.verdict is None:
            panel.plot(place, estimate.value, markerfacecolor="white", zorder=3, **curve.look)


def _scale(panel: Any, column: Column, results: SweepResults) -> None:
    """The vertical axis, in words; what would be even, and what is to be settled."""
    panel.set_ylabel(f"{column.title},\n{column.measure.phrase}")
    if column.measure.is_share:
        panel.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g}%")
    if column.measure.name.endswith("score"):
        panel.axhline(0.5, color="#6f685e", linewidth=1.2, linestyle="--", zorder=1)
    if results.until and results.until.pick == column.pick:
        panel.axhspan(results.until.low, results.until.high, color="#fff3d6", zorder=0)


def _places(swept: Swept) -> list[float]:
    """Where the values lie: numbers on a scale, others side by side."""
    return [
        float(each) for each in (swept.values if swept.is_numeric else range(len(swept.values)))
    ]


def _distance(places: Sequence[float]) -> float:
    """The least distance between two of them; 1 if there is only one."""
    return min((after - before for before, after in pairwise(sorted(places))), default=1.0)


def _describe_values(panel: Any, swept: Swept) -> None:
    """The horizontal axis, in words."""
    from matplotlib.ticker import MaxNLocator

    places = _places(swept)
    if _distance(places) * _ROOM >= max(places) - min(places):
        panel.set_xticks(places, [swept.word(value) for value in swept.values])
    else:
        panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    panel.set_xlabel(f"{swept.title}: {swept.option.meaning}")
