"""A command's form: its fields, the words they come to, and what it prints when it is run."""

from __future__ import annotations

import asyncio
import os
import shlex
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import ComposeResult, SuspendNotSupported
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from webbench.core.errors import EnvironmentDown, UsageError
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.themes.stylesheets import stylesheet
from webbench.tui import destinations
from webbench.tui.cli.declared_form import CommandForm, FieldMissing, declared_form
from webbench.tui.commands import bindings, shown_key
from webbench.tui.commands.screen_offers import ScreenOffers
from webbench.tui.opening import Opening
from webbench.tui.screens.breakpoints import breakpoints
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TypedText
from webbench.tui.screens.dialogs.reading import ReadingScreen
from webbench.tui.screens.forms.account_table import AccountTable, read_account
from webbench.tui.screens.forms.form_fields import FormFields
from webbench.tui.screens.forms.kind_table import KindTable
from webbench.tui.screens.forms.printed_lines import PrintedLines
from webbench.tui.screens.forms.running import Running, run_in_terminal
from webbench.tui.screens.going_back import go_back
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.workbench import workbench
from webbench.tui.workers import run_worker

LONGEST_COMMAND = 700
RUNNING = "running…"
NOTHING_WRITTEN = "It has written nothing yet."
MOST_TOLD = 16
"""Lines of what it would take that stand beside the question."""
YES = "yes"
"""The switch of a command that asks first: to begin unasked."""
USAGE = UsageError.exit_code
TOLD_IN_TABLE = ("import",)
"""The command whose account of losses is shown as a table."""

_SHOWN_BY: dict[str, type[Widget]] = {"": PrintedLines, "-kinds": KindTable, "-table": AccountTable}
_SHOWN = tuple(_SHOWN_BY)


