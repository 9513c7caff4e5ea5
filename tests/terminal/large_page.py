"""The stepper without an engine: SIGUSR1 gives it a page of 15,000 interactive elements, SIGUSR2 a small one.

The page comes as it does from the engine, as a message to be decoded.
"""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import msgspec

from tests.tui.recorded_page import PAGE, TASK, episode
from tests.tui.silent_engine import SilentLink
from webbench.core.engine.wire import messages
from webbench.core.observation import AccessibilityNode, Box, Observation
from webbench.core.settings.settings import Settings
from webbench.tui.app import WorkbenchApp
from webbench.tui.opening import Opening

LINKS, FIELDS = 10_000, 5_000
HEIGHT = 720.0
LARGE_SHOWS, SMALL_SHOWS = "Link number 3", "Quantity"
"""What stands on the screen when the page is shown."""


def large() -> Observation:
    """As many nodes as the synthetic page of the measurements has."""
    nodes = [AccessibilityNode(id=1, role="RootWebArea", name="large", box=Box(0, 0, 1280, HEIGHT))]

    def add(role: str, name: str, **more: object) -> None:
        number = len(nodes) + 1
        box = Box(10, number * 20.0, 400, 18)
        node = AccessibilityNode(id=number, role=role, name=name, depth=1, box=box, offscreen=box.y > HEIGHT)
        nodes.append(msgspec.structs.replace(node, **more))

    for number in range(LINKS):
        add("link", f"Link number {number}", interactive=True, tag="a")
    for number in range(FIELDS):
        add("StaticText", f"Field {number}")
        add("textbox", f"Field {number}", value=str(number), interactive=True, tag="input")
    return msgspec.structs.replace(PAGE, nodes=tuple(nodes), title="large")


class LargePageApp(WorkbenchApp):
    """Shows the recorded page first, and then what the signals ask for."""

    def on_mount(self) -> None:
        decoder, link = msgspec.msgpack.Decoder(messages.Event), self.link
        assert isinstance(link, SilentLink)
        for number, page in ((signal.SIGUSR1, large()), (signal.SIGUSR2, PAGE)):
            body = msgspec.msgpack.encode(messages.Observed(step=1, observation=page))
            asyncio.get_running_loop().add_signal_handler(
                number, lambda body=body: link.happen(decoder.decode(body))
            )


if __name__ == "__main__":
    link = SilentLink()
    for event in episode():
        link.happen(event)
    LargePageApp(Opening(store=Path("/nowhere"), task=TASK), Settings(), link=link).run()
