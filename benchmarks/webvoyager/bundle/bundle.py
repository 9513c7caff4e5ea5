"""Small Voyage: questions in WebVoyager's format, each on one site of the small web, served on loopback."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from webbench.benchmarks.sample_sites.bundle_sites import opened_small_web
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

    def open(self, sites: Sequence[str] = ()) -> AbstractAsyncContextManager[OpenSites]:
        """See `opened_small_web`."""
        return opened_small_web(".localhost")


bundle = SmallVoyage()
