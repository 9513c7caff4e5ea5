"""The shop's own calendar: it is always the same morning, so that every episode sees the same shop."""

from __future__ import annotations

from datetime import date, datetime

NOW = datetime(2026, 5, 14, 10, 0)  # noqa: DTZ001 - a calendar without time zones
"""When every episode takes place."""


def day(text: str) -> str:
    """An ISO date or time as people write the day: "2 November 2025"; "" stays so."""
    return f"{date.fromisoformat(text[:10]):%-d %B %Y}" if text else ""


def is_day(text: str) -> bool:
    """Whether it is a date such as 2026-05-14."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
