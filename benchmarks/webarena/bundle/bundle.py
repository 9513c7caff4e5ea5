"""Laptop Arena: tasks in WebArena's format, and the sites they run on, served on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import msgspec

from webbench.benchmarks.sample_sites.bundle_sites import opened, sample_sites_of
from webbench.benchmarks.sample_sites.reference_actions import ReferenceFiles
from webbench.core.benchmark.bundle import OpenSites

HERE = Path(__file__).parent
SITES = {
    "SHOPPING": "shop",
    "SHOPPING_ADMIN": "admin",
    "REDDIT": "forum",
    "GITLAB": "forge",
    "MAP": "map",
    "WIKIPEDIA": "encyclopaedia",
    "HOMEPAGE": "homepage",
}
"""WebArena's name of a site → the bundled one that stands for it."""

HOMEPAGE = "HOMEPAGE"
START = {"shop": {"visitor": ""}}
"""Starting state: nobody is at home on a site who didn't sign in."""


class LaptopArena(ReferenceFiles):
    name = "laptop-arena"
    benchmark = "webarena"
    title = "Laptop Arena: shop, shop admin, forum, forge, map, encyclopaedia and homepage, bundled"
    licence = "Apache-2.0"
    folder = HERE
    data = HERE / "tasks"

    @asynccontextmanager
    async def open(self, sites: Sequence[str] = ()) -> AsyncIterator[OpenSites]:
        """Fresh sites; each has its default account signed in through the storage state.

        With the homepage come all sites, because it leads to them.
        """
        from webbench.benchmarks.sample_sites.server import running_server
        from webbench.benchmarks.sample_sites.sessions import storage_state

        names = sample_sites_of("Laptop Arena", SITES, () if HOMEPAGE in sites else sites)
        server = await asyncio.to_thread(running_server)
        async with opened(server, SITES, names, START) as (world, found):
            accounts = {
                name: site.account for name in world.databases if (site := server.sites[name]).account
            }
            state = storage_state(world, server.origin, accounts)
            yield msgspec.structs.replace(found, storage_state=state)

    def serve(self, port: int) -> AbstractAsyncContextManager[OpenSites]:
        """All sites on this port of loopback, in their seeded state, until the context is left."""
        from webbench.benchmarks.webarena.bundle.standalone import served

        return served(SITES, START, port)


bundle = LaptopArena()
