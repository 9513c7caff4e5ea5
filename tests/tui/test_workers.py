"""Work that a screen sets going and gives up again before it began."""

from __future__ import annotations

import ast
import gc
import warnings
from pathlib import Path

from tests.tui.silent_engine import first_screen
from tests.tui.test_runs import program, record, until
from webbench.core.store.store import Store
from webbench.tui import app
from webbench.tui.widgets.run_tables import RunTable

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
            screen = await until(pilot, run)
            for _ in range(3):
                screen._run = ""
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
