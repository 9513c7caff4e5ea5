"""Going on with a run, ending one, reading what its runner printed: asked for first, told as commands."""

from __future__ import annotations

from pathlib import Path

from textual.app import App
from textual.notifications import SeverityLevel

from webbench.core.errors import WebbenchError
from webbench.core.runner.local.detached import Started, last_output, read_output
from webbench.core.runner.plan.run_request import ResumeRequest, run_words
from webbench.core.runner.status.run_status import RunStatus
from webbench.core.runner.status.status_words import AT_WORK
from webbench.core.runner.stopping import Stopping
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.finding_again import command_in_store
from webbench.tui.own_command import answer
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TextPrompt
from webbench.tui.screens.dialogs.reading import ReadingScreen
from webbench.tui.widgets.lists.text_rows import Entry
from webbench.tui.workbench import workbench

NO_PLAN = "This run has no plan to go on with: only a batch has one."
MOST_LINES = 400


class RunControl:
    """Of the runs of one store. Its methods are run as workers of the app: a run that was told to begin or
    end does so whatever screen is in front by then.
    """

    def __init__(self, app: App[object], store: Path, data: Path | None = None) -> None:
        self._app = app
        self._store = store
        self._usual_store = workbench(app).settings.store_folder()
        self._data = data

    async def resume(self, status: RunStatus | None) -> None:
        """Ask whether to go on with a run, and do."""
        if (why := cannot_resume(status)) or status is None:
            self._tell(why)
            return
        choices = [("", f"go on, {status.workers} at a time")] if status.waiting else []
        if unscored := status.not_scored + status.errors:
            choices.append(
                ("retry", f"play the {unscored:,} without a score once more, too (--retry not-scored)")
            )
        words = run_words(ResumeRequest(run=status.run, data=self._data))
        command = self._command([*words, "--detach"])
        question = f"Go on with {status.run}? {status.waiting:,} of {status.planned:,} are left to be played."
        chosen = await self._app.push_screen_wait(
            ChoicePrompt(question, [*choices, ("no", "leave it")], note=_as_command(command))
        )
        if chosen in (None, "no"):
            return
        cost = await self._more_cost(status)
        if cost is None and status.state == "limited":
            return
        request = ResumeRequest(run=status.run, retry=chosen == "retry", run_cost=cost, data=self._data)
        await self._begin(request)

    async def _more_cost(self, status: RunStatus) -> float | None:
        """What the whole run may cost from now on, where that is what ended it; None to leave it."""
        if status.state != "limited":
            return None
        question = (
            f"How many US$ may the whole run cost? ${status.spent.cost or 0:.2f} are spent. 0: no limit."
        )
        while True:
            text = await self._app.push_screen_wait(TextPrompt(question))
            if text is None:
                return None
            try:
                cost = float(text)
            except ValueError:
                cost = -1.0
            if 0 <= cost < 1e9:
                return cost
            self._tell(f'An amount of US$ is a number from 0, not "{text}".')

    async def _begin(self, request: ResumeRequest) -> None:
        words = [*run_words(request), "--detach"]
        self._tell(f"Starting it: {self._command(words)}")
        try:
            started = await answer(words, self._store, Started)
        except WebbenchError as error:
            self._tell(f"It can't go on: {error}", bad=True)
        else:
            workbench(self._app).begun_runs.append(started.run)
            self._tell(f"The run goes on, in process {started.pid}.")

    async def stop(self, status: RunStatus | None) -> None:
        """Ask whether to end a run, and do."""
        if status is None or status.state not in AT_WORK:
            self._tell("Nobody works at this run.")
            return
        ending = status.runner is not None and status.runner.ending
        words = ["stop", status.run, *(["--now"] if ending else [])]
        going_on = counted(len(status.running), "episode")
        if ending:
            question = (
                f"{status.run} is ending {going_on} in order. Leave at once, and drop them as they are?"
            )
            choices = [("no", "let it end in order"), ("yes", "leave at once, as with a second Ctrl+C")]
        else:
            question = (
                f"End {status.run}? {going_on} would end without a score. Going on later plays them again."
            )
            choices = [("yes", "end it in order, as with Ctrl+C"), ("no", "let it run")]
        prompt = ChoicePrompt(question, choices, at="no", note=_as_command(self._command(words)))
        if await self._app.push_screen_wait(prompt) == "yes":
            await self._end(words)

    async def _end(self, words: list[str]) -> None:
        self._tell("Telling its runner to end.")
        try:
            stopping = await answer(words, self._store, Stopping)
        except WebbenchError as error:
            self._tell(f"It can't be ended from here: {error}", bad=True)
            return
        left = f"{counted(stopping.waiting, 'episode')} left" if stopping.waiting else "nothing left"
        told = f"{stopping.state}, {left}" if stopping.left else "its runner hasn't left yet"
        self._tell(f"{stopping.run}: {told}.")

    async def show_output(self, run: str) -> None:
        """The last lines that its runner printed."""
        try:
            path = last_output(self._store, run)
            text = "" if path is None else read_output(path)
        except WebbenchError as error:
            self._tell(str(error), bad=True)
            return
        if path is None:
            self._tell("Nothing is kept of what its runner printed: it was begun in a terminal.")
            return
        entries = [Entry("", line) for line in text.splitlines()[-MOST_LINES:]]
        self._app.push_screen(ReadingScreen(path.name, entries or [Entry("", "nothing yet", "muted")]))

    def _command(self, words: list[str]) -> str:
        return command_in_store(words, self._store, self._usual_store)

    def _tell(self, text: str, *, bad: bool = False) -> None:
        severity: SeverityLevel = "error" if bad else "information"
        self._app.notify(
            plain_text(text, limit=600, newlines="keep"), severity=severity, markup=False, timeout=8
        )


def _as_command(command: str) -> str:
    return f"The same as: {command}"


def cannot_resume(status: RunStatus | None) -> str:
    """Why there is nothing to go on with, "" where there is."""
    if status is None:
        return NO_PLAN
    if status.state in AT_WORK:
        return "This run is being played."
    if not (status.waiting or status.not_scored or status.errors):
        return "Nothing of this run is left to be played."
    return ""
