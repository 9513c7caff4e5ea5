"""Asking a page what an action would set off there, before it is done."""

from __future__ import annotations

import msgspec

from webbench.core.action.action import (
    Action,
    Click,
    ClickAt,
    Drag,
    DragAt,
    ElementRef,
    Inside,
    MouseDown,
    MouseUp,
    Submit,
    UploadAt,
    target_of,
)
from webbench.core.browser.driver import FrameTarget
from webbench.core.browser.elements.elements import Elements
from webbench.core.browser.seeing.isolated_world import within
from webbench.core.errors import WebbenchError
from webbench.core.guards.approval import presses_enter
from webbench.core.guards.risk import Purpose, controls_of, sets_off
from webbench.core.json_types import Json


async def purpose_of(elements: Elements, action: Action) -> Purpose:
    """What stands where it is aimed at: the very element that the action will find. Empty where none is."""
    if not sets_off(action):
        return Purpose()
    keys = presses_enter(action) or isinstance(action, Submit)
    if isinstance(action, ClickAt | MouseDown | MouseUp | UploadAt):
        return await _at(elements, action.x, action.y)
    if isinstance(action, DragAt):
        start = await _at(elements, action.x, action.y)
        return controls_of([start, await _at(elements, action.to_x, action.to_y)])
    if isinstance(action, Drag):
        ends = ((action.source, action.source_at), (action.target, action.target_at))
        return controls_of([await _of(elements, ref, keys, at) for ref, at in ends])
    target = target_of(action)
    if target is not None:
        return await _of(elements, target, keys, action.at if isinstance(action, Click) else None)
    if isinstance(action, Submit):
        return await _asked(elements, "purposeOfForm")
    return await _of_focus(elements)


async def _of(elements: Elements, ref: ElementRef, keys: bool, at: Inside | None = None) -> Purpose:
    """Of an element; at a point inside it also of what gets the event there, which may lie over it."""
    try:
        element = await elements.find(ref)
        purpose = msgspec.convert(await elements.call(element, "purpose", keys), Purpose)
        point = (await elements.prepare(element, True, at)).point if at is not None else None
    except WebbenchError:
        return Purpose()
    return purpose if point is None else controls_of([purpose, await _at(elements, *point)])


async def _at(elements: Elements, x: float, y: float) -> Purpose:
    """Of what is hit at a point of the top viewport, in whichever frame."""
    frame: FrameTarget | None = None
    try:
        while True:
            answer = await elements.evaluate("purposeAt", x, y, frame=frame)
            if not answer.get("window"):
                return msgspec.convert(answer, Purpose)
            worlds, world = elements.snapshotter.worlds, await elements.world(frame)
            frame = await worlds.frame(elements.page, world, frame, answer["window"])
            if frame is None:
                return Purpose()
            x, y = answer["x"], answer["y"]
    except WebbenchError:
        return Purpose()


async def _of_focus(elements: Elements) -> Purpose:
    """In every frame: which of them has the keyboard is not told."""
    found = [await _asked(elements, "purposeOfFocus")]
    for frame in await elements.frames():
        try:
            async with within(frame):
                answer = await elements.evaluate("purposeOfFocus", frame=frame)
            found.append(msgspec.convert(answer, Purpose))
        except WebbenchError:
            continue
    return controls_of(found)


async def _asked(elements: Elements, call: str, *arguments: Json) -> Purpose:
    try:
        return msgspec.convert(await elements.evaluate(call, *arguments), Purpose)
    except WebbenchError:
        return Purpose()
