"""The bundle Desk Forms: small annotation tasks in TurkingBench's format."""

from __future__ import annotations

from pathlib import Path

from webbench.benchmarks.common.siteless_bundle import SitelessBundle

bundle = SitelessBundle(
    name="desk-forms",
    benchmark="turkingbench",
    title="Desk Forms: four small annotation tasks, bundled",
    licence="Apache-2.0",
    data=Path(__file__).parent / "data",
)
