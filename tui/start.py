"""Where the program begins: the library at once, everything else through the command line."""

from __future__ import annotations

import gc
import sys

from webbench.core.errors import WebbenchError

GARBAGE = (50_000, 20, 50)
"""New objects between looks for garbage: with Python's 700 a seventh of a screen's time went into looking."""


def main() -> None:
    """Entry point: every expected failure becomes a line on stderr and its exit code."""
    from webbench.tui.headless import output

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
    if len(sys.argv) == 1 and sys.stdin.isatty() and sys.stdout.isatty():
        from webbench.tui.headless.screens import open_library

        open_library(store=None)
        return
    from webbench.tui.cli import app

    app()
