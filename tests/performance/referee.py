"""Our nodes against Chromium's own tree, and what can be clicked against its listeners and cursors.

Every page of `page_groups` is read by each driver in both ways: roles, names, values and states node by node
(`tree_comparison`), what a click does something to (`clickability`), and one way against the other. Then a
page with frames is read after each way of coming to it (`ways_there`). Every class of difference has its
reason in a list; one that isn't there is a missed figure, as is a group below 99.5 %.

The whole takes half an hour on an idle machine, so it can be had in pieces. Options, all with `=`:

    --kept=FILE       keep what was found of each page (JSON lines), and look only at what isn't there yet;
                      what an earlier state of the reading code found is not counted, and a page that could
                      not be looked at is tried again
    --group=NAME      layouts, bundled, miniwob, turkingbench, manual, measured or ways; all by default
    --driver=NAME     playwright or selenium; both by default
    --part=K/N        every N-th page from the K-th on (K from 1), for several processes with one file
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from tests.performance import clickability, tree_comparison, ways_there
from tests.performance.bundled_pages import Page
from tests.performance.page_groups import GROUPS
from tests.performance.tree_comparison import Seen, places_of, seen
from tests.performance.verdict import Verdict, table
from webbench.core.browser import seeing
from webbench.core.browser.driver import ContextOptions, DriverBrowser, DriverPage, PageTarget
from webbench.core.browser.launch import launch
from webbench.core.browser.seeing.snapshot import Snapshotter
from webbench.core.errors import WebbenchError
from webbench.core.json_types import JsonObject
from webbench.core.observation import ObservationOptions

WANTED = 99.5
READ: tuple[Literal["script", "cdp"], ...] = ("script", "cdp")
LOCAL = ("127.0.0.1", "localhost", "*.localhost")
LOOKS = 3
"""So often a page is looked at where something has no reason: what moves between two readings is no fault."""

LOADING_SECONDS, READING_SECONDS = 30.0, 90.0
PAGE_SECONDS = 300.0
BEGIN = """(() => {
  globalThis.core?.startEpisodeReal?.();
  globalThis.requestAnimationFrame = () => 0;
  for (let last = setTimeout(() => 0); last > 0; last -= 1) clearTimeout(last);
})()"""
"""MiniWoB++ shows its task only once it is begun; and what moves can't be compared."""

AGAIN = """(() => {
  const texts = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
  const white = [];
  while (texts.nextNode()) if (!texts.currentNode.data.trim()) white.push(texts.currentNode);
  for (const text of white) text.replaceWith(text.cloneNode());
})()"""
"""The tree decides once whether white space counts, and holds to that whatever changes beside it: anew."""

WAYS_REASONS = {"no room": "it is an empty box, which the tree has for reasons that a script can't see"}


class Looked(msgspec.Struct):
    """What was found on a page by one driver.

    Attributes:
        code: of the state of the code that reads and compares.
        tree: nodes, both ways together.
        clicks: clickable elements, both ways together.
        ways: what one way has otherwise than the other.
        looks: how often it was looked at.
        failed: why it could not be looked at.
    """

    group: str
    page: str
    driver: str
    code: str
    tree: Verdict = msgspec.field(default_factory=Verdict)
    clicks: Verdict = msgspec.field(default_factory=Verdict)
    ways: Verdict = msgspec.field(default_factory=Verdict)
    looks: int = 0
    failed: str = ""

    @property
    def unexplained(self) -> int:
        """Differences without a reason."""
        return sum(
            verdict.differences[kind]
            for verdict, reasons in self.judged()
            for kind in verdict.unexplained(reasons)
        )

    def judged(self) -> tuple[tuple[Verdict, dict[str, str]], ...]:
        return (
            (self.tree, tree_comparison.REASONS),
            (self.clicks, clickability.REASONS),
            (self.ways, WAYS_REASONS),
        )


@cache
def code_state() -> str:
    """Of the code that reads a page, and of what judges it."""
    files = [
        *Path(seeing.__file__).parent.glob("*.*"),
        Path(clickability.__file__),
        Path(tree_comparison.__file__),
    ]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(files))).hexdigest()[:16]


async def look(page: PageTarget) -> tuple[Verdict, Verdict, Verdict]:
    """A page by our two ways, each against the browser, and against each other: nodes, clicks, ways."""
    snapshotter = Snapshotter()
    tree, clicks, ways = Verdict(), Verdict(), Verdict()
    readings = []
    for way in READ:
        ours = await seen(page, snapshotter, ObservationOptions(prefer=way, timeout=READING_SECONDS))
        tree.add(await tree_comparison.verdict_of(page, ours))
        clicks.add(await compare_clicks(page, ours))
        readings.append(ours)
    _compare_ways(readings, ways)
    return tree, clicks, ways


async def compare_clicks(page: PageTarget, ours: Seen) -> Verdict:
    """What is clickable there by our reading and by the browser."""
    truths = await clickability.truths(page.session, ours.snapshot, places_of(ours.snapshot))
    elements = {place: node for node, place in zip(ours.nodes, ours.places, strict=True) if node.tag}
    return clickability.judge(truths, elements)


def _compare_ways(readings: list[Seen], verdict: Verdict) -> None:
    """Why a node of the page can be clicked has to be the same both ways."""
    told = [
        {
            place: node
            for node, place in zip(ours.nodes, ours.places, strict=True)
            if node.clickable and node.tag
        }
        for ours in readings
    ]
    for place in told[0].keys() | told[1].keys():
        verdict.total += 1
        verdict.ours += 1
        nodes = [one.get(place) for one in told]
        reasons = [node.clickable if node else "nothing" for node in nodes]
        boxes = [node.box for node in nodes if node]
        if reasons[0] == reasons[1]:
            verdict.alike += 1
        elif not any(box and box.width and box.height for box in boxes):
            verdict.differ("no room", place)
        else:
            verdict.differ(f"{reasons[0]} by script, {reasons[1]} by the protocol", place)


