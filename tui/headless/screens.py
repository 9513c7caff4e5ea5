"""Opening the screens from the command line."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from webbench.core.settings import Settings, load_settings

if TYPE_CHECKING:
    from webbench.tui.app import Opening, WorkbenchApp
    from webbench.tui.headless.stepping import StepRequest


def open_library(*, store: Path | None, benchmark: str = "") -> None:
    """The library of tasks, at one benchmark if named; imports only what the first paint needs."""
    from webbench.tui.app import Opening

    settings = load_settings()
    folder = store.expanduser() if store is not None else settings.store_folder()
    _run(Opening(store=folder, benchmark=benchmark), settings)


def open_stepper(request: StepRequest) -> None:
    """One task in the stepper."""
    from webbench.core import registry
    from webbench.tui.app import Opening
    from webbench.tui.headless.place import (
        agent_spec,
        chosen_dialect,
        chosen_rules,
        open_store,
        store_folder,
    )
    from webbench.tui.headless.stepping import find_task

    store = open_store(request.store)
    benchmark, task = find_task(request, store)
    dialect = chosen_dialect(request.dialect)
    registry.dialect(dialect or benchmark.dialect)
    if request.relevant_html is not None:  # the engine is a process of its own that reads the settings anew
        os.environ["WEBBENCH_RELEVANT_HTML"] = "1" if request.relevant_html else "0"
    if request.reset is not None:
        os.environ["WEBBENCH_RESET_FIRST"] = "1" if request.reset else "0"
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
        ),
        load_settings(),
    )


def open_comparison(names: Sequence[str], *, every: bool, store: Path | None) -> None:
    """Attempts at a task side by side.

    Raises `UsageError` for fewer than two episodes, unknown ones, or ones of different tasks, `BadData`.
    """
    from webbench.core.analysis.comparison import comparable
    from webbench.core.store.reader import read_header
    from webbench.tui.app import Opening
    from webbench.tui.headless.comparing import chosen_folders
    from webbench.tui.headless.place import open_store

    opened = open_store(store)
    folders = chosen_folders(opened, names, every=every)
    comparable([read_header(folder) for folder in folders])
    _run(Opening(store=opened.root, compare=folders), load_settings())


def _run(opening: Opening, settings: Settings) -> None:
    """The terminal is asked about graphics before the application takes it over."""
    from webbench.tui.app import WorkbenchApp
    from webbench.tui.pictures.detect import detect_graphics

    app = WorkbenchApp(opening, settings, detect_graphics(settings.pictures))
    app.run()
    _say_goodbye(app)


def _say_goodbye(app: WorkbenchApp) -> None:
    """When the terminal is its owner's again: how to find what was recorded; a lost one hears nothing."""
    from webbench.tui.finding_again import farewell
    from webbench.tui.headless.output import say

    with contextlib.suppress(OSError):
        for line in farewell(app.recorded, app.opening.store, app.settings.store_folder()):
            say(line)
