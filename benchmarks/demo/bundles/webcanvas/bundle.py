"""Laptop Live: tasks in Mind2Web-Live's format, and the two sites they run on, served on loopback.

The library is there in two versions. The tasks were written for version 1; version 2 is what a year does to
a site: a button moved, an address was renamed, a page is gone.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from webbench.benchmarks.demo.bundles.actions import ReferenceFiles
from webbench.core.bundle import OpenSites
from webbench.core.errors import UsageError

HERE = Path(__file__).parent
SITES = {"www.tidewater.example": "library", "www.harbourpine.example": "shop"}
"""Host name that the tasks write → the bundled site that stands for it."""

VERSIONS = (1, 2)


class LaptopLive(ReferenceFiles):
    name = "laptop-live"
    benchmark = "webcanvas"
    title = "Laptop Live: a library and a shop, bundled"
    licence = "Apache-2.0"
    folder = HERE
    data = HERE / "tasks.json"
    versions = VERSIONS

    def __init__(self, version: int = VERSIONS[0]) -> None:
        self.version = version

    def at_version(self, version: int) -> LaptopLive:
        """The same tasks over another version of the sites. Raises `UsageError` where there is none."""
        if version not in VERSIONS:
            known = " and ".join(map(str, VERSIONS))
            raise UsageError(f"the sites of {self.name} have no version {version}", f"there are {known}")
        return LaptopLive(version)

    @asynccontextmanager
    async def open(self, sites: Sequence[str] = ()) -> AsyncIterator[OpenSites]:
        from webbench.benchmarks.demo.server import running_server

        names = [_site(host) for host in sites or SITES]
        server = await asyncio.to_thread(running_server)
        start = {"library": {"version": self.version}}
        world = await asyncio.to_thread(server.open, start, names)
        try:
            yield OpenSites(
                addresses={
                    host: server.origin + world.base(site) for host, site in SITES.items() if site in names
                },
                passthrough=(f"{server.origin}/",),
            )
        finally:
            server.close(world)


def _site(host: str) -> str:
    if host not in SITES:
        raise UsageError(f"Laptop Live has no site {host!r}", f"it has {', '.join(SITES)}")
    return SITES[host]


bundle = LaptopLive()
