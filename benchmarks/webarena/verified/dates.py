"""Dates and months as people write them."""

from __future__ import annotations

import calendar
import re

from webbench.core.json_types import Json

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

    default = datetime(2000, 1, 1)  # noqa: DTZ001
    try:
        return str(parser.parse(text[:100], dayfirst=False, default=default).isoformat())
    except (OverflowError, TypeError) as error:
        raise ValueError(f"no date: {error}") from None
