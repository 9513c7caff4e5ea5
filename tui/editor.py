"""Text shown in the editor that the person has set."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from textual.app import SuspendNotSupported
from textual.screen import Screen

from webbench.core.plain_text import plain_text


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
