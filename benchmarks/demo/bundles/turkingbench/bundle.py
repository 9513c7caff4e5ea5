"""Desk Forms: small annotation tasks in TurkingBench's format; their pages need no site."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from webbench.core.action import Action
from webbench.core.bundle import OpenSites


class DeskForms:
    name = "desk-forms"
    benchmark = "turkingbench"
    title = "Desk Forms: four small annotation tasks, bundled"
    licence = "Apache-2.0"
    data = Path(__file__).parent / "data"

    @asynccontextmanager
    async def open(self, sites: Sequence[str] = ()) -> AsyncIterator[OpenSites]:  # noqa: ARG002 - it has none
        """No site: the benchmark serves the forms itself."""
        yield OpenSites(addresses={})

    def reference(self, task: str) -> Sequence[Action]:  # noqa: ARG002
        """Empty: the oracle fills in the gold answers."""
        return ()


bundle = DeskForms()
