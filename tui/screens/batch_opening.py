"""From the library's tasks to a run of them, and on to its board."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from webbench.core.engine.listing import TasksListed
from webbench.core.runner.detached import Started
from webbench.tui.batch_form import task_choices
from webbench.tui.headless.run_request import RunRequest
from webbench.tui.screens.batch_prompt import BatchPrompt
from webbench.tui.screens.runs import RunsScreen
from webbench.tui.widgets.task_table import TaskTable

if TYPE_CHECKING:
    from webbench.tui.app import WorkbenchApp
    from webbench.tui.screens.library import LibraryScreen

FIRST_AGENT = "oracle"


def open_batch(
    screen: LibraryScreen, listed: TasksListed, table: TaskTable, instance: int, data: str
) -> None:
    """Ask for a run of the tasks in this table; when it has begun its board opens."""
    app = cast("WorkbenchApp", screen.app)
    choices = task_choices(
        listed.title,
        listed.entries,
        table.rows,
        marked=table.marked,
        split=table.split,
        filtered=table.hides_more,
        here=table.entry,
        instance=instance,
    )
    base = RunRequest(
        benchmark=listed.benchmark, agent=screen.agent or FIRST_AGENT, data=Path(data) if data else None
    )

    def begun(started: Started | None) -> None:
        if started is not None:
            app.push_screen(RunsScreen(screen.opening, started.run))

    prompt = BatchPrompt(base, choices, store=screen.opening.store, usual_store=app.settings.store_folder())
    app.push_screen(prompt, begun)
