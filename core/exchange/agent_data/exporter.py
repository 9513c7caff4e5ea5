"""Agent Data Protocol 1.2 (`neulab/agent-data-protocol`): a folder with `trajectories.jsonl` and `images/`.

| in the record | in the protocol |
|---|---|
| the task's intent | a text observation of the user |
| what was seen: tree (WebArena's text form), address, HTML, screenshot | a web observation |
| a message, an answer at the end | a message action |
| any other action | an API action named by its verb, the element among its arguments |
| text that was no action | a message action, and why it had no effect as a text observation |
| reasoning | the action's `reasoning_content` |
| benchmark, task, actor, score, end | `details` |
| times, notes, usage, who acted, checks of the score, where it came from | `details.webbench` |

Images are named by a path relative to the folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from webbench.core.action.action import Action, Say, Stop, verb
from webbench.core.exchange.account.given import NOT_CARRIED, TREE_AS_TEXT, Places
from webbench.core.exchange.export_format import Source
from webbench.core.exchange.own.carried_fields import OWN, header_told, said_or_done, steps_told
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Screenshot
from webbench.core.renderings.webarena import webarena_tree
from webbench.core.score.score import Score
from webbench.core.store.records import codec
from webbench.core.trajectory import Step, Trajectory

SCHEMA_VERSION = "1.2.0"
TRAJECTORIES, IMAGES = "trajectories.jsonl", "images"
WINDOW = "a page has the size of its window, not how far it is scrolled"
_ELEMENT = ("id", "role", "name", "selector", "field", "option")
"""What of an element is an argument; its path and box are not."""


class AgentData:
    name = "adp"
    title = "Agent Data Protocol 1.2: a folder with trajectories.jsonl and images"
    ending = ""
    several = True
    lacks = (
        "boxes and states of nodes, calls of models, page messages and evidence; times, notes, usage and the "
        "checks of a score but in a field of ours, details.webbench"
    )
    places = Places(
        rewritten={
            **TREE_AS_TEXT,
            "values.pages.viewport.*": WINDOW,
            "values.settings.id": "a trajectory is called by its run and episode",
        },
        adds=dict.fromkeys(("values.settings.id", "values.settings.details"), "as the file has them"),
        no_place={
            **NOT_CARRIED,
            "values.pages.tabs": "no field for tabs",
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
        path.mkdir()
        with (path / TRAJECTORIES).open("wb") as file:
            for trajectory in source.trajectories():
                header = trajectory.header
                line = {
                    "schema_version": SCHEMA_VERSION,
                    "id": f"{header.run}/{header.episode}",
                    "content": list(_content(source, trajectory, path)),
                    "details": _details(trajectory),
                }
                file.write(codec.encode(line) + b"\n")


def create() -> AgentData:
    """The entry point."""
    return AgentData()


def _content(source: Source, trajectory: Trajectory, path: Path) -> Iterator[JsonObject]:
    intent = trajectory.header.task.intent
    if intent:
        yield _text(intent, "user")
    for step in trajectory.steps:
        if step.index and step.action is None and not step.text:
            source.lose_step(step, "a step in which nothing was done; what was seen in it is there")
        yield from _action(step)
        if not step.ok:
            yield _text(step.error or "the action had no effect", "environment")
        elif step.output:
            yield _text(step.output, "environment")
        yield from _seen(source, trajectory, step, path)


def _action(step: Step) -> Iterator[JsonObject]:
    action = step.action
    if action is None and not step.text:
        return
    thought = {"reasoning_content": step.reasoning or None}
    message = _message(action, step)
    if message is not None:
        yield {"class_": "message_action", "content": message, "description": None, **thought}
    elif action is not None:
        yield {
            "class_": "api_action",
            "function": verb(action),
            "kwargs": _arguments(action),
            "description": None,
            **thought,
        }


def _message(action: Action | None, step: Step) -> str | None:
    """What was said, None for an action that says nothing."""
    if isinstance(action, Say):
        return action.text
    if isinstance(action, Stop) and action.answer:
        return action.answer
    return step.text if action is None else None


def _arguments(action: Action) -> JsonObject:
    given: JsonObject = msgspec.to_builtins(action)
    del given["verb"]
    return {name: _argument(value) for name, value in given.items()}


def _argument(value: Json) -> Json:
    if not isinstance(value, dict):
        return value
    return {name: value[name] for name in _ELEMENT if value.get(name) not in (None, "")}


def _seen(source: Source, trajectory: Trajectory, step: Step, path: Path) -> Iterator[JsonObject]:
    """A web observation, where anything of the page is recorded."""
    seen = source.observation(trajectory, step)
    picture = source.picture(trajectory, step)
    html = source.html(trajectory, step)
    if seen is None and picture is None and not html:
        return
    view = seen.viewport if seen is not None else None
    yield {
        "class_": "web_observation",
        "html": html or None,
        "axtree": webarena_tree(seen) if seen is not None and seen.nodes else None,
        "url": step.url or (seen.url if seen is not None else None) or None,
        "image_observation": _image(picture, step.screenshot, path),
        "viewport_size": [view.width, view.height] if view is not None else None,
    }


def _image(picture: Screenshot | None, blob: str, path: Path) -> JsonObject | None:
    if picture is None:
        return None
    name = f"{IMAGES}/{blob}.{picture.format}"
    (path / IMAGES).mkdir(exist_ok=True)
    if not (path / name).exists():
        (path / name).write_bytes(picture.data)
    return {"class_": "image_observation", "content": name, "annotations": None, "source": "environment"}


def _text(content: str, source: str) -> JsonObject:
    return {"class_": "text_observation", "content": content, "name": None, "source": source}


def _details(trajectory: Trajectory) -> JsonObject:
    header, task = trajectory.header, trajectory.header.task
    return {
        "benchmark": task.benchmark,
        "task": task.id,
        "site": task.site,
        "split": task.split,
        "actor": header.actor,
        "action_language": header.dialect,
        "end_reason": header.end_reason,
        "score": _score(header.score),
        OWN: {**header_told(header), "steps": steps_told(enumerate(said_or_done(trajectory)))},
    }


def _score(score: Score | None) -> JsonObject | None:
    if score is None:
        return None
    return {"status": score.status.value, "value": score.value, "rules": score.rules, "reason": score.reason}
