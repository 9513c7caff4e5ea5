"""Opening the screens from the command line."""

from __future__ import annotations

import contextlib
import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from webbench.core.errors import UsageError
from webbench.core.settings import Settings, load_settings
from webbench.tui.terminal import at_terminal

if TYPE_CHECKING:
    from webbench.core.studies.study import Study
    from webbench.core.task import Benchmark
    from webbench.tui.app import Opening, WorkbenchApp
    from webbench.tui.headless.baselines import BaselineRequest
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
        watch,
    )
    from webbench.tui.headless.stepping import find_task

    store = open_store(request.store)
    benchmark, task = find_task(request, store)
    dialect = chosen_dialect(request.dialect)
    registry.dialect(dialect or benchmark.dialect)
    if request.relevant_html is not None:  # the engine is a process of its own that reads the settings anew
        os.environ["WEBBENCH_RELEVANT_HTML"] = "1" if request.relevant_html else "0"
    watch(request.guard, request.hosts)
    _pass_on(request)
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
            fork_step=request.fork_step,
        ),
        load_settings(),
    )


def _pass_on(request: StepRequest) -> None:
    """Policy and limits for the engine's process, which reads them as settings."""
    from webbench.tui.headless.line_commands import approval_of

    budget = request.budget
    given = {
        "APPROVAL": approval_of(request.approval) if request.approval else "",
        "STEP_LIMIT": budget.steps,
        "SECONDS_LIMIT": budget.seconds,
        "TOKEN_LIMIT": budget.tokens,
        "COST_LIMIT": budget.cost,
    }
    os.environ.update({f"WEBBENCH_{name}": str(value) for name, value in given.items() if value})


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


def open_labelling(
    names: Sequence[str], *, annotator: str, taxonomy: str, blind: bool, store: Path | None
) -> None:
    """Episodes of these names, or of the newest run, to be labelled one after the other.

    Raises `UsageError` for unknown episodes, taxonomies or names of annotators, and without a terminal.
    """
    from webbench.core.labels.codebook import load_codebook
    from webbench.core.labels.entries import pseudonym
    from webbench.core.labels.worksheet import LabellingOrder
    from webbench.tui.app import Opening
    from webbench.tui.headless.labelling import places_to_label
    from webbench.tui.headless.place import open_store

    if annotator:
        pseudonym(annotator)
    if taxonomy:
        load_codebook().taxonomy(taxonomy)
    opened = open_store(store)
    places = places_to_label(opened, names)
    if not at_terminal():
        raise UsageError("The labelling screen needs a terminal", "without one, label with --code, or --done")
    order = LabellingOrder(places=places, annotator=annotator, taxonomy=taxonomy, blind=blind)
    _run(Opening(store=opened.root, labelling=order), load_settings())


def open_session(request: BaselineRequest, study: Study, benchmark: Benchmark) -> int:
    """A session of an annotator; afterwards how far they have come, and how to go on."""
    from webbench.core.studies.desk import Desk
    from webbench.core.studies.window import require_display
    from webbench.tui.app import Opening
    from webbench.tui.headless.output import say
    from webbench.tui.headless.place import chosen_rules, open_store

    require_display(study)
    store = open_store(request.store)
    with Desk(store, study, benchmark, request.annotator) as desk:
        desk.settle()
        opening = Opening(
            store=store.root,
            benchmark=study.benchmark,
            data=request.data,
            dialect=study.action_language,
            rules=chosen_rules(study.rules, benchmark.rule_sets, benchmark.name),
            desk=desk,
        )
        _show(opening, load_settings())
        told = desk.progress
    with contextlib.suppress(OSError):
        say(f"{told.done} of {len(told.works)} tasks done" + ("" if told.next else ". Thank you!"))
        if told.next is not None:
            words = ["webbench-tui", "baseline", str(request.study), "--as", request.annotator]
            words += ["--store", str(request.store)] if request.store else []
            say(f"go on with: {shlex.join(words)}")
    return 0


def open_trajectory(episode: str, *, step: int | None, store: Path | None) -> None:
    """A recorded episode on its screen. Raises `UsageError` for an unknown one."""
    from webbench.tui.app import Opening
    from webbench.tui.headless.place import find_episode, open_store, store_folder

    folder = find_episode(open_store(store), episode)
    _run(Opening(store=store_folder(store), recorded=folder, recorded_step=step), load_settings())


def _run(opening: Opening, settings: Settings) -> None:
    _say_goodbye(_show(opening, settings))


def _show(opening: Opening, settings: Settings) -> WorkbenchApp:
    """The terminal is asked about graphics before the application takes it over."""
    from webbench.tui.app import WorkbenchApp
    from webbench.tui.pictures.detect import detect_graphics

    app = WorkbenchApp(opening, settings, detect_graphics(settings.pictures))
    app.run()
    return app


def _say_goodbye(app: WorkbenchApp) -> None:
    """When the terminal is its owner's again: how to find what was recorded; a lost one hears nothing."""
    from webbench.tui.finding_again import farewell
    from webbench.tui.headless.output import say

    with contextlib.suppress(OSError):
        for line in farewell(app.recorded, app.opening.store, app.settings.store_folder()):
            say(line)


def open_attached(folder: Path) -> None:
    """An episode that is being played elsewhere. Raises `BadData` for one that can't be read."""
    from webbench.core.store.reader import read_header
    from webbench.tui.app import Opening

    read_header(folder)
    _run(Opening(store=folder.parent.parent, attached=folder), load_settings())
