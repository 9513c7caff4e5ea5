"""Laptop Arena: tasks in WebArena's format, and the sites they run on, served on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from webbench.benchmarks.demo.bundles.actions import ReferenceFiles
from webbench.core.bundle import OpenSites
from webbench.core.errors import UsageError

HERE = Path(__file__).parent
SITES = {
    "SHOPPING": "shop",
    "SHOPPING_ADMIN": "admin",
    "REDDIT": "forum",
    "GITLAB": "forge",
}
"""WebArena's name of a site → the bundled one that stands for it."""

START = {"shop": {"visitor": ""}}
"""Starting state: nobody is at home on a site who didn't sign in."""


class LaptopArena(ReferenceFiles):
    name = "laptop-arena"
    benchmark = "webarena"
    title = "Laptop Arena: shop, shop admin, forum and forge, bundled"
    licence = "Apache-2.0"
    folder = HERE
    data = HERE / "tasks"

    @asynccontextmanager
    async def open(self, sites: Sequence[str] = ()) -> AsyncIterator[OpenSites]:
        """Fresh sites; each has its default account signed in through the storage state."""
        from webbench.benchmarks.demo.server import running_server
        from webbench.benchmarks.demo.sites.sessions import storage_state

        names = [_site(name) for name in sites or SITES]
        server = await asyncio.to_thread(running_server)
        world = await asyncio.to_thread(server.open, START, names)
        try:
            accounts = {
                name: site.account for name in world.databases if (site := server.sites[name]).account
            }
            yield OpenSites(
                addresses={
                    name: server.origin + world.base(site)
                    for name, site in SITES.items()
                    if site in world.databases
                },
                passthrough=(f"{server.origin}/",),
                storage_state=storage_state(world, server.origin, accounts),
            )
        finally:
            server.close(world)

    def serve(self, port: int) -> AbstractAsyncContextManager[OpenSites]:
        """All sites on this port of loopback, in their seeded state, until the context is left."""
        from webbench.benchmarks.demo.bundles.webarena.standalone import served

        return served(SITES, START, port)


def _site(name: str) -> str:
    if name not in SITES:
        raise UsageError(f"Laptop Arena has no site {name!r}", f"it has {', '.join(SITES)}")
    return SITES[name]


bundle = LaptopArena()
