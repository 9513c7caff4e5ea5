"""A client of the Model Context Protocol works on a task, by that protocol's own client."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from webbench.core.browser.launch import Browser
from webbench.core.engine import catalogue
from webbench.core.engine.engine import Engine
from webbench.core.episode.options import EpisodeOptions
from webbench.core.mcp.outside_actor import Desk, Terms
from webbench.core.store.records.reader import read_run
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import CallToolResult

pytestmark = pytest.mark.browser


class Guest:
    """A client with what it got, and the store it was recorded in."""

    def __init__(self, client: Client, desk: Desk, store: Store) -> None:
        self.client = client
        self.desk = desk
        self.store = store

    async def call(self, tool: str, **arguments: object) -> CallToolResult:
        return await self.client.call_tool(tool, arguments)

    async def text(self, tool: str, **arguments: object) -> str:
        return said(await self.call(tool, **arguments))

    async def refused(self, tool: str, **arguments: object) -> str:
        result = await self.call(tool, **arguments)
        assert result.is_error, said(result)
        return said(result)

    def recorded(self) -> Trajectory:
        return self.store.load(self.store.find(self.desk.episode.header.episode))


def said(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if part.type == "text")


@asynccontextmanager
async def guest(
    folder: Path, browser: Browser, terms: Terms = Terms(), options: EpisodeOptions = EpisodeOptions()
) -> AsyncIterator[Guest]:
    from mcp import Client

    from webbench.core.mcp.tools import server

    async with Engine(Store(folder), drain=False, browser=browser) as engine:
        desk = Desk(engine, terms, lambda benchmark: msgspec.structs.replace(options, step_limit=3))
        try:
            async with Client(server(desk)) as client:
                yield Guest(client, desk, engine.store)
        finally:
            await desk.close()


async def test_lists_and_tasks_are_read_beside_the_event_loop(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    for name in ("list_tasks", "read_task"):

        def noted(*given: object, original: Callable[..., object] = getattr(catalogue, name)) -> object:
            asked.append(threading.get_ident())
            return original(*given)

        monkeypatch.setattr(catalogue, name, noted)
    async with guest(tmp_path, chromium) as one:
        await one.text("list_tasks")
        await one.text("list_tasks", benchmark="demo")
        before = len(asked)
        await one.refused("start", benchmark="demo", task="none")
    assert before < len(asked)
    assert threading.get_ident() not in asked


async def test_a_task_is_found_looked_at_stepped_and_scored(chromium: Browser, tmp_path: Path) -> None:
    async with guest(tmp_path, chromium) as one:
        assert "demo: Bundled demo; ready, " in await one.text("list_tasks")
        listed = await one.call("list_tasks", benchmark="demo", words="fyr LANTERN much")
        assert listed.structured_content == {"tasks": ["price-of-lantern"], "total": 1}
        begun = await one.text("start", benchmark="demo", task="price-of-lantern")
        assert "intent: How much does the Fyr Storm Lantern cost?" in begun
        assert "limits: 3 actions" in begun
        assert "  click [id] (at x% y%): click an element" in begun
        assert "searchbox 'Search the shop'" in begun
        field = begun.partition("] searchbox 'Search the shop'")[0].rpartition("[")[2]
        led = await one.text("act", action=f"type [{field}] [lantern] [1]", reasoning="why")
        assert "products?q=lantern" in led
        seen = await one.call("observe", screenshot=True, viewport_only=True)
        (picture,) = [part for part in seen.content if part.type == "image"]
        assert (picture.mime_type, picture.data[:5]) == ("image/png", "iVBOR")
        foot = "A demonstration shop."
        assert (foot in led, foot in said(seen)) == (True, False)
        later = await one.text("observe", from_line=40)
        assert ("searchbox 'Search the shop'" in later, foot in later) == (False, True)
        assert "link 'Fyr Storm Lantern'" in led
        assert (await one.text("score")).startswith("0.000")
        ended = await one.call("finish", answer="68")
        assert "1.000" in said(ended)
        assert isinstance(ended.structured_content, dict)
        assert (ended.structured_content["status"], ended.structured_content["value"]) == ("scored", 1.0)
        recorded = one.recorded()
        run = read_run(tmp_path / recorded.header.run)
    assert (recorded.header.actor, run.planned, run.settings["client"]) == ("mcp", 1, "mcp 0.1.0")
    assert [(step.actor, step.reasoning) for step in recorded.steps if step.action] == [
        ("agent", "why"),
        ("agent", ""),
    ]
    assert "the client asked for the score: 0.000 (one check)" in [step.note for step in recorded.steps]


async def test_a_failure_says_what_to_do(chromium: Browser, tmp_path: Path) -> None:
    async with guest(tmp_path, chromium) as one:
        assert "choose a task with list_tasks" in await one.refused("act", action="click [1]")
        assert 'nearest: "camp-mugs"' in await one.refused("start", benchmark="demo", task="camp-mug")
        assert "did you mean demo?" in await one.refused("start", benchmark="deom", task="camp-mugs")
        assert "it has shop, annotation" in await one.refused("list_tasks", benchmark="demo", split="train")
        await one.call("start", benchmark="demo", task="camp-mugs")
        assert "end it with the tool finish" in await one.refused("start", benchmark="demo", task="camp-mugs")
        assert 'there is no verb "klick"; try click [1]' in await one.refused("act", action="klick [1]")
        assert "no element [99999] on this page" in await one.refused("act", action="click [99999]")
        last = await one.call("act", action="scroll [down]")
        assert "the episode has ended: step limit of 3 reached" in said(last)
        assert "step limit of 3 reached" in await one.refused("act", action="scroll [up]")
        assert "status" in (await one.call("score")).structured_content
        assert "camp-mugs" in await one.text("start", benchmark="demo", task="camp-mugs")
        assert "it was told the score of this task before" in one.desk.episode.header.agent_reach


@pytest.mark.thorough
async def test_what_a_person_would_have_to_confirm_is_refused(chromium: Browser, tmp_path: Path) -> None:
    async with guest(tmp_path, chromium) as one:
        page = await one.text("start", benchmark="demo", task="mind-the-bazaar")
        button = page.partition("] button 'Place order")[0].rpartition("[")[2]
        assert "the guard refused it" in await one.refused("act", action=f"click [{button}]")


@pytest.mark.thorough
async def test_a_task_that_nobody_waited_for_is_still_the_open_one(chromium: Browser, tmp_path: Path) -> None:
    async with guest(tmp_path, chromium) as one:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(one.call("start", benchmark="demo", task="camp-mugs"), 0.05)
        assert "An episode is open" in await one.refused("start", benchmark="demo", task="open-product")
        assert not (await one.call("act", action="scroll [down]")).is_error
        assert one.recorded().header.task.name == "camp-mugs"


@pytest.mark.thorough
async def test_what_is_offered_and_told_can_be_limited(chromium: Browser, tmp_path: Path) -> None:
    terms = Terms(benchmark="demo", tasks=("camp-mugs",), dialect="browsergym", idle=0.3)
    async with guest(tmp_path, chromium, terms, EpisodeOptions(live_score=False)) as one:
        assert (await one.text("list_tasks")).startswith("camp-mugs [shop]")
        assert 'Only the task "camp-mugs"' in await one.refused("start", task="open-product")
        assert 'Only the benchmark "demo"' in await one.refused("list_tasks", benchmark="webarena")
        assert "click(bid" in await one.text("start")
        assert "Scores are hidden here" in await one.refused("score")
        await asyncio.sleep(0.6)
        assert "no call came for 0.3 s" in await one.refused("observe")
        score = one.recorded().header.score
        assert score is not None
        assert score.status.value == "not_scored"