async def looked_at(browser: DriverBrowser, asked: Page, found: Looked) -> Looked:
    """Open a page and look at it, again where something has no reason."""
    name, address, logins = asked
    try:
        async with asyncio.timeout(PAGE_SECONDS), _tab(browser, logins) as page:
            await _open(page, address)
            while found.looks < LOOKS and (found.looks == 0 or found.unexplained):
                if found.looks == 1:
                    await page.session.send("Runtime.evaluate", {"expression": AGAIN})
                found.tree, found.clicks, found.ways = await look(page)
                found.looks += 1
    except (WebbenchError, TimeoutError) as error:
        found.failed = f"{type(error).__name__}: {error}"
    for verdict, _ in found.judged():
        verdict.examples = {kind: f"{name}: {example}" for kind, example in verdict.examples.items()}
    return found


@asynccontextmanager
async def _tab(browser: DriverBrowser, logins: JsonObject | None) -> AsyncIterator[DriverPage]:
    """A tab in a context of its own, which reaches no network."""
    context = await browser.context(ContextOptions(only_hosts=LOCAL, storage_state=logins))
    answers: set[asyncio.Task[None]] = set()
    context.on_dialog(lambda dialog: answers.add(asyncio.create_task(dialog.dismiss())))
    try:
        page = await context.new_page()
        await page.attach()
        yield page
    finally:
        await context.close()


async def _open(page: DriverPage, address: str) -> None:
    await page.session.send("Page.navigate", {"url": address})
    asked = {"expression": "location.href !== 'about:blank' && document.readyState", "returnByValue": True}
    async with asyncio.timeout(LOADING_SECONDS):
        while True:
            answer = await page.session.send("Runtime.evaluate", dict(asked))
            if answer["result"].get("value") == "complete":
                break
            await asyncio.sleep(0.05)
    await page.session.send("Runtime.evaluate", {"expression": BEGIN})
    await asyncio.sleep(0.2)


class Kept:
    """What was found so far, in a file where one is named."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._found: dict[tuple[str, str, str], Looked] = {}
        if file is not None and file.exists():
            for line in file.read_bytes().splitlines():
                one = msgspec.json.decode(line, type=Looked)
                if one.code == code_state() and not one.failed:
                    self._found[one.group, one.page, one.driver] = one

    def __contains__(self, key: tuple[str, str, str]) -> bool:
        return key in self._found

    def add(self, one: Looked) -> None:
        self._found[one.group, one.page, one.driver] = one
        if self._file is not None:
            with self._file.open("ab") as file:
                file.write(msgspec.json.encode(one) + b"\n")

    def of(self, group: str) -> list[Looked]:
        return [one for one in self._found.values() if one.group == group]


async def _look_at_group(group: str, driver: str, part: tuple[int, int], kept: Kept) -> None:
    """Look at the pages of a group that are not kept yet."""
    async with launch(ways_there.DRIVERS[driver]) as browser:
        for number, page in enumerate(GROUPS[group]()):
            if number % part[1] == part[0] - 1 and (group, page[0], driver) not in kept:
                found = Looked(group, page[0], driver, code_state())
                kept.add(await looked_at(await browser.connected(), page, found))


def report(group: str, found: list[Looked], drivers: list[str]) -> list[str]:
    """Print a group's tables; returns what was missed, in words."""
    missed = []
    for driver in drivers:
        mine = [one for one in found if one.driver == driver]
        name = f"{group} by {driver}"
        again = sum(one.looks > 1 for one in mine)
        print(f"\n{name}: {len(mine)} pages, {again} of them looked at again because something moved")
        missed += [f"{name}: {one.page} could not be looked at: {one.failed}" for one in mine if one.failed]
        for what, reasons, verdicts in (
            ("nodes", tree_comparison.REASONS, [one.tree for one in mine]),
            ("clickable elements", clickability.REASONS, [one.clicks for one in mine]),
            ("reasons of the two ways", WAYS_REASONS, [one.ways for one in mine]),
        ):
            whole = Verdict()
            for verdict in verdicts:
                whole.add(verdict)
            missed += table(name, what, whole, reasons)
            if what == "nodes" and whole.share < WANTED:
                missed.append(f"{whole.share:.2f} % of the nodes of {name} alike, wanted {WANTED} %")
    return missed


async def _refereed(options: argparse.Namespace) -> list[str]:
    kept = Kept(options.kept)
    drivers = [options.driver] if options.driver else list(ways_there.DRIVERS)
    missed = []
    for group in [options.group] if options.group else [*GROUPS, "ways"]:
        for driver in drivers:
            if group == "ways":
                found = await ways_there.differences(driver)
                print(f"{driver}: {len(found)} readings are not as wanted after coming to a page in each way")
                missed += found
            else:
                await _look_at_group(group, driver, options.part, kept)
        if group != "ways":
            missed += report(group, kept.of(group), drivers)
    return [f"referee: {one}" for one in missed]


def _part(text: str) -> tuple[int, int]:
    number, _, of = text.partition("/")
    if not 1 <= int(number) <= int(of):
        raise ValueError(text)
    return int(number), int(of)


def main() -> list[str]:
    """Look at all pages, or at those of the options; returns the figures that were missed, in words."""
    parser = argparse.ArgumentParser("referee", allow_abbrev=False)
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--group", choices=[*GROUPS, "ways"])
    parser.add_argument("--driver", choices=list(ways_there.DRIVERS))
    parser.add_argument("--part", type=_part, default=(1, 1))
    return asyncio.run(_refereed(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
