"""A history as browser-use saves it: `AgentHistory.json` with `screenshots/` beside it.

The state of a step is the page before its actions. Of an episode that came from browser-use each step
is what it was, with its screenshot where it stood; a picture is written as PNG. Of any other each step
has one action, named as browser-use names it; what it has no name for keeps ours. The task, who acted, times,
notes, scores and where an episode had been imported from stand under `webbench` beside the history, which
browser-use passes over.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import msgspec

from webbench.core.action.action import (
    Action,
    Back,
    CaptureScreen,
    Click,
    ClickAt,
    ElementRef,
    FocusTab,
    Goto,
    NewTab,
    Noop,
    Press,
    Scroll,
    Search,
    Select,
    Stop,
    Type,
    Upload,
    target_of,
    verb,
)
from webbench.core.exchange.account.given import NOT_CARRIED, PAGE_LEFT, PICTURE_LEFT, Places, kept_besides
from webbench.core.exchange.browser_use.history import ABSENT, BROWSER_USE
from webbench.core.exchange.conversation.spoken_turn import Call, Result, Turn
from webbench.core.exchange.conversation.turns_of_record import turns_of
from webbench.core.exchange.episode_building import as_it_came
from webbench.core.exchange.export_format import Source
from webbench.core.exchange.import_format import Picture
from webbench.core.exchange.own.carried_fields import OWN, header_told, origin_of, said_or_done, steps_told
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Tab
from webbench.core.store.records import codec
from webbench.core.trajectory import Step, Trajectory

HISTORY, SCREENSHOTS = "AgentHistory.json", "screenshots"
LONGEST_NAME = 200
"""Bytes of a file's name; records of others may tell a longer one."""


class BrowserUseExporter:
    name = BROWSER_USE
    title = "browser-use's history: a folder with AgentHistory.json and screenshots"
    ending = ""
    several = False
    lacks = (
        "trees and HTML of pages, calls of models, the page after the last action; the task, what a step "
        "took, notes and scores but in a field of ours, webbench"
    )
    places = Places(
        rewritten={"values.pages.viewport.*": "no field for the window"},
        partly=dict.fromkeys(
            [*PAGE_LEFT, *PICTURE_LEFT], "a step has the page before it, so that the last one has no place"
        ),
        adds=kept_besides(BROWSER_USE),
        no_place={
            **NOT_CARRIED,
            "values.pages.viewport": "no field for the window",
            "trees": "no field for trees",
            "html": "no field for HTML",
            "prompts.calls": "no field for calls of models",
            "replies.calls": "no field for calls of models",
            "reasoning.calls": "no field for calls of models",
            "labels": "no field for what annotators wrote",
            "messages": "no field for messages of pages",
            "exchanges": "no field for evidence",
            "files": "no field for files kept with an episode",
        },
    )

    def write(self, source: Source, path: Path) -> None:
        for trajectory in source.trajectories():
            path.mkdir()
            theirs = as_it_came(trajectory.header, BROWSER_USE)
            if theirs is not None:
                items = _items_as_they_were(source, trajectory, path)
                told = origin_of(trajectory.header)
            else:
                theirs, items = {}, _items_of_ours(source, trajectory, path)
                steps = steps_told(enumerate(said_or_done(trajectory)))
                told = {**header_told(trajectory.header), "steps": steps}
            theirs = {name: one for name, one in theirs.items() if name != "history"}
            beside = {OWN: told} if told else {}
            (path / HISTORY).write_bytes(codec.encode({"history": items, **theirs, **beside}))


def create() -> BrowserUseExporter:
    """The entry point."""
    return BrowserUseExporter()


def _items_as_they_were(source: Source, trajectory: Trajectory, folder: Path) -> list[JsonObject]:
    turns = list(turns_of(source, trajectory, BROWSER_USE))
    after = (turn.results[-1].picture if turn.results else None for turn in turns)
    before = [None, *after]
    return [
        _item(turn, picture, folder) for turn, picture in zip(turns, before, strict=False) if turn.of_agent
    ]


