"""What one observation costs, against the two raw protocol calls made through Playwright, in one run."""

from __future__ import annotations

import asyncio
import gc
import statistics
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

from tests.performance.chromium import tab
from tests.performance.pages import PAGES, page_file
from webbench.core.browser.playwright import PlaywrightPage
from webbench.core.browser.snapshot import Snapshotter
from webbench.core.observation import Observation, ObservationOptions
from webbench.core.renderings import webarena_text

ROUNDS = 9
LARGE_ROUNDS = 4
PAUSE = 0.5
PATIENCE = ObservationOptions(timeout=170)
WANTED = {"medium": 3.0, "functions": 8.0, "synthetic": 15.0}


async def ours(page: PlaywrightPage, snapshotter: Snapshotter) -> float:
    """Milliseconds for tree, boxes, states and text."""
    started = time.perf_counter()
    reading = await snapshotter.read(page, PATIENCE)
    webarena_text(Observation(url=reading.url, title=reading.title, nodes=reading.nodes))
    return (time.perf_counter() - started) * 1000


async def raw_calls(page: PlaywrightPage) -> float:
    """Milliseconds for a full tree and a layout snapshot, not joined and not rendered."""
    started = time.perf_counter()
    await page.session.send("Accessibility.getFullAXTree")
    await page.session.send("DOMSnapshot.captureSnapshot", {"computedStyles": []})
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


async def measure(name: str, path: Path) -> None:
    async with tab() as page:
        await page.page.goto(path.as_uri(), wait_until="domcontentloaded")
        await asyncio.sleep(0.5)
        snapshotter = Snapshotter()
        first = await ours(page, snapshotter)
        mine: list[float] = []
        raw: list[float] = []
        for _ in range(LARGE_ROUNDS if name == "synthetic" else ROUNDS):
            await rest()
            mine.append(await ours(page, snapshotter))
            await rest()
            raw.append(await raw_calls(page))
        used = await memory(page)
    best, raw_best = min(mine), min(raw)
    wanted = f"wanted {WANTED[name]:g}" if name in WANTED else ""
    print(
        f"{name:10} {first:9.1f} {best:9.1f} {raw_best:11.1f} {raw_best / best:8.1f}x"
        f" {statistics.median(raw) / statistics.median(mine):8.1f}x {used:7.1f}   {wanted}",
        flush=True,
    )


async def _all(names: list[str]) -> None:
    print(
        "ms: best of the rounds (load elsewhere only adds); ratios of best and medians; MB of Python memory"
    )
    print(
        f"{'page':10} {'first ms':>9} {'ours ms':>9} {'two calls':>11} {'best':>9} {'median':>9} {'MB':>7}",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = page_file(name, Path(folder))
            if path is None:
                print(f"{name}: its source is not on this machine")
            else:
                await measure(name, path)


def main() -> None:
    asyncio.run(_all(sys.argv[1:] or list(PAGES)))


if __name__ == "__main__":
    main()
