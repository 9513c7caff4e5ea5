"""Shares as points with whiskers, counts as columns, heat maps as shaded cells."""

from __future__ import annotations

import math
from collections.abc import Iterator

from markupsafe import Markup

from webbench.core.report.figures.svg import (
    SHAPES,
    clipped,
    colour,
    drawing,
    element,
    line,
    mark,
    text,
)
from webbench.core.statistics.figures import Bar, Bars, HeatMap
from webbench.core.text.escaped_html import escaped
from webbench.core.text.no_value import NO_VALUE

WIDTH = 860.0
LEFT, TOP, PLOT, BOTTOM = 46.0, 34.0, 220.0, 52.0
HEIGHT = TOP + PLOT + BOTTOM
CELL, LABEL, COUNT = 26.0, 96.0, 60.0


def bars_drawing(figure: Bars, *, alone: bool = False) -> Markup:
    """A plot of groups from left to right, the actors of a group side by side."""
    parts = [*_legend(figure), *_axes(figure)]
    step = (WIDTH - LEFT) / max(1, len(figure.groups))
    for place, group in enumerate(figure.groups):
        middle = LEFT + step * (place + 0.5)
        parts.append(text(clipped(group, step), middle, TOP + PLOT + 18, anchor="middle"))
        inside = {bar.actor: bar for bar in figure.bars if bar.group == group}
        beside = min(34.0, step / (len(figure.actors) + 1))
        for at, actor in enumerate(figure.actors):
            if actor in inside:
                x = middle + beside * (at - (len(figure.actors) - 1) / 2)
                draw = _point if figure.unit == "share" else _column
                parts += draw(inside[actor], _top(figure), x, at)
    if figure.over:
        parts.append(text(figure.over, LEFT + (WIDTH - LEFT) / 2, HEIGHT - 8, anchor="middle", soft=True))
    return drawing(WIDTH, HEIGHT, parts, figure.title, alone=alone)


def _legend(figure: Bars) -> Iterator[Markup]:
    for at, actor in enumerate(figure.actors):
        x = LEFT + 10 + 44 * at
        yield mark(SHAPES[at % len(SHAPES)], x, 14, colour(at), actor)
        yield text(actor, x + 9, 18)


def _axes(figure: Bars) -> Iterator[Markup]:
    for part in range(5):
        y = TOP + PLOT * (1 - part / 4)
        value = _top(figure) * part / 4
        yield line(LEFT, y, WIDTH, y, opacity=0.6 if not part else 0.15)
        yield text(
            f"{value:.2f}" if figure.unit == "share" else f"{value:.0f}", LEFT - 6, y + 4, anchor="end"
        )


def _top(figure: Bars) -> float:
    """Counts go up to a multiple of four, so that every line stands for a whole number."""
    return figure.top if figure.unit == "share" else 4.0 * math.ceil(figure.top / 4)


def _y(value: float, top: float) -> float:
    return TOP + PLOT * (1 - max(0.0, min(top, value)) / top)


def _point(bar: Bar, top: float, x: float, at: int) -> Iterator[Markup]:
    told = f"{bar.actor}, {bar.group}: {bar.value:.3f}, n {bar.n}"
    if bar.low is not None and bar.high is not None:
        low, high = _y(bar.low, top), _y(bar.high, top)
        told += f", {bar.low:.3f} to {bar.high:.3f}"
        for y in (low, high):
            yield line(x - 4, y, x + 4, y, stroke=colour(at))
        yield line(x, low, x, high, stroke=colour(at))
    yield mark(SHAPES[at % len(SHAPES)], x, _y(bar.value, top), colour(at), told)
    yield text(str(bar.n), x, TOP + PLOT + 32, size=9, anchor="middle", soft=True)


def _column(bar: Bar, top: float, x: float, at: int) -> Iterator[Markup]:
    y = _y(bar.value, top)
    title = element("title", escaped(f"{bar.actor}, {bar.group}: {bar.value:.0f} of {bar.n}"))
    yield element("rect", title, x=x - 8, y=y, width=16, height=TOP + PLOT - y, fill=colour(at))
    yield text(f"{bar.value:.0f}", x, y - 4, size=10, anchor="middle")
    yield text(bar.actor, x, TOP + PLOT + 32, size=9, anchor="middle", soft=True)


def heat_drawing(figure: HeatMap, *, alone: bool = False) -> Markup:
    """Rows of cells, darker for larger shares, each with its percentage."""
    wide = min(72.0, (WIDTH - LABEL - COUNT) / max(1, len(figure.columns)))
    width = LABEL + wide * len(figure.columns) + COUNT
    height = 24 + CELL * len(figure.rows) + 26
    parts = [
        text(name, LABEL + wide * (at + 0.5), 16, anchor="middle") for at, name in enumerate(figure.columns)
    ]
    parts.append(text("n", width - 8, 16, anchor="end", soft=True))
    for row, name in enumerate(figure.rows):
        y = 24 + CELL * row
        parts.append(text(clipped(name, LABEL - 8), LABEL - 8, y + 17, anchor="end"))
        for at, value in enumerate(figure.values[row]):
            parts += _cell(value, LABEL + wide * at, y, wide)
        parts.append(text(str(figure.counts[row]), width - 8, y + 17, anchor="end", soft=True))
    parts.append(text(figure.over, LABEL, height - 8, soft=True))
    return drawing(width, height, parts, figure.title, alone=alone)


def _cell(value: float | None, x: float, y: float, wide: float) -> Iterator[Markup]:
    if value is None:
        yield text(NO_VALUE, x + wide / 2, y + 17, anchor="middle", soft=True)
        return
    shade = 0.05 + 0.75 * value
    yield element(
        "rect", x=x + 1, y=y + 1, width=wide - 2, height=CELL - 2, fill=colour(0), fill_opacity=shade
    )
    yield text(f"{value * 100:.0f} %", x + wide / 2, y + 17, anchor="middle")
