"""Shop Talk: demonstrations in WebLINX's format. They were recorded, so no site has to be served."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from webbench.core.action import Action
from webbench.core.bundle import OpenSites


class ShopTalk:
    name = "shop-talk"
    benchmark = "weblinx"
    title = "Shop Talk: a shopping trip with an instructor, bundled"
    licence = "Apache-2.0"
    data = Path(__file__).parent / "demonstrations"

    @asynccontextmanager
    async def open(self, sites: Sequence[str] = ()) -> AsyncIterator[OpenSites]:  # noqa: ARG002
        """No site: each turn shows its recorded page."""
        yield OpenSites(addresses={})

    def reference(self, task: str) -> Sequence[Action]:  # noqa: ARG002
        """None: a demonstration is its own reference."""
        return ()


bundle = ShopTalk()
