"""Laptop Arena's sites served for a person: under fixed addresses, with nobody signed in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import msgspec

from webbench.benchmarks.sample_sites.bundle_sites import opened
from webbench.core.benchmark.bundle import OpenSites
from webbench.core.json_types import JsonObject
from webbench.core.settings.site_settings import Account

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
    from webbench.benchmarks.sample_sites.known_sites import every_site
    from webbench.benchmarks.sample_sites.server import DemoServer

    server = DemoServer(every_site())
    await asyncio.to_thread(server.start, port)
    try:
        async with opened(server, sites, list(sites.values()), start, TOKEN) as (_, found):
            accounts = {name: ACCOUNTS[site] for name, site in sites.items() if site in ACCOUNTS}
            yield msgspec.structs.replace(found, accounts=accounts)
    finally:
        server.stop()
