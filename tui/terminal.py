"""Whether there is a terminal to draw screens on, and to read keys from."""

from __future__ import annotations

import sys


def at_terminal() -> bool:
    """Input and output are both a terminal, neither a pipe nor a file."""
    return sys.stdin.isatty() and sys.stdout.isatty()
