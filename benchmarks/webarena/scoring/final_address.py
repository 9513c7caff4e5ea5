"""Comparing the address an actor ended on with the reference, and canonical addresses of forum posts."""

from __future__ import annotations

from urllib.parse import parse_qs, urlparse

import msgspec

from webbench.benchmarks.webarena.scoring.reference_match import as_text
from webbench.core.errors import BadData
from webbench.core.json_types import Json

OR = " |OR| "
"""Stands between alternatives in references to addresses and page contents."""

GOLD_IN_PRED = "GOLD in PRED"
"""The only matching rule that the published code knows."""


class Address(msgspec.Struct, frozen=True):
    """The parts that are compared: "host:port/path" and the query's values."""

    base: str
    query: dict[str, list[str]]


class Wanted(msgspec.Struct, frozen=True):
    """A reference: host and path of each alternative, and per query key the values of all alternatives."""

    bases: tuple[str, ...]
    query: dict[str, tuple[str, ...]]


def parse_address(url: str) -> Address:
    """Slashes at the very end, scheme, fragment, path parameters and blank query values are dropped.

    Raises `BadData` for an address that can't be parsed (a broken IPv6 host).
    """
    text = url.rstrip("/")
    try:
        parts = urlparse(text)
        query = parse_qs(parts.query)
    except ValueError as error:
        raise BadData(f'the address "{url}" can\'t be parsed: {error}') from error
    return Address(parts.netloc + parts.path, query)


def parse_reference(reference: str) -> Wanted:
    """Raises `BadData` like `parse_address`."""
    bases: list[str] = []
    query: dict[str, dict[str, None]] = {}
    for alternative in reference.split(OR):
        address = parse_address(alternative)
        bases.append(address.base)
        for key, values in address.query.items():
            query.setdefault(key, {}).update(dict.fromkeys(values))
    return Wanted(tuple(bases), {key: tuple(values) for key, values in query.items()})


def check_rule(note: Json) -> None:
    """Raises `BadData` for a matching rule other than "GOLD in PRED"."""
    if note != GOLD_IN_PRED:
        raise BadData(
            f"the matching rule {note!r} of the address is unknown", f'there is only "{GOLD_IN_PRED}"'
        )


def reddit_post_url(url: str) -> str:
    """ ".../f/<forum>/<post>/" of any address below a post, any other address unchanged.

    Raises `BadData` for an address that can't be parsed.
    """
    try:
        parts = urlparse(as_text(url, "the address"))
    except ValueError as error:
        raise BadData(f'the address "{url}" can\'t be parsed: {error}') from error
    segments = parts.path.split("/")
    if len(segments) < 4 or segments[1] != "f":
        return url
    return f"{parts.scheme}://{parts.netloc}/f/{segments[2]}/{segments[3]}/"