def _item(turn: Turn, picture: Picture | None, folder: Path) -> JsonObject:
    rest = dict(turn.rest)
    output, state = rest.pop("model_output", None), rest.pop("state", {})
    if isinstance(output, dict):
        output = {**output, "action": [_action_as_it_was(call) for call in turn.calls]}
    results = [_result(one) for one in turn.results if one.rest != ABSENT]
    return {"model_output": output, "result": results, "state": _state(state, picture, folder), **rest}


def _action_as_it_was(call: Call) -> Json:
    return call.rest.get("action", {call.name: call.arguments})


def _result(result: Result) -> Json:
    if "" in result.rest:
        return result.rest[""]
    found = dict(result.rest)
    if result.text:
        found["extracted_content"] = result.text
    if result.error:
        found["error"] = result.error
    return found


def _state(state: Json, picture: Picture | None, folder: Path) -> Json:
    """The state with its picture: in it where it stood in it, else beside under its own name."""
    if not isinstance(state, dict) or picture is None:
        return state
    if state.get("screenshot") == "":
        return {**state, "screenshot": base64.b64encode(_png(picture)).decode("ascii")}
    name = str(state.get("screenshot_path") or "").replace("\\", "/").rpartition("/")[2]
    return {**state, "screenshot_path": _written(picture, name, folder)}


def _png(picture: Picture) -> bytes:
    """The picture as PNG, which browser-use reads; the same pixels."""
    if picture.format == "png":
        return picture.data
    from PIL import Image

    written = io.BytesIO()
    Image.open(io.BytesIO(picture.data)).save(written, "PNG")
    return written.getvalue()


def _written(picture: Picture, name: str, folder: Path) -> str:
    fits = name.endswith(".png") and name.isprintable() and len(name.encode()) <= LONGEST_NAME
    safe = name if fits else "step.png"
    stem, number = safe.removesuffix(".png"), 1
    while (folder / SCREENSHOTS / safe).exists():
        number += 1
        safe = f"{stem}-{number}.png"
    (folder / SCREENSHOTS).mkdir(exist_ok=True)
    (folder / SCREENSHOTS / safe).write_bytes(_png(picture))
    return f"{SCREENSHOTS}/{safe}"


def _items_of_ours(source: Source, trajectory: Trajectory, folder: Path) -> list[JsonObject]:
    """A step for each of ours in which something was done."""
    items, before = [], None
    for step in trajectory.steps:
        if step.index and (step.action is not None or step.text):
            items.append(
                _item_of_ours(source, trajectory, step, before, folder, last=step is trajectory.steps[-1])
            )
        elif step.index:
            source.lose_step(step, "a step without an action")
        before = step
    if before is not None and before.screenshot and source.pictures:
        source.leave("pictures", "a step has the screenshot before it, so that the last one has no place")
    return items


def _item_of_ours(
    source: Source, trajectory: Trajectory, step: Step, before: Step | None, folder: Path, *, last: bool
) -> JsonObject:
    name, arguments = _named(step)
    if name not in _THEIRS:
        source.told.lose(f"{name} is no action of browser-use; it keeps our name")
    for detail in _without_a_place(step.action):
        source.told.lose(f"{detail}: browser-use's action has no argument for it")
    done = last and isinstance(step.action, Stop)
    result: JsonObject = {
        "is_done": done,
        "extracted_content": arguments.get("text") if done else step.output or None,
    }
    if not step.ok:
        result["error"] = step.error or "the action had no effect"
    known = before if before is not None else step
    found = source.picture(trajectory, known)
    picture = Picture(found.data) if found is not None else None
    seen = source.observation(trajectory, known)
    tabs = [_tab(tab) for tab in seen.tabs] if seen is not None else []
    target = target_of(step.action) if step.action is not None else None
    state: JsonObject = {
        "url": known.url or (seen.url if seen is not None else ""),
        "title": known.title or (seen.title if seen is not None else ""),
        "tabs": tabs,
        "interacted_element": [_element(target) if target is not None else None],
        "screenshot_path": None,
    }
    if picture is not None:
        state["screenshot_path"] = _written(picture, f"step_{step.index}.png", folder)
    return {
        "model_output": {
            "evaluation_previous_goal": "",
            "memory": "",
            "next_goal": "",
            "action": [{name: arguments}],
            "thinking": step.reasoning or None,
        },
        "result": [{key: value for key, value in result.items() if value is not None}],
        "state": state,
        "metadata": _metadata(step),
    }


