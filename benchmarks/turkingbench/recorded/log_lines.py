"""The lines of a console log that tell something, with those that go on below them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from webbench.core.exchange.place import Place

LONGEST_ENTRY = 200_000
"""Characters of an entry that are kept."""
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_NUMBER = r"(-?\d+(?:\.\d+)?(?:e-?\d+)?)"
_KINDS = (
    ("solver", r"^Solver: (.*)$"),
    ("task", r"starting new task: `(.*)`"),
    ("instance", r"^instance_id: \S+ <-> row_number: (\d+)"),
    ("element", r"starting a new element: `Input\(name=`(.*?)`, type="),
    ("response", r"^Claude response:(.*)$"),
    ("executing", r"^Executing one action:(.*)$"),
    ("failed", r"^Failed to execute an action(.*)$"),
    ("skipped", r"^Skipping element `(.*)`"),
    ("evaluating", r"------- evaluating input: Input\(name=`(.*?)`, type="),
    ("expected", r"^----> answers: `(.*)` - type: "),
    ("answer", r"^----> baseline_answer: `(.*)` - type: "),
    ("field score", rf"^----> per-field score: {_NUMBER}"),
    ("score", rf"^ --> Per-instance overall score: {_NUMBER}"),
    ("other", r"^(?:input: Input\(| visible| --> |----> |Model answers:|Gold answers:|about to try )"),
    ("other", r"^(?:First instance id|answers after mapping|Error getting action|-+> )"),
)
_PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in _KINDS)
_GO_ON = frozenset({"response", "executing", "failed"})
_ERROR = re.compile(r", error: (.*)$", re.DOTALL)


class Entry(msgspec.Struct):
    """One line with what it is about; a response, code or failure with the lines below it."""

    kind: str
    text: str


def entries(place: Place) -> Iterator[Entry]:
    """In order. Raises `BadData` where the log can't be read."""
    pending: Entry | None = None
    for _, raw in place.lines():
        line = _COLOUR.sub("", raw.decode("utf-8", "replace"))
        kind, text = _kind(line)
        if not kind:
            if pending is not None and pending.kind in _GO_ON and len(pending.text) < LONGEST_ENTRY:
                pending.text += f"\n{line}"
            continue
        if pending is not None:
            yield _complete(pending)
        pending = Entry(kind, text)
    if pending is not None:
        yield _complete(pending)


def _kind(line: str) -> tuple[str, str]:
    for kind, pattern in _PATTERNS:
        if found := pattern.search(line):
            return kind, found[1] if found.groups() else ""
    return "", ""


def _complete(entry: Entry) -> Entry:
    """Of a failure only why; the code that failed stands before it."""
    text = entry.text.strip()
    if entry.kind == "failed":
        error = _ERROR.search(text)
        text = error[1] if error else text
    return Entry(entry.kind, text)
