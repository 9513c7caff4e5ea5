"""The published formats with one good record each, and everything that can go wrong with a field of it.

A record is written between two good ones, so that a test can tell whether those still load.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

Steps = tuple[str | int, ...]

TEXTS = {
    "@digits@": "9" * 5000,
    "@deep@": "[" * 200 + "]" * 200,
    "@nan@": "NaN",
    "@infinite@": "1e999",
    "@surrogate@": r'"\ud800 \u0000"',
}
"""What no Python value is written as, by the text that stands for it."""

VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 10**30, 0.5),
    *("", "x", "x" * 100_000, "\x1b[2J\n"),
    *([], [[]], [None, {}], {}, {"x": [1]}),
)
"""What no field can have all of."""

WEBARENA = {
    "sites": ["shopping"],
    "task_id": 1,
    "require_login": True,
    "storage_state": "./.auth/shopping_state.json",
    "start_url": "__SHOPPING__ |AND| __REDDIT__",
    "geolocation": None,
    "intent_template": "Find {{what}}",
    "instantiation_dict": {"what": "mugs"},
    "intent": "Find mugs",
    "require_reset": False,
    "intent_template_id": 4,
    "eval": {
        "eval_types": ["string_match", "url_match", "program_html"],
        "reference_answers": {"must_include": ["mug"], "fuzzy_match": ["a mug"], "exact_match": "mug"},
        "reference_url": "__SHOPPING__/mugs",
        "url_note": "GOLD in PRED",
        "program_html": [
            {
                "url": "last",
                "locator": "func:shopping_get_latest_order_url()",
                "required_contents": {"exact_match": "a"},
            }
        ],
    },
}
VERIFIED = {
    "sites": ["shopping"],
    "task_id": 1,
    "intent_template_id": 4,
    "start_urls": ["__SHOPPING__"],
    "intent": "Find mugs",
    "intent_template": "Find {{what}}",
    "instantiation_dict": {"what": "mugs"},
    "revision": 2,
    "eval": [
        {
            "evaluator": "AgentResponseEvaluator",
            "results_schema": {"type": "array"},
            "expected": {"task_type": "retrieve", "status": "SUCCESS", "retrieved_data": ["mug"]},
        },
        {
            "evaluator": "NetworkEventEvaluator",
            "expected": {"url": "__SHOPPING__/mugs", "http_method": "GET"},
        },
    ],
}
WEBCANVAS = {
    "index": 1,
    "task": "Find the mugs",
    "reference_task_length": 2,
    "evaluation": [
        {
            "match_function_name": "url_included_match",
            "content": {"key": "q", "reference_answer": "mug", "url": "https://shop.example/?q=mug"},
        },
        {
            "match_function_name": "element_path_exactly_match",
            "method": "selector",
            "content": {"reference_answer": "#go", "netloc": "shop", "url": "https://shop.example/"},
        },
        {
            "match_function_name": "element_value_exactly_match",
            "content": {
                "reference_answer": "mug",
                "netloc": "shop",
                "path": "#q",
                "url": "https://shop.example/",
            },
        },
    ],
}
QUESTION = {
    "id": "1",
    "set": "dev",
    "task": "Which mug?",
    "answer": "the blue one",
    "gold_url": "https://shop.example",
    "explanation": "it is blue",
    "metadata": [],
    "difficulty": "Hard",
    "time_dependency": "Static",
}
CHAT = {"type": "chat", "timestamp": -1, "speaker": "instructor", "utterance": "Find a mug, please"}
CLICK = {
    "type": "browser",
    "timestamp": 2.5,
    "state": {"screenshot": None, "page": "page-1-0.html", "screenshot_status": "good"},
    "action": {
        "intent": "click",
        "arguments": {
            "metadata": {
                "mouseX": 5,
                "mouseY": 6,
                "tabId": 7,
                "timestamp": 1690000000000,
                "url": "https://shop.example/",
                "viewportHeight": 700,
                "viewportWidth": 1300,
                "zoomLevel": 1,
            },
            "properties": {"x": 5, "y": 6},
            "element": {
                "attributes": {"data-webtasks-id": "u1"},
                "bbox": {"x": 0, "y": 0, "width": 9, "height": 9},
                "tagName": "A",
                "textContent": "mugs",
                "xpath": "id('a')",
            },
        },
    },
}


@dataclass(frozen=True)
class Format:
    """A format of one benchmark.

    Attributes:
        record: a good one.
        number: the field that tells records apart, "" where nothing does; then all are one JSON text, and a
            value that is no JSON costs all of them.
        write: puts a file of three records into a folder, from their texts; gives the file.
        line: of the second record.
    """

    benchmark: str
    name: str
    record: dict[str, Any]
    number: str
    write: Callable[[Path, list[str]], Path]
    line: int = 2

    def texts(self, changed: dict[str, Any]) -> list[str]:
        """Good, changed, good; with numbers of their own where the format has them."""
        return [written(self.numbered(1)), written(changed), written(self.numbered(3))]

    def numbered(self, number: int) -> dict[str, Any]:
        same = type(self.record[self.number])(number) if self.number else None
        return self.record | ({self.number: same} if self.number else {})


def as_list(name: str) -> Callable[[Path, list[str]], Path]:
    def write(folder: Path, texts: list[str]) -> Path:
        path = folder / name
        path.write_text("[" + ",\n".join(texts) + "]", "utf-8")
        return path

    return write


def as_lines(folder: Path, texts: list[str]) -> Path:
    path = folder / "dev.jsonl"
    path.write_text("\n".join(texts), "utf-8")
    return path


def as_replay(folder: Path, texts: list[str]) -> Path:
    path = folder / "abcdefg.replay.json"
    path.write_text('{"data": [' + ",\n".join(texts) + "]}", "utf-8")
    return path


FORMATS = (
    Format("webarena", "tasks", WEBARENA, "task_id", as_list("test.raw.json")),
    Format("webarena", "verified", VERIFIED, "task_id", as_list("webarena-verified.json")),
    Format("webcanvas", "key nodes", WEBCANVAS, "index", as_list("tasks.json")),
    Format("assistantbench", "questions", QUESTION, "id", as_lines),
    Format("weblinx", "chat", CHAT, "", as_replay),
    Format("weblinx", "click", CLICK, "", as_replay),
)


def fields(value: Any, steps: Steps = ()) -> Iterator[Steps]:
    """The places of all fields and elements, from the outside in."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        yield (*steps, key)
        yield from fields(part, (*steps, key))


def without(record: dict[str, Any], steps: Steps) -> dict[str, Any]:
    changed = copy.deepcopy(record)
    del _holder(changed, steps)[steps[-1]]
    return changed


def replaced(record: dict[str, Any], steps: Steps, value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(record)
    _holder(changed, steps)[steps[-1]] = value
    return changed


def _holder(record: Any, steps: Steps) -> Any:
    for step in steps[:-1]:
        record = record[step]
    return record


def written(record: Any) -> str:
    """Its JSON, with what stands for other texts replaced."""
    text = json.dumps(record)
    for sign, other in TEXTS.items():
        text = text.replace(f'"{sign}"', other)
    return text


def changes(form: Format) -> st.SearchStrategy[tuple[Steps, dict[str, Any]]]:
    """A field, and the record in which it is missing or has a value that it can't have."""
    second = form.numbered(2)
    places = st.sampled_from(list(fields(second)))
    values = st.sampled_from((*VALUES, *TEXTS) if form.number else VALUES)
    gone = places.map(lambda steps: (steps, without(second, steps)))
    wrong = st.tuples(places, values).map(lambda pair: (pair[0], replaced(second, *pair)))
    return gone | wrong
