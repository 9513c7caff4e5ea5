"""Sites of a bundle: the sample sites that stand for those its tasks name, in their seeded state."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

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


@asynccontextmanager
async def opened_small_web(ending: str = "") -> AsyncIterator[OpenSites]:
    """Every site of the small web, whichever is asked for: they have no state, and they link to each other.

    Args:
        ending: what the format writes behind the name of each.
    """
    from webbench.benchmarks.sample_sites.server import running_server
    from webbench.benchmarks.sample_sites.smallweb.pages import HOSTS, address

    server = await asyncio.to_thread(running_server)
    port = urlsplit(server.origin).port
    addresses = {f"{host}{ending}": address(host, "", port) for host in HOSTS}
    yield OpenSites(addresses=addresses, passthrough=tuple(f"{origin}/" for origin in addresses.values()))
