"""Where the program begins: the library at once, everything else through the command line."""

from __future__ import annotations

import gc
import sys

from webbench.core.errors import WebbenchError
from webbench.core.own_python import leave_working_folder_out
from webbench.tui.terminal import at_terminal

GARBAGE = (50_000, 20, 50)
"""New objects between looks for garbage: with Python's 700 a seventh of a screen's time went into looking."""


def main() -> None:
    """Entry point: every expected failure becomes a line on stderr and its exit code."""
    leave_working_folder_out()
    from webbench.tui.cli import output

    gc.set_threshold(*GARBAGE)
    output.prepare()
    try:
        _run()
    except WebbenchError as error:
        output.say(f"webbench-tui: {error.message}")
        if error.hint:
            output.say(f"  {error.hint}")
        sys.exit(error.exit_code)
    finally:
        output.finish()


def _run() -> None:
    """Without arguments the library opens, and nothing of the command line is imported for it."""
    if len(sys.argv) == 1 and at_terminal():
        from webbench.tui.cli.opening_screens import open_library

        open_library(store=None)
        return
    from webbench.tui.cli.program import app

    app()
