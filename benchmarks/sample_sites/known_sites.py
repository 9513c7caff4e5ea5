"""Known sites: every one that the embedded server can serve."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from webbench.benchmarks.sample_sites.world import Site
from webbench.core.json_types import JsonObject

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

SITES = {
    "shop": "webbench.benchmarks.sample_sites.shop.site:ShopSite",
    "admin": "webbench.benchmarks.sample_sites.admin.site:AdminSite",
    "annotation": "webbench.benchmarks.sample_sites.annotation.site:AnnotationSite",
    "bazaar": "webbench.benchmarks.sample_sites.bazaar.site:BazaarSite",
    "library": "webbench.benchmarks.sample_sites.library.site:LibrarySite",
    "forum": "webbench.benchmarks.sample_sites.forum.site:ForumSite",
    "forge": "webbench.benchmarks.sample_sites.forge.site:ForgeSite",
    "map": "webbench.benchmarks.sample_sites.map.pages",
    "encyclopaedia": "webbench.benchmarks.sample_sites.encyclopaedia.pages",
    "homepage": "webbench.benchmarks.sample_sites.homepage.site:HomepageSite",
}
"""Name, which is also the path it is mounted at → module and class, imported when a server is made.

Of a site without state it is the module of its pages alone.
"""


@cache
def every_site() -> tuple[Site, ...]:
    """One of each, in the order of `SITES`; always the same ones, so that a seed is built only once."""
    return tuple(_made(name, place) for name, place in SITES.items())


def _made(name: str, place: str) -> Site:
    module, _, made = place.partition(":")
    if not made:
        return StatelessSite(name, module)
    site: Site = getattr(import_module(module), made)()
    return site


class StatelessSite:
    """A site that every task finds alike, and that keeps nothing."""

    shares = ""
    account = ""

    def __init__(self, name: str, pages: str) -> None:
        self.name = name
        self._pages = pages

    def build(self, database: sqlite3.Connection) -> None:
        """A database has to hold something to be copied."""
        database.execute("CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT)")

    def prepare(self, database: sqlite3.Connection, start: JsonObject) -> None:
        """Nothing is prepared."""

    def snapshot(self, database: sqlite3.Connection) -> JsonObject:  # noqa: ARG002 - there is no state
        return {}

    def routes(self) -> Sequence[BaseRoute]:
        routes: Sequence[BaseRoute] = import_module(self._pages).routes()
        return routes
