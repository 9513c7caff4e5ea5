"""A siteless bundle: its tasks need no site, since the benchmark serves their pages or they were recorded."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from webbench.core.action.action import Action
from webbench.core.benchmark.bundle import OpenSites


class SitelessBundle(msgspec.Struct, kw_only=True):
    """See `Bundle`."""

    name: str
    benchmark: str
    title: str
    licence: str
    data: Path

    @asynccontextmanager
    async def open(self, sites: Sequence[str] = ()) -> AsyncIterator[OpenSites]:  # noqa: ARG002 - it has none
        """No site."""
        yield OpenSites(addresses={})

    def reference(self, task: str) -> Sequence[Action]:  # noqa: ARG002 - there is none
        """Empty: the benchmark's own oracle knows how its tasks are solved."""
        return ()
