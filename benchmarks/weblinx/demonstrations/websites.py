"""WebLINX' categories of websites: which of the paper's 50 subcategories an address is of (table 12)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

FILE = Path(__file__).with_name("websites.json")
AI_TOOLS = "AI Tools"


class Website(msgspec.Struct, frozen=True, array_like=True):
    """A line of the paper's table."""

    category: str
    subcategory: str
    address: str


class _Typed(msgspec.Struct, frozen=True):
    websites: tuple[Website, ...]


@cache
def websites() -> tuple[Website, ...]:
    """The 155 of the paper, in its order."""
    return msgspec.json.decode(FILE.read_bytes(), type=_Typed).websites


def website_of(address: str) -> Website | None:
    """The website of an address: of those on its host the one whose path it continues the furthest.

    Hosts are compared without "www."; of a host with one website any path is of it, of a host with several
    only theirs. None for an address that the paper doesn't list.
    """
    host, path = _parts(address)
    here = _by_host().get(host, ())
    if len(here) == 1:
        return here[0][1]
    fitting = [(len(start), site) for start, site in here if path.startswith(start)]
    return max(fitting, key=lambda one: one[0])[1] if fitting else None


@cache
def _by_host() -> dict[str, Sequence[tuple[str, Website]]]:
    found: dict[str, list[tuple[str, Website]]] = {}
    for site in websites():
        host, path = _parts(site.address)
        found.setdefault(host, []).append((path, site))
    return {host: tuple(sites) for host, sites in found.items()}


def _parts(address: str) -> tuple[str, str]:
    """Host without "www.", path without its last slash; both empty for what is no address."""
    try:
        split = urlsplit(address)
        return (split.hostname or "").removeprefix("www."), split.path.rstrip("/")
    except ValueError:
        return "", ""
