"""Reading a text: in a dialog (a whole message, a task, what is wrong with a data set), or in an editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult, SuspendNotSupported
from textual.binding import BindingType
from textual.content import Content
from textual.screen import ModalScreen, Screen

from webbench.core.task import Task, task_pictures
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import bindings
from webbench.tui.widgets.lists.text_rows import Entry, TextRows
from webbench.tui.widgets.picture.task_pictures import TaskPictures
from webbench.tui.workbench import workbench


class ReadingScreen(ModalScreen[None]):
    """Scrolls labelled text, below it the pictures of a task; any leaving key closes it."""

    CSS = """
    ReadingScreen { align: center middle; }
    ReadingScreen > TextRows { width: 100; max-width: 94%; height: auto; max-height: 80%; padding: 1 1; }
    ReadingScreen.-pictured > TextRows { max-height: 45%; }
    ReadingScreen > TaskPictures { width: 100; max-width: 94%; height: 50%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("reading")]

    def __init__(self, title: str, entries: Iterable[Entry], task: Task | None = None) -> None:
        super().__init__()
        self._heading = title
        self._asked = task
        self._rows = TextRows(entries)

    def compose(self) -> ComposeResult:
        yield self._rows
        if self._asked is not None and task_pictures(self._asked):
            yield TaskPictures(workbench(self).graphics)

    def on_mount(self) -> None:
        for pictures in self.query(TaskPictures):
            self.add_class("-pictured")
            pictures.show_task(self._asked)
        self._rows.border_title = Content(plain_text(self._heading, limit=80))
        self._rows.border_subtitle = Content("Esc closes")
        self._rows.focus()


def read_in_editor(screen: Screen[None], name: str, text: str) -> None:
    """Open a copy of the text in $VISUAL or $EDITOR; changes to it are thrown away."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        screen.notify("Set EDITOR to read it in your editor.", markup=False)
        return
    with tempfile.TemporaryDirectory(prefix="webbench-") as folder:
        file = Path(folder, name)
        file.write_text(text, encoding="utf-8", errors="backslashreplace")
        try:
            with screen.app.suspend():
                subprocess.run([*shlex.split(editor), str(file)], check=False)
        except (SuspendNotSupported, OSError, ValueError) as error:
            screen.notify(f"The editor could not be started: {plain_text(str(error))}", markup=False)
    screen.app.refresh()
