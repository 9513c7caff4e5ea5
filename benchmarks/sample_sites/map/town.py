"""The town: junctions, streets, places; what is found by words, and where it lies.

Points are metres east and north of the south-west corner.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("sandholm.json")
TOWN, POSTCODE = "Sandholm", "452 30"
_ORIGIN = (58.3500, 11.2000)
_METRES = (111_320.0, 58_400.0)
"""Of a degree of latitude, and of one of longitude up here."""
MOST_WORDS = 12

Point = tuple[float, float]


class Place(NamedTuple):
    """Something that has a page of its own.

    Attributes:
        kind: café, pharmacy, address …
        street: with its number, "" where there is none.
        hours: days → times, in the order in which they are shown; empty where they aren't known.
        junction: where its street reaches it, "" where no street does.
    """

    slug: str
    name: str
    kind: str
    street: str
    phone: str
    hours: Mapping[str, str]
    at: Point
    junction: str
    about: str

    @property
    def address(self) -> str:
        return ", ".join(part for part in (self.street, f"{POSTCODE} {TOWN}") if part)

    @property
    def coordinates(self) -> str:
        """Degrees north and east: "58.36212, 11.21541"."""
        east, north = self.at
        latitude, longitude = _ORIGIN[0] + north / _METRES[0], _ORIGIN[1] + east / _METRES[1]
        return f"{latitude:.5f}, {longitude:.5f}"


class Street(NamedTuple):
    """A way along junctions.

    Attributes:
        ways: who may use it: car, bike, foot.
    """

    name: str
    ways: frozenset[str]
    junctions: tuple[str, ...]


class Town(NamedTuple):
    junctions: Mapping[str, Point]
    streets: tuple[Street, ...]
    places: Mapping[str, Place]
    shore: tuple[Point, ...]
    """Corners of the land."""
    river: tuple[Point, ...]


@cache
def town() -> Town:
    """Read once per process."""
    read = json.loads(FILE.read_text("utf-8"))
    junctions = {name: (float(east), float(north)) for name, (east, north) in read["junctions"].items()}
    streets = tuple(
        Street(name, frozenset(ways.split()), tuple(along.split())) for name, ways, along in read["streets"]
    )
    places = [_place(one, junctions, read["hours"]) for one in read["places"]]
    return Town(
        junctions,
        streets,
        {place.slug: place for place in places},
        tuple((float(east), float(north)) for east, north in read["shore"]),
        tuple((float(east), float(north)) for east, north in read["river"]),
    )


def _place(
    one: Mapping[str, str], junctions: Mapping[str, Point], hours: Mapping[str, Mapping[str, str]]
) -> Place:
    junction, east, north = (*one["at"].split(), "0", "0")[:3]
    near = junctions.get(junction, (0.0, 0.0))
    return Place(
        slug=slug_of(one["name"]),
        name=one["name"],
        kind=one["kind"],
        street=one.get("street", ""),
        phone=one.get("phone", ""),
        hours=hours.get(one.get("hours", ""), {}),
        at=(near[0] + float(east), near[1] + float(north)),
        junction=junction if junction in junctions else "",
        about=one.get("about", ""),
    )


def slug_of(name: str) -> str:
    """As a name stands in an address: "cafe-kajplats"."""
    plain = name.casefold().translate(str.maketrans("åäöé", "aaoe"))
    return "-".join(re.findall(r"[a-z0-9]+", plain))


def found(asked: str) -> Sequence[Place]:
    """Places that have every word in name, kind or address, those first whose name has most of them."""
    words = _words(asked)[:MOST_WORDS]
    fitting = [place for place in town().places.values() if words and _holds_words(place, words)]
    return sorted(fitting, key=lambda place: (-_named(place, words), place.name.casefold()))


def meant(asked: str) -> Place | None:
    """The one place that a text means: by its name or address as a whole, else the only one that is found."""
    wanted = _words(asked)
    for place in town().places.values():
        if wanted and wanted in (_words(place.name), _words(place.street), _words(place.address)):
            return place
    fitting = found(asked)
    return fitting[0] if len(fitting) == 1 else None


def within(middle: Point, width: float, height: float) -> Sequence[Place]:
    """Places in a rectangle of so many metres around a point, the nearest to its middle first."""
    inside = [
        place
        for place in town().places.values()
        if abs(place.at[0] - middle[0]) <= width / 2 and abs(place.at[1] - middle[1]) <= height / 2
    ]
    return sorted(inside, key=lambda place: (math.dist(place.at, middle), place.name))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _holds_words(place: Place, words: Sequence[str]) -> bool:
    """A number has to stand there as a whole: the house 1 is not the house 12."""
    there = _words(f"{place.name} {place.kind} {place.address}")
    text = " ".join(there)
    return all(word in there if word.isdigit() else word in text for word in words)


def _named(place: Place, words: Sequence[str]) -> int:
    name = _words(place.name)
    return sum(word in name for word in words)
