"""Own-made demonstrations as folders in the published format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PIL import Image

from tests.benchmarks.weblinx.turns import BOXES
from webbench.benchmarks.weblinx.turns.action import ID

Json = Any
URL = "https://shop.example/lamps"
PAGE = f"""<html {ID}="root"><head><title>Lamps</title></head><body>
<div {ID}="menu"><button {ID}="button">Buy</button></div>
<label for="q">Search</label><input id="q" name="q" {ID}="field">
</body></html>"""


def chat(speaker: str, utterance: str, seconds: float = 0.0) -> Json:
    return {"type": "chat", "timestamp": seconds, "speaker": speaker, "utterance": utterance}


def browser(intent: str, name: str = "", page: int | None = 1, **arguments: Json) -> Json:
    """A browser turn on page `page`, done to the element `name`."""
    state = {
        "screenshot": f"screenshot-{page}-0.png" if page else None,
        "page": f"page-{page}-0.html" if page else None,
    }
    metadata = {"url": URL, "tabId": 7, "viewportHeight": 200, "viewportWidth": 300, "mouseX": 1, "mouseY": 2}
    element = {"element": {"attributes": {ID: name}, "bbox": BOXES.get(name, {})}} if name else {}
    properties = {"properties": arguments.pop("properties", {})}
    action = {"intent": intent, "arguments": {"metadata": metadata, **properties, **element, **arguments}}
    return {"type": "browser", "timestamp": 3.5, "state": state, "action": action}


TURNS = [
    chat("instructor", "Find me a desk lamp [/b] \x1b]0;hi\x07"),
    chat("navigator", 'A "desk lamp", sure', 2.0),
    browser("load", page=None, properties={"url": URL}),
    browser("textInput", "field", text="desk lamp"),
    browser("click", "gone"),
    browser("click", "button"),
    chat("instructor", "Thanks", 9.0),
    browser("hover", "menu"),
]
"""Predicted: 1, 2, 3, 5, 7. Nobody has the element of turn 4."""


def write_demonstration(folder: Path, turns: list[Json] = TURNS, pages: int = 1) -> Path:
    """A demonstration of this name; every page has the same elements."""
    for part in ("pages", "bboxes", "screenshots"):
        (folder / part).mkdir(parents=True)
    (folder / "replay.json").write_text(json.dumps({"data": turns}))
    (folder / "form.json").write_text(json.dumps({"description": "Buy a lamp", "tasks": ["Shopping"]}))
    for page in range(1, pages + 1):
        (folder / "pages" / f"page-{page}-0.html").write_text(PAGE)
        (folder / "bboxes" / f"bboxes-{page}.json").write_text(json.dumps(BOXES))
        Image.new("RGB", (600, 400), "white").save(folder / "screenshots" / f"screenshot-{page}-0.png")
    return folder
