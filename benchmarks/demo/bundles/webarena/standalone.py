"""Laptop Arena's sites served for a person: under fixed addresses, with nobody signed in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from webbench.core.bundle import OpenSites
from webbench.core.json_types import JsonObject
from webbench.core.site_settings import Account

TOKEN = "laptop"  # noqa: S105 - the first part of every address
_PASSWORD = "anchor-tide-7"  # noqa: S105 - the invented account's, printed for whoever serves the sites
ACCOUNTS = {
    "shop": Account("mara@lindqvist.example", _PASSWORD),
    "admin": Account("admin", "admin1234"),
    "forum": Account("mara_l", _PASSWORD),
    "forge": Account("mara", _PASSWORD),
}
"""Of the seeded databases, by the site's own name."""


@asynccontextmanager
async def served(sites: Mapping[str, str], start: JsonObject, port: int) -> AsyncIterator[OpenSites]:
    """A server of its own on this port, 0 for a free one.

    Args:
        sites: the format's name of each site → its own.

    Raises `EnvironmentDown` where the port is taken.
    """
    from webbench.benchmarks.demo.server import DemoServer
    from webbench.benchmarks.demo.sites.every import every_site

    server = DemoServer(every_site())
    await asyncio.to_thread(server.start, port)
    world = await asyncio.to_thread(server.open, start, list(sites.values()), TOKEN)
    try:
        yield OpenSites(
            addresses={name: server.origin + world.base(site) for name, site in sites.items()},
            passthrough=(f"{server.origin}/",),
            accounts={name: ACCOUNTS[site] for name, site in sites.items() if site in ACCOUNTS},
        )
    finally:
        server.close(world)
        server.stop()
