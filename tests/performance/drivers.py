"""One click and one look at TurkingBench's medium page, for each way of driving a browser.

Two boxes are clicked by turns: real clicks on one spot are kept half a second apart, so as not to be a double
click, and that pause would be what is measured. All ways take turns within one run, so that their ratios hold
on a busy machine as well.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import cycle
from pathlib import Path

from tests.performance.pages import page_file
from webbench.core.action.action import Click, ElementRef
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import LaunchOptions, launch
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import EnvironmentDown

WAYS = {
    "playwright": LaunchOptions(),
    "selenium": LaunchOptions(driver="selenium"),
    "playwright+desktop": LaunchOptions(input="desktop"),
    "selenium+desktop": LaunchOptions(driver="selenium", input="desktop"),
}
ROUNDS = 25


class Lane:
    """A page driven one way, with its times in milliseconds."""

    def __init__(self, world: BrowserEnvironment, targets: Sequence[ElementRef]) -> None:
        self.world = world
        self._targets = cycle(targets)
        self.clicks: list[float] = []
        self.looks: list[float] = []

    @property
    def step(self) -> float:
        """Median of one click with the look after it."""
        return statistics.median(one + other for one, other in zip(self.clicks, self.looks, strict=True))

    async def once(self) -> None:
        started = time.perf_counter()
        result = await self.world.act(Click(target=next(self._targets)))
        clicked = time.perf_counter()
        await self.world.observe()
        ended = time.perf_counter()
        assert result.ok, result.error
        self.clicks.append((clicked - started) * 1000)
        self.looks.append((ended - clicked) * 1000)


async def opened(way: str, url: str, stack: AsyncExitStack) -> Lane | None:
    """None where this machine has not what it takes."""
    try:
        browser = await stack.enter_async_context(launch(WAYS[way]))
        world = browser.environment()
        stack.push_async_callback(world.close)
        await world.reset(EnvironmentSetup(start_urls=(url,)))
    except EnvironmentDown as error:
        print(f"{way}: {error}")
        return None
    return Lane(world, await clicked(world))


async def clicked(world: BrowserEnvironment) -> list[ElementRef]:
    """The first two boxes or buttons of the form that work, by the ids that the first look gives them."""
    nodes = (await world.observe()).nodes
    boxes = [
        node.id for node in nodes if node.role in ("radio", "checkbox") and not node.states.get("disabled")
    ]
    return [ElementRef(id=box) for box in boxes[:2]]


async def compare(page: Path) -> None:
    async with AsyncExitStack() as stack:
        lanes = {way: lane for way in WAYS if (lane := await opened(way, page.as_uri(), stack)) is not None}
        for lane in lanes.values():
            await lane.once()
            lane.clicks, lane.looks = [], []
        for _ in range(ROUNDS):
            for lane in lanes.values():
                await lane.once()
    print("| way | click, ms | look, ms | both, ms | to Playwright's |")
    print("|---|---|---|---|---|")
    for way, lane in lanes.items():
        click, look = statistics.median(lane.clicks), statistics.median(lane.looks)
        ratio = f"{lane.step / lanes['playwright'].step:.2f} x" if "playwright" in lanes else "–"
        print(f"| {way} | {click:.0f} | {look:.0f} | {lane.step:.0f} | {ratio} |")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        page = page_file("medium", Path(folder))
        if page is None:
            print("the page's source is not on this machine")
            return
        asyncio.run(compare(page))


if __name__ == "__main__":
    main()
