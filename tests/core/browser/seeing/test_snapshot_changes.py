"""A reading that re-uses the one before equals a fresh one, whatever happened to the page in between."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from tests.effort import THOROUGH
from webbench.core.browser.playwright.page import PlaywrightPage
from webbench.core.browser.seeing.snapshot import PageReading, Snapshotter
from webbench.core.observation import AccessibilityNode, ObservationOptions

pytestmark = pytest.mark.browser
SEED = 20240607
MUTATIONS = 200 if THOROUGH else 80

PAGE = Path(__file__).with_suffix(".html").read_text(encoding="utf-8")
MUTATE = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def contents(reading: PageReading) -> list[AccessibilityNode]:
    return [msgspec.structs.replace(node, id=0) for node in reading.nodes]


async def test_reading_again_equals_reading_afresh(page: PlaywrightPage) -> None:
    await page.page.set_content(PAGE)
    kinds = await page.page.evaluate(MUTATE, ["", 0, 0, ""])
    chance = random.Random(SEED)
    snapshotter = Snapshotter()
    changed = reused = 0
    for step in range(MUTATIONS):
        kind = kinds[step % len(kinds)] if step < len(kinds) else chance.choice(kinds)
        word = chance.choice(["Ada", "a  b", "ça va", "1 < 2", 'say "no"', "`tick`", "日本", ""])
        arguments = [kind, chance.randrange(10_000), chance.randrange(10_000), word]
        before = await snapshotter.read(page)
        await page.page.evaluate(MUTATE, arguments)
        again = await snapshotter.read(page)
        fresh = await _afresh(page, again)
        assert contents(again) == contents(fresh), f"step {step}: {arguments}"
        assert len({node.id for node in again.nodes}) == len(again.nodes)
        changed += again.nodes != before.nodes
        reused += len({id(node) for node in before.nodes} & {id(node) for node in again.nodes})
    assert changed > MUTATIONS / 3
    assert reused > 20 * MUTATIONS


async def _afresh(page: PlaywrightPage, again: PageReading) -> PageReading:
    """What a reader that knows nothing of the page reads, for which everything is sent."""
    fresh = await Snapshotter().read(page)
    assert (again.viewport, again.url, again.title, again.frames) == (
        fresh.viewport,
        fresh.url,
        fresh.title,
        fresh.frames,
    )
    return fresh


async def test_an_unchanged_page_gives_the_same_nodes(page: PlaywrightPage) -> None:
    await page.page.set_content(PAGE)
    snapshotter = Snapshotter()
    first = await snapshotter.read(page)
    second = await snapshotter.read(page)
    assert second.nodes == first.nodes
    assert all(one is other for one, other in zip(first.nodes, second.nodes, strict=True))


async def test_a_changed_node_alone_is_new(page: PlaywrightPage) -> None:
    await page.page.set_content(PAGE)
    snapshotter = Snapshotter()
    first = await snapshotter.read(page)
    await page.page.evaluate("document.querySelector('[type=checkbox]').checked = true")
    second = await snapshotter.read(page)
    new = [node for one, node in zip(first.nodes, second.nodes, strict=True) if one is not node]
    assert [(node.role, node.name, node.states["checked"]) for node in new] == [("checkbox", "Gift", "true")]


async def test_two_readers_of_one_page_do_not_mix(page: PlaywrightPage) -> None:
    await page.page.set_content(PAGE)
    one, other = Snapshotter(), Snapshotter()
    first = await one.read(page)
    await page.page.evaluate("document.querySelector('nav').remove()")
    shorter = await other.read(page, ObservationOptions(viewport_only=True))
    again = await one.read(page)
    assert len(shorter.nodes) < len(again.nodes) < len(first.nodes)
    assert contents(again) == contents(await Snapshotter().read(page))
