"""How far a page has come: told by its own document, never by the one before it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from webbench.core.browser.lifecycle import Lifecycle
from webbench.core.json_types import JsonObject


class Told:
    """A session that only tells events, in the order in which a test has the browser tell them."""

    def __init__(self) -> None:
        self._handlers: dict[str, Callable[[JsonObject], None]] = {}

    async def send(self, method: str, params: JsonObject | None = None) -> JsonObject:
        return {}

    def on(self, event: str, handler: Callable[[JsonObject], None]) -> None:
        self._handlers[event] = handler

    def lifecycle(self, loader: str, name: str) -> None:
        event = {"frameId": "main", "loaderId": loader, "name": name}
        self._handlers["Page.lifecycleEvent"](event)

    def navigated(self, loader: str) -> None:
        self._handlers["Page.frameNavigated"]({"frame": {"id": "main", "loaderId": loader}})


async def test_a_document_that_only_begins_is_not_taken_for_the_one_before_it() -> None:
    """Chromium tells "init" of a document before it says that the frame shows it."""
    told = Told()
    life = Lifecycle(told, "main")
    told.navigated("old")
    told.lifecycle("old", "load")
    told.lifecycle("new", "init")

    async def opened() -> None:
        await life.committed("new")
        await life.reached("load")

    waiting = asyncio.create_task(opened())
    for _ in range(3):
        await asyncio.sleep(0)
    assert not waiting.done()
    told.navigated("new")
    told.lifecycle("new", "load")
    async with asyncio.timeout(60):
        await waiting


@pytest.mark.parametrize("after", ["", "newer"])
async def test_a_document_that_has_given_way_was_shown(after: str) -> None:
    told = Told()
    life = Lifecycle(told, "main")
    told.navigated("new")
    if after:
        told.navigated(after)
    async with asyncio.timeout(60):
        await life.committed("new")
