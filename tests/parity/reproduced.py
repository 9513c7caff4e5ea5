"""What tests of recorded rows share."""

from __future__ import annotations

from typing import Any

from tests.parity.runner import Adapter, replay


def unreproduced(
    function: str, recorded: list[dict[str, Any]], adapter: Adapter
) -> list[tuple[str, str, str]]:
    """(id, outcome, detail) of the function's rows that did not pass. There have to be rows."""
    results = [replay(row, adapter) for row in recorded if row["function"] == function]
    assert results, f"no row records {function}"
    return [(result.id, result.outcome, result.detail) for result in results if result.outcome != "passed"]
