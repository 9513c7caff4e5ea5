"""Opening the screens from the command line."""

from __future__ import annotations

from pathlib import Path

from webbench.tui.headless.place import open_store, store_folder
from webbench.tui.headless.stepping import StepRequest, find_task


def open_library(*, store: Path | None, benchmark: str = "") -> None:
    """The library of tasks, at one benchmark if named."""
    from webbench.tui.app import Opening, WorkbenchApp

    WorkbenchApp(Opening(store=store_folder(store), benchmark=benchmark)).run()


def open_stepper(request: StepRequest) -> None:
    """One task in the stepper."""
    from webbench.tui.app import Opening, WorkbenchApp

    _, task = find_task(request, open_store(request.store))
    WorkbenchApp(
        Opening(
            store=store_folder(request.store),
            benchmark=task.benchmark,
            task=task,
            data=request.data,
            agent=request.agent,
            dialect=request.dialect,
            rules=request.rules,
            resume=request.resume,
        )
    ).run()
