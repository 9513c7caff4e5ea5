"""What part of the map is shown, how it is moved, and its drawing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup, escape

from webbench.benchmarks.sample_sites.map.directions import Way
from webbench.benchmarks.sample_sites.map.town import Place, Point, town, within

WIDTH, HEIGHT = 900, 640
"""Of the drawing, in pixels."""
CLOSEST, WIDEST = 17, 13
MIDDLE = (1700.0, 1250.0)
FIRST_ZOOM = 14
NAMES_FROM = 15
"""From this zoom on, places bear their names."""


class View(NamedTuple):
    """A part of the map.

    Attributes:
        zoom: 13, all of it, to 17; each step halves what is seen.
    """

    zoom: int
    middle: Point

    @property
    def metres(self) -> tuple[float, float]:
        """Width and height of what is seen."""
        scale = self.scale
        return WIDTH / scale, HEIGHT / scale

    @property
    def scale(self) -> float:
        """Pixels a metre."""
        return float(0.2 * 2 ** (self.zoom - WIDEST))

    @property
    def places(self) -> Sequence[Place]:
        """The places in sight."""
        return within(self.middle, *self.metres)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """West, south, east, north."""
        (east, north), (width, height) = self.middle, self.metres
        return east - width / 2, north - height / 2, east + width / 2, north + height / 2

    def query(self) -> str:
        """As it stands in an address."""
        east, north = self.middle
        return urlencode({"zoom": self.zoom, "east": round(east), "north": round(north)})

    def moved(self, east: float, north: float) -> View:
        """By so many of its own halves, within the map."""
        width, height = self.metres
        (here, there), (most, top) = self.middle, (3600.0, 2900.0)
        middle = (here + east * width / 2, there + north * height / 2)
        return View(self.zoom, (min(max(middle[0], 0.0), most), min(max(middle[1], 0.0), top)))

    def closer(self, steps: int) -> View:
        """Negative steps show more."""
        return View(min(max(self.zoom + steps, WIDEST), CLOSEST), self.middle)


def around(points: Sequence[Point]) -> View:
    """The closest view that has all of the points."""
    east, north = [point[0] for point in points], [point[1] for point in points]
    middle = ((min(east) + max(east)) / 2, (min(north) + max(north)) / 2)
    for zoom in range(CLOSEST - 1, WIDEST, -1):
        width, height = View(zoom, middle).metres
        if max(east) - min(east) < 0.8 * width and max(north) - min(north) < 0.8 * height:
            return View(zoom, middle)
    return View(WIDEST, middle)


def drawing(view: View, marked: Sequence[Place] = (), way: Way | None = None) -> Markup:
    """The view as SVG."""
    land, river = _points(view, town().shore), _points(view, town().river)
    parts = [
        Markup('<rect class="sea" width="{}" height="{}"/>').format(WIDTH, HEIGHT),
        Markup('<polygon class="land" points="{}"/>').format(land),
        Markup('<polyline class="river" points="{}" stroke-width="{}"/>').format(river, 70 * view.scale),
    ]
    for street in town().streets:
        line = _points(view, [town().junctions[one] for one in street.junctions])
        kind = "road" if "car" in street.ways else "path"
        parts.append(Markup('<polyline class="{}" points="{}"/>').format(kind, line))
    parts += [_street_name(view, street.name, street.junctions) for street in town().streets]
    if way is not None:
        parts.append(Markup('<polyline class="way" points="{}"/>').format(_points(view, way.line)))
    parts += [_dot(view, place, place in marked) for place in view.places]
    label = f"Map of Sandholm, zoom {view.zoom}"
    head = Markup('<svg class="map" role="img" aria-label="{}" viewBox="0 0 {} {}">').format(
        label, WIDTH, HEIGHT
    )
    return head + Markup("").join(parts) + Markup("</svg>")


def _pixel(view: View, point: Point) -> Point:
    west, _, _, north = view.bounds
    return (point[0] - west) * view.scale, (north - point[1]) * view.scale


def _points(view: View, points: Sequence[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in (_pixel(view, point) for point in points))


def _street_name(view: View, name: str, junctions: Sequence[str]) -> Markup:
    """In the middle of the street's longest stretch."""
    points = [_pixel(view, town().junctions[one]) for one in junctions]
    (x1, y1), (x2, y2) = max(pairwise(points), key=lambda ends: math.dist(*ends))
    return Markup('<text class="street" x="{:.1f}" y="{:.1f}">{}</text>').format(
        (x1 + x2) / 2, (y1 + y2) / 2 - 4, escape(name)
    )


def _dot(view: View, place: Place, marked: bool) -> Markup:
    x, y = _pixel(view, place.at)
    dot = Markup('<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="{}"/>').format(
        "marked" if marked else "place", x, y, 10 if marked else 5
    )
    if not marked and (view.zoom < NAMES_FROM or place.kind == "address"):
        return dot
    return dot + Markup('<text class="name" x="{:.1f}" y="{:.1f}">{}</text>').format(
        x + 12, y + 4, escape(place.name)
    )