class CommandFormScreen(Screen[None], ScreenOffers):
    """Fill a command in and run it: what it does and prints is the command's own, in its own process.

    Args:
        asked: the command, the store that it works on, and what its fields are filled with at first.
    """

    CSS_PATH = stylesheet("forms")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("form")]
    HORIZONTAL_BREAKPOINTS = breakpoints(normal=120)
    AUTO_FOCUS = "#fields Input, #fields ChoiceField"

    def __init__(self, asked: destinations.CommandForm) -> None:
        super().__init__()
        self.form: CommandForm = declared_form(asked.path)
        self._asked = asked
        self._store = asked.store
        self._at_work: Running | None = None
        self._begun = False
        """Also while it is asked whether to go on."""
        self._written: list[Path] = []
        self._has_table = False
        """An account of losses was read."""
        self._brought = ""
        """The run, or the first of those, that an import brought into the store."""
        self._leaving = TypedText()
        self._typed = False
        """Something that no run has used."""

    # -- the fields ----------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        title = f"{' '.join(self.form.path)} · {self.form.title}"
        yield Static(Content(plain_text(title, limit=300)), id="form-title")
        with Horizontal(id="form-panes"):
            with Vertical(id="form-side"):
                yield FormFields(self.form, self._asked.at_hand, self._store, self._asked.filled)
                yield Static(id="about", markup=False)
                yield Static(id="command", markup=False)
                yield Static(id="became", markup=False)
            yield PrintedLines()
            if self.form.path == TOLD_IN_TABLE:
                yield KindTable()
                yield AccountTable()
        yield KeyFooter()

    def on_mount(self) -> None:
        printed = self.query_one(PrintedLines)
        printed.begin("What it does")
        printed.take(self.form.help.splitlines())
        printed.end("")
        self._changed()
        if self._asked.begin:
            self.call_after_refresh(self.action_run)

    @property
    def fields(self) -> FormFields:
        return self.query_one(FormFields)

    def words(self, **more: str) -> list[str]:
        """What is run, without the program's name; `more` stands in for what is filled in.

        Raises `UsageError` as `CommandForm.words`.
        """
        return self.form.words(self.fields.filled | more, self._store)

    def command(self) -> str:
        """The same as a shell takes it, the store left out where it is the one of the settings."""
        usual = workbench(self).settings.store_folder()
        words = self.form.words(self.fields.filled, None if self._store == usual else self._store)
        return shlex.join(["webbench-tui", *words])

    def action_choose(self) -> None:
        """Choose what stands in the field with the focus from what there is."""
        self.fields.choose(self.focused)

    def on_form_fields_changed(self) -> None:
        self._leaving.went_on()
        self._typed = self.fields.is_typed
        self._changed()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self.set_class(isinstance(event.widget, PrintedLines | AccountTable | KindTable), "-reading")
        one = self.fields.field(event.widget)
        if one is not None:
            self.query_one("#about", Static).update(Content(plain_text(one.help, limit=400)))
        self.query_one(KeyFooter).refresh()

    def _changed(self) -> None:
        told = self.query_one("#command", Static)
        try:
            text, problem = self.command(), False
        except FieldMissing as error:
            text, problem = error.message, False
        except UsageError as error:
            text, problem = str(error), True
        told.set_class(problem, "-bad")
        told.update(Content(plain_text(text, limit=LONGEST_COMMAND)))

    # -- running it ----------------------------------------------------------------------------

    def action_run(self) -> None:
        if self._begun:
            stops = shown_key(self.app, "form.stop")
            self.notify(f"It is running; {stops} ends it.", markup=False)
            return
        try:
            words = self.words()
        except UsageError as error:
            self.notify(plain_text(str(error)), severity="warning", markup=False)
            return
        if self.form.opens_screen(self.fields.filled):
            self.action_in_terminal()
            return
        self._begun = True
        run_worker(self, partial(self._run_as_agreed, words), group="command")

    async def _run_as_agreed(self, words: list[str]) -> None:
        """Run it; where it asks first and could ask nobody, ask what it asked, and go on after a yes."""
        agreed = self.fields.filled.get(YES) == "no" and self.words(**{YES: "yes"})
        try:
            if await self._run(words) == USAGE and agreed and await self._agrees():
                await self._run(agreed)
        finally:
            self._begun = False

    async def _agrees(self) -> bool:
        printed = self.query_one(PrintedLines).text.splitlines()
        if not printed or f"--{YES}" not in printed[-1]:
            return False
        told = "\n".join(printed[-MOST_TOLD:-1])
        prompt = ChoicePrompt("It asks first:", [("no", "no"), ("yes", "yes")], note=told, careful=True)
        return await self.app.push_screen_wait(prompt) == "yes"

    async def _run(self, words: list[str]) -> int:
        """Run it; what an import came to is a table then, too."""
        if self.form.path != TOLD_IN_TABLE:
            return await self._ran(words)
        self.remove_class("-table", "-kinds")
        self._brought = ""
        store = Store(self._store)
        before = await asyncio.to_thread(store.run_names)
        with tempfile.TemporaryDirectory(prefix="webbench-") as folder:
            account = Path(folder) / "account.json"
            into = ["--account", str(account)]
            code = await self._ran([*self.form.path, *into, *words[len(self.form.path) :]])
            told = await asyncio.to_thread(read_account, account)
        self._has_table = told is not None
        self._brought = min(await asyncio.to_thread(store.run_names) - before, default="")
        if told is not None:
            self.query_one(AccountTable).show(told)
            self.query_one(KindTable).show(told.account)
            self._show("-kinds" if told.account else "-table")
        return code

    def action_show_runs(self) -> None:
        """The runs of the store, with the cursor on what came in."""
        if self._brought:
            destinations.go_to(self, destinations.Runs(Opening(self._store), self._brought))
        else:
            self.notify("No run has come in.", markup=False)

    def action_turn(self) -> None:
        """From the table of kinds to that of losses, to what was printed, and on."""
        if not self._has_table:
            self.notify("There is no table of it yet.", markup=False)
            return
        shown = next((name for name in _SHOWN if name and self.has_class(name)), "")
        self._show(_SHOWN[(_SHOWN.index(shown) + 1) % len(_SHOWN)])

    def _show(self, name: str) -> None:
        """One of the tables by its class, "" for what was printed."""
        for one in filter(None, _SHOWN):
            self.set_class(one == name, one)
        self.query_one(_SHOWN_BY[name]).focus()
        self.query_one(KeyFooter).refresh()

    def on_record_table_activated(self) -> None:
        if self.has_class("-kinds"):
            self.app.push_screen(ReadingScreen("Why they differ", self.query_one(KindTable).reasons()))
        else:
            self.app.push_screen(ReadingScreen("Where it holds", self.query_one(AccountTable).places()))

    async def _ran(self, words: list[str]) -> int:
        printed = self.query_one(PrintedLines)
        printed.begin(f"What {' '.join(self.form.path)} printed", RUNNING)
        printed.focus()
        self.query_one("#became", Static).update("")
        self._written, self._typed = [], False
        columns = max(40, printed.scrollable_content_region.width - 3)
        began, clock = time.time(), time.monotonic()
        self._at_work = Running(words, columns, printed.take, lambda line: printed.say(line or RUNNING))
        self.query_one(KeyFooter).refresh()
        try:
            code = await self._at_work.to_its_end()
        except OSError as error:
            printed.take([f"It can't be started: {error}"])
            code = EnvironmentDown.exit_code
        finally:
            self._at_work = None
        printed.end(f"ended with {code} after {time.monotonic() - clock:.1f} s")
        self._written = [path for path in self._paths() if _changed_since(path, began)]
        self._tell_end(code)
        return code

    def _ended(self, code: int) -> str:
        return f"Ended with {code}: {self.form.exit_words(code)}"

    def _tell_end(self, code: int) -> None:
        told = [self._ended(code)]
        told += [f"Written: {path}" for path in self._written]
        became = self.query_one("#became", Static)
        became.set_class(bool(code), "-bad")
        became.update(Content(plain_text("\n".join(told), limit=2_000, newlines="keep")))
        self.query_one(KeyFooter).refresh()

    def _paths(self) -> Iterator[Path]:
        """Every file and folder that is named in a field."""
        for one in self.form.fields:
            text = self.fields.filled[one.name].strip()
            if one.kind == "path" and text not in ("", "-"):
                yield Path(text).expanduser().absolute()

    def action_stop(self) -> None:
        if self._at_work is None:
            self.notify("Nothing is running.", markup=False)
        else:
            self._at_work.end()

    def action_in_terminal(self) -> None:
        """As somebody would run it who has left: it may ask, and show screens of its own."""
        try:
            words = self.words()
        except UsageError as error:
            self.notify(plain_text(str(error)), severity="warning", markup=False)
            return
        ends_on_screen = self.form.opens_screen(self.fields.filled)
        try:
            with self.app.suspend():
                run_in_terminal(words, lambda code: "" if ends_on_screen and not code else self._ended(code))
        except SuspendNotSupported:
            self.notify("The screens can't be put aside here.", markup=False)
        self.app.refresh()

    # -- afterwards ----------------------------------------------------------------------------

    def action_open_written(self) -> None:
        """As this machine opens such files; over ssh its screen is elsewhere, and the path is copied."""
        if "SSH_CONNECTION" in os.environ:
            self.action_copy_written()
        elif not self._written:
            self.notify(NOTHING_WRITTEN, markup=False)
        else:
            self.app.open_url(self._written[0].as_uri())
            self.notify(plain_text(f"Opening {self._written[0]}", limit=300), markup=False)

    def action_copy_written(self) -> None:
        if not self._written:
            self.notify(NOTHING_WRITTEN, markup=False)
            return
        self.app.copy_to_clipboard(str(self._written[0]))
        self.notify(plain_text(f"Copied {self._written[0]}", limit=300), markup=False)

    def action_copy(self) -> None:
        try:
            command = self.command()
        except UsageError as error:
            self.notify(plain_text(str(error)), severity="warning", markup=False)
            return
        self.app.copy_to_clipboard(command)
        self.notify("Copied the command.", markup=False)

    def matters(self, id: str) -> bool:
        """Whether a key is worth a place in the footer now."""
        match id:
            case "form.choose":
                return self.fields.can_choose(self.focused)
            case "form.run":
                return self._at_work is None
            case "form.stop":
                return self._at_work is not None
            case "form.open" | "form.path":
                return bool(self._written)
            case "form.runs":
                return bool(self._brought)
            case "form.table":
                return self._has_table
            case "records.mark":
                return False
        return True

    def action_back(self) -> None:
        if self._at_work is None:
            if self._leaving.may_go(self, self._typed):
                go_back(self)
            return
        run_worker(self, self._leave, group="leave", exclusive=True)

    async def _leave(self) -> None:
        choices = [("stay", "Stay here"), ("end", "End it as Ctrl+C does, and leave")]
        if await self.app.push_screen_wait(ChoicePrompt("It is still running.", choices)) == "end":
            self.workers.cancel_group(self, "command")
            go_back(self)


def _changed_since(path: Path, moment: float) -> bool:
    try:
        return path.stat().st_mtime >= moment - 1
    except OSError:
        return False
