"""What a program gets to read: the lines `hello` and `observation` of the protocol.

The protocol is documented in `docs/command-agents.md`.
"""

from __future__ import annotations

import msgspec

from webbench.core.agent import AgentView
from webbench.core.dialects.dialect import find_dialect
from webbench.core.errors import WebbenchError
from webbench.core.json_types import JsonObject
from webbench.core.observation import picture_fields
from webbench.core.task import PICTURES, task_pictures

PROTOCOL = 1
PROTOCOLS = (1,)
"""Versions that are spoken."""

PARTS = ("both", "text", "nodes")
"""Forms in which a page is sent."""


def hello_line(view: AgentView, seed: int, place: JsonObject) -> JsonObject:
    """The first line; `history` holds what was done before the program was started.

    Args:
        place: see `command_state.handed_on`.
    """
    task, pictures = view.task, task_pictures(view.task)
    try:
        verbs = [msgspec.to_builtins(verb) for verb in find_dialect(view.dialect).verbs()]
    except WebbenchError:
        verbs = []
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "protocols": list(PROTOCOLS),
        "seed": seed,
        "dialect": view.dialect,
        "verbs": verbs,
        "task": {
            "benchmark": task.benchmark,
            "id": task.id,
            "intent": task.intent,
            "site": task.site,
            "kind": task.kind,
            **({PICTURES: [msgspec.to_builtins(one) for one in pictures]} if pictures else {}),
        },
        "history": [
            {"text": action.text, "error": action.error, "actor": action.actor} for action in view.history
        ],
        **place,
    }


def observation_line(view: AgentView, *, parts: str = "both", screenshot: bool = False) -> JsonObject:
    """One step's line.

    Args:
        parts: one of `PARTS`.
        screenshot: send the picture, where there is one.
    """
    line: JsonObject = {
        "type": "observation",
        "step": view.step,
        "url": view.observation.url,
        "title": view.observation.title,
        "condition": view.observation.condition,
        "problem": view.observation.problem,
        "changing": view.observation.changing,
        "dialog": msgspec.to_builtins(view.observation.dialog),
        "last_action": view.last_action,
        "last_error": view.last_error,
        "last_output": view.last_output,
        "rejected": view.rejected,
        "memory": list(view.memory),
        "left": dict(view.left),
    }
    if parts != "nodes":
        line["text"] = _rendered(view)
    if parts != "text":
        line["observation"] = msgspec.to_builtins(view.observation)
        line["observation"].pop("relevant_html")
    if view.observation.relevant_html:
        line["relevant_html"] = view.observation.relevant_html
    if screenshot and view.screenshot:
        line["screenshot"] = picture_fields(view.screenshot)
    return line


def _rendered(view: AgentView) -> str:
    try:
        return find_dialect(view.dialect).render(view.observation)
    except WebbenchError:
        return ""
