"""Pages that are empty, huge, deep, busy or hostile are read all the same."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.core.browser.readings import BOTH, find, names, read
from tests.core.browser.sites import Sites, two_sites
from tests.performance.chromium import tab
from tests.performance.pages import synthetic
from webbench.core.browser.playwright.page import PlaywrightPage
from webbench.core.browser.seeing.snapshot import Snapshotter
from webbench.core.browser.starting.find_chromium import find_chromium, is_headless_shell
from webbench.core.errors import ActionFailed
from webbench.core.observation import ObservationOptions

pytestmark = pytest.mark.browser


async def test_a_chromium_without_the_flag_is_read_over_the_protocol() -> None:
    async with tab(able=False) as target:
        reading = await read(target, "<button>plain</button>")
        assert reading.source == "cdp"
        assert find(reading, "button").name == "plain"


@BOTH
async def test_pages_without_content(page: PlaywrightPage, way: str, tmp_path: Path) -> None:
    await page.page.goto("about:blank")
    assert [node.role for node in (await read(page, way=way)).nodes] == ["RootWebArea"]
    canvas = await read(page, "<canvas width=300 height=200 role=img aria-label=Chart></canvas>", way)
    assert find(canvas, "image", "Chart").box is not None
    with two_sites() as gone:
        closed = gone.first
    with pytest.raises(Exception, match="ERR_CONNECTION_REFUSED"):
        await page.page.goto(closed)
    error = await read(page, way=way)
    if not is_headless_shell(find_chromium()):
        assert any("refused" in name for name in names(error))


async def test_a_canvas_alone_is_still_a_place(page: PlaywrightPage) -> None:
    reading = await read(page, "<body style='margin:0'><canvas width=300 height=200></canvas>")
    canvas = find(reading, "Canvas")
    assert canvas.box is not None
    assert (canvas.box.width, canvas.box.height) == (300, 200)


async def test_a_page_that_navigates_while_being_read(page: PlaywrightPage, sites: Sites) -> None:
    for number in range(6):
        follow = f"<script>location.href = '/{number + 1}'</script>" if number < 5 else ""
        sites.pages[f"/{number}"] = f"<title>{number}</title><p>page {number}</p>{follow}"
    snapshotter = Snapshotter()
    await page.page.goto(f"{sites.first}/0", wait_until="commit")
    for _ in range(200):
        reading = await read(page, snapshotter=snapshotter)
        if reading.url.endswith("/5") and not reading.loading:
            break
        await asyncio.sleep(0.01)
    assert names(await read(page, snapshotter=snapshotter)) == ["page 5"]


async def test_a_page_that_hangs_is_given_up(page: PlaywrightPage) -> None:
    await page.page.set_content("<p>x</p>")
    snapshotter = Snapshotter()
    await snapshotter.read(page)
    endless = asyncio.create_task(page.session.send("Runtime.evaluate", {"expression": "while (true);"}))
    await asyncio.sleep(0)  # it is sent: what is asked from now on comes after it
    with pytest.raises(ActionFailed, match="could not be read within 1 s"):
        await snapshotter.read(page, ObservationOptions(timeout=1))
    await page.session.send("Runtime.terminateExecution")
    await asyncio.gather(endless, return_exceptions=True)


async def test_the_page_sees_nothing_and_spoils_nothing(page: PlaywrightPage) -> None:
    html = """<button>ok</button><script>
    window.changes = 0;
    new MutationObserver((list) => { changes += list.length; }).observe(document,
      {attributes: true, childList: true, subtree: true, characterData: true});
    Element.prototype.getBoundingClientRect = () => { throw new Error("spoiled"); };
    window.getComputedStyle = null; JSON.stringify = null; Array.prototype.filter = null;
    Map = WeakMap = null;
    </script>"""
    reading = await read(page, html)
    box = find(reading, "button").box
    assert box is not None
    assert box.width > 0
    seen = await page.session.send("Runtime.evaluate", {"expression": "`${changes} ${typeof snapshot}`"})
    assert seen["result"]["value"] == "0 undefined"


@pytest.mark.thorough
async def test_fifteen_thousand_controls(page: PlaywrightPage) -> None:
    await page.page.set_content(synthetic())
    snapshotter, options = Snapshotter(), ObservationOptions(timeout=90)
    first = await snapshotter.read(page, options)
    assert sum(node.interactive for node in first.nodes) == 15000
    second = await snapshotter.read(page, options)
    assert [node.id for node in second.nodes] == [node.id for node in first.nodes]


async def test_deep_nesting_is_read_all_the_same(page: PlaywrightPage) -> None:
    await page.page.set_content("<p>top</p>")
    await page.page.evaluate(
        """() => { let at = document.body;
        for (let i = 0; i < 1500; i += 1) at = at.appendChild(document.createElement('div'));
        at.innerHTML = '<button>deep</button>'; }"""
    )
    assert find(await read(page), "button").name == "deep"


async def test_half_characters_do_not_break_the_reading(page: PlaywrightPage) -> None:
    await page.page.set_content("<button></button><p>\U0001f600</p>")
    await page.page.evaluate(
        "document.querySelector('button').textContent = 'a' + String.fromCharCode(0xd83d) + 'b'"
    )
    reading = await read(page)
    assert find(reading, "button").name == "a\ufffdb"
    assert "\U0001f600" in names(reading)


async def test_quotes_of_every_kind_arrive_as_they_are(page: PlaywrightPage) -> None:
    await page.page.set_content("<button></button>")
    text = 'a "b" `c` \'d\' \\ \\u0060 \\" e'
    await page.page.evaluate("(text) => { document.querySelector('button').textContent = text }", text)
    reading = await read(page)
    assert find(reading, "button").name == text
