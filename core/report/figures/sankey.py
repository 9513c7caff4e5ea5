"""Ways through pages as a Sankey diagram: stations from left to right, ribbons as broad as their counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from webbench.core.report.figures.svg import clipped, colour, drawing, element, mark, text
from webbench.core.statistics.figures import Flow, Link
from webbench.core.text.escaped_html import escaped

WIDTH = 1200.0
TOP, HEIGHT, GAP = 34.0, 380.0, 16.0
STATION = 9.0

Station = tuple[int, str]
"""Place on the way and page state."""


def flow_drawing(figure: Flow, *, alone: bool = False) -> Markup:
    """Every link is drawn once per actor, in the actor's colour."""
    ends = _ends(figure)
    places = max((place for place, _ in ends), default=0) + 1
    scale = _scale(ends, places)
    tops = _tops(ends, places, scale)
    column = (WIDTH - STATION) / places
    parts: list[Markup] = [*_legend(figure), *_ribbons(figure, tops, scale, column)]
    for (place, name), size in ends.items():
        parts += _station(name, size, place * column, tops[place, name], scale, column)
    low = max((tops[station] + size * scale for station, size in ends.items()), default=HEIGHT)
    return drawing(WIDTH, max(low, TOP) + 20, parts, figure.title, alone=alone)


def _ends(figure: Flow) -> dict[Station, int]:
    """Every station with the larger of what comes in and goes out."""
    comes: dict[Station, int] = {}
    goes: dict[Station, int] = {}
    for link in figure.links:
        source, target = (link.place, link.source), (link.place + 1, link.target)
        goes[source] = goes.get(source, 0) + link.total
        comes[target] = comes.get(target, 0) + link.total
    return {one: max(comes.get(one, 0), goes.get(one, 0)) for one in (*goes, *comes)}


def _scale(ends: Mapping[Station, int], places: int) -> float:
    """Pixels for one episode, so that the fullest place fits."""
    fits = []
    for place in range(places):
        sizes = [size for (at, _), size in ends.items() if at == place]
        if sizes:
            fits.append(max(40.0, HEIGHT - GAP * (len(sizes) - 1)) / sum(sizes))
    return min(fits, default=1.0)


def _tops(ends: Mapping[Station, int], places: int, scale: float) -> dict[Station, float]:
    tops: dict[Station, float] = {}
    for place in range(places):
        y = TOP
        for station, size in sorted(ends.items(), key=lambda item: -item[1]):
            if station[0] == place:
                tops[station] = y
                y += size * scale + GAP
    return tops


def _ribbons(figure: Flow, tops: Mapping[Station, float], scale: float, column: float) -> Iterator[Markup]:
    goes, comes = dict(tops), dict(tops)
    for link in figure.links:
        source, target = (link.place, link.source), (link.place + 1, link.target)
        for at, actor in enumerate(figure.actors):
            broad = link.counts.get(actor, 0) * scale
            if broad:
                x = link.place * column + STATION
                yield _ribbon(
                    link, actor, colour(at), (x, goes[source]), (x + column - STATION, comes[target]), broad
                )
                goes[source] += broad
                comes[target] += broad


def _ribbon(
    link: Link, actor: str, fill: str, begin: tuple[float, float], end: tuple[float, float], broad: float
) -> Markup:
    (x1, y1), (x2, y2) = begin, end
    bend = (x1 + x2) / 2
    path = (
        f"M{x1:.1f},{y1:.1f} C{bend:.1f},{y1:.1f} {bend:.1f},{y2:.1f} {x2:.1f},{y2:.1f} "
        f"V{y2 + broad:.1f} "
        f"C{bend:.1f},{y2 + broad:.1f} {bend:.1f},{y1 + broad:.1f} {x1:.1f},{y1 + broad:.1f} Z"
    )
    title = element("title", escaped(f"{link.source} → {link.target}: {actor} {link.counts[actor]}"))
    return element("path", title, d=path, fill=fill, fill_opacity=0.45)


def _station(name: str, size: int, x: float, y: float, scale: float, column: float) -> Iterator[Markup]:
    title = element("title", escaped(f"{name}: {size}"))
    tall = max(2.0, size * scale)
    yield element("rect", title, x=x, y=y, width=STATION, height=tall, fill="currentColor")
    last = x + column > WIDTH
    where = x - 4 if last else x + STATION + 4
    words = f"{clipped(name, column - 60)} {size}"
    yield text(words, where, y + min(tall, 22) / 2 + 4, anchor="end" if last else "start")


def _legend(figure: Flow) -> Iterator[Markup]:
    for at, actor in enumerate(figure.actors):
        yield mark("square", 8 + 44 * at, 14, colour(at), actor)
        yield text(actor, 18 + 44 * at, 18)
