"""Quantities: money, distances, durations, coordinates, and dates and months as people write them.

Each raises ValueError for what it can't read.
"""

from __future__ import annotations

import calendar
import re
from datetime import timedelta
from decimal import Decimal, InvalidOperation

from webbench.core.json_types import Json

METRES: dict[str, Decimal] = {
    name: Decimal(size)
    for names, size in (
        ("m meter meters metre metres", "1"),
        ("k km kilometer kilometers kilometre kilometres", "1000"),
        ("cm centimeter centimeters centimetre centimetres", "0.01"),
        ("mi mile miles", "1609.344"),
        ("ft foot feet", "0.3048"),
        ("yd yard yards", "0.9144"),
        ("in inch inches", "0.0254"),
    )
    for name in names.split()
}
SECONDS: dict[str, float] = {
    name: size
    for names, size in (
        ("ms millisecond milliseconds", 0.001),
        ("s sec secs second seconds", 1),
        ("m min mins minute minutes", 60),
        ("h hr hrs hour hours", 3600),
        ("d day days", 86400),
        ("w wk wks week weeks", 604800),
        ("mo mon month months", 2592000),
        ("y yr yrs year years", 31536000),
    )
    for name in names.split()
}

_NUMBER = r"\d+(?:\.\d+)?"
_AMOUNT = re.compile(r"\d[\d.,]*|\.\d+")
_DISTANCE = re.compile(rf"([+-]?{_NUMBER}) ?([a-z]+)")
_PIECE = re.compile(rf"[\s,]*({_NUMBER}) ?([a-z]+)")
_CLOCK = re.compile(r"(?:(?:(\d+):)?(\d+):)?(\d+):(\d+(?:\.\d+)?)")
_CLOCK_HOURS = re.compile(r"(\d+):(\d+) ?hours?")
_DEGREES = re.compile(rf"([+-]?{_NUMBER}) ?°? ?([nsew]?)")


def currency(value: Json) -> Decimal:
    """An amount of money, symbols and thousands separators dropped.

    The last of dot and comma is the decimal separator, and a lone comma always is: "1,234" reads 1.234.
    """
    text = str(value)
    if value in (None, "", [], {}):
        raise ValueError("empty")
    found = _AMOUNT.search(text)
    if found is None:
        raise ValueError("no amount")
    point, other = (".", ",") if text.rfind(".") > text.rfind(",") else (",", ".")
    whole, _, part = found[0].rstrip(".,").replace(other, "").rpartition(point)
    digits = f"{whole.replace(point, '')}.{part}" if whole or point in found[0].rstrip(".,") else part
    return -Decimal(digits) if text.startswith("-") else Decimal(digits)


def distance(value: Json) -> Decimal:
    """In metres; a unit is needed."""
    found = _DISTANCE.fullmatch(str(value).replace(",", "").strip())
    if found is None or found[2] not in METRES:
        raise ValueError("no distance with a unit")
    return Decimal(found[1]) * METRES[found[2]]


def duration(value: Json) -> timedelta:
    """Of "2h 5min", "1 day, 2 hours", "4:13" (minutes), "1:35 hours", "4:13:02"."""
    text = _CLOCK_HOURS.sub(r"\1h \2m", str(value).strip())
    clock = _CLOCK.fullmatch(text)
    if clock is not None:
        days, hours, minutes, seconds = (float(part or 0) for part in clock.groups())
        return timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
    total, at = 0.0, 0
    while (piece := _PIECE.match(text, at)) is not None and piece[2] in SECONDS:
        total, at = total + float(piece[1]) * SECONDS[piece[2]], piece.end()
    if not at or text[at:].strip():
        raise ValueError("no duration with a unit")
    return timedelta(seconds=total)


def coordinates(value: Json) -> tuple[float, float]:
    """Latitude and longitude of {"lat…", "lon…"}, [a, b], or a text "40.7, -74.0" or "40.7N 74.0W"."""
    if isinstance(value, dict):
        pair = [_degrees(value, ("la", "latitude")), _degrees(value, ("lo", "longitude"))]
    elif isinstance(value, list | tuple) and len(value) == 2:
        pair = [float(part) for part in value]
    elif isinstance(value, str):
        found = list(_DEGREES.finditer(value.lower()))
        if len(found) != 2:
            raise ValueError("not two numbers")
        pair = [float(one[1]) * (-1 if one[2] in ("s", "w") else 1) for one in found]
    else:
        raise ValueError("no coordinates")
    if not -90 <= pair[0] <= 90:
        raise ValueError("the latitude is out of range")
    return pair[0], pair[1]


def _degrees(value: dict[str, Json], named: tuple[str, str]) -> float:
    least, whole = named
    for key, part in value.items():
        name = key.lower()
        if (len(name) >= len(least) and whole.startswith(name)) or (name == "lng" and least == "lo"):
            return float(part)
    raise ValueError(f"no {whole}")


def number(value: Json) -> float:
    """A number, or a text of one with commas and blanks in it."""
    if isinstance(value, int | float):
        return float(value)
    try:
        return float(Decimal(str(value).replace(",", "").replace(" ", "")))
    except InvalidOperation:
        raise ValueError("no number") from None


MONTHS = tuple(calendar.month_name)


def iso_date(value: Json) -> str:
    """ "2022-03-02" of "March 2nd, 2022", "03/02/2022" (month first), … Raises ValueError."""
    if not isinstance(value, str) or not value:
        raise ValueError("no date")
    return _parsed(re.sub(r",(?! )", ", ", value)).split("T")[0]


def month_name(value: Json) -> str:
    """ "January" of 1, "01", "jan", "January 2023". Raises ValueError."""
    if isinstance(value, bool) or value is None or value == "":
        raise ValueError("no month")
    try:
        number = int(value) if isinstance(value, str) or value == int(value) else 0
    except ValueError:
        number = int(_parsed(str(value)).split("-")[1])
    if not 1 <= number <= 12:
        raise ValueError("there are twelve months")
    return MONTHS[number]


def _parsed(text: str) -> str:
    """ISO form; what the text leaves out is that of 1 January 2000."""
    from datetime import datetime

    from dateutil import parser

    default = datetime(2000, 1, 1)  # noqa: DTZ001 - only its parts are taken
    try:
        return str(parser.parse(text[:100], dayfirst=False, default=default).isoformat())
    except (OverflowError, TypeError) as error:
        raise ValueError(f"no date: {error}") from None
