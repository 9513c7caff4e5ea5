"""Laptop Errands: tasks in Online-Mind2Web's format, and the two sites they run on, served on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from webbench.benchmarks.sample_sites.bundle_sites import opened, sample_sites_of
from webbench.benchmarks.sample_sites.reference_actions import ReferenceFiles
from webbench.core.benchmark.bundle import OpenSites

HERE = Path(__file__).parent
SITES = {"www.tidewater.example": "library", "www.harbourpine.example": "shop"}
"""Host name that the tasks write → the bundled site that stands for it."""


class LaptopErrands(ReferenceFiles):
    name = "laptop-errands"
    benchmark = "online-mind2web"
    title = "Laptop Errands: a library and a shop, bundled"
    licence = "Apache-2.0"
    folder = HERE
    data = HERE / "tasks.json"

    @asynccontextmanager
    async def open(self, sites: Sequence[str] = ()) -> AsyncIterator[OpenSites]:
        from webbench.benchmarks.sample_sites.server import running_server

        names = sample_sites_of("Laptop Errands", SITES, sites)
        server = await asyncio.to_thread(running_server)
        async with opened(server, SITES, names, {}) as (_, found):
            yield found


bundle = LaptopErrands()
