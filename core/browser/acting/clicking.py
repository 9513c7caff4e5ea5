"""A click on an element, which its frame hears of."""

from __future__ import annotations

from webbench.core.action.action import Button
from webbench.core.browser.acting.input_device import InputDevice
from webbench.core.browser.elements.elements import Element, Elements
from webbench.core.errors import ActionFailed

LOST_CLICKS = 3
"""How often a click is sent again that never came to its frame."""


async def click_element(
    elements: Elements,
    device: InputDevice,
    element: Element,
    point: tuple[float, float],
    button: Button = "left",
    count: int = 1,
) -> None:
    """Click the element at that point of the viewport (CSS px).

    The browser learns where a frame with a process of its own is from what it has drawn of it. Until then it
    gives a click to nobody. So a frame that nobody has touched yet is asked whether its first click came, and
    the click is sent again if not.
    """
    untouched = element.frame is not None and not await elements.call(element, "touched")
    await device.click(*point, button, count)
    if not untouched:
        return
    for _ in range(LOST_CLICKS):
        try:
            if await elements.call(element, "touched"):
                return
            await elements.evaluate("drawn", frame=element.frame)
        except ActionFailed:
            return  # its document went away, so it was clicked
        await device.click(*point, button, count)
