"""Regions: names of languages, time zones and places, checked, with the nearest known one.

What pages can see of where a visitor is: `navigator.language` and `Accept-Language`, the time zone, and the
position that geolocation tells. What they can see besides is the network's address, which no setting changes.
Names are those of BCP 47, and of the IANA time zone database with its tables of places and countries.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from webbench.core.text.nearest import nearest_names, suggestion

AUTO = "auto"
"""In place of a name: as the benchmark has it, else as the browser has it by itself."""

_TAG = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?")
_ISO_6709 = re.compile(r"([+-]\d{2})(\d{2})(\d{2})?([+-]\d{3})(\d{2})(\d{2})?")
_UNDETERMINED = "und"
_BRITAIN = ("uk", "united kingdom", "great britain")
"""What the database calls "Britain (UK)"."""


class Position(NamedTuple):
    """Degrees north and east."""

    latitude: float
    longitude: float


class _Places(NamedTuple):
    cities: dict[str, Position]
    """By time zone, such as "Europe/Berlin"."""
    first: dict[str, str]
    """The first city of each country, by its code."""
    countries: dict[str, str]
    """Codes by the names of countries in lower case."""


def checked_locale(text: str) -> str:
    """A language tag in its usual spelling ("de_de" becomes "de-DE"). Raises `ValueError`."""
    if text.strip().casefold() in ("", AUTO):
        return AUTO
    from langcodes import standardize_tag, tag_is_valid

    tag = text.strip().replace("_", "-")
    if tag and tag_is_valid(tag):
        usual = standardize_tag(tag)
        if _TAG.fullmatch(usual) and not usual.startswith(_UNDETERMINED):
            return usual
    raise ValueError(f"no language tag such as de-DE; {suggestion(tag, _common_tags())}")


def checked_timezone(text: str) -> str:
    """A time zone as the IANA database spells it. Raises `ValueError`."""
    if text.strip().casefold() in ("", AUTO):
        return AUTO
    found = _timezones().get(text.strip().casefold())
    if found is None:
        raise ValueError(f"no time zone such as Europe/Berlin; {_near_zones(text)}")
    return found


def checked_region(text: str) -> str:
    """A place: a country's code, a city of the time zone database, or "latitude, longitude".

    "germany" becomes "DE", "berlin" becomes "Europe/Berlin". Raises `ValueError`.
    """
    wanted = text.strip().casefold()
    if wanted in ("", AUTO):
        return AUTO
    if re.fullmatch(r"[-+\d.,;\s]+", wanted):
        return _checked_position(wanted)
    places = _places()
    if wanted.upper() in places.first:
        return wanted.upper()
    if wanted in places.countries:
        return places.countries[wanted]
    spelt = wanted.replace(" ", "_")
    for city in places.cities:
        if spelt in (city.casefold(), city.rpartition("/")[2].casefold()):
            return city
    known = [*places.cities, *(city.rpartition("/")[2] for city in places.cities), *places.countries]
    raise ValueError(
        f'no place such as "DE", "Europe/Berlin" or "52.5, 13.4"; {suggestion(spelt, tuple(known))}'
    )


def position_of(region: str) -> Position | None:
    """Where a checked region is; of a country its first city in the database. None for `AUTO` and "".

    Raises `ValueError` for what is no region.
    """
    if region in ("", AUTO):
        return None
    region = checked_region(region)
    places = _places()
    city = places.first.get(region, region)
    if city in places.cities:
        return places.cities[city]
    latitude, _, longitude = region.partition(", ")
    return Position(float(latitude), float(longitude))


def _checked_position(text: str) -> str:
    parts = [part for part in re.split(r"[,;\s]+", text) if part]
    try:
        latitude, longitude = map(float, parts)
    except ValueError:
        raise ValueError('no place; write "latitude, longitude", such as "52.5, 13.4"') from None
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        nearest = f"{max(-90.0, min(90.0, latitude)):g}, {max(-180.0, min(180.0, longitude)):g}"
        raise ValueError(f'no place: latitudes end at 90, longitudes at 180; nearest: "{nearest}"')
    return f"{latitude:g}, {longitude:g}"


def _near_zones(text: str) -> str:
    """A city alone is what people write most often."""
    spelt = text.strip().replace(" ", "_")
    zones = sorted(_timezones().values())
    by_city = {zone.rpartition("/")[2]: zone for zone in zones}
    near = [by_city[city] for city in nearest_names(spelt, by_city, 1)]
    if near and not nearest_names(spelt, zones, 1):
        return f'nearest: "{near[0]}"'
    return suggestion(spelt, zones)


def _common_tags() -> tuple[str, ...]:
    """Languages with countries, as systems have them."""
    from locale import locale_alias

    spelt = (name.partition(".")[0].partition("@")[0] for name in locale_alias.values())
    return tuple(
        sorted({name.replace("_", "-") for name in spelt if re.fullmatch("[a-z]{2,3}_[A-Z]{2}", name)})
    )


@cache
def _timezones() -> dict[str, str]:
    """Names by their lower case."""
    from importlib.resources import files

    names = (files("tzdata") / "zones").read_text(encoding="ascii").split()
    return {name.casefold(): name for name in names}


@cache
def _places() -> _Places:
    from importlib.resources import files

    folder = files("tzdata") / "zoneinfo"
    cities: dict[str, Position] = {}
    first: dict[str, str] = {}
    for code, where, city in _rows((folder / "zone.tab").read_text(encoding="utf-8"), 3):
        cities[city] = _position(where)
        first.setdefault(code, city)
    countries = {
        name.casefold(): code
        for code, name in _rows((folder / "iso3166.tab").read_text(encoding="utf-8"), 2)
        if code in first
    }
    countries |= dict.fromkeys(_BRITAIN, "GB")
    return _Places(cities, first, countries)


def _rows(text: str, columns: int) -> list[list[str]]:
    lines = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return [line[:columns] for line in lines]


def _position(text: str) -> Position:
    """Of ISO 6709, "+5230+01322": degrees, minutes, and perhaps seconds."""
    found = _ISO_6709.fullmatch(text)
    if found is None:
        raise ValueError(f"{text} is no position")
    north, minutes, seconds, east, east_minutes, east_seconds = found.groups(default="0")
    return Position(_degrees(north, minutes, seconds), _degrees(east, east_minutes, east_seconds))


def _degrees(whole: str, minutes: str, seconds: str) -> float:
    size = abs(int(whole)) + int(minutes) / 60 + int(seconds) / 3600
    return round(-size if whole.startswith("-") else size, 4)
