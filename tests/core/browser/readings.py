"""What the tests of reading share: one page read either way, and what is in a reading."""

from __future__ import annotations

import pytest

from webbench.core.browser.playwright.page import PlaywrightPage
from webbench.core.browser.seeing.snapshot import PageReading, Snapshotter
from webbench.core.observation import AccessibilityNode, ObservationOptions

BOTH = pytest.mark.parametrize("way", ["script", "cdp"])


async def read(
    page: PlaywrightPage, html: str = "", way: str = "script", snapshotter: Snapshotter | None = None
) -> PageReading:
    if html:
        await page.page.set_content(html)
    options = ObservationOptions(prefer="cdp" if way == "cdp" else "script")
    return await (snapshotter or Snapshotter()).read(page, options)


def find(reading: PageReading, role: str, name: str | None = None) -> AccessibilityNode:
    found = [node for node in reading.nodes if node.role == role and name in (None, node.name)]
    assert len(found) == 1, f"{len(found)} nodes {role} {name!r} in {outline(reading)}"
    return found[0]


def outline(reading: PageReading) -> list[str]:
    return [f"{'  ' * node.depth}{node.role} {node.name!r}" for node in reading.nodes]


def names(reading: PageReading, role: str = "StaticText") -> list[str]:
    return [node.name for node in reading.nodes if node.role == role]
