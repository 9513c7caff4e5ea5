"""The images that WebArena's sites come in, as `images.toml` lists them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from webbench.core.errors import UsageError
from webbench.core.text.nearest import suggestion

PULL = "pull"
NO_IMAGE = {
    "MAP": "WebArena publishes its map as a machine image alone; `--edition verified` has it in a container",
    "HOMEPAGE": "the homepage is a small program of WebArena's repository; no image of it is published",
}
"""Sites that an edition has no image of, and why."""


class SiteImage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One site in one edition; `images.toml` tells of the fields."""

    image: str
    port: int
    inner: int
    load: str
    size: str
    control: int = 0
    path: str = ""
    command: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    volumes: tuple[str, ...] = ()
    setup: tuple[tuple[str, ...], ...] = ()


@cache
def editions() -> Mapping[str, Mapping[str, SiteImage]]:
    """By edition, by site ("SHOPPING")."""
    text = Path(__file__).with_name("images.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, dict[str, SiteImage]])


def wanted_images(edition: str, sites: Sequence[str]) -> dict[str, SiteImage]:
    """The images of the named sites; without a name those that need no data beside their image.

    Raises `UsageError` for a site that the edition has no image of.
    """
    known = editions()[edition]
    if not sites:
        return {site: image for site, image in known.items() if not image.volumes}
    found = {}
    for named in sites:
        site = named.upper()
        if site not in known:
            why = NO_IMAGE.get(site, suggestion(site, tuple(known)))
            raise UsageError(f"There is no image of a site {named!r} in the edition {edition}", why)
        found[site] = known[site]
    return found
