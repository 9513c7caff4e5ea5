"""Field discovery and reading in a real Chromium: the recorded vectors, and what live typing adds to them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from tests.parity.turkingbench import published_reading
from tests.shared import need_shared
from webbench.benchmarks.turkingbench.scoring.fields import collect, read

STYLE = "<style>input,select,textarea{display:block}</style>"


class ProbedPage:
    """A page that offers `probe`, counting how often it is asked."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.probes = 0

    async def probe(self, script: str, argument: Any = None) -> Any:
        self.probes += 1
        return await self.page.evaluate(script, argument)

    async def show(self, body: str) -> None:
        await self.page.set_content(f"<!doctype html>{STYLE}<body style='margin:0'>{body}</body>")


@pytest_asyncio.fixture(loop_scope="session")
async def page(playwright_chromium: Browser) -> AsyncIterator[ProbedPage]:
    """In a context of its own, so that nothing of another test is there."""
    context = await playwright_chromium.new_context()
    yield ProbedPage(await context.new_page())
    await context.close()


async def test_every_recorded_page_is_read_as_recorded(page: ProbedPage) -> None:
    rows = map(json.loads, need_shared("parity", "turkingbench.jsonl").read_text("utf-8").splitlines())
    vectors = [row for row in rows if row["function"] == "discover_fields"]
    assert vectors
    for vector in vectors:
        given = vector["input"]
        await page.page.set_content(given["html"])
        if given["script_before_reading"]:
            await page.page.evaluate(given["script_before_reading"])
        assert await published_reading(page, given["answer_names"]) == vector["expected"], vector["id"]


async def test_all_fields_are_read_in_one_probe(page: ProbedPage) -> None:
    await page.show("".join(f"<input name='f{number}' value='{number}'>" for number in range(300)))
    fields = (await read(page, [f"f{number}" for number in range(300)])).fields
    assert page.probes == 1
    assert [field.values for field in fields] == [(str(number),) for number in range(300)]


async def test_what_was_typed_is_read_and_the_markup_kept_beside_it(page: ProbedPage) -> None:
    await page.show("<input name=a value=old><textarea name=b>old</textarea><input name=c value=same>")
    await page.page.fill("[name=a]", "new")
    await page.page.fill("[name=b]", "1 < 2 & 3")
    assert await collect(page, ["a", "b", "c"], "about:blank") == {
        "page": {"url": "", "is_task": True},
        "fields": [
            {"name": "a", "type": "text", "displayed": True, "values": ["new"], "markup": ["old"]},
            {"name": "b", "type": "textarea", "displayed": True, "values": ["1 < 2 & 3"], "markup": ["old"]},
            {"name": "c", "type": "text", "displayed": True, "values": ["same"]},
        ],
    }


async def test_fields_of_another_page_are_not_read(page: ProbedPage) -> None:
    await page.show("<input name=a value=x>")
    evidence = await collect(page, ["a"], "http://127.0.0.1:1/task/")
    assert evidence == {"page": {"url": "about:blank", "is_task": False}, "fields": []}


async def test_a_moved_slider_and_a_chosen_option_of_a_group_are_read(page: ProbedPage) -> None:
    await page.show(
        "<input name=r type=range value=30>"
        "<select name=s><optgroup label=g><option>x<option>y</optgroup></select>"
    )
    await page.page.fill("[name=r]", "70")
    await page.page.select_option("[name=s]", "y")
    values = {field.name: field.values for field in (await read(page, ["r", "s"])).fields}
    assert values == {"r": ("70",), "s": ("y",)}


async def test_ticked_boxes_and_every_text_of_a_name_are_read_in_page_order(page: ProbedPage) -> None:
    await page.show(
        "<input type=checkbox name=c value=x checked><input type=checkbox name=c value=y>"
        "<input type=checkbox name=c value=z checked><input name=t value=1><input name=t value=2>"
    )
    values = {field.name: field.values for field in (await read(page, ["t", "c"])).fields}
    assert values == {"c": ("x", "z"), "t": ("1", "2")}


@pytest.mark.parametrize(
    ("hidden", "why"),
    [
        ("<input name=a type=hidden>", "type hidden"),
        ("<div style='display:none'><input name=a></div>", "an ancestor is not displayed"),
        ("<div style='visibility:hidden'><input name=a></div>", "an ancestor is invisible"),
        ("<input name=a style='width:0;border:0;padding:0'>", "no size"),
        ("<input name=a style='position:absolute;left:-9999px'>", "left of the page"),
        ("<div style='height:0;overflow:hidden'><input name=a></div>", "cut off"),
        ("<details><summary>s</summary><input name=a></details>", "folded"),
        ("<input name=a style='opacity:0'>", "transparent"),
        ("<div style='opacity:0%'><p><input type=radio name=a></p></div>", "an ancestor is transparent"),
    ],
)
async def test_what_nobody_can_see_is_not_displayed_and_comes_last(
    page: ProbedPage, hidden: str, why: str
) -> None:
    await page.show(f"{hidden}<input name=b>")
    fields = (await read(page, ["a", "b"])).fields
    assert [(field.name, field.displayed) for field in fields] == [("b", True), ("a", False)], why


async def test_fields_hard_to_see_and_far_down_are_displayed(page: ProbedPage) -> None:
    await page.show("<input name=a style='opacity:.01'><div style='height:5000px'></div><input name=b>")
    assert [field.displayed for field in (await read(page, ["a", "b"])).fields] == [True, True]


async def test_reading_does_not_depend_on_how_far_the_page_is_scrolled(page: ProbedPage) -> None:
    await page.show("<input name=a><div style='height:5000px'></div><input name=b>")
    before = (await read(page, ["b", "a"])).fields
    await page.page.evaluate("scrollTo(0, 3000)")
    assert (await read(page, ["b", "a"])).fields == before
    assert [field.name for field in before] == ["a", "b"]


async def test_names_of_any_kind_are_found(page: ProbedPage) -> None:
    names = ["it's", 'a"b', "a`b", "a\\b", "${x}", "é.1[2]", "__proto__"]
    await page.show("")
    await page.page.evaluate(
        "names => names.forEach(name =>"
        " document.body.append(Object.assign(document.createElement('input'), {name})))",
        names,
    )
    assert sorted(field.name for field in (await read(page, names)).fields) == sorted(names)


async def test_upstream_misses_names_with_a_double_quote(page: ProbedPage) -> None:
    await page.show("<input name='a\"b' value=x><input name=c value=y>")
    reading = await published_reading(page, ['a"b', "c"])
    assert reading["values"] == [{"name": "c", "values": ["y"]}]


async def test_upstream_gives_up_on_types_it_does_not_know(page: ProbedPage) -> None:
    await page.show("<input name=a type=time>")
    assert (await published_reading(page, ["a"]))["values_error"] == "Exception"
