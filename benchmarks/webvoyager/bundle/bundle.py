"""Small Voyage: questions in WebVoyager's format, each on one site of the small web, served on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

from webbench.benchmarks.sample_sites.reference_actions import ReferenceFiles
from webbench.core.benchmark.bundle import OpenSites

HERE = Path(__file__).parent


class SmallVoyage(ReferenceFiles):
    name = "small-voyage"
    benchmark = "webvoyager"
    title = "Small Voyage: six linked sites, bundled"
    licence = "Apache-2.0"
    folder = HERE
    data = HERE / "tasks.jsonl"

    @asynccontextmanager
    async def open(self, sites: Sequence[str] = ()) -> AsyncIterator[OpenSites]:  # noqa: ARG002
        """Every site, whichever is asked for: they have no state, and they link to each other."""
        from webbench.benchmarks.sample_sites.server import running_server
        from webbench.benchmarks.sample_sites.smallweb.pages import HOSTS, address

        server = await asyncio.to_thread(running_server)
        port = urlsplit(server.origin).port
        addresses = {f"{host}.localhost": address(host, "", port) for host in HOSTS}
        yield OpenSites(addresses=addresses, passthrough=tuple(f"{origin}/" for origin in addresses.values()))


bundle = SmallVoyage()
