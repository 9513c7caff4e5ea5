"""The recorded rows of the published evaluator, and the paper's values that some of their notes give."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.parity.compare import PENDING, decode
from tests.parity.reproduced import unreproduced
from tests.parity.runner import Adapter, replay, report, rows, run_file, run_row
from tests.parity.turkingbench import open_adapter
from webbench.benchmarks.turkingbench.scoring.field_score import PAPER, field_verdict

FUNCTIONS = (
    "try_numeric",
    "clean_values",
    "normalize_answer",
    "rouge_l",
    "field_score",
    "instance_score",
    "gold_labels",
    "csv_instance_score",
    "task_table",
    "task_aggregate",
)
PAPER_VALUE = re.compile(r"DIVERGES from our reading of the paper: .* would give (-?[\d.]+)\]")


@pytest.fixture(scope="module")
def recorded(shared: Path) -> list[dict[str, Any]]:
    return list(rows(shared / "parity" / "turkingbench.jsonl"))


@pytest.fixture(scope="module")
def adapter() -> Iterator[Adapter]:
    opened = open_adapter()
    yield opened
    opened.close()


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_recorded_row_is_reproduced(
    function: str, recorded: list[dict[str, Any]], adapter: Adapter
) -> None:
    results = [replay(row, adapter) for row in recorded if row["function"] == function]
    assert [(r.id, r.detail) for r in results if r.outcome == "failed"] == []
    assert any(r.outcome == "passed" for r in results)


# The same rows are read in test_fields.py, with less around them.
@pytest.mark.thorough
@pytest.mark.browser
def test_fields_are_discovered_in_a_real_browser(recorded: list[dict[str, Any]], adapter: Adapter) -> None:
    assert unreproduced("discover_fields", recorded, adapter) == []


def test_the_paper_gives_the_values_that_the_notes_name(recorded: list[dict[str, Any]]) -> None:
    compared = 0
    for row in recorded:
        given = decode(row["input"])
        if row["function"] != "field_score" or given["type"] not in ("checkbox", "range"):
            continue
        noted = PAPER_VALUE.search(row["note"])
        expected = float(noted[1]) if noted else decode(row["expected"])
        ours = field_verdict(given["answers"], given["type"], given["prediction"], PAPER).value
        if "undefined here" in row["note"]:
            assert ours is None, row["id"]
        elif not math.isnan(expected):
            assert ours == pytest.approx(expected, abs=5e-5), row["id"]
            compared += 1
    assert compared > 50


class FixedAdapter:
    """Answers "good" with 1.0, leaves "open" to a judge and knows nothing else."""

    def run(self, function: str, arguments: dict[str, Any]) -> Any:
        return {"good": 1.0, "open": PENDING}[function]

    def close(self) -> None: ...


def row(function: str, expected: Any, identity: str = "x-1") -> dict[str, Any]:
    return {"id": identity, "function": function, "input": {}, "expected": expected, "note": ""}


@pytest.mark.parametrize(
    ("function", "expected", "outcome"),
    [
        ("good", 1, "passed"),
        ("good", True, "passed"),
        ("good", 1 + 1e-8, "failed"),
        ("good", None, "failed"),
        ("good", "1.0", "failed"),
        ("good", {"error": "KeyError"}, "failed"),
        ("unknown", 1.0, "failed"),
        ("unknown", {"error": "KeyError"}, "failed"),
        ("open", {"skipped": "llm"}, "passed"),
        ("good", {"skipped": "llm"}, "failed"),
        ("open", 0, "failed"),
    ],
)
def test_what_counts_as_agreement(function: str, expected: Any, outcome: str) -> None:
    assert replay(row(function, expected), FixedAdapter()).outcome == outcome


def test_rows_of_unknown_benchmarks_fail() -> None:
    assert 'no adapter for benchmark "elsewhere"' in run_row(row("f", 1, "elsewhere-f-1"), {}).detail


def test_the_report_ends_with_the_totals(tmp_path: Path) -> None:
    lines = [
        {
            "id": "turkingbench-try_numeric-1",
            "function": "try_numeric",
            "input": {"value": "5.0"},
            "expected": "5",
        },
        {
            "id": "turkingbench-try_numeric-2",
            "function": "try_numeric",
            "input": {"value": "x"},
            "expected": "y",
        },
        {"id": "turkingbench-nonsense-1", "function": "nonsense", "input": {}, "expected": 1},
        {"id": "turkingbench-@table", "function": "@table", "input": {}, "expected": 1},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    text = report(run_file(path))
    assert "FAILED turkingbench-try_numeric-2: ours 'x', recorded 'y'" in text
    assert "FAILED turkingbench-nonsense-1: unknown function" in text
    assert text.splitlines()[-1] == "1 passed, 2 failed"
