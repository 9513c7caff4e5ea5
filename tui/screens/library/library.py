"""The library: benchmarks with their state, their tasks, and what one of them is about."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.screen import Screen

from webbench.core.engine.wire import catalogue_messages, messages
from webbench.core.errors import WebbenchError
from webbench.core.store.index.summaries import UnfinishedEpisode
from webbench.core.task import Task, TaskEntry
from webbench.core.text.plain_text import plain_text
from webbench.themes.stylesheets import stylesheet
from webbench.tui.commands import bindings, shown_key
from webbench.tui.commands.screen_offers import ScreenOffers
from webbench.tui.destinations import Runs, Stepper, go_to
from webbench.tui.engine_link import EngineLink
from webbench.tui.screens.breakpoints import breakpoints
from webbench.tui.screens.dialogs.pick_prompt import PickPrompt
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TextPrompt
from webbench.tui.screens.dialogs.reading import ReadingScreen
from webbench.tui.screens.dialogs.selectable_agents import WITH_OPTIONS, agent_choices
from webbench.tui.screens.library import data_problems
from webbench.tui.screens.library.benchmark_list import BenchmarkList
from webbench.tui.screens.library.named_subsets import choose_part, keep_as_subset
from webbench.tui.screens.library.remembered import START, Place, Remembered
from webbench.tui.screens.library.task_table import TaskTable
from webbench.tui.screens.library.unfinished_list import UnfinishedList, progress_words
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lists.record_table import RecordTable
from webbench.tui.widgets.lists.task_preview import TaskPreview, result_entries
from webbench.tui.widgets.lists.text_rows import Entry
from webbench.tui.widgets.picture.task_pictures import TaskPictures
from webbench.tui.widgets.score.figure_words import figure_line
from webbench.tui.workbench import workbench
from webbench.tui.workers import call_after_refresh, run_worker

if TYPE_CHECKING:
    from webbench.core.trajectory import EpisodeHeader
    from webbench.tui.opening import Opening

BEGINNING = frozenset({"start", "control"})
"""Groups of the application's workers that begin and end runs."""


