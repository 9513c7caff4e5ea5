"""A user flow for Chrome DevTools' Recorder and `@puppeteer/replay`, one for each episode.

A flow begins with the size of the window and the first address. A click is a `click`, a text or a
choice a `change`, a key `keyDown` and `keyUp`; elements are named by role and name, then by selector;
the address that a step led to is an assertion. Who acted, how it ended, its score and where it came from
stand under `webbench` beside the steps, which the Recorder passes over.

Of an episode that came from a flow each step is what it was. What a flow has no step for is told, and
left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from webbench.core.action.action import (
    Action,
    Back,
    Check,
    Click,
    CloseTab,
    ElementRef,
    Forward,
    Goto,
    Hover,
    KeyDown,
    KeyUp,
    Press,
    Reload,
    Scroll,
    Select,
    Submit,
    Type,
    target_of,
    verb,
)
from webbench.core.errors import BadData
from webbench.core.exchange.account.given import NOT_CARRIED, PAGE_LEFT, PICTURE_LEFT, Places, kept_besides
from webbench.core.exchange.devtools.user_flow import RECORDER
from webbench.core.exchange.episode_building import as_it_came
from webbench.core.exchange.export_format import Source
from webbench.core.exchange.own.carried_fields import OWN, header_told, origin_of, steps_told, without_enter
from webbench.core.json_types import JsonObject
from webbench.core.observation import Viewport
from webbench.core.store.records import codec
from webbench.core.trajectory import Step, Trajectory

_BUTTONS = {"right": "secondary", "middle": "auxiliary"}


class RecorderExporter:
    name = RECORDER
    title = "a user flow for Chrome DevTools' Recorder, replayed by @puppeteer/replay"
    ending = ".json"
    several = False
    lacks = (
        "pages, pictures, reasoning, calls of models, answers; scores, times and notes but in a field of "
        "ours, webbench"
    )
    places = Places(
        rewritten={"actions.enter": "Enter is a key of its own in a flow"},
        partly={"values.pages.viewport": "a flow begins with the size of the window"},
        adds=kept_besides(RECORDER),
        no_place={
            **NOT_CARRIED,
            **PAGE_LEFT,
            **PICTURE_LEFT,
            "trees": "a flow holds no pages",
            "html": "a flow holds no pages",
            "pictures": "a flow holds no pages",
            "prompts.calls": "no field for calls of models",
            "replies.calls": "no field for calls of models",
            "reasoning": "no field for reasoning",
            "labels": "no field for what annotators wrote",
            "messages": "no field for messages of pages",
            "exchanges": "no field for evidence",
            "files": "no field for files kept with an episode",
        },
    )

    def write(self, source: Source, path: Path) -> None:
        for trajectory in source.trajectories():
            theirs = as_it_came(trajectory.header, RECORDER)
            if theirs is not None:
                told = origin_of(trajectory.header)
                flow = {**theirs, "steps": _as_they_were(trajectory), **({OWN: told} if told else {})}
            else:
                placed: list[tuple[int, Step]] = []
                flow = {
                    "title": trajectory.header.task.intent[:200],
                    "steps": list(_steps(source, trajectory, placed)),
                    OWN: {**header_told(trajectory.header), "steps": steps_told(placed)},
                }
            if not flow["steps"]:
                raise BadData(f"{trajectory.header.episode} has no step that a user flow could have")
            path.write_bytes(codec.encode(flow))


def create() -> RecorderExporter:
    """The entry point."""
    return RecorderExporter()


def _as_they_were(trajectory: Trajectory) -> list[JsonObject]:
    before = [one for step in trajectory.steps for one in step.source.get("before", ())]
    return [*before, *(step.source["rest"] for step in trajectory.steps if "rest" in step.source)]


def _steps(source: Source, trajectory: Trajectory, placed: list[tuple[int, Step]]) -> Iterator[JsonObject]:
    """Steps of a flow; `placed` takes up which of them each of ours begins with, counted from 1."""
    address, count = "", 0
    for step in trajectory.steps:
        if step.index == 0:
            seen = source.observation(trajectory, step)
            yield _viewport(seen.viewport if seen is not None else Viewport())
            address = step.url or (seen.url if seen is not None else "")
            placed.append((0, step))
            if address and not _begins_at(trajectory, address):
                count += 1
                yield {"type": "navigate", "url": address}
                for part in ("steps", "actions"):
                    source.made(part, "the first address is a step of a flow")
            continue
        if step.action is None or not step.ok:
            if step.acted:
                source.lose_step(step, "a step without an effect, or without an action")
            else:
                source.leave("steps", "nothing was done in it")
            continue
        made = list(_made(source, trajectory, step))
        if not made:
            source.lose_step(step, f"{verb(step.action)}: a user flow has no such step")
        for part in ("steps", "actions"):
            source.made(part, "keys and texts are several steps of a flow", len(made) - 1)
        if made and step.url and step.url != address:
            event = {"type": "navigation", "url": step.url, "title": step.title}
            made[-1] = {**made[-1], "assertedEvents": [event]}
        address = step.url or address
        if made:
            placed.append((count + 1, without_enter(step)))
        count += len(made)
        yield from made


def _begins_at(trajectory: Trajectory, address: str) -> bool:
    """Whether the first thing done is to open this address, as in a flow that came back."""
    first = next((step.action for step in trajectory.steps[1:] if step.ok), None)
    return isinstance(first, Goto) and first.url == address


def _viewport(view: Viewport) -> JsonObject:
    return {
        "type": "setViewport",
        "width": view.width,
        "height": view.height,
        "deviceScaleFactor": view.device_pixel_ratio,
        "isMobile": False,
        "hasTouch": False,
        "isLandscape": False,
    }


def _made(source: Source, trajectory: Trajectory, step: Step) -> Iterator[JsonObject]:
    """The steps that one action is; none where a flow has no such step."""
    action = step.action
    match action:
        case Goto(url=url):
            yield {"type": "navigate", "url": url}
        case Back() | Forward() | Reload() if step.url:
            yield {"type": "navigate", "url": step.url}
        case Press(keys=keys):
            yield from _pressed(keys)
        case KeyDown(key=key):
            yield {"type": "keyDown", "target": "main", "key": key}
        case KeyUp(key=key):
            yield {"type": "keyUp", "target": "main", "key": key}
        case CloseTab():
            yield {"type": "close", "target": "main"}
        case Scroll(target=None):
            seen = source.observation(trajectory, step)
            if seen is not None:
                yield {
                    "type": "scroll",
                    "target": "main",
                    "x": seen.viewport.scroll_x,
                    "y": seen.viewport.scroll_y,
                }
        case _ if action is not None:
            yield from _on_element(action)


def _pressed(keys: str) -> Iterator[JsonObject]:
    """A chord: its keys go down in order and come up the other way round."""
    held, plus = (keys[:-1].removesuffix("+"), ["+"]) if keys.endswith("+") else (keys, [])
    chord = [key for key in held.split("+") if key] + plus
    yield from ({"type": "keyDown", "target": "main", "key": key} for key in chord)
    yield from ({"type": "keyUp", "target": "main", "key": key} for key in reversed(chord))


def _on_element(action: Action) -> Iterator[JsonObject]:
    target = target_of(action)
    where = _where(target) if target is not None else None
    if target is None or where is None:
        return
    match action:
        case Click(button=button, count=count, at=at):
            step = {"type": "doubleClick" if count == 2 else "click", **where, **_offsets(target, at)}
            yield step | ({"button": _BUTTONS[button]} if button in _BUTTONS else {})
        case Check() | Submit():
            yield {"type": "click", **where, **_offsets(target, None)}
        case Hover():
            yield {"type": "hover", **where}
        case Type(text=text, enter=enter):
            yield {"type": "change", **where, "value": text}
            yield from _pressed("Enter") if enter else ()
        case Select(options=(chosen,)):
            yield {"type": "change", **where, "value": chosen}


def _where(target: ElementRef) -> JsonObject | None:
    """Target and selectors, None for an element that nothing names."""
    selectors = []
    if target.name:
        role = f'[role="{target.role}"]' if target.role and '"' not in target.role else ""
        selectors.append([f"aria/{target.name}{role}"])
    if target.selector:
        selectors.append([target.selector])
    if not selectors:
        return None
    return {"target": target.frame_url or "main", "selectors": selectors}


def _offsets(target: ElementRef, at: tuple[float, float] | None) -> JsonObject:
    """Where the click is in pixels from the element's top left; its middle where nothing tells."""
    across, down = at or (50.0, 50.0)
    width, height = (target.box.width, target.box.height) if target.box is not None else (2.0, 2.0)
    return {"offsetX": width * across / 100, "offsetY": height * down / 100}
