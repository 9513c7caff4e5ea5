"""Whether there is a terminal to draw screens on and to read keys from, and a browser beside it."""

from __future__ import annotations

import base64
import os
import sys
from collections.abc import Mapping


def at_terminal() -> bool:
    """Input and output are both a terminal, neither a pipe nor a file."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def browser_at_hand(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Whether a browser that is opened here shows on the person's display: not over ssh or without one."""
    if environment.get("SSH_CONNECTION") or environment.get("SSH_TTY"):
        return False
    display = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY") or environment.get("BROWSER")
    return bool(display) or platform in ("darwin", "win32")


def open_in_browser(address: str) -> bool:
    """Open an address in the person's browser; False where no person or no browser is there."""
    if not (browser_at_hand() and at_terminal()):
        return False
    import webbrowser

    return webbrowser.open(address)


def copy_to_terminal(text: str) -> None:
    """Have the terminal copy a text (OSC 52), also over ssh; one that can't leaves it out."""
    sys.stdout.write(f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\a")
    sys.stdout.flush()
