"""Our nodes against Chromium's own accessibility tree on the pages that observations are measured on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.performance.chromium import tab
from tests.performance.pages import required_page, synthetic
from tests.performance.referee import Verdict, compare

pytestmark = pytest.mark.browser


async def verdict_on(path: Path) -> Verdict:
    async with tab() as page:
        await page.page.goto(path.as_uri(), wait_until="domcontentloaded")
        await asyncio.sleep(0.5)
        return await compare(page)


@pytest.mark.parametrize("name", ["small", "medium", "large", "functions"])
async def test_nodes_are_those_of_the_tree(name: str, tmp_path: Path) -> None:
    verdict = await verdict_on(required_page(name, tmp_path))
    assert verdict.total >= 40
    assert verdict.share >= 99.5, verdict.differences
    assert verdict.ours <= verdict.total * 1.01, verdict.differences


async def test_nodes_of_a_large_page_are_those_of_the_tree(tmp_path: Path) -> None:
    path = tmp_path / "rows.html"
    path.write_text(synthetic(300), encoding="utf-8")
    verdict = await verdict_on(path)
    assert verdict.share == 100, verdict.differences
    assert verdict.ours == verdict.total


async def test_the_referee_sees_a_difference() -> None:
    async with tab() as page:
        await page.page.set_content("<p>one</p><video controls></video>")
        verdict = await compare(page)
    assert verdict.alike < verdict.total
    assert any("only in the tree" in kind for kind in verdict.differences)
