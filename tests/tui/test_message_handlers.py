"""Methods that Textual calls by their names: each must be named like a message that exists."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from textual.message import Message
from textual.message_pump import MessagePump

from webbench import tui

TUI = Path(tui.__file__).parent
HOOKS = {"on_event"}
"""What Textual calls by name without such a message."""


def kinds_of(kind: type) -> Iterator[type]:
    yield kind
    for one in kind.__subclasses__():
        yield from kinds_of(one)


def test_every_handler_is_named_like_a_message() -> None:
    """A message is named like the class it stands in: in a base class, or moved, it reaches nobody."""
    for file in TUI.rglob("*.py"):
        if file.name != "__main__.py":
            import_module(".".join(("webbench.tui", *file.relative_to(TUI).with_suffix("").parts)))
    messages = {one.handler_name for one in kinds_of(Message) if one is not Message}
    pumps = {one for one in kinds_of(MessagePump) if one.__module__.startswith("webbench.tui.")}
    handlers = {(one, name) for one in pumps for name in vars(one) if name.startswith("on_")}
    assert len(handlers) > 50
    assert {f"{one.__qualname__}.{name}" for one, name in handlers if name not in messages | HOOKS} == set()
