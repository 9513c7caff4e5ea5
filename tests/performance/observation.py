"""What one observation costs, against the two raw protocol calls made through Playwright, in one run.

The two calls are made twice: "plain" in a tab of their own, as a program makes them that just calls them, and
"kept" in our tab, where `Accessibility.enable` and our reading keep the browser's tree alive between calls.
"""

from __future__ import annotations

import asyncio
import gc
import statistics
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.performance.chromium import tab
from tests.performance.pages import PAGES, page_file
from webbench.core.browser.playwright.page import PlaywrightPage
from webbench.core.browser.seeing.snapshot import Snapshotter
from webbench.core.observation import Observation, ObservationOptions
from webbench.core.renderings import webarena_text

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

    from webbench.core.browser.driver import CdpSession

ROUNDS = 9
LARGE_ROUNDS = 4
PAUSE = 0.5
PATIENCE = ObservationOptions(timeout=170)
MEMORY_WANTED = 150.0
WANTED = {"medium": 3.0, "functions": 8.0, "synthetic": 15.0}


class Figures(NamedTuple):
    """One page's: milliseconds of the first read, and medians of the others; MB of Python memory."""

    name: str
    first: float
    ours: float
    plain: float
    kept: float
    memory: float

    @property
    def ratio(self) -> float:
        return self.plain / self.ours

    def missed(self) -> list[str]:
        missed = []
        wanted = WANTED.get(self.name, 0)
        if self.ratio < wanted:
            missed.append(f"observation: {self.name} {self.ratio:.1f} x the two calls, wanted {wanted:g} x")
        if self.memory > MEMORY_WANTED:
            missed.append(f"observation: {self.name} takes {self.memory:.0f} MB, wanted {MEMORY_WANTED:g}")
        return missed


async def ours(page: PlaywrightPage, snapshotter: Snapshotter) -> float:
    """Milliseconds for tree, boxes, states and text."""
    started = time.perf_counter()
    reading = await snapshotter.read(page, PATIENCE)
    webarena_text(Observation(url=reading.url, title=reading.title, nodes=reading.nodes))
    return (time.perf_counter() - started) * 1000


async def raw_calls(session: CdpSession | CDPSession) -> float:
    """Milliseconds for a full tree and a layout snapshot, not joined and not rendered."""
    started = time.perf_counter()
    await session.send("Accessibility.getFullAXTree")
    await session.send("DOMSnapshot.captureSnapshot", {"computedStyles": []})
    return (time.perf_counter() - started) * 1000


async def rest() -> None:
    """Let no side pay for the other's litter."""
    gc.collect()
    await asyncio.sleep(PAUSE)


async def memory(page: PlaywrightPage) -> float:
    """Peak MB of Python memory that one observation takes on top of what was there."""
    tracemalloc.start()
    await Snapshotter().read(page, PATIENCE)
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return peak


async def measure(name: str, path: Path) -> Figures:
    async with tab() as page:
        plain_page = await page.page.context.new_page()
        plain_session = await plain_page.context.new_cdp_session(plain_page)
        for one in (plain_page, page.page):
            await one.goto(path.as_uri(), wait_until="domcontentloaded")
        await page.page.bring_to_front()
        await asyncio.sleep(PAUSE)
        snapshotter = Snapshotter()
        first = await ours(page, snapshotter)
        mine: list[float] = []
        plain: list[float] = []
        kept: list[float] = []
        for _ in range(LARGE_ROUNDS if name == "synthetic" else ROUNDS):
            await rest()
            mine.append(await ours(page, snapshotter))
            await rest()
            plain.append(await raw_calls(plain_session))
            await rest()
            kept.append(await raw_calls(page.session))
        used = await memory(page)
    median = statistics.median
    return Figures(name, first, median(mine), median(plain), median(kept), used)


def row(figures: Figures) -> str:
    """A line of the table, in Markdown."""
    wanted = f"{WANTED[figures.name]:g} x" if figures.name in WANTED else ""
    return (
        f"| {figures.name} | {figures.first:.0f} | {figures.ours:.1f} | {figures.plain:.0f} |"
        f" {figures.ratio:.1f} x | {wanted} | {figures.kept / figures.ours:.1f} x | {figures.memory:.1f} |"
    )


async def _all(names: list[str]) -> list[str]:
    print("Medians of one run; a read gives tree, boxes, states and text, the two calls are neither joined")
    print("nor rendered; kept = the two calls in a tab where the browser keeps its tree alive, as in ours.\n")
    print("| page | first, ms | ours, ms | two calls, ms | ratio | wanted | kept | MB |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = page_file(name, Path(folder))
            if path is None:
                print(f"{name}: its source is not on this machine")
                continue
            figures = await measure(name, path)
            print(row(figures), flush=True)
            missed += figures.missed()
    return missed


def main() -> list[str]:
    """Measure the pages named on the command line, or all; returns the figures that were missed, in words."""
    return asyncio.run(_all(sys.argv[1:] or list(PAGES)))


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