class LibraryScreen(Screen[None], ScreenOffers):
    """Choose a task and step it."""

    CSS_PATH = stylesheet("library")

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("library")]
    HORIZONTAL_BREAKPOINTS = breakpoints()
    AUTO_FOCUS = "#tasks"

    def __init__(self, opening: Opening) -> None:
        super().__init__()
        self.opening = opening
        self.listed: dict[str, catalogue_messages.TasksListed] = {}
        self.problems: dict[str, catalogue_messages.ProblemsListed | None] = {}
        self.results: dict[str, dict[str, catalogue_messages.TaskResults]] = {}
        self.figures: dict[str, messages.FiguresCounted] = {}
        self.instance = 0
        self.agent = opening.agent
        self._data: dict[str, str] = {}
        self._wanted: tuple[str, int] = ("", 0)
        self._opening_task = False
        self._remembered = Remembered(opening.memory)
        self._unread: set[str] = set()
        """Benchmarks whose list is the one of the sitting before: the engine hasn't read it again yet."""
        self._place = Place()
        """Where the cursor is to go once it is listed."""
        self._first_time = False

    @property
    def link(self) -> EngineLink:
        return workbench(self).link

    @property
    def chosen(self) -> str:
        """Name of the benchmark whose tasks are shown."""
        return self.query_one(BenchmarkList).chosen

    @property
    def entry(self) -> TaskEntry | None:
        return self.query_one(TaskTable).record

    @property
    def footer_ranks(self) -> dict[str, int]:
        return {"app.commands": 7, "library.next_pane": 8}

    @property
    def at_hand(self) -> dict[str, str]:
        """For commands: the benchmark that is shown, and the task under the cursor."""
        return {"benchmark": self.chosen, "task": self.entry.name if self.entry is not None else ""}

    def compose(self) -> ComposeResult:
        yield UnfinishedList(id="unfinished")
        with Container(id="columns"):
            yield BenchmarkList(id="benchmarks")
            yield TaskTable(id="tasks")
            with Vertical(id="preview-side"):
                yield TaskPreview(id="preview")
                yield TaskPictures(workbench(self).graphics, id="pictures")
        yield KeyFooter()

    def on_mount(self) -> None:
        call_after_refresh(self, self._name_benchmarks)

    async def _name_benchmarks(self) -> None:
        """Look the benchmarks up when the screen has been painted once."""
        from webbench.core.plugins import entry_points

        names = sorted(entry_points.load("webbench.benchmarks"))
        benchmarks = self.query_one(BenchmarkList)
        benchmarks.names = names
        if not names:
            return
        self._find_place()
        benchmarks.chosen = self.opening.benchmark or self._place.benchmark or names[0]
        if self.opening.data is not None and self.opening.benchmark:
            self._data[self.opening.benchmark] = str(self.opening.data)
        self._show_tasks(self.chosen)
        await self._show_remembered()
        await self.action_reload()

    def _find_place(self) -> None:
        """Where one was last; who never was here is shown where to start."""
        place = self._remembered.place()
        self._first_time = place is None and not self.opening.benchmark
        self._place = START if self._first_time else place or Place()

    async def _show_remembered(self) -> None:
        """Show lists of the sitting before, the chosen one first, until the engine has read them."""
        for name in self._chosen_first():
            listed = await asyncio.to_thread(self._remembered.about_to_read, name, self._data.get(name, ""))
            if listed is not None and name not in self.listed:
                self._unread.add(name)
                self._take(listed)

    def _chosen_first(self) -> list[str]:
        return sorted(self.query_one(BenchmarkList).names, key=lambda name: name != self.chosen)

    def on_unmount(self) -> None:
        self._remembered.leave(self._place)

    async def on_screen_resume(self) -> None:
        """After an episode results may be new, also of lists that had not come when it began."""
        if self.query_one(BenchmarkList).names:
            await self.action_reload()

    async def action_reload(self) -> None:
        """Have the engine read data sets and results, the chosen one first; the screen stays usable."""
        await self.link.send(catalogue_messages.ListUnfinished())
        for name in self._chosen_first():
            await self.link.send(catalogue_messages.ListTasks(benchmark=name, data=self._data.get(name, "")))

    def matters(self, id: str) -> bool:
        """Whether a key is worth a place in the footer now."""
        if id == "library.go_on":
            return self.query_one(UnfinishedList).episode is not None
        if id == "library.data":
            return self.chosen in self.listed and not self._ready
        if id == "library.next_instance":
            return bool(self.entry and self.entry.instances and self.entry.instances > 1)
        if id == "tasks.usable":
            return self.query_one(TaskTable).has_problems
        return self._ready or id not in ("library.open", "library.agent", "tasks.open", "tasks.filter")

    @property
    def _ready(self) -> bool:
        listed = self.listed.get(self.chosen)
        return listed is not None and listed.status.state == "ready"

    # -- what comes from the engine ------------------------------------------------------------

    def on_engine_link_happened(self, message: EngineLink.Happened) -> None:
        match message.event:
            case catalogue_messages.TasksListed(benchmark=name):
                self._unread.discard(name)
                self._take(message.event)
                keep = partial(self._remembered.was_read, message.event, self._data.get(name, ""))
                run_worker(self, partial(asyncio.to_thread, keep))
            case catalogue_messages.ProblemsListed(benchmark=name):
                self.problems[name] = message.event
                if name == self.chosen:
                    self._show_heading(name)
            case catalogue_messages.ResultsListed(benchmark=name, results=results):
                self.results[name] = results
                if name == self.chosen:
                    self.query_one(TaskTable).results = results
                    self._show_results()
            case catalogue_messages.UnfinishedListed(found=found):
                self.query_one(UnfinishedList).found = found
                self.query_one(KeyFooter).refresh()
            case messages.FiguresCounted(benchmark=name):
                self.figures[name] = message.event
                self._show_results()
            case catalogue_messages.TaskRead(task=task):
                self._task_read(task)
            case messages.Trouble(message=text, hint=hint):
                self._opening_task = False
                self.notify(plain_text(f"{text} {hint}"), severity="error", markup=False)
            case _:
                return

    def _take(self, listed: catalogue_messages.TasksListed) -> None:
        """What a benchmark offers; the table is made anew only where that is news."""
        name = listed.benchmark
        known = self.listed.get(name)
        self.listed[name] = listed
        self.query_one(BenchmarkList).listed = dict(self.listed)
        if known != listed:
            self.problems.pop(name, None)
        if name == self.chosen:
            if known != listed:
                self._show_tasks(name)
            self._look_through_once(name)

    def _task_read(self, task: Task) -> None:
        if (task.name, task.instance or 0) != self._wanted:
            return
        self.query_one(TaskPictures).show_task(task)
        preview = self.query_one(TaskPreview)
        preview.shown_task = task
        preview.notes = self._results_of(task)
        entry = self.entry
        preview.trouble = entry.problem if entry is not None and entry.name == task.name else ""
        if self._opening_task:
            self._open(task)

    def _show_results(self) -> None:
        preview = self.query_one(TaskPreview)
        if preview.shown_task is not None:
            preview.notes = self._results_of(preview.shown_task)

    def _results_of(self, task: Task) -> list[Entry]:
        found = self.results.get(self.chosen, {}).get(task.name)
        entries = result_entries(found, task.instance) if found is not None else []
        sitting = self.figures.get(self.chosen)
        return [*entries, Entry("sitting", figure_line(sitting))] if sitting is not None else entries

    # -- tasks ---------------------------------------------------------------------------------

    def _show_tasks(self, name: str) -> None:
        listed = self.listed.get(name)
        table = self.query_one(TaskTable)
        ready = listed is not None and listed.status.state == "ready"
        if listed is None:
            table.nothing_text = "Reading the data set…"
        elif not ready:
            says = shown_key(self.app, "library.data")
            table.nothing_text = f"{listed.title} {listed.status.state}. {says} says where the data is."
        else:
            table.nothing_text = (
                f"No task is listed. {shown_key(self.app, 'library.page')} begins one on any page."
            )
        table.results = self.results.get(name, {})
        table.records = listed.entries if listed else ()
        table.say_instance("")
        if listed is not None and name == self._place.benchmark and not self._wanted[0]:
            table.show_split(self._place.split)
            table.go_to((name, self._place.task))
        self._show_heading(name)
        self._look_through_once(name)
        if listed is not None and not ready:
            preview = self.query_one(TaskPreview)
            preview.shown_task = None
            self.query_one(TaskPictures).show_task(None)
            preview.notes = [Entry("", f"{listed.title} {listed.status.state}.", "strong"), Entry("", "")]
            preview.notes = [*preview.notes, Entry("", listed.status.detail)]
        self.query_one(KeyFooter).refresh()

    def _show_heading(self, name: str) -> None:
        listed = self.listed.get(name)
        title = data_problems.heading(listed.title if listed else name, self.problems.get(name))
        if self._first_time and name == START.benchmark:
            title = f"{title} · start here: {shown_key(self.app, 'library.open')} steps the task"
        self.query_one(TaskTable).say(title)

    def _look_through_once(self, name: str) -> None:
        """Have the engine look for problems of the data, once it has read that."""
        listed = self.listed.get(name)
        ready = listed is not None and listed.status.state == "ready"
        if ready and name not in self.problems and name not in self._unread:
            self.problems[name] = None
            run_worker(self, partial(self._look_through, name))

    async def _look_through(self, name: str) -> None:
        await self.link.send(catalogue_messages.ListProblems(benchmark=name, data=self._data.get(name, "")))

    def on_benchmark_list_chosen(self, message: BenchmarkList.Chosen) -> None:
        self._show_tasks(message.name)

    async def on_record_table_focused(self, message: RecordTable.Focused) -> None:
        entry = self.entry
        if entry is None:
            if message.table.filtered:
                preview = self.query_one(TaskPreview)
                preview.shown_task, preview.notes, preview.border_subtitle = None, [], ""
                self.query_one(TaskPictures).show_task(None)
            return
        if (entry.benchmark, entry.name) != (self.chosen, self._wanted[0]):
            self.instance = 0
        self._place = Place(benchmark=entry.benchmark, task=entry.name, split=self.query_one(TaskTable).split)
        await self._read(entry)

    async def on_record_table_activated(self) -> None:
        await self.action_open_task()

    async def action_open_task(self) -> None:
        """Step the task under the cursor, or say why it can't be."""
        entry = self.entry
        if entry is None:
            self.notify("There is no task here to open.", markup=False)
        elif entry.problem:
            self.notify(plain_text(entry.problem, limit=300), severity="warning", markup=False)
        else:
            self._opening_task = True
            await self._read(entry)

    def action_choose_split(self) -> None:
        run_worker(self, partial(choose_part, self, self.query_one(TaskTable), self.chosen))

    def action_save_subset(self) -> None:
        run_worker(self, partial(keep_as_subset, self, self.query_one(TaskTable), self.chosen))

    async def _read(self, entry: TaskEntry) -> None:
        """Have the chosen instance of a task read, for the preview or to be stepped."""
        count = entry.instances or 1
        self.instance = min(self.instance, count - 1)
        self._wanted = (entry.name, self.instance)
        words = f"instance {self.instance + 1} of {count:,}" if count > 1 else ""
        self.query_one(TaskTable).say_instance(words)
        self.query_one(TaskPreview).border_subtitle = Content(words or plain_text(entry.name, limit=60))
        data = self._data.get(entry.benchmark, "")
        await self.link.send(
            catalogue_messages.ReadTask(
                benchmark=entry.benchmark, name=entry.name, instance=self.instance, data=data
            )
        )
        self.query_one(KeyFooter).refresh()

    async def action_instance(self, step: int) -> None:
        entry = self.entry
        if entry is None or not entry.instances or entry.instances < 2:
            self.notify("This task has one instance only.", markup=False)
            return
        self.instance = (self.instance + step) % entry.instances
        await self._read(entry)

    def action_go_to_instance(self) -> None:
        entry = self.entry
        if entry is None or not entry.instances or entry.instances < 2:
            self.notify("This task has one instance only.", markup=False)
            return

        def given(text: str | None) -> None:
            if text is None or entry is None or entry.instances is None:
                return
            if not (text.strip().isascii() and text.strip().isdigit()):
                self.notify("An instance is a number.", markup=False)
                return
            self.instance = max(0, min(entry.instances, int(text)) - 1)
            run_worker(self, partial(self._read, entry))

        self.app.push_screen(TextPrompt(f"Which instance, 1 to {entry.instances:,}?"), given)

    def action_open_page(self) -> None:
        run_worker(self, self._open_page, group="page", exclusive=True)

    async def _open_page(self) -> None:
        """Ask for an address, and what is to be done there; then step it."""
        from webbench.benchmarks.page.tasks import read_task, task_name

        address = await self.app.push_screen_wait(TextPrompt("Which page?", placeholder="https://…"))
        if not address:
            return
        question = "What is to be done there? (left empty: it is recorded, and not scored)"
        intent = await self.app.push_screen_wait(
            TextPrompt(question, placeholder="Find …, put … into the cart")
        )
        if intent is None:
            return
        try:
            task = read_task(task_name(address, intent))
        except WebbenchError as error:
            self.notify(plain_text(str(error), limit=300), severity="error", markup=False)
            return
        go_to(self, Stepper(task, replace(self.opening, agent=self.agent, resume="", data=None)))
        self.agent = ""

    def action_filter(self) -> None:
        """The table filters itself as one types."""
        table = self.query_one(TaskTable)
        table.focus()
        table.action_filter()

    def action_choose_agent(self) -> None:
        benchmark = self.entry.benchmark if self.entry is not None else ""

        def chosen(spec: str | None) -> None:
            if spec is not None:
                self.agent = spec
                run_worker(self, self.action_open_task)

        nobody = "none: I step it myself"
        prompt = PickPrompt(
            "Who steps this task?", agent_choices(benchmark), nobody=nobody, hint=WITH_OPTIONS
        )
        self.app.push_screen(prompt, chosen)

    def _open(self, task: Task) -> None:
        self._opening_task = False
        data = self._data.get(task.benchmark)
        opening = replace(self.opening, agent=self.agent, resume="", data=Path(data) if data else None)
        among = self.query_one(TaskTable).following(task.name, task.instance or 0)
        go_to(self, Stepper(task, opening, among))
        self.agent = ""

    def on_unfinished_list_going_on(self, message: UnfinishedList.GoingOn) -> None:
        run_worker(self, partial(self._go_on, message.episode), group="go on", exclusive=True)

    def action_go_on(self) -> None:
        episode = self.query_one(UnfinishedList).episode
        if episode is None:
            self.notify("No episode is unfinished.", markup=False)
        else:
            run_worker(self, partial(self._go_on, episode), group="go on", exclusive=True)

    async def _go_on(self, episode: UnfinishedEpisode) -> None:
        """Reset its task, repeat what was done, and go on from there."""
        from webbench.core.dialects.dialect import find_dialect
        from webbench.core.engine import catalogue
        from webbench.core.store.store import Store

        data = self._data.get(episode.benchmark, "")

        def read() -> tuple[EpisodeHeader, Task]:
            header = Store(self.opening.store).header(episode.run, episode.episode)
            find_dialect(header.dialect)
            return header, catalogue.startable(header, data)

        try:
            header, task = await asyncio.to_thread(read)
        except WebbenchError as error:
            told = plain_text(f"{episode.episode} can't be gone on with: {error}", limit=400)
            self.notify(told, severity="error", markup=False, timeout=10)
            return
        opening = replace(
            self.opening,
            agent="",
            dialect=header.dialect,
            rules=header.rules,
            data=Path(data) if data else None,
            resume=f"{episode.run}/{episode.episode}",
            fork_step=None,
        )
        go_to(self, Stepper(task, opening))

    def action_runs(self) -> None:
        go_to(self, Runs(self.opening))

    def action_run_batch(self) -> None:
        """Put a run of these tasks together, and follow it where it was begun."""
        from webbench.tui.screens.library.opening_batch import open_batch

        listed = self.listed.get(self.chosen)
        if listed is None:
            self.notify("The data set is still being read.", markup=False)
        else:
            table, data = self.query_one(TaskTable), self._data.get(self.chosen, "")
            opened = partial(open_batch, self, self.opening, listed, table, agent=self.agent)
            run_worker(self, partial(opened, instance=self.instance, data=data))

    # -- data ----------------------------------------------------------------------------------

    def action_set_data(self) -> None:
        """Say where the benchmark's data is, for this sitting."""
        name = self.chosen

        def given(folder: str | None) -> None:
            if folder is None:
                return
            self._data[name] = str(Path(folder).expanduser()) if folder.strip() else ""
            self.listed.pop(name, None)
            self._show_tasks(name)
            run_worker(self, self.action_reload)

        question = f"Where is the data of {plain_text(name)}? (to keep it, set data.{plain_text(name)})"
        self.app.push_screen(TextPrompt(question, value=self._data.get(name, "")), given)

    def action_problems(self) -> None:
        """What the benchmark says of its data, and the tasks that can't be used."""
        listed = self.listed.get(self.chosen)
        if listed is None:
            self.notify("The data set is still being read.", markup=False)
            return
        entries = data_problems.entries(listed, self.problems.get(self.chosen))
        self.app.push_screen(ReadingScreen(listed.title, entries))

    def action_clear(self) -> None:
        """Out of the filter, and no further: Escape may have been pressed once too often."""
        table = self.query_one(TaskTable)
        if table.filtered:
            table.action_clear_filter()
        else:
            self.notify(f"{shown_key(self.app, 'library.back')} quits.", markup=False)

    def action_back(self) -> None:
        """First out of the filter, then out of the program; asks first where something goes on."""
        table = self.query_one(TaskTable)
        if table.filtered:
            table.action_clear_filter()
        else:
            run_worker(self, self._quit, group="quit", exclusive=True)

    async def _quit(self) -> None:
        going_on = await asyncio.to_thread(self._going_on)
        if going_on:
            choices = [("stay", "Stay here"), ("quit", "Quit")]
            prompt = ChoicePrompt("Quit, while this is not at its end?", choices, note="\n".join(going_on))
            if await self.app.push_screen_wait(prompt) != "quit":
                return
        self.app.exit()

    def _going_on(self) -> list[str]:
        """What this sitting began that is not at its end, and what becomes of it; reads the disk."""
        from webbench.core.runner.status.board import statuses_at_work

        begun = statuses_at_work(self.opening.store, workbench(self).begun_runs)
        told = [
            f"{status.run}: {status.done:,} of {status.planned:,} done; it goes on by itself"
            for status in begun.values()
        ]
        if any(one.group in BEGINNING and not one.is_finished for one in self.app.workers):
            told.append("a run is being started or ended; that may be broken off")
        told += [
            f"{one.benchmark} {one.task} is unfinished: {progress_words(one)}; it is kept"
            for one in self.query_one(UnfinishedList).found.episodes
            if one.episode in workbench(self).recorded
        ]
        return told
