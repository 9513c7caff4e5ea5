"""Where the elements of a JSON list begin in its text: the lines that a person can go to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\r\n]*")


def element_lines(text: str, key: str = "") -> list[int]:
    """The lines, from 1, on which the elements of a list begin.

    Args:
        text: valid JSON, of bounded depth: a list, or with `key` an object that has it as a member.
    """
    start = _blanks(text, 0)
    if key:
        start = next((at for name, at in _members(text, start) if name == key), -1)
    if start < 0 or text[start] != "[":
        return []
    lines, line, counted = [], 1, 0
    for at in _elements(text, start):
        line += text.count("\n", counted, at)
        counted = at
        lines.append(line)
    return lines


def _members(text: str, start: int) -> Iterator[tuple[str, int]]:
    """Name and position of the value of each member of an object."""
    at = _blanks(text, start + 1)
    while text[start] == "{" and text[at] == '"':
        name, at = _DECODER.raw_decode(text, at)
        at = _blanks(text, _blanks(text, at) + 1)
        yield name, at
        at = _after(text, at)


def _elements(text: str, start: int) -> Iterator[int]:
    at = _blanks(text, start + 1)
    while text[at] != "]":
        yield at
        at = _after(text, at)


def _after(text: str, at: int) -> int:
    """Where the next value or the closing bracket is, after the value that begins here and its comma."""
    _, end = _DECODER.raw_decode(text, at)
    end = _blanks(text, end)
    return _blanks(text, end + 1) if text[end] == "," else end


def _blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at
