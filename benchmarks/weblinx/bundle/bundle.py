"""The bundle Shop Talk: demonstrations in WebLINX's format, each its own reference."""

from __future__ import annotations

from pathlib import Path

from webbench.benchmarks.common.siteless_bundle import SitelessBundle

bundle = SitelessBundle(
    name="shop-talk",
    benchmark="weblinx",
    title="Shop Talk: a shopping trip with an instructor, bundled",
    licence="Apache-2.0",
    data=Path(__file__).parent / "demonstrations",
)