def _metadata(step: Step) -> JsonObject | None:
    """When the step began and ended, in Unix seconds; None where the record doesn't tell."""
    try:
        ended = datetime.fromisoformat(step.at).timestamp()
    except ValueError:
        return None
    return {"step_start_time": ended - step.seconds.total, "step_end_time": ended, "step_number": step.index}


def _tab(tab: Tab) -> JsonObject:
    return {"url": tab.url, "title": tab.title, "target_id": f"{tab.index:04d}", "parent_target_id": None}


def _element(target: ElementRef) -> JsonObject:
    attributes = {"name": target.field} if target.field else {}
    return {
        "node_id": target.id or 0,
        "backend_node_id": target.id or 0,
        "frame_id": None,
        "node_type": 1,
        "node_value": "",
        "node_name": target.role.upper(),
        "attributes": attributes,
        "bounds": {name: getattr(target.box, name) for name in ("x", "y", "width", "height")}
        if target.box
        else None,
        "x_path": target.path,
        "element_hash": 0,
        "stable_hash": None,
        "ax_name": target.name or None,
    }


def _index(target: ElementRef | None) -> JsonObject:
    return {"index": target.id} if target is not None and target.id is not None else {}


_NAMES: dict[type[Action], tuple[str, Callable[..., JsonObject]]] = {
    Click: ("click", lambda action: _index(action.target)),
    ClickAt: ("click", lambda action: {"coordinate_x": round(action.x), "coordinate_y": round(action.y)}),
    Type: ("input", lambda action: {**_index(action.target), "text": action.text, "clear": action.clear}),
    Select: ("select_dropdown", lambda action: {**_index(action.target), "text": ", ".join(action.options)}),
    Upload: ("upload_file", lambda action: {**_index(action.target), "path": next(iter(action.files), "")}),
    Goto: ("navigate", lambda action: {"url": action.url, "new_tab": False}),
    NewTab: ("navigate", lambda action: {"url": action.url or "about:blank", "new_tab": True}),
    FocusTab: ("switch", lambda action: {"tab_id": f"{action.index:04d}"}),
    Back: ("go_back", lambda _action: {}),
    Press: ("send_keys", lambda action: {"keys": action.keys}),
    Search: ("search", lambda action: {"query": action.query}),
    Noop: ("wait", lambda action: {"seconds": round(action.seconds)}),
    CaptureScreen: ("screenshot", lambda _action: {}),
    Stop: ("done", lambda action: {"text": action.answer, "files_to_display": []}),
}
_THEIRS = frozenset(name for name, _ in _NAMES.values()) | {"scroll"}


def _without_a_place(action: Action | None) -> Iterator[str]:
    """What of a click or of typing is not in browser-use's action."""
    match action:
        case Click(button=button, count=count) | ClickAt(button=button, count=count):
            if button != "left":
                yield f"the {button} mouse button of a click"
            if count != 1:
                yield f"a click {count} times"
            if isinstance(action, Click) and action.modifiers:
                yield f"{', '.join(action.modifiers)} held in a click"
        case Type(enter=True):
            yield "Enter after typing"
        case CaptureScreen(target=ElementRef()):
            yield "the element that a picture was taken around"


def _named(step: Step) -> tuple[str, JsonObject]:
    """An action by its name in browser-use, with its arguments there."""
    action = step.action
    if action is None:
        return "text", {"text": step.text}
    if isinstance(action, Scroll) and action.unit == "viewports" and not action.dx:
        return "scroll", {"down": action.dy >= 0, "pages": abs(action.dy), **_index(action.target)}
    found = _NAMES.get(type(action))
    if found is not None:
        return found[0], found[1](action)
    arguments: JsonObject = msgspec.to_builtins(action)
    del arguments["verb"]
    return verb(action), arguments
