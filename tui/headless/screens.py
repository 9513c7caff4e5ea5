"""Opening the screens from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from webbench.core import registry
from webbench.core.settings import load_settings
from webbench.tui.headless.place import agent_spec, chosen_dialect, chosen_rules, open_store, store_folder
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

    store = open_store(request.store)
    benchmark, task = find_task(request, store)
    dialect = chosen_dialect(request.dialect)
    registry.dialect(dialect or benchmark.dialect)
    _run(
        Opening(
            store=store_folder(request.store),
            benchmark=task.benchmark,
            task=task,
            data=request.data,
            agent=agent_spec(request.agent, store),
            dialect=dialect,
            rules=chosen_rules(request.rules, benchmark.rule_sets, benchmark.name),
            resume=request.resume,
        )
    )


def _run(opening: Opening) -> None:
    """The terminal is asked about graphics before the application takes it over."""
    from webbench.tui.app import WorkbenchApp
    from webbench.tui.pictures.detect import detect_graphics

    settings = load_settings()
    WorkbenchApp(opening, settings, detect_graphics(settings.pictures)).run()
