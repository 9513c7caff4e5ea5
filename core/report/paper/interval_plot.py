"""Intervals drawn: one line for each label, whiskers, the numbers and n beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webbench.core.analysis.paper.paper_figure import Intervals, Panel
from webbench.core.report.paper.plot_style import SOFT, colour, marker, new_figure, shown
from webbench.core.statistics.estimates import Estimate
from webbench.core.text.no_value import NO_VALUE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Label = tuple[str, str]
"""Of a line, and whom its difference is from."""

LINE, DENSE, FRAME = 0.17, 0.125, 0.75
"""Inches of a line, of one among several of a label, and of a panel's title and axis."""


def interval_plot(plot: Intervals) -> Figure:
    """The panels from top to bottom."""
    line = DENSE if plot.actors else LINE
    heights = [line * max(2.0, _lines(panel)) + FRAME for panel in plot.panels]
    figure = new_figure(sum(heights) + (0.2 if plot.actors else 0.0))
    every = figure.subplots(len(plot.panels), 1, squeeze=False, height_ratios=heights)
    for axes, panel in zip(every[:, 0], plot.panels, strict=True):
        _panel(axes, panel, plot.actors)
    if plot.actors:
        handles, names = every[0, 0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=min(3, len(names)))
    return figure


def _labels(panel: Panel) -> list[Label]:
    return list(dict.fromkeys((row.label, row.against) for row in panel.rows))


def _lines(panel: Panel) -> float:
    """Lines of text that a panel takes: one a row, two a difference, half of one between several actors'."""
    labels = _labels(panel)
    count = len(panel.rows) + (0.5 * len(labels) if len(panel.rows) > len(labels) else 0.0)
    return count * (1.9 if any(against for _, against in labels) else 1.0)


def _panel(axes: Axes, panel: Panel, actors: tuple[str, ...]) -> None:
    labels = _labels(panel)
    y, ticks, told = 0.0, [], []
    seen: set[str] = set()
    for label in labels:
        rows = [row for row in panel.rows if (row.label, row.against) == label]
        ticks.append(y + (len(rows) - 1) / 2)
        for row in rows:
            at = actors.index(row.actor) if row.actor in actors else 0
            name = shown(row.actor) if row.actor and row.actor not in seen else None
            seen.add(row.actor)
            _whisker(axes, row.estimate, y, at, name)
            told.append((y, row.estimate))
            y += 1
        y += 0.5 if len(panel.rows) > len(labels) else 0.0
    axes.set_yticks(ticks, [_line_name(*label) for label in labels])
    axes.tick_params(axis="y", length=0, labelsize=7 if any(against for _, against in labels) else 8)
    axes.set_ylim(y - 0.4 if y else 0.6, -0.7)
    axes.set_title(shown(panel.title, 90), loc="left")
    axes.set_xlabel(shown(panel.axis, 90))
    axes.grid(axis="x", linewidth=0.4, alpha=0.5)
    axes.set_axisbelow(True)
    _scale(axes, panel)
    for at_line, estimate in told:
        axes.annotate(
            estimate_words(estimate),
            (1.01, at_line),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=7,
            annotation_clip=False,
        )


def _line_name(label: str, against: str) -> str:
    return f"{shown(label)}\n− {shown(against)}" if against else shown(label)


def _scale(axes: Axes, panel: Panel) -> None:
    if panel.scale == "amount":
        return
    if panel.scale == "share":
        axes.set_xlim(-0.02, 1.02)
        return
    ends = [
        abs(end)
        for row in panel.rows
        for end in (row.estimate.low, row.estimate.high, row.estimate.value)
        if end
    ]
    reach = min(1.02, 1.15 * max(ends, default=0.2))
    axes.set_xlim(-reach, reach)
    axes.axvline(0, color=SOFT, linewidth=0.8)


def _whisker(axes: Axes, estimate: Estimate, y: float, at: int, name: str | None) -> None:
    if estimate.low is not None and estimate.high is not None:
        axes.plot(
            [estimate.low, estimate.high], [y, y], color=colour(at), linewidth=1.2, solid_capstyle="butt"
        )
    if estimate.value is not None:
        axes.plot(
            [estimate.value],
            [y],
            color=colour(at),
            marker=marker(at),
            markersize=4.5,
            linestyle="",
            label=name,
        )


def estimate_words(estimate: Estimate) -> str:
    """ "0.371 [0.278, 0.475], n 89"."""
    if estimate.value is None:
        return f"{NO_VALUE}, n {estimate.n}"
    told = number(estimate.value)
    if estimate.low is not None and estimate.high is not None:
        told += f" [{number(estimate.low)}, {number(estimate.high)}]"
    return f"{told}, n {estimate.n}"


def number(value: float) -> str:
    """Three decimals, with a minus sign as axes have it."""
    return f"{value:.3f}".replace("-", "−")
