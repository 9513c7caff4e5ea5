"""The library: benchmarks with their state, their tasks, and what one of them is about."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Footer, Input

from webbench.core import registry
from webbench.core.engine import messages
from webbench.core.plain_text import plain_text
from webbench.core.task import Task, TaskEntry
from webbench.tui.commands import bindings
from webbench.tui.engine_link import EngineLink
from webbench.tui.screens.prompt import ChoicePrompt
from webbench.tui.widgets.benchmark_list import BenchmarkList
from webbench.tui.widgets.task_preview import TaskPreview
from webbench.tui.widgets.task_table import TaskTable

if TYPE_CHECKING:
    from webbench.tui.app import Opening


class LibraryScreen(Screen[None]):
    """Choose a task and step it."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("library")]
    HORIZONTAL_BREAKPOINTS: ClassVar[list[tuple[int, str]]] = [(0, "-narrow"), (100, "-normal")]

    def __init__(self, opening: Opening) -> None:
        super().__init__()
        self.opening = opening
        self.listed: dict[str, messages.TasksListed] = {}
        self.instance = 0
        self.agent = opening.agent
        self._opening_task = False

    @property
    def link(self) -> EngineLink:
        return self.app.link  # type: ignore[attr-defined, no-any-return]

    def compose(self) -> ComposeResult:
        with Horizontal(id="columns"):
            yield BenchmarkList(id="benchmarks")
            yield TaskTable(id="tasks")
            yield TaskPreview(id="preview")
        yield Input(placeholder="filter tasks", id="filter")
        yield Footer(compact=True, show_command_palette=False)

    async def on_mount(self) -> None:
        names = sorted(registry.load("webbench.benchmarks"))
        self.query_one(BenchmarkList).names = names
        self.query_one(BenchmarkList).chosen = self.opening.benchmark or names[0]
        self.query_one(TaskTable).focus()
        self.call_after_refresh(self.action_reload)

    async def action_reload(self) -> None:
        """Have the engine read the data sets; the screen stays usable meanwhile."""
        await self.link.send(messages.ListTasks(data=""))

    def on_engine_link_happened(self, message: EngineLink.Happened) -> None:
        match message.event:
            case messages.TasksListed(benchmark=name):
                self.listed[name] = message.event
                self.query_one(BenchmarkList).listed = dict(self.listed)
                if name == self.query_one(BenchmarkList).chosen:
                    self._show_tasks(name)
            case messages.TaskRead(task=task):
                self.query_one(TaskPreview).task = task
                if self._opening_task:
                    self._open(task)
            case messages.Trouble(message=text, hint=hint):
                self.notify(plain_text(f"{text} {hint}"), severity="error", markup=False)
            case _:
                return

    def _show_tasks(self, name: str) -> None:
        listed = self.listed.get(name)
        table = self.query_one(TaskTable)
        if listed is None:
            table.empty_text = "Reading the data set…"
        elif listed.status.state != "ready":
            table.empty_text = f"{listed.title} {listed.status.state}: {listed.status.detail}"
        table.rows = listed.entries if listed else ()
        table.border_title = plain_text(listed.title if listed else name)

    def on_benchmark_list_chosen(self, message: BenchmarkList.Chosen) -> None:
        self._show_tasks(message.name)

    async def on_task_table_row_focused(self, message: TaskTable.RowFocused) -> None:
        self.instance = 0
        await self._read(message.entry)

    async def on_task_table_row_activated(self, message: TaskTable.RowActivated) -> None:
        self._opening_task = True
        await self._read(message.entry)

    async def action_open_task(self) -> None:
        entry = self.query_one(TaskTable).entry
        if entry is None:
            self.notify("There is no task here to open.")
            return
        self._opening_task = True
        await self._read(entry)

    async def _read(self, entry: TaskEntry | None) -> None:
        if entry is not None:
            instance = min(self.instance, (entry.instances or 1) - 1)
            intent = messages.ReadTask(benchmark=entry.benchmark, name=entry.name, instance=instance)
            await self.link.send(intent)

    async def action_instance(self, step: int) -> None:
        entry = self.query_one(TaskTable).entry
        if entry is None or not entry.instances or entry.instances < 2:
            self.notify("This task has one instance only.")
            return
        self.instance = (self.instance + step) % entry.instances
        await self._read(entry)

    def action_filter(self) -> None:
        self.query_one("#filter").add_class("open")
        self.query_one("#filter").focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        self.query_one(TaskTable).filter = event.value

    def on_input_submitted(self) -> None:
        self.query_one(TaskTable).focus()

    def action_choose_agent(self) -> None:
        choices = [("", "none: I step it myself")]
        choices += [(name, name) for name in sorted(registry.load("webbench.agents"))]

        def chosen(name: str | None) -> None:
            if name is not None:
                self.agent = name
                self.run_worker(self.action_open_task())

        self.app.push_screen(ChoicePrompt("Who steps this task?", choices), chosen)

    def _open(self, task: Task) -> None:
        from webbench.tui.screens.stepper import StepperScreen

        self._opening_task = False
        self.app.push_screen(StepperScreen(task, replace(self.opening, agent=self.agent, resume="")))
        self.agent = ""

    def action_back(self) -> None:
        """First out of the filter, then out of the program."""
        field = self.query_one("#filter", Input)
        if field.has_class("open"):
            field.value = ""
            field.remove_class("open")
            self.query_one(TaskTable).focus()
        else:
            self.app.exit()
