"""Directions: the quickest way along streets, by car, by bicycle or on foot."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from webbench.benchmarks.sample_sites.map.town import Place, Point, town

ENGINES: Mapping[str, tuple[str, str, float]] = {
    "car": ("Car", "car", 500.0),
    "bike": ("Bicycle", "bike", 250.0),
    "foot": ("Foot", "foot", 80.0),
}
"""Name in addresses → what it is called, the ways it uses, metres a minute."""


class Leg(NamedTuple):
    """Along one street.

    Attributes:
        metres: its length.
    """

    street: str
    towards: str
    metres: float


class Way(NamedTuple):
    """From one place to another.

    Attributes:
        metres: of the whole way, that from and to the doors included.
        line: its corners.
    """

    metres: float
    minutes: int
    legs: tuple[Leg, ...]
    line: tuple[Point, ...]

    @property
    def distance(self) -> str:
        return distance(self.metres)

    @property
    def time(self) -> str:
        """As hours and minutes: "0:09"."""
        return f"{self.minutes // 60}:{self.minutes % 60:02}"


def distance(metres: float) -> str:
    """ "850 m" to the next ten, from 1,000 m on "1.2 km"."""
    return f"{metres / 1000:.1f} km" if round(metres, -1) >= 1000 else f"{round(metres, -1):.0f} m"


def way(start: Place, end: Place, engine: str) -> Way | None:
    """The shortest way; None where no street leads from one to the other.

    Args:
        engine: one of `ENGINES`.
    """
    _, ways, speed = ENGINES[engine]
    if not (start.junction and end.junction):
        return None
    passed = _shortest(start.junction, end.junction, ways)
    if passed is None:
        return None
    points = town().junctions
    first, last = math.dist(start.at, points[start.junction]), math.dist(end.at, points[end.junction])
    legs = tuple(_legs(passed, ways))
    metres = first + sum(leg.metres for leg in legs) + last
    line = (start.at, *(points[junction] for junction in passed), end.at)
    return Way(metres, max(1, round(metres / speed)), legs, line)


@cache
def _network(ways: str) -> Mapping[str, Mapping[str, tuple[float, str]]]:
    """Junction → its neighbours, with the metres and the street between them."""
    points = town().junctions
    found: dict[str, dict[str, tuple[float, str]]] = {junction: {} for junction in points}
    for street in town().streets:
        if ways in street.ways:
            for one, other in pairwise(street.junctions):
                metres = math.dist(points[one], points[other])
                found[one][other] = found[other][one] = (metres, street.name)
    return found


def _shortest(start: str, end: str, ways: str) -> tuple[str, ...] | None:
    network = _network(ways)
    waiting: list[tuple[float, tuple[str, ...]]] = [(0.0, (start,))]
    seen: set[str] = set()
    while waiting:
        metres, passed = heapq.heappop(waiting)
        here = passed[-1]
        if here == end:
            return passed
        if here in seen:
            continue
        seen.add(here)
        for neighbour, (further, _) in network[here].items():
            if neighbour not in seen:
                heapq.heappush(waiting, (metres + further, (*passed, neighbour)))
    return None


def _legs(passed: tuple[str, ...], ways: str) -> Iterator[Leg]:
    """One for each street, however many junctions it passes."""
    network, points = _network(ways), town().junctions
    street, metres, start = "", 0.0, passed[0]
    for one, other in pairwise(passed):
        further, named = network[one][other]
        if named != street and street:
            yield Leg(street, _heading(points[start], points[one]), metres)
            metres, start = 0.0, one
        street, metres = named, metres + further
    if street:
        yield Leg(street, _heading(points[start], points[passed[-1]]), metres)


def _heading(start: Point, end: Point) -> str:
    angle = math.degrees(math.atan2(end[0] - start[0], end[1] - start[1])) % 360
    names = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
    return names[round(angle / 45) % 8]
