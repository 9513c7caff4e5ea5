"""Opening the screens from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from webbench.core.settings import load_settings
from webbench.tui.headless.place import open_store, store_folder
from webbench.tui.headless.stepping import StepRequest, find_task

if TYPE_CHECKING:
    from webbench.tui.app import Opening


def open_library(*, store: Path | None, benchmark: str = "") -> None:
    """The library of tasks, at one benchmark if named."""
    from webbench.tui.app import Opening

    _run(Opening(store=store_folder(store), benchmark=benchmark))


def open_stepper(request: StepRequest) -> None:
    """One task in the stepper."""
    from webbench.tui.app import Opening

    _, task = find_task(request, open_store(request.store))
    _run(
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
    )


def _run(opening: Opening) -> None:
    """The terminal is asked about graphics before the application takes it over."""
    from webbench.tui.app import WorkbenchApp
    from webbench.tui.pictures.detect import detect_graphics

    settings = load_settings()
    WorkbenchApp(opening, settings, detect_graphics(settings.pictures)).run()
