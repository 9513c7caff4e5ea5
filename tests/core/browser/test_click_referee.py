"""What we say can be clicked against the browser: on layouts made to be hard, however one came to a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.effort import THOROUGH
from tests.performance import clickability, tree_comparison
from tests.performance.chromium import tab
from tests.performance.hostile_layouts import layout
from tests.performance.referee import WAYS_REASONS, look
from tests.performance.verdict import Verdict
from tests.performance.ways_there import DRIVERS, differences

pytestmark = pytest.mark.browser

LAYOUTS = range(1, 5)


async def test_every_difference_from_the_browser_has_its_reason(tmp_path: Path) -> None:
    whole = [Verdict(), Verdict(), Verdict()]
    async with tab() as page:
        for seed in LAYOUTS:
            path = tmp_path / f"{seed}.html"
            path.write_text(layout(seed), encoding="utf-8")
            await page.page.goto(path.as_uri())
            for verdict, found in zip(whole, await look(page), strict=True):
                verdict.add(found)
    lists = (tree_comparison.REASONS, clickability.REASONS, WAYS_REASONS)
    for verdict, reasons in zip(whole, lists, strict=True):
        assert verdict.unexplained(reasons) == [], verdict.examples
        assert verdict.alike > 0


def test_a_difference_without_a_reason_is_seen() -> None:
    verdict = Verdict()
    verdict.differ("listener on div that ours lacks", "/1/1/0 div, listener")
    assert verdict.unexplained(clickability.REASONS) == ["listener on div that ours lacks"]


@pytest.mark.skipif(not THOROUGH, reason="each driver is started anew")
@pytest.mark.parametrize("driver", DRIVERS)
async def test_a_page_is_the_same_however_one_came_to_it(driver: str) -> None:
    assert await differences(driver) == []
