"""Analysing two made-up runs of 812 episodes each, and making their page."""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

from tests.core.analysis.recorded_runs import Recording
from webbench.core.analysis.runs.whole_run import analyse
from webbench.core.report.pages.runs_page import analysis_page
from webbench.core.statistics.estimates import clustered_mean
from webbench.core.store.store import Store

EPISODES = 812
LIMIT = 8.0
"""Seconds until the figures of both runs are there, once libraries are imported."""


def main() -> list[str]:
    """The figures that were missed."""
    clustered_mean([0.0, 1.0, 0.0], range(3))
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        runs = [_run(store, agent, seed) for seed, agent in enumerate(("one", "two"))]
        started = time.perf_counter()
        found = analyse(store, runs).analysis
        analysed = time.perf_counter()
        page = analysis_page(found)
        made = time.perf_counter()
        store.close()
    print(f"{f'2 x {EPISODES} episodes':24} {analysed - started:7.2f} s  (limit {LIMIT:.0f})")
    print(f"{'page':24} {made - analysed:7.2f} s  {len(page) / 1e6:.1f} MB")
    return [] if analysed - started <= LIMIT else [f"the analysis took {analysed - started:.1f} s"]


def _run(store: Store, agent: str, seed: int) -> str:
    """Episodes of 5 to 30 steps on 40 pages; a fifth of them end without a score."""
    rng = random.Random(seed)
    recording = Recording(store, agent)
    for task in range(EPISODES):
        urls = [
            f"http://shop.test/page{rng.randrange(40)}/{rng.randrange(999)}"
            for _ in range(rng.randint(5, 30))
        ]
        value = rng.choice((0.0, 0.0, 0.5, 1.0, None))
        recording.add(f"{'abcdefghijklmnopqrstuvwxyz'[task % 26]}{task}", value, urls=urls)
    return recording.run
