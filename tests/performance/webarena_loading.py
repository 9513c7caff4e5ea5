"""How long WebArena's 812 tasks take to be read and listed, with the editions beside them."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from tests.shared import MISSING, shared_folder
from webbench.benchmarks.webarena.benchmark import WebArena

ROUNDS = 7
LIMIT = 150.0
"""Milliseconds, after import, until all 812 tasks are in the list."""


def listed(data: Path) -> tuple[int, float]:
    """How many of the user's tasks a fresh benchmark lists, and after how many milliseconds."""
    started = time.perf_counter()
    entries = WebArena(data).catalogue()
    seconds = time.perf_counter() - started
    return sum(entry.split in ("test", "verified", "examples") for entry in entries), seconds * 1000


def main() -> list[str]:
    """Print the figures; returns those that were missed."""
    folder = shared_folder()
    if folder is None:
        return [MISSING]
    missed = []
    for place, wanted in ((Path("test.raw.json"), 812), (Path(), 1628)):
        found = [listed(folder / "data" / "webarena" / place) for _ in range(ROUNDS)]
        count, median = found[0][0], statistics.median(time for _, time in found)
        print(f"{count} tasks of {place}: {median:.0f} ms")
        if count != wanted:
            missed.append(f"{count} of {wanted} tasks were listed")
        if wanted == 812 and median > LIMIT:
            missed.append(f"812 tasks in {median:.0f} ms, limit {LIMIT:.0f}")
    return missed
