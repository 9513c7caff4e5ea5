"""A Sankey diagram drawn: stations from left to right, ribbons as broad as their episodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from webbench.core.analysis.paper.paper_figure import Flowing
from webbench.core.report.paper.plot_style import HATCHES, colour, new_figure, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Station = tuple[int, str]
"""Place on the way and page state."""

STATION, GAP = 0.035, 0.045
"""Of a column's breadth, and of the whole height."""


def flow_plot(plot: Flowing) -> Figure:
    """Ribbons in the actors' colours and hatches; names stand right of the stations, the last ones' left."""
    from matplotlib.patches import Patch

    sizes = _sizes(plot)
    figure = new_figure(4.2)
    axes = figure.subplots()
    axes.set_axis_off()
    most = max(sum(1 for one in sizes if one[0] == place) for place, _ in sizes)
    fullest = max(sum(size for (at, _), size in sizes.items() if at == place) for place, _ in sizes)
    scale = max(0.25, 1 - GAP * (most - 1)) / fullest
    tops = _tops(sizes, scale)
    _ribbons(axes, plot, tops, scale)
    last = max(place for place, _ in sizes)
    for (place, name), size in sizes.items():
        top = tops[place, name]
        axes.fill_between(
            [place, place + STATION], [top, top], [top + size * scale] * 2, color="black", linewidth=0
        )
        at_end = place == last
        axes.text(
            place - 0.02 if at_end else place + STATION + 0.02,
            top + size * scale / 2,
            f"{_short(name, max(10, 150 // (last + 1) - 3))} {size}",
            ha="right" if at_end else "left",
            va="center",
            fontsize=5.5,
            bbox={"facecolor": "white", "alpha": 0.65, "edgecolor": "none", "pad": 0.4},
        )
    axes.set_xlim(-0.02, last + STATION + 0.02)
    axes.set_ylim(max(tops[one] + size * scale for one, size in sizes.items()) + 0.01, -0.01)
    shades = [
        Patch(
            facecolor=colour(at), alpha=0.5, hatch=HATCHES[at % len(HATCHES)], label=shown(plot.names[actor])
        )
        for at, actor in enumerate(plot.flow.actors)
    ]
    figure.legend(handles=shades, loc="outside lower center", ncols=min(3, len(shades)))
    return figure


def _short(name: str, most: int) -> str:
    """The end of an address tells more than its beginning."""
    told = shown(name, 400)
    return told if len(told) <= most else f"…{told[1 - most :]}"


def _sizes(plot: Flowing) -> dict[Station, int]:
    """Every station with the larger of what comes in and goes out."""
    comes: dict[Station, int] = {}
    goes: dict[Station, int] = {}
    for link in plot.flow.links:
        source, target = (link.place, link.source), (link.place + 1, link.target)
        goes[source] = goes.get(source, 0) + link.total
        comes[target] = comes.get(target, 0) + link.total
    return {one: max(comes.get(one, 0), goes.get(one, 0)) for one in (*goes, *comes)}


def _tops(sizes: Mapping[Station, int], scale: float) -> dict[Station, float]:
    tops: dict[Station, float] = {}
    for place in sorted({place for place, _ in sizes}):
        y = 0.0
        for station, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
            if station[0] == place:
                tops[station] = y
                y += size * scale + GAP
    return tops


def _ribbons(axes: Axes, plot: Flowing, tops: Mapping[Station, float], scale: float) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    goes, comes = dict(tops), dict(tops)
    for link in plot.flow.links:
        source, target = (link.place, link.source), (link.place + 1, link.target)
        for at, actor in enumerate(plot.flow.actors):
            broad = link.counts.get(actor, 0) * scale
            if not broad:
                continue
            left, right = link.place + STATION, link.place + 1.0
            bend = (left + right) / 2
            above, below = goes[source], comes[target]
            corners = [
                *((left, above), (bend, above), (bend, below), (right, below), (right, below + broad)),
                *((bend, below + broad), (bend, above + broad), (left, above + broad), (left, above)),
            ]
            codes = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
            axes.add_patch(
                PathPatch(
                    Path(corners, codes),
                    facecolor=colour(at),
                    alpha=0.5,
                    hatch=HATCHES[at % len(HATCHES)],
                    edgecolor="white",
                    linewidth=0,
                )
            )
            goes[source] += broad
            comes[target] += broad
