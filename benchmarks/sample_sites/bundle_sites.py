"""Sites of a bundle: the sample sites that stand for those its tasks name, in their seeded state."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from webbench.core.benchmark.bundle import OpenSites
from webbench.core.errors import UsageError
from webbench.core.json_types import JsonObject

if TYPE_CHECKING:
    from webbench.benchmarks.sample_sites.server import DemoServer
    from webbench.benchmarks.sample_sites.world import World


def sample_sites_of(title: str, sites: Mapping[str, str], wanted: Sequence[str]) -> list[str]:
    """The sample sites for those that a task names, all where it names none.

    Args:
        title: of the bundle.
        sites: the format's name of each site → the sample site that stands for it.

    Raises `UsageError` for a site that the bundle hasn't.
    """
    for name in wanted:
        if name not in sites:
            raise UsageError(f"{title} has no site {name!r}", f"it has {', '.join(sites)}")
    return [sites[name] for name in wanted or sites]


@asynccontextmanager
async def opened(
    server: DemoServer, sites: Mapping[str, str], names: Sequence[str], start: JsonObject, token: str = ""
) -> AsyncIterator[tuple[World, OpenSites]]:
    """Fresh sites until the context is left, under the names of the format; nobody is signed in.

    Args:
        names: the sample sites that are needed.
        start: their starting state, by name.
        token: first part of their addresses, where it isn't to be drawn.
    """
    world = await asyncio.to_thread(server.open, start, names, token)
    try:
        addresses = {
            name: server.origin + world.base(site) for name, site in sites.items() if site in world.databases
        }
        yield world, OpenSites(addresses=addresses, passthrough=(f"{server.origin}/",))
    finally:
        server.close(world)
