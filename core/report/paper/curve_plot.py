"""Curves, points and counts drawn: survival in steps, success over an amount, counts by group."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any

from webbench.core.analysis.paper.paper_figure import Curves, Growth, Histogram, Scatter, Scatters
from webbench.core.report.paper.plot_style import (
    DASHES,
    HATCHES,
    colour,
    marker,
    new_figure,
    shown,
)
from webbench.core.statistics.survival import Survival

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_TICKS = 8
"""Of the numbers at risk below a survival curve."""


def curve_plot(plot: Curves) -> Figure:
    """Each curve with its band, ticks where somebody is censored, and how many are at risk below."""
    figure = new_figure(3.0 + 0.16 * len(plot.curves))
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3.0, 0.1 + 0.16 * len(plot.curves)])
    last = max((curve.times[-1] for _, curve in plot.curves if curve.times), default=1.0)
    for at, (actor, curve) in enumerate(plot.curves):
        _survival(upper, curve, at, f"{shown(actor)}, n {curve.n}")
    upper.set_ylim(-0.02, 1.03)
    upper.set_xlim(0, last * 1.02)
    upper.set_ylabel("share still on the way")
    upper.grid(linewidth=0.4, alpha=0.5)
    handles, names = upper.get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=min(2, len(names)))
    every = max(1, round(last / MOST_TICKS))
    places = list(range(0, int(last) + 1, every))
    for at, (_, curve) in enumerate(plot.curves):
        for place in places:
            lower.text(place, at, str(at_risk(curve, place)), ha="center", va="center", fontsize=7)
    lower.set_yticks(range(len(plot.curves)), [shown(actor, 28) for actor, _ in plot.curves], fontsize=7)
    lower.set_ylim(len(plot.curves) - 0.4, -0.6)
    lower.set_xticks(places)
    lower.tick_params(axis="y", length=0, pad=14)
    lower.spines["left"].set_visible(False)
    lower.set_title("at risk", loc="left", fontsize=7)
    lower.set_xlabel(shown(plot.axis))
    return figure


def at_risk(curve: Survival, time: float) -> int:
    """How many nothing has happened to, and are known, just before this time."""
    gone = zip(curve.times, curve.events, curve.censored, strict=True)
    return curve.n - sum(events + censored for place, events, censored in gone if place < time)


def _survival(axes: Axes, curve: Survival, at: int, name: str) -> None:
    times, shares = [0.0, *curve.times], [1.0, *curve.shares]
    axes.step(times, shares, where="post", color=colour(at), linestyle=DASHES[at % len(DASHES)], label=name)
    low = [1.0, *(share if one is None else one for one, share in zip(curve.low, curve.shares, strict=True))]
    high = [
        1.0,
        *(share if one is None else one for one, share in zip(curve.high, curve.shares, strict=True)),
    ]
    axes.fill_between(times, low, high, step="post", color=colour(at), alpha=0.13, linewidth=0)
    lost = [
        (time, share)
        for time, share, count in zip(curve.times, curve.shares, curve.censored, strict=True)
        if count
    ]
    axes.plot(*zip(*lost, strict=True), "|", color=colour(at), markersize=7) if lost else None


def scatter_plot(plot: Scatters) -> Figure:
    """Panels of points by actor, side by side; empty panels are left out."""
    figure = new_figure(3.1)
    panels = [panel for panel in plot.panels if panel.points]
    every = list(figure.subplots(1, len(panels), squeeze=False)[0])
    handles: dict[str, Any] = {}
    for axes, panel in zip(every, panels, strict=True):
        _points(axes, panel, plot.actors)
        handles |= dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    figure.legend(
        list(handles.values()), list(handles), loc="outside lower center", ncols=min(3, len(handles))
    )
    return figure


def _points(axes: Axes, panel: Scatter, actors: tuple[str, ...]) -> None:
    axes.set_title(shown(panel.title), loc="left")
    broad = max(one.x for one in panel.points) - min(one.x for one in panel.points)
    for at, actor in enumerate(actors):
        own = [one for one in panel.points if one.actor == actor and one.estimate.value is not None]
        if not own:
            continue
        aside = 0.012 * broad * (at - (len(actors) - 1) / 2) if panel.joined else 0.0
        line = DASHES[at % len(DASHES)] if panel.joined else ""
        axes.plot(
            [one.x + aside for one in own],
            [one.estimate.value or 0.0 for one in own],
            color=colour(at),
            marker=marker(at),
            markersize=4,
            linestyle=line,
            linewidth=0.8,
            label=shown(actor),
        )
        for one in own:
            if one.estimate.low is not None and one.estimate.high is not None:
                axes.plot(
                    [one.x + aside] * 2,
                    [one.estimate.low, one.estimate.high],
                    color=colour(at),
                    linewidth=0.8,
                    alpha=0.6,
                )
            top = one.estimate.value if one.estimate.high is None else one.estimate.high
            place = (one.x + aside, top or 0.0)
            axes.annotate(
                f"{one.estimate.n}",
                *(place, (0, 4)),
                textcoords="offset points",
                ha="center",
                fontsize=6,
                color=colour(at),
            )
    axes.set_ylim(-0.04, 1.12)
    axes.margins(x=0.12)
    axes.set_ylabel("share solved (numbers: n)")
    axes.set_xlabel(shown(panel.axis))
    axes.grid(linewidth=0.4, alpha=0.5)


def growth_plot(plot: Growth) -> Figure:
    """A bar for what is new at each place, a line for all so far; both count on the same axis."""
    from matplotlib.ticker import MaxNLocator

    figure = new_figure(2.4)
    axes = figure.subplots()
    places = range(1, len(plot.new) + 1)
    axes.bar(places, plot.new, 0.7, color=colour(1), hatch=HATCHES[1], edgecolor="white", label="new")
    axes.step(places, list(accumulate(plot.new)), where="mid", color=colour(0), label="so far")
    axes.set_xlim(0.3, len(plot.new) + 0.7)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylabel("codes")
    axes.set_xlabel(shown(plot.axis, 90))
    axes.grid(axis="y", linewidth=0.4, alpha=0.5)
    axes.set_axisbelow(True)
    axes.legend(loc="center right")
    return figure


def histogram_plot(plot: Histogram) -> Figure:
    """Actors side by side in each group, hatched apart."""
    from matplotlib.ticker import MaxNLocator

    figure = new_figure(2.8)
    axes = figure.subplots()
    broad = 0.84 / max(1, len(plot.counts))
    gap = [0.4 if at >= len(plot.groups) - plot.apart else 0.0 for at in range(len(plot.groups))]
    for at, (actor, counts) in enumerate(plot.counts):
        places = [
            place + gap[place] + broad * (at - (len(plot.counts) - 1) / 2) for place in range(len(counts))
        ]
        name = f"{shown(actor)}, n {sum(counts)}"
        hatch = HATCHES[at % len(HATCHES)]
        bars = axes.bar(
            places, counts, broad, color=colour(at), hatch=hatch, edgecolor="white", linewidth=0.4, label=name
        )
        axes.bar_label(bars, [str(count) if count else "" for count in counts], fontsize=6, padding=1)
    axes.set_xticks([place + gap[place] for place in range(len(plot.groups))], list(plot.groups))
    axes.tick_params(axis="x", length=0)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylabel("attempts")
    axes.set_xlabel(shown(plot.axis, 90))
    axes.legend()
    return figure
