"""Laptop Live: tasks in Mind2Web-Live's format, and the two sites they run on, served on loopback.

The library is there in two versions. The tasks were written for version 1; version 2 is what a year does to
a site: a button moved, an address was renamed, a page is gone.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from webbench.benchmarks.sample_sites.bundle_sites import opened, sample_sites_of
from webbench.benchmarks.sample_sites.reference_actions import ReferenceFiles
from webbench.core.benchmark.bundle import OpenSites
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
        from webbench.benchmarks.sample_sites.server import running_server

        names = sample_sites_of("Laptop Live", SITES, sites)
        server = await asyncio.to_thread(running_server)
        start = {"library": {"version": self.version}}
        async with opened(server, SITES, names, start) as (_, found):
            yield found


bundle = LaptopLive()
