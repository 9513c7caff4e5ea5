"""Mouse and keyboard of a private display: they hit what they aim at, and lose nothing on the way."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.core.browser.seat import Seat, seat
from tests.displays import need_xvfb
from tests.effort import examples

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

PAGE = """<!doctype html><title>Targets</title><body style="margin:0;width:100%;height:4000px">
<textarea id=text style="position:absolute;left:40px;top:20px;width:400px;height:60px"></textarea>
<select id=list style="position:absolute;left:40px;top:100px;width:200px">
  <option>first<option>second<option>third</select>
<script>
  window.seen = [];
  const tell = (e) => seen.push({kind: e.type, x: e.clientX, y: e.clientY, trusted: e.isTrusted, key: e.key});
  for (const kind of ['pointerdown', 'click', 'dblclick', 'contextmenu', 'wheel', 'keydown'])
    addEventListener(kind, tell, true);
</script>"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sitting() -> AsyncIterator[Seat]:
    need_xvfb()
    async with seat() as one:
        yield one


@pytest_asyncio.fixture(loop_scope="module")
async def page(sitting: Seat) -> Seat:
    await sitting.show(PAGE)
    return sitting


async def worst_of(page: Seat, count: int, above: int = 140) -> float:
    """The largest distance, on either axis, between a random target and where the page saw the click."""
    width, height = await page.device.size()
    points = random.Random(6)
    worst = 0.0
    for _ in range(count):
        x, y = points.uniform(0, width - 1), points.uniform(above, height - 1)
        await page.forget()
        await page.device.click(x, y, "left", 1)
        hit = next(event for event in await page.seen() if event["kind"] == "pointerdown")
        assert hit["trusted"]
        worst = max(worst, abs(hit["x"] - x), abs(hit["y"] - y))
    return worst


async def test_random_targets_are_hit_within_a_pixel(page: Seat) -> None:
    assert await worst_of(page, examples(30)) < 1
    await page.evaluate("scrollTo(0, 1500)")
    assert await worst_of(page, examples(20), above=0) < 1
    await page.place(left=301, top=207)
    assert await worst_of(page, examples(20)) < 1
    await page.device.press("Control++")
    assert await page.until("devicePixelRatio > 1")
    assert await worst_of(page, examples(30)) < 1
    await page.device.press("Control+0")
    assert await page.until("devicePixelRatio === 1")


async def test_double_clicks_are_one_and_single_clicks_stay_single(page: Seat) -> None:
    await page.device.click(600, 300, "left", 2)
    assert [event["kind"] for event in await page.seen()].count("dblclick") == 1
    await page.forget()
    for _ in range(2):
        await page.device.click(620, 300, "left", 1)
    assert "dblclick" not in [event["kind"] for event in await page.seen()]


async def test_every_character_arrives_and_a_step_says_which_were_not_typed(page: Seat) -> None:
    await page.device.click(60, 40, "left", 1)
    text = "a<b>c \"q\" 'r' ~`|\\{}[] 1+1=2\nStraße 日本 🙂"
    await page.device.type(text)
    assert await page.evaluate("document.getElementById('text').value") == text
    typed = [event["key"] for event in await page.seen() if event["kind"] == "keydown"]
    assert [key for key in typed if key not in ("Shift", "Enter")] == [
        character for character in text if " " <= character < "\x7f"
    ]
    assert page.device.take_notes() == "inserted as text, not typed: no key types 'ß日本🙂'"
    assert page.device.take_notes() == ""


async def test_a_long_text_goes_in_between_two_typed_ends(page: Seat) -> None:
    await page.device.click(60, 40, "left", 1)
    text = "word " * 100
    await page.device.type(text)
    assert await page.evaluate("document.getElementById('text').value") == text
    assert page.device.take_notes() == "inserted as text, not typed: 498 characters of a long text"


async def test_an_open_menu_does_not_swallow_the_next_click(page: Seat) -> None:
    await page.device.click(700, 300, "right", 1)
    await page.device.click(60, 40, "left", 1)
    assert await page.evaluate("document.activeElement.id") == "text"
    assert [event["kind"] for event in await page.seen()].count("click") == 1


async def test_a_native_list_is_chosen_from_by_keys(page: Seat) -> None:
    await page.device.click(60, 110, "left", 1)
    await page.device.press("ArrowDown")
    await page.device.press("Enter")
    assert await page.until("document.getElementById('list').value === 'second'")


async def test_the_fail_safe_corner_is_told_and_left_again(page: Seat) -> None:
    from webbench.core.errors import ActionFailed

    hand = page.desktop.hand
    await hand.order("move", x=0, y=0)
    with pytest.raises(ActionFailed, match="PyAutoGUI's fail-safe"):
        await page.device.type("lost")
    with pytest.raises(ActionFailed, match="move the pointer out of the corner"):
        await page.device.click(600, 300, "left", 1)
    assert await page.seen() == []
    await page.leave_corner()
    await page.device.click(600, 300, "left", 1)


async def test_an_unknown_key_is_named(page: Seat) -> None:
    from webbench.core.errors import ActionFailed

    with pytest.raises(ActionFailed, match=r"no key 'Control\+Hyperspace'"):
        await page.device.press("Control+Hyperspace")


async def test_the_desktop_s_file_dialog_stays_shut(page: Seat) -> None:
    await page.show("<input type=file id=file><button id=after>After</button><script>seen = []</script>")
    await page.device.click(30, 20, "left", 1)
    await page.device.press("Tab")
    assert await page.until("document.activeElement.id === 'after'")


async def test_a_page_of_foreign_frames_alone_is_hit_where_its_window_went(page: Seat) -> None:
    inner = "<script>onpointerdown = (e) => parent.postMessage([e.clientX, e.clientY], '*')</script>"
    await page.show(
        f"""<iframe sandbox="allow-scripts" srcdoc="{inner}" style="position:fixed;inset:0;border:0;
        width:100%;height:100%"></iframe><script>seen = []; onmessage = (e) => seen.push(e.data)</script>"""
    )
    for left, top in ((77, 99), (240, 31)):
        await page.place(left=left, top=top)
        await page.forget()
        await page.device.click(613.4, 402.2, "left", 1)
        assert await page.until("seen.length > 0")
        assert await page.seen() == [[613, 402]]
