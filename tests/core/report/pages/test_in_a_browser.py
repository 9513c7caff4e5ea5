"""The pages in a real browser, from disk: nothing leaves, nothing foreign runs, scrubbing works."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.core.report.conftest import HOSTILE
from webbench.core.analysis.runs.whole_run import analyse
from webbench.core.browser.launch import Browser
from webbench.core.browser.playwright.browser import PlaywrightBrowser
from webbench.core.report.pages.comparison_page import comparison_page
from webbench.core.report.pages.episode_page import episode_page
from webbench.core.report.pages.runs_page import analysis_page
from webbench.core.store.store import Store

SHOWN = "[...document.querySelectorAll('.step')].filter(one => !one.hidden).map(one => one.id)"
LOOSE = "document.querySelectorAll('body img, body svg[onload], link, meta[http-equiv=refresh]').length"


@asynccontextmanager
async def opened(chromium: Browser, file: Path) -> AsyncIterator[tuple[Any, list[str], list[str]]]:
    """The page of a file, what it asked for beside itself, and what it complained of."""
    running = await chromium.connected()
    assert isinstance(running, PlaywrightBrowser)
    context = await running.browser.new_context(viewport={"width": 1280, "height": 800})
    asked: list[str] = []
    complaints: list[str] = []
    try:
        page = await context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("requestfailed", lambda request: complaints.append(f"blocked {request.url}"))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        await page.goto(file.as_uri())
        yield page, asked, complaints
    finally:
        await context.close()


def leaving(asked: list[str], file: Path) -> list[str]:
    return [url for url in asked if not url.startswith(("data:", file.as_uri()))]


async def test_an_episode(chromium: Browser, store: Store, attempts: list[str], tmp_path: Path) -> None:
    page_text, unread = episode_page(store, store.load(attempts[1]))
    file = tmp_path / "episode.html"
    file.write_text(page_text, "utf-8")

    async with opened(chromium, file) as (page, asked, complaints):
        assert await page.evaluate(SHOWN) == ["step-0"]
        await page.keyboard.press("ArrowRight")
        assert await page.evaluate(SHOWN) == ["step-1"]
        await page.locator(".scrubber input").fill("3")
        assert await page.evaluate(SHOWN) == ["step-3"]
        await page.locator(".rail a").nth(2).click()
        shown = page.locator("#step-2")
        mark = await shown.locator("rect.mark").bounding_box()
        picture = await shown.locator("svg").first.bounding_box()
        tree = await shown.locator("pre mark").text_content()
        heading = await shown.locator("h2").inner_text()
        kept = await page.locator("svg.kept image").count()
        assert await page.evaluate("window.broken") is None
        assert await page.evaluate(LOOSE) == 0
        assert await page.evaluate("document.images.length") == 0

    assert (leaving(asked, file), complaints, unread) == ([], [], [])
    assert abs((mark["x"] - picture["x"]) / picture["width"] - 6 / 320) < 0.02
    assert tree.strip().startswith("[2] link")
    assert "<script>window.broken=1</script>" in heading
    assert kept == 4


async def test_a_comparison(chromium: Browser, store: Store, attempts: list[str], tmp_path: Path) -> None:
    page_text, _ = comparison_page(store, [store.load(name) for name in reversed(attempts)])
    file = tmp_path / "comparison.html"
    file.write_text(page_text, "utf-8")

    async with opened(chromium, file) as (page, asked, complaints):
        columns = await page.locator("table.rows thead th").all_inner_texts()
        first = await page.locator("tr.parts").all_inner_texts()
        await page.keyboard.press("End")
        await page.keyboard.press("N")
        rows = await page.evaluate(SHOWN)
        differing = await page.locator("[data-differs][aria-current]").count()
        checks = await page.locator("table.checks tbody tr").first.inner_text()
        assert await page.evaluate("window.broken") is None
        assert await page.evaluate(LOOSE) == 0

    assert (leaving(asked, file), complaints) == ([], [])
    assert [column.split()[0] for column in columns if column] == ["human", "agent"]
    assert len(first) == 1
    assert (len(rows), differing) == (1, 1)
    assert "1.000" in checks
    assert "0.000" in checks


async def test_even_text_that_got_in_as_markup_does_nothing(chromium: Browser, tmp_path: Path) -> None:
    """The Content-Security-Policy holds where escaping would have failed."""
    from markupsafe import Markup

    from webbench.core.report.pages.standalone_page import self_contained

    file = tmp_path / "page.html"
    foreign = HOSTILE.replace("\ud800", "").partition("<meta")[0]
    body = Markup(foreign + "<p style='color:red' id=p>x</p>")
    file.write_text(self_contained("t", body), "utf-8")

    async with opened(chromium, file) as (page, asked, complaints):
        assert await page.evaluate("window.broken") is None
        colour = await page.evaluate("getComputedStyle(document.getElementById('p')).color")

    assert colour != "rgb(255, 0, 0)"
    assert any("Content Security Policy" in one for one in complaints)
    assert set(leaving(asked, file)) <= {one.removeprefix("blocked ") for one in complaints}


async def test_runs(chromium: Browser, store: Store, attempts: list[str], tmp_path: Path) -> None:
    analysis = analyse(store, [run.run for run in store.runs()]).analysis
    file = tmp_path / "runs.html"
    file.write_text(analysis_page(analysis), "utf-8")

    async with opened(chromium, file) as (page, asked, complaints):
        await page.locator("nav a[href='#flow']").click()
        seen = await page.locator("#flow svg").bounding_box()
        loose = await page.evaluate(LOOSE)

    assert seen["width"] > 300
    assert not [*leaving(asked, file), *complaints, *analysis.problems]
    assert loose == 0
