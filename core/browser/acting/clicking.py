"""A click on an element, which its frame hears of."""

from __future__ import annotations

from webbench.core.action.action import Button, Inside
from webbench.core.browser.acting.input_device import InputDevice
from webbench.core.browser.elements.elements import Element, Elements
from webbench.core.errors import ActionFailed

MOST_CLICKS = 4
"""How often a click is sent that doesn't come to its frame."""


async def click_element(
    elements: Elements,
    device: InputDevice,
    element: Element,
    point: tuple[float, float],
    button: Button = "left",
    count: int = 1,
    at: Inside | None = None,
) -> None:
    """Click the element at that point of the viewport (CSS px).

    The browser learns where a frame with a process of its own is from what it has drawn of it. Until then it
    gives a click to nobody. So a frame that nobody has touched yet is asked whether its first click came, and
    the click is sent again if not, to the same point of the element where one was asked for (`at`, percents).
    Raises `ActionFailed` where none of them came.
    """
    untouched = element.frame is not None and not await elements.call(element, "touched")
    for _ in range(MOST_CLICKS):
        await device.click(*point, button, count)
        still_to_click = await _missed(elements, element, at) if untouched else None
        if still_to_click is None:
            return
        point = still_to_click
    raise ActionFailed(f"the browser gave no click to the frame of {element.label}", "observe again")


async def _missed(elements: Elements, element: Element, at: Inside | None) -> tuple[float, float] | None:
    """Where an element is whose frame wasn't touched; None where it was, or something else took the click.

    The frame is asked again once it was drawn: it hears late of a click that went to a frame inside it.
    """
    try:
        if await elements.call(element, "touched"):
            return None
        await elements.evaluate("drawn", frame=element.frame)
        if await elements.call(element, "touched"):
            return None
        return (await elements.prepare(element, True, at)).point  # none under what covers it by now
    except ActionFailed:
        return None  # its document went away, so it was clicked
