"""Scrolling by a distance: at one stroke by script, or as far as notches go with a real wheel."""

from __future__ import annotations

import asyncio

from webbench.core.action.action import Scroll
from webbench.core.browser.acting.input_device import InputDevice, OnDisplay
from webbench.core.browser.elements.elements import Element, Elements
from webbench.core.errors import ActionFailed

NOTCH = 120
"""CSS px of one notch of the wheel, at a zoom of 1."""

TURNING_ROUNDS = 40
TURNING_PAUSE = 0.02


async def scroll(elements: Elements, device: InputDevice, element: Element | None, action: Scroll) -> None:
    """Scroll the page, or what the element lies in. Raises `ActionFailed` where nothing moved."""
    amounts = (action.dx, action.dy, action.unit == "viewports")
    if element is None and action.at_mouse:
        moved = await elements.evaluate("scrollAt", list(elements.mouse), *amounts)
    elif isinstance(device, OnDisplay) and element is None:
        moved = await _turn_wheel(elements, device, amounts)
    elif element is None:
        moved = await elements.evaluate("scroll", None, *amounts)
    else:
        moved = await elements.call(element, "scroll", *amounts)
    if not moved:
        raise ActionFailed("nothing scrolled: its end is reached, or nothing there can scroll")


async def _turned(elements: Elements) -> None:
    """Wait until less than a notch is left: the page scrolls some time after it was told of the wheel."""
    for _ in range(TURNING_ROUNDS):
        if await elements.evaluate("wheelLeft") < NOTCH:
            return
        await asyncio.sleep(TURNING_PAUSE)


async def _turn_wheel(elements: Elements, device: OnDisplay, amounts: tuple[float, float, bool]) -> bool:
    """Whole notches by the wheel, over a point where it moves what is meant; what is left by script."""
    turn = await elements.evaluate("wheelSpot", None, *amounts)
    if turn["spot"] is not None:
        x, y = turn["spot"]
        await device.wheel(x, y, turn["across"], turn["down"])
        await _turned(elements)
    return bool(await elements.evaluate("wheelRest"))
