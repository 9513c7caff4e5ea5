"""Visiting a page: as whom, by settings and benchmarks, and as the page itself sees it."""

from __future__ import annotations

import msgspec

from webbench.core.environment import DEFAULT_LOCALE, EnvironmentSetup
from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.observation import Visitor
from webbench.core.settings.regions import AUTO, Position, position_of
from webbench.core.settings.settings import BrowserSettings
from webbench.core.text.plain_text import plain_clip

SEEN = """() => [
  navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.userAgent
]"""
"""What a page sees; an evaluator's probe."""

LONGEST = 60
"""Characters of a name that a page told."""

_SYSTEMS = (
    ("Windows", "Windows"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("iPhone", "iOS"),
    ("iPad", "iOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)
"""Parts of user agents, the most telling first."""

_BROWSERS = (
    ("Edg/", "Edge"),
    ("Firefox/", "Firefox"),
    ("HeadlessChrome/", "Headless Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)


def as_set(setup: EnvironmentSetup, settings: BrowserSettings) -> tuple[EnvironmentSetup, list[str]]:
    """A setup with what the settings say of the visitor, and what of the benchmark's own gave way to it."""
    asked = {
        name: value
        for name in ("locale", "timezone", "region")
        if (value := getattr(settings, name)) not in ("", AUTO)
    }
    if setup.joins:
        return setup, [
            f"pages are not told the {_plain(name)} {value} of your settings: their browser is the task's own"
            for name, value in asked.items()
        ]
    told = []
    for name, value in asked.items():
        own = getattr(setup, name)
        if own not in ("", DEFAULT_LOCALE, value):
            what = f"{_plain(name)} {value}"
            told.append(f"pages are told the {what}, by your settings; the benchmark's own is {own}")
    return msgspec.structs.replace(setup, **asked), told


def position(setup: EnvironmentSetup) -> Position | None:
    """What geolocation tells. Raises `BadData` for a region of a benchmark's that is none."""
    try:
        return position_of(setup.region)
    except ValueError as error:
        raise BadData(f"region {setup.region!r} is {error}") from error


def asked_visitor(setup: EnvironmentSetup) -> Visitor:
    """What is known of the visitor before a page is open: of a browser that is joined, nothing."""
    if setup.joins:
        return Visitor()
    return Visitor(
        locale=setup.locale, timezone=setup.timezone, region=setup.region, position=position(setup)
    )


def seen_visitor(setup: EnvironmentSetup, answer: Json) -> Visitor:
    """With what a page answered to `SEEN`."""
    asked = asked_visitor(setup)
    if not isinstance(answer, list) or len(answer) != 3:
        return asked
    locale, timezone, agent = (part if isinstance(part, str) else "" for part in answer)
    return Visitor(
        locale=plain_clip(locale, LONGEST) or asked.locale,
        timezone=plain_clip(timezone, LONGEST) or asked.timezone,
        region=asked.region,
        position=asked.position,
        system=_first(_SYSTEMS, agent),
        browser=_first(_BROWSERS, agent),
    )


def _plain(name: str) -> str:
    return name.replace("timezone", "time zone")


def _first(known: tuple[tuple[str, str], ...], agent: str) -> str:
    return next((name for part, name in known if part in agent), "")
