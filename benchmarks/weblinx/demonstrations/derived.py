"""Demonstrations as text: one action a line, and the ranked elements of its pages beside it.

`*turns*.jsonl`: {"demo_name", "turn_index", "intent", "action": "click(x=.., y=..)", "gold_uid"}.
`candidates*.jsonl` in the same folder: {"demo_name", "turn_index", "uid", "elem_dict": {"xpath", "bbox":
"x=.. y=.. width=.. height=.."}}. Long texts are cut with "..." where these files come from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from webbench.benchmarks.weblinx.candidates.encoder_text import markup_of
from webbench.benchmarks.weblinx.candidates.published_rankings import (
    CandidateLine,
    box_of_text,
    candidate_lines,
)
from webbench.benchmarks.weblinx.demonstrations.reference import Turn
from webbench.benchmarks.weblinx.notation.output import parse_output
from webbench.benchmarks.weblinx.pages.elements import PageElements
from webbench.benchmarks.weblinx.turns.action import ID
from webbench.benchmarks.weblinx.turns.files import converted, decoded, numbered_lines
from webbench.benchmarks.weblinx.turns.intents import SAY
from webbench.benchmarks.weblinx.turns.state import RecordedState
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject

CANDIDATES = "candidates*.jsonl"

_RECORDED = {"x": "scrollX", "y": "scrollY", "target": "tabId", "origin": "tabIdOrigin"}
"""What recorded arguments are called where the text has another name."""


class _Line(msgspec.Struct, frozen=True):
    demo_name: str
    turn_index: int
    action: str
    gold_uid: str | None = None


class _Page(NamedTuple):
    """What candidates tell of the page of a turn."""

    elements: PageElements = PageElements()
    state: RecordedState = RecordedState()


_Pages = dict[tuple[str, int], _Page]


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
    for where, text in numbered_lines(path):
        try:
            yield _read(text, where)
        except BadData as error:
            yield error


def _read(text: str, where: str) -> _Line:
    line = converted(decoded(text, where), _Line, where)
    if not 0 <= line.turn_index < _MOST_TURNS:
        raise BadData(f"{where}: turn {line.turn_index} is out of reach")
    return line


def _turn(line: _Line, pages: _Pages) -> Turn:
    intent, args = parse_output(line.action, quoted_text=True)
    if intent == SAY:
        return Turn(type="chat", speaker=args.get("speaker", ""), utterance=args.get("utterance", ""))
    page = pages.get((line.demo_name, line.turn_index), _Page())
    recorded = args | {_RECORDED.get(name, name): value for name, value in args.items()}
    if "text" in recorded:
        recorded |= {"selected": recorded["text"], "pasted": recorded["text"]}
    element = {"attributes": {ID: line.gold_uid}} if line.gold_uid else None
    return Turn(
        type="browser",
        intent=intent,
        args=recorded,
        props=recorded,
        element=element,
        page=lambda: page.elements,
        state=lambda: page.state,
    )


def _pages(folder: Path) -> _Pages:
    found: dict[tuple[str, int], list[tuple[CandidateLine, JsonObject]]] = {}
    for file in sorted(folder.glob(CANDIDATES)):
        for where, one in candidate_lines(file):
            box = box_of_text(one.elem_dict.bbox, where)
            found.setdefault((one.demo_name, one.turn_index), []).append((one, box))
    return {place: _page(elements) for place, elements in found.items()}


def _page(elements: Sequence[tuple[CandidateLine, JsonObject]]) -> _Page:
    return _Page(
        PageElements(
            {one.uid: box for one, box in elements}, {one.uid: one.elem_dict.xpath for one, _ in elements}
        ),
        RecordedState(markup=markup_of([one.text for one, _ in elements]), viewport=elements[0][0].viewport),
    )
