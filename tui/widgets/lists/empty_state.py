"""What stands where nothing is yet: what is missing, and the next step."""

from __future__ import annotations

from typing import Any

from textual.content import Content
from textual.widgets import Static

from webbench.core.text.plain_text import plain_text


class EmptyState(Static):
    """A heading, a sentence, and lines of keys or commands to go on with."""

    DEFAULT_CSS = """
    EmptyState {
        width: 1fr;
        height: 1fr;
        content-align: center middle;
        text-align: center;
        color: $foreground-muted;
        background: $surface;
    }
    """

    def __init__(self, heading: str, text: str = "", *steps: str, **names: Any) -> None:
        super().__init__(empty_content(heading, text, steps), markup=False, **names)

    def say(self, heading: str, text: str = "", *steps: str) -> None:
        """Say something else."""
        self.update(empty_content(heading, text, steps))


def empty_content(heading: str, text: str, steps: tuple[str, ...]) -> Content:
    parts = [Content.styled(plain_text(heading, limit=200), "bold $foreground")]
    if text:
        parts.append(Content(plain_text(text, limit=600)))
    if steps:
        parts.append(Content(""))
        parts.extend(Content.styled(plain_text(step, limit=200), "$text-accent") for step in steps)
    return Content("\n").join(parts)
