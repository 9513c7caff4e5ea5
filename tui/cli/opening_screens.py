"""Opening the screens from the command line."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from webbench.core.errors import UsageError
from webbench.core.settings.load_settings import load_settings
from webbench.core.settings.locations import state_folder
from webbench.core.settings.settings import Settings

if TYPE_CHECKING:
    from webbench.core.store.store import Store
    from webbench.tui.app import WorkbenchApp
    from webbench.tui.opening import Opening


def open_library(*, store: Path | None, benchmark: str = "") -> None:
    """The library of tasks, at one benchmark if named; imports only what the first paint needs."""
    from webbench.tui.opening import Opening

    settings = load_settings()
    folder = store.expanduser() if store is not None else settings.store_folder()
    run_screens(Opening(store=folder, benchmark=benchmark), settings)


def run_screens(opening: Opening, settings: Settings) -> None:
    """Show them until the person leaves, then say how to find what was recorded."""
    _say_goodbye(show_screens(opening, settings))


def show_screens(opening: Opening, settings: Settings) -> WorkbenchApp:
    """The terminal is asked about graphics before the application takes it over."""
    from webbench.tui.app import WorkbenchApp
    from webbench.tui.pictures.detect import detect_graphics

    opening = replace(opening, memory=state_folder() / "library")
    app = WorkbenchApp(opening, settings, detect_graphics(settings.pictures))
    app.run()
    return app


def _say_goodbye(app: WorkbenchApp) -> None:
    """When the terminal is its owner's again: how to find what was recorded; a lost one hears nothing."""
    from webbench.core.store.index.unfinished import unfinished
    from webbench.core.store.store import Store
    from webbench.tui.cli.output import say
    from webbench.tui.finding_again import farewell

    store = app.opening.store
    opened = Store(store)
    left = [one.episode for one in unfinished(opened).episodes] if app.recorded else []
    kept = [episode for episode in app.recorded if _is_kept(opened, episode)]
    with contextlib.suppress(OSError):
        for line in farewell(kept, store, app.settings.store_folder(), left):
            say(line)


def _is_kept(store: Store, episode: str) -> bool:
    """Whether it is recorded: a look without an action leaves nothing."""
    try:
        store.find(episode)
    except UsageError:
        return False
    return True
