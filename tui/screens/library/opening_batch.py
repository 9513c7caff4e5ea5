"""From the library's tasks to a run of them, and on to its board."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

from webbench.core.benchmark.subsets import subsets
from webbench.core.engine.wire.catalogue_messages import TasksListed
from webbench.core.runner.local.detached import Started
from webbench.core.runner.plan.run_request import RunRequest
from webbench.tui.destinations import Runs, go_to
from webbench.tui.screens.library.batch_form import task_choices
from webbench.tui.screens.library.new_batch import BatchPrompt
from webbench.tui.screens.library.task_table import TaskTable
from webbench.tui.workbench import workbench

if TYPE_CHECKING:
    from webbench.tui.opening import Opening

FIRST_AGENT = "oracle"


async def open_batch(
    screen: Screen[None],
    opening: Opening,
    listed: TasksListed,
    table: TaskTable,
    *,
    agent: str,
    instance: int,
    data: str,
) -> None:
    """Ask for a run of the tasks in this table; when it has begun its board opens. Run it as a worker."""
    own = await asyncio.to_thread(subsets, listed.benchmark)
    choices = task_choices(
        listed.title,
        listed.entries,
        table.records,
        marked=[entry.name for entry in table.marked],
        split=table.split,
        filtered=table.hides_more,
        subsets=own,
        subset=table.subset,
        here=table.record,
        instance=instance,
    )
    base = RunRequest(
        benchmark=listed.benchmark, agent=agent or FIRST_AGENT, data=Path(data) if data else None
    )

    def begun(started: Started | None) -> None:
        if started is not None:
            workbench(screen).begun_runs.append(started.run)
            go_to(screen, Runs(opening, started.run))

    prompt = BatchPrompt(
        base, choices, store=opening.store, usual_store=workbench(screen).settings.store_folder()
    )
    screen.app.push_screen(prompt, begun)
