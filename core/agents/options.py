"""Reading the words after an agent's name: `name=number`."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.errors import UsageError
from webbench.core.plain_text import plain_clip


def read_options(agent: str, words: Sequence[str], known: dict[str, int]) -> dict[str, int]:
    """The known options with the values given. Raises `UsageError` naming the ones there are."""
    values = dict(known)
    for word in words:
        name, _, value = word.partition("=")
        if name not in known or not value.isascii() or not value.isdecimal() or len(value) > 18:
            shown = ", ".join(f"{key}={default}" for key, default in known.items())
            raise UsageError(
                f'The agent "{agent}" has no option "{plain_clip(word, 40)}"',
                f"options, with defaults: {shown}",
            )
        values[name] = int(value)
    return values
