"""A new batch is put together: which tasks, who plays them, how; then it begins in its own process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

import msgspec
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static

from webbench.core.errors import UsageError, WebbenchError
from webbench.core.runner.local.detached import Started
from webbench.core.runner.plan.declared_options import Declared
from webbench.core.runner.plan.dry_run import Outline, outline_words
from webbench.core.runner.plan.run_request import RunRequest, run_words
from webbench.core.text.plain_text import plain_text
from webbench.themes.stylesheets import stylesheet
from webbench.tui.commands import bindings, shown_key
from webbench.tui.finding_again import shell_command
from webbench.tui.own_command import answer
from webbench.tui.screens.breakpoints import Breakpoints
from webbench.tui.screens.dialogs.pick_prompt import PickPrompt
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TypedText
from webbench.tui.screens.dialogs.selectable_agents import WITH_OPTIONS, agent_choices
from webbench.tui.screens.library.batch_form import LIMITS, PLAYING, TaskChoice, request_of
from webbench.tui.widgets.fields.choice_field import ChoiceField
from webbench.tui.widgets.fields.safe_input import SafeInput
from webbench.tui.workbench import workbench
from webbench.tui.workers import run_worker

PAUSE = 0.5
"""Seconds without a change after which it is found out what would be played."""
LONGEST_COMMAND = 700
DETACHED = "--detach"
LOW_OR_HIGH: Breakpoints = [(0, "-low"), (30, "-high")]
"""Lines from which a gap stands between its rows."""


class BatchPrompt(ModalScreen[Started | None]):
    """Gives the run that was begun; None when it is left.

    What would be played, and what keeps it from that, is what `run --dry-run` says of the same options.

    Args:
        base: what isn't asked for here.
        choices: of tasks, the first one chosen.
        store, usual_store: the runs' store, and the one of the settings.
    """

    CSS_PATH = stylesheet("batch")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("batch")]
    VERTICAL_BREAKPOINTS = LOW_OR_HIGH
    AUTO_FOCUS = "#agent"

    def __init__(
        self, base: RunRequest, choices: Sequence[TaskChoice], *, store: Path, usual_store: Path
    ) -> None:
        super().__init__()
        self._base = self._given = base
        self._typed = TypedText()
        self._choices = list(choices)
        self._choice = self._choices[0]
        self._store, self._usual_store = store, usual_store
        self._pause: Timer | None = None
        self._starting = False
        self._problem = ""
        self._told: RunRequest | None = None
        """Whose outline is shown."""

    # -- the form ------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        with Vertical(id="form") as form:
            form.border_title = "Run a batch"
            form.border_subtitle = Content(self._keys())
            yield from _row("Tasks", ChoiceField(self._choice.label, id="tasks"))
            yield from _row("Agent", ChoiceField(self._base.agent, id="agent"))
            yield from _row("Play", *_number_fields(PLAYING))
            yield from _row("Limits", *_number_fields(LIMITS))
            yield from _row("Pictures", ChoiceField(_pictures(self._base), id="pictures"))
            with VerticalScroll(id="told", can_focus=False):
                yield Static(id="outline", markup=False)
                yield Static(id="command", markup=False)
            yield ChoiceField("Start this run", id="start")

    def _keys(self) -> str:
        keys = {name: shown_key(self.app, f"batch.{name}") for name in ("start", "copy", "cancel")}
        keys["choose"] = shown_key(self.app, "field.choose")
        told = {"choose": "chooses", "start": "starts", "copy": "copies the command", "cancel": "leaves"}
        return " · ".join(f"{keys[name]} {does}" for name, does in told.items())

    def on_mount(self) -> None:
        self._changed()

    def on_choice_field_choosing(self, message: ChoiceField.Choosing) -> None:
        if self._starting:
            self.notify("It is being started.", markup=False)
            return
        match message.field.id:
            case "tasks":
                self._choose_tasks()
            case "agent":
                self._choose_agent()
            case "pictures":
                self._base = msgspec.structs.replace(self._base, pictures=not self._base.pictures)
                message.field.value = _pictures(self._base)
                self._changed()
            case _:
                self.action_start()

    def _choose_tasks(self) -> None:
        def chosen(number: str | None) -> None:
            if number is not None:
                self._choice = self._choices[int(number)]
                self.query_one("#tasks", ChoiceField).value = self._choice.label
                self._changed()

        labels = [(str(number), choice.label) for number, choice in enumerate(self._choices)]
        at = str(self._choices.index(self._choice))
        note = f"{shown_key(self.app, 'tasks.mark')} in the library's list marks tasks for a run."
        prompt = ChoicePrompt("Which tasks are to be played?", labels, at=at, note=note)
        self.app.push_screen(prompt, chosen)

    def _choose_agent(self) -> None:
        def chosen(spec: str | None) -> None:
            if spec:
                self._base = msgspec.structs.replace(self._base, agent=spec)
                self.query_one("#agent", ChoiceField).value = spec
                self._changed()

        choices = agent_choices(self._base.benchmark)
        prompt = PickPrompt("Who plays these tasks?", choices, chosen=self._base.agent, hint=WITH_OPTIONS)
        self.app.push_screen(prompt, chosen)

    def on_input_changed(self) -> None:
        self._typed.went_on()
        self._changed()

    def on_input_submitted(self) -> None:
        self.focus_next()

    # -- what it comes to ----------------------------------------------------------------------

    @property
    def request(self) -> RunRequest:
        """Raises `UsageError` for a field that holds no such number."""
        filled = {one.id: one.value for one in self.query(Input) if one.id}
        return request_of(self._base, self._choice, filled)

    @property
    def command(self) -> str:
        """As a shell takes it. Raises as `request`."""
        return self._command_of(self.request)

    def _command_of(self, request: RunRequest) -> str:
        return shell_command([*run_words(request), DETACHED], self._store, self._usual_store)

    def _changed(self) -> None:
        """Show the command at once, and soon what it would play."""
        if self._pause is not None:
            self._pause.stop()
        self.workers.cancel_group(self, "outline")
        try:
            request = self.request
        except UsageError as error:
            self.query_one("#command", Static).update("")
            self._tell_problem(error)
            return
        self._problem = ""
        command = self._command_of(request)
        self.query_one("#command", Static).update(Content(plain_text(command, limit=LONGEST_COMMAND)))
        self._tell("Looking what would be played…")
        # The request as it was checked: a key may have changed a field before its message arrives here.
        self._pause = self.set_timer(PAUSE, partial(self._look, request))

    def _look(self, request: RunRequest) -> None:
        run_worker(self, partial(self._outline, request), exclusive=True, group="outline")

    async def _outline(self, request: RunRequest) -> None:
        try:
            outline = await answer([*run_words(request), "--dry-run"], self._store, Outline)
        except WebbenchError as error:
            self._tell_problem(error)
        else:
            self._told = request
            self._tell("\n".join(outline_words(outline)))

    def _tell(self, text: str, *, bad: bool = False) -> None:
        told = self.query_one("#outline", Static)
        told.set_class(bad, "-bad")
        told.update(Content(plain_text(text, limit=4000, newlines="keep")))

    def _tell_problem(self, error: WebbenchError) -> None:
        self._problem = "\n".join(filter(None, (f"Can't be started: {error.message}", error.hint)))
        self._tell(self._problem, bad=True)

    # -- starting it ---------------------------------------------------------------------------

    def action_start(self) -> None:
        if self._starting:
            self.notify("It is being started.", markup=False)
            return
        if not self._problem:
            self._begin()
        if self._problem:
            self.notify(plain_text(self._problem, limit=600), severity="warning", markup=False)
            self._changed()  # it may have been mended meanwhile

    def _begin(self) -> None:
        try:
            request = self.request
        except UsageError as error:  # a key has changed a field, and its message isn't here yet
            self._tell_problem(error)
            return
        if self._told != request:
            self.notify("A moment: it is still being found out what would be played.", markup=False)
            return
        self._starting = True
        self.workers.cancel_group(self, "outline")
        self._tell("Starting… (reading the tasks, opening a browser)")
        run_worker(self.app, partial(self._start, request), group="start")

    async def _start(self, request: RunRequest) -> None:
        """Goes on also when the form is left meanwhile."""
        try:
            started = await answer([*run_words(request), DETACHED], self._store, Started)
        except WebbenchError as error:
            self._starting = False
            if self.is_attached:
                self._tell_problem(error)
            else:
                told = plain_text(f"The run could not be started: {error}", limit=600)
                self.app.notify(told, severity="error", markup=False)
            return
        if self.is_current:
            self.dismiss(started)
            return
        workbench(self).begun_runs.append(started.run)
        begun = plain_text(f"The run {started.run} has begun; Runs shows it.")
        self.app.notify(begun, markup=False)
        if self.is_attached:
            self._tell(begun)

    def action_copy(self) -> None:
        try:
            command = self.command
        except UsageError as error:
            self.notify(plain_text(str(error)), severity="warning", markup=False)
            return
        self.app.copy_to_clipboard(command)
        self.notify("Copied the command.", markup=False)

    def action_cancel(self) -> None:
        if self._starting:
            self.app.notify("The run is still being started; the Runs screen will show it.", markup=False)
        filled = any(one.value.strip() for one in self.query(Input)) or self._base != self._given
        if self._typed.may_go(self, filled and not self._starting):
            self.dismiss(None)


def _row(label: str, *fields: Widget) -> Iterator[Widget]:
    with Horizontal(classes="row", id=f"{label.lower()}-row"):
        yield Static(label, classes="label")
        yield from fields


def _number_fields(fields: Sequence[Declared]) -> Iterator[Widget]:
    for field in fields:
        yield Static(field.option.label, classes="name")
        yield SafeInput(placeholder=field.option.empty, id=field.name, compact=True, select_on_focus=False)


def _pictures(request: RunRequest) -> str:
    return "yes: keep one of every step" if request.pictures else "no"
