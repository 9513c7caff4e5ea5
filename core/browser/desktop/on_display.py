"""What an environment can do besides where the page is in a window on a display."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from webbench.core.browser.acting.element_verbs import Outcome
from webbench.core.browser.acting.input_device import InputDevice, OnDisplay
from webbench.core.browser.tabs import Tabs
from webbench.core.observation import Screenshot, Viewport

NO_WINDOW = (
    "nothing to maximize: the viewport has a fixed size (a window on a display comes with --input desktop)"
)


async def captured(tabs: Tabs | None) -> Screenshot | None:
    """The active page as its display shows it. Raises `EnvironmentDown`.

    None without a display or a page, and while a dialog holds it up.
    """
    tab = None if tabs is None or tabs.dialogs.waiting else tabs.active
    if tab is None or tab.gone or not isinstance(tab.page.input, OnDisplay):
        return None
    return await tab.page.input.picture()


async def maximized(device: InputDevice) -> str:
    """Fill the display, and what to say of it."""
    if not isinstance(device, OnDisplay):
        return NO_WINDOW
    await device.maximize()
    width, height = await device.size()
    return f"the viewport is {width} x {height} now"


async def size_on(device: InputDevice, viewport: Viewport) -> tuple[int, int]:
    """Width and height of the viewport as it is (CSS px)."""
    if isinstance(device, OnDisplay):
        return await device.size()
    return viewport.width, viewport.height


@asynccontextmanager
async def noted(device: InputDevice, outcome: Outcome) -> AsyncIterator[None]:
    """Adds to the outcome what the input was not able to do by real events."""
    if not isinstance(device, OnDisplay):
        yield
        return
    device.take_notes()
    yield
    outcome.output = "\n".join(filter(None, (outcome.output, device.take_notes())))
