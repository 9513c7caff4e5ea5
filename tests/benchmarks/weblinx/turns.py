"""Own-made turns that several tests score."""

from __future__ import annotations

from typing import Any

from webbench.benchmarks.weblinx.demonstrations.reference import gold_of
from webbench.benchmarks.weblinx.pages.elements import PageElements
from webbench.benchmarks.weblinx.scoring.evidence import evidence_of
from webbench.benchmarks.weblinx.turns.action import ID, TurnAction
from webbench.core.task import Task

Json = Any


def box(left: float, top: float, right: float, bottom: float) -> dict[str, float]:
    edges = {"left": left, "top": top, "right": right, "bottom": bottom}
    return edges | {"x": left, "y": top, "width": right - left, "height": bottom - top}


BOXES = {"menu": box(0, 0, 100, 40), "button": box(10, 10, 50, 30), "field": box(0, 100, 200, 120)}
PAGE = PageElements(BOXES, dict.fromkeys(BOXES, ""))


def element(name: str) -> Json:
    return {"attributes": {ID: name}, "bbox": BOXES[name]}


def action(intent: str, element_name: str = "", **args: Json) -> TurnAction:
    return TurnAction(intent, args, element(element_name) if element_name else None)


def task(wanted: TurnAction, dropped: str = "") -> Task:
    return Task(
        benchmark="weblinx", name="shop", instance=3, kind=wanted.intent or "", gold=gold_of(wanted, dropped)
    )


def evidence(raw: str) -> Json:
    return evidence_of(raw, PAGE)


def flat(kind: str, intent: str | None = None, name: str = "", **parts: Json) -> Json:
    """A recorded turn as flat demonstrations hold it."""
    recorded = {"attributes": {ID: name}} if name else None
    base = {"type": kind, "intent": intent, "element": recorded, "args": {}, "props": {}}
    return base | {"bboxes": BOXES, "xpaths": dict.fromkeys(BOXES, "/html/body")} | parts


DEMONSTRATION = [
    flat("chat", speaker="navigator", utterance="What shall I look for?"),
    flat("browser", "load", props={"url": "https://www.shop.example/lamps"}),
    flat("browser", "click", "button"),
    flat("browser", "textInput", "field", args={"text": "desk lamp"}),
    flat("browser", "click", "menu"),
    flat("browser", "submit", "menu"),
    flat("browser", "hover", "menu"),
    flat("browser", "scroll", args={"scrollX": 0, "scrollY": 300}),
]
