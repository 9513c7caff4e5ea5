"""Work that a screen sets going and gives up again before it began."""

from __future__ import annotations

import ast
import asyncio
import gc
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.screen import Screen
from textual.widgets import Label, Static
from textual.worker import WorkerState

from tests.tui.screens.runs.test_runs import program, record, showing
from tests.tui.silent_engine import first_screen
from webbench.core.store.store import Store
from webbench.tui import app
from webbench.tui.widgets.lists.run_tables import RunTable
from webbench.tui.workers import call_after_refresh, run_worker

TUI = Path(app.__file__).parent


async def test_a_run_that_the_cursor_only_passes_is_not_read(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    run = record(store, "oracle", 1)
    shown = program(store.root)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        async with shown.run_test(size=(80, 24)) as pilot:
            await first_screen(pilot)
            await pilot.press("r")
            screen = await showing(pilot, run)
            for _ in range(3):
                screen.shown.forget()
                screen.on_record_table_focused(RunTable.Focused(screen.query_one(RunTable)))
            await pilot.pause()
        gc.collect()
    assert not [str(one.message) for one in told if "never awaited" in str(one.message)]


def test_workers_are_given_functions() -> None:
    """A coroutine that is made before its worker begins is lost, with a warning, where it never does."""
    made = [
        f"{file.relative_to(TUI)}:{call.lineno}"
        for file in sorted(TUI.rglob("*.py"))
        for call in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "run_worker"
        and isinstance(call.args[0], ast.Call)
        and ast.unparse(call.args[0].func) != "partial"
    ]
    assert not made


class Slow(Label):
    """Takes its time to leave, so that others leave before it."""

    async def on_unmount(self) -> None:
        await asyncio.sleep(0.1)


class Late(Screen[None]):
    """Shows a result when half of it has gone."""

    def compose(self) -> ComposeResult:
        yield Static("", id="result")
        yield Slow("")

    async def show_late(self) -> None:
        while self.query("#result"):
            await asyncio.sleep(0)
        self.query_one("#result", Static).update("late")


async def test_what_comes_to_its_end_while_its_screen_is_taken_down_shows_nothing() -> None:
    async with App[None]().run_test() as pilot:
        late = Late()
        await pilot.app.push_screen(late)
        worker = run_worker(late, late.show_late)
        await pilot.app.pop_screen()
        await pilot.pause()
        assert worker.state is WorkerState.CANCELLED


async def test_what_waits_for_the_next_paint_is_not_called_for_a_screen_that_has_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waiting: list[Callable[[], object]] = []
    called: list[str] = []
    async with App[None]().run_test() as pilot:
        late = Late()
        await pilot.app.push_screen(late)
        monkeypatch.setattr(late, "call_after_refresh", waiting.append)
        call_after_refresh(late, partial(called.append, "shown"))
        waiting[0]()
        assert called == ["shown"]
        await pilot.app.pop_screen()
        waiting[0]()
    assert called == ["shown"]
