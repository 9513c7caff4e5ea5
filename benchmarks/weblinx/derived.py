"""Demonstrations as text: one action a line, and the ranked elements of its pages beside it.

`*turns*.jsonl`: {"demo_name", "turn_index", "intent", "action": "click(x=.., y=..)", "gold_uid"}.
`candidates*.jsonl` in the same folder: {"demo_name", "turn_index", "uid", "elem_dict": {"xpath", "bbox":
"x=.. y=.. width=.. height=.."}}. Long texts are cut with "..." where these files come from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from webbench.benchmarks.weblinx.action import ID
from webbench.benchmarks.weblinx.elements import PageElements
from webbench.benchmarks.weblinx.files import read_text
from webbench.benchmarks.weblinx.intents import SAY
from webbench.benchmarks.weblinx.output import parse_output
from webbench.benchmarks.weblinx.reference import Turn
from webbench.core import bounded_json
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject

CANDIDATES = "candidates*.jsonl"

_BOX = re.compile(r"x=(\S+) y=(\S+) width=(\S+) height=(\S+)")
_RECORDED = {"x": "scrollX", "y": "scrollY", "target": "tabId", "origin": "tabIdOrigin"}
"""What recorded arguments are called where the text has another name."""


class _Line(msgspec.Struct, frozen=True):
    demo_name: str
    turn_index: int
    action: str
    gold_uid: str | None = None


class _Described(msgspec.Struct, frozen=True):
    bbox: str
    xpath: str = ""


class _Candidate(msgspec.Struct, frozen=True):
    demo_name: str
    turn_index: int
    uid: str
    elem_dict: _Described


_Shape = TypeVar("_Shape")
_Pages = dict[tuple[str, int], PageElements]


def derived_demonstrations(path: Path) -> dict[str, list[Turn]]:
    """Turns by demonstration, at their places; places that no line tells of are turns of unknown type.

    Raises `BadData` naming file and line of what can't be used.
    """
    pages = _pages(path.parent)
    found: dict[str, dict[int, Turn]] = {}
    for line in read_lines(path):
        if isinstance(line, BadData):
            raise line
        found.setdefault(line.demo_name, {})[line.turn_index] = _turn(line, pages)
    return {
        name: [turns.get(place, Turn(type="unknown")) for place in range(max(turns) + 1)]
        for name, turns in found.items()
    }


_MOST_TURNS = 10_000


def read_lines(path: Path) -> Iterator[_Line | BadData]:
    """Each line of the file, or what is wrong with it: "file:line: reason"."""
    for number, text in enumerate(read_text(path).split("\n"), 1):
        if text.strip():
            try:
                yield _read(text, f"{path}:{number}")
            except BadData as error:
                yield error


def _read(text: str, where: str) -> _Line:
    line = _converted(_decoded(text, where), _Line, where)
    if not 0 <= line.turn_index < _MOST_TURNS:
        raise BadData(f"{where}: turn {line.turn_index} is out of reach")
    return line


def _turn(line: _Line, pages: _Pages) -> Turn:
    intent, args = parse_output(line.action, quoted_text=True)
    if intent == SAY:
        return Turn(type="chat", speaker=args.get("speaker", ""), utterance=args.get("utterance", ""))
    page = pages.get((line.demo_name, line.turn_index), PageElements())
    recorded = args | {_RECORDED.get(name, name): value for name, value in args.items()}
    if "text" in recorded:
        recorded |= {"selected": recorded["text"], "pasted": recorded["text"]}
    element = {"attributes": {ID: line.gold_uid}} if line.gold_uid else None
    return Turn(
        type="browser", intent=intent, args=recorded, props=recorded, element=element, page=lambda: page
    )


def _pages(folder: Path) -> _Pages:
    boxes: dict[tuple[str, int], dict[str, JsonObject]] = {}
    paths: dict[tuple[str, int], dict[str, str]] = {}
    for file in sorted(folder.glob(CANDIDATES)):
        for where, data in _lines(file):
            one = _converted(data, _Candidate, where)
            place = one.demo_name, one.turn_index
            boxes.setdefault(place, {})[one.uid] = _box(one.elem_dict.bbox, where)
            paths.setdefault(place, {})[one.uid] = one.elem_dict.xpath
    return {place: PageElements(boxes[place], paths[place]) for place in boxes}


def _box(text: str, where: str) -> JsonObject:
    found = _BOX.fullmatch(text.strip())
    try:
        x, y, width, height = map(float, found.groups() if found else ())
    except ValueError:
        raise BadData(f'{where}: the box "{text[:60]}" is not "x=.. y=.. width=.. height=.."') from None
    edges = {"left": x, "top": y, "right": x + width, "bottom": y + height}
    return {"x": x, "y": y, "width": width, "height": height, **edges}


def _lines(path: Path) -> Iterator[tuple[str, Json]]:
    """("file:line", value) of a JSON Lines file."""
    for number, text in enumerate(read_text(path).split("\n"), 1):
        if not text.strip():
            continue
        where = f"{path}:{number}"
        yield where, _decoded(text, where)


def _decoded(text: str, where: str) -> Json:
    try:
        return bounded_json.decode(text, writable=True)
    except json.JSONDecodeError as error:
        raise BadData(f"{where}: no JSON at column {error.colno}: {error.msg}") from error
    except ValueError as error:
        raise BadData(f"{where}: {error}") from error


def _converted(data: Json, shape: type[_Shape], where: str) -> _Shape:
    try:
        return msgspec.convert(data, shape)
    except msgspec.ValidationError as error:
        raise BadData(f"{where}: {error}") from error
