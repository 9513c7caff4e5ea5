"""A small Playwright trace of our own making: two states of a shop, a click between them."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

from PIL import Image

ZERO = 1_700_000_000_000
"""Milliseconds since 1970 where the trace's clock is 0."""
SHOP = ["HTML", {}, ["BODY", {"onload": "run()"}, ["SCRIPT", {}, "run()"], ["H1", {}, "Shop & more"]]]


def call(number: int, method: str, start: float, end: float, **params: Any) -> list[dict[str, Any]]:
    """The two lines of a call."""
    about = {"callId": f"call@{number}", "pageId": "page@1"}
    before = {"type": "before", "class": "Page", "method": method, "params": params, "startTime": start}
    return [before | about, {"type": "after", "callId": f"call@{number}", "endTime": end}]


def snapshot(number: int, html: Any) -> dict[str, Any]:
    """The page after a call."""
    about = {"snapshotName": f"after@call@{number}", "frameId": "frame@1", "isMainFrame": True}
    return {"type": "frame-snapshot", "snapshot": {**about, "frameUrl": "http://shop/", "html": html}}


def lines() -> list[dict[str, Any]]:
    """trace.trace: goto, screenshot, click, screenshot."""
    return [
        {"type": "context-options", "version": 8, "wallTime": ZERO + 100, "monotonicTime": 100},
        *call(1, "goto", 200, 400, url="http://shop/"),
        {"type": "screencast-frame", "pageId": "page@1", "sha1": "f1.jpeg", "timestamp": 420},
        *call(2, "screenshot", 500, 1000),
        snapshot(2, SHOP),
        *call(3, "mouseClick", 4000, 4100, x=5, y=6.5),
        {"type": "console", "messageType": "error", "text": "no price", "location": {}, "time": 4200},
        *call(4, "screenshot", 4900, 5000),
        snapshot(4, ["HTML", {}, ["BODY", {}, [[1, 3]], "sold"]]),
    ]


def exchange(url: str, kind: str) -> dict[str, Any]:
    """A line of trace.network."""
    headers = [{"name": "Cookie", "value": "secret"}, {"name": "Accept", "value": "*/*"}]
    response = {"status": 404, "content": {"mimeType": kind}}
    request = {"method": "GET", "url": url, "headers": headers}
    about = {"_monotonicTime": 4150, "request": request, "response": response}
    return {"type": "resource-snapshot", "snapshot": about}


def trace_zip(trace: list[dict[str, Any]] | None = None) -> bytes:
    """The archive as Playwright would write it."""
    picture = io.BytesIO()
    Image.new("RGB", (8, 6), "red").save(picture, "JPEG")
    network = [exchange("http://shop/price", "text/html"), exchange("http://shop/a.png", "image/png")]
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("trace.trace", "\n".join(map(json.dumps, lines() if trace is None else trace)))
        file.writestr("trace.network", "\n".join(map(json.dumps, network)))
        file.writestr("resources/f1.jpeg", picture.getvalue())
    return data.getvalue()
