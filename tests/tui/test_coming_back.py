"""What is to happen when one comes back: it is work of the screen that asked, while that one is there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Label

from tests.tui.waiting import until
from webbench.tui import navigation
from webbench.tui.destinations import GoTo, Recorder, go_to


class Asking(Screen[None]):
    """Notes in which task it was told that one came back."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[object] = []

    def compose(self) -> ComposeResult:
        yield Label("here", id="told")

    def back(self, _result: None) -> None:
        self.query_one("#told", Label).update("back again")
        self.told.append(asyncio.current_task())


class Application(App[None]):
    def on_mount(self) -> None:
        self.push_screen(Asking())

    def on_go_to(self, message: GoTo) -> None:
        navigation.go(self, message)


@pytest.fixture(autouse=True)
def any_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(navigation, "screen_for", lambda _place: Screen[None]())


async def gone_over(pilot: Pilot[None], then: Callable[[Asking], Callable[[None], None]]) -> Asking:
    """The screen that asked for the one in front."""
    asking = pilot.app.screen
    assert isinstance(asking, Asking)
    go_to(asking, Recorder(Path(), None, ()), then=then(asking))  # type: ignore[arg-type]  # none of it is read
    await until(pilot, lambda: pilot.app.screen is not asking)
    return asking


async def test_the_screen_that_asked_is_told() -> None:
    async with Application().run_test() as pilot:
        asking = await gone_over(pilot, lambda asking: asking.back)
        pilot.app.screen.dismiss(None)
        await until(pilot, lambda: bool(asking.told))
        assert asking.told == [asking.task]


async def test_a_screen_that_is_gone_is_not_told() -> None:
    """Two are left at once: what is to follow the first finds nothing to show itself in."""
    async with Application().run_test() as pilot:
        below = pilot.app.screen_stack[0]
        asking = await gone_over(pilot, lambda asking: asking.back)
        pilot.app.screen.dismiss(None)
        await pilot.app.pop_screen()
        await until(pilot, lambda: not asking.is_attached)
        assert pilot.app.screen is below
        assert asking.told == []
        assert list(pilot.app._notifications) == []


async def test_a_fault_in_it_is_told_and_ends_nothing() -> None:
    def fails(_result: None) -> None:
        raise RuntimeError("no [such] thing")

    async with Application().run_test() as pilot:
        await gone_over(pilot, lambda _asking: fails)
        front = pilot.app.screen
        front.dismiss(None)
        await until(pilot, lambda: bool(pilot.app._notifications))
        (told,) = pilot.app._notifications
        assert "RuntimeError: no [such] thing" in told.message
        assert isinstance(pilot.app.screen, Asking)
