"""Every site that the embedded server can serve."""

from __future__ import annotations

from importlib import import_module

from webbench.benchmarks.demo.sites.world import Site

SITES = {
    "shop": "webbench.benchmarks.demo.sites.shop.site:ShopSite",
    "admin": "webbench.benchmarks.demo.sites.admin.site:AdminSite",
    "annotation": "webbench.benchmarks.demo.sites.annotation.site:AnnotationSite",
    "library": "webbench.benchmarks.demo.sites.library.site:LibrarySite",
    "forum": "webbench.benchmarks.demo.sites.forum.site:ForumSite",
    "forge": "webbench.benchmarks.demo.sites.forge.site:ForgeSite",
}
"""Name, which is also the path it is mounted at → module and class, imported when a server is made."""


def every_site() -> list[Site]:
    """A new one of each, in the order of `SITES`."""
    sites: list[Site] = []
    for place in SITES.values():
        module, _, name = place.partition(":")
        sites.append(getattr(import_module(module), name)())
    return sites
