"""TurkingBench's oracle fills in the same forms to a score of 1, whatever drives the browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.browser.conformance.conftest import Fleet
from tests.performance.turkingbench_oracle import run_oracle
from tests.shared import need_shared
from webbench.benchmarks.turkingbench.benchmark import create
from webbench.benchmarks.turkingbench.bundle.bundle import bundle

FORMS = ("Tone of a message", "Short headline", "Receipt totals", "Opening hours")
SLOW = pytest.mark.thorough
CROWD_WORK = (
    "Essentian Terms in Questions",
    "Opinion Mining of Spanish Customer Comments",
    "Commonsense Morality - Class Label Collect",
    "ESNLI Rationale Generation",
    "Polite versus rude",
    "Text Game Eval",
    "Associate countries and languages with Ethnologue",
    "Image captioning",
)
"""Published tasks with fields of every kind, on which Playwright's oracle scores 1."""


async def solved(fleet: Fleet, way: str, data: Path, name: str) -> None:
    benchmark = create(data)
    task = benchmark.tasks(names=(name,), instances=1)[0]
    result = await run_oracle(await fleet.browser(way), benchmark, task, data)
    assert (result.score.value, result.reason) == (1.0, "")


@pytest.mark.parametrize("name", [FORMS[0], *(pytest.param(name, marks=SLOW) for name in FORMS[1:])])
async def test_bundled_forms(fleet: Fleet, other_way: str, name: str, environment: object) -> None:
    await solved(fleet, other_way, bundle.data, name)


@pytest.mark.thorough
@pytest.mark.parametrize("name", CROWD_WORK)
async def test_crowd_work(fleet: Fleet, way: str, name: str, environment: object) -> None:
    await solved(fleet, way, need_shared("data", "turkingbench"), name)
