"""Every site that the embedded server can serve."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from webbench.benchmarks.sample_sites.world import Site

SITES = {
    "shop": "webbench.benchmarks.sample_sites.shop.site:ShopSite",
    "admin": "webbench.benchmarks.sample_sites.admin.site:AdminSite",
    "annotation": "webbench.benchmarks.sample_sites.annotation.site:AnnotationSite",
    "bazaar": "webbench.benchmarks.sample_sites.bazaar.site:BazaarSite",
    "library": "webbench.benchmarks.sample_sites.library.site:LibrarySite",
    "forum": "webbench.benchmarks.sample_sites.forum.site:ForumSite",
    "forge": "webbench.benchmarks.sample_sites.forge.site:ForgeSite",
    "map": "webbench.benchmarks.sample_sites.map.site:MapSite",
    "encyclopaedia": "webbench.benchmarks.sample_sites.encyclopaedia.site:EncyclopaediaSite",
    "homepage": "webbench.benchmarks.sample_sites.homepage.site:HomepageSite",
}
"""Name, which is also the path it is mounted at → module and class, imported when a server is made."""


@cache
def every_site() -> tuple[Site, ...]:
    """One of each, in the order of `SITES`; always the same ones, so that a seed is built only once."""
    return tuple(_made(place) for place in SITES.values())


def _made(place: str) -> Site:
    module, _, name = place.partition(":")
    site: Site = getattr(import_module(module), name)()
    return site
