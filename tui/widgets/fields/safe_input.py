"""A text field that shows whatever it holds without letting it reach the terminal raw."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.widgets import Input

from webbench.core.text.plain_text import plain_text


def same_length(text: str) -> str:
    """Each character made harmless by itself, so that positions in the text stay what they are."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(shown if len(shown := plain_text(sign)) == 1 else "\ufffd" for sign in text)


class SafeInput(Input):
    """An Input whose value may hold control characters, pasted or completed from a page."""

    async def _on_key(self, event: events.Key) -> None:
        """Send at its key: Textual looks bindings up only when later keys have been typed into the text."""
        bound = None if event.is_printable else self.screen.active_bindings.get(event.key)
        if bound is not None and bound.node is self and bound.binding.action == "submit":
            event.stop()
            event.prevent_default()
            await self.action_submit()

    @property
    def _value(self) -> Text:
        if self.password:
            return super()._value
        return Text(same_length(self.value), no_wrap=True, overflow="ignore", end="")
