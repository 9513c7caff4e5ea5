"""Leaving a screen that may have been opened over another one, or alone."""

from __future__ import annotations

from textual.screen import Screen


def go_back(screen: Screen[None]) -> None:
    """To the screen below; out of the program where there is none: the command line opened this one."""
    if len(screen.app.screen_stack) > 2:
        screen.dismiss(None)
    else:
        screen.app.exit()
