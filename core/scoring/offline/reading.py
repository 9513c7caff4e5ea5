"""Reading a file of predictions or tasks: JSON lines, a JSON list or one JSON object, whatever it is.

What can't be used becomes a `Problem` with file and line, and the rest is kept. Bounded: 512 MiB a file,
16 MiB a record, 64 levels of nesting, 1000 problems.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from webbench.core.benchmark.benchmark import Problem
from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.scoring.offline.offline_scorer import PredictionFile, Record
from webbench.core.text import bounded_json

STANDARD_INPUT = "-"
PREDICTIONS = "predictions"
LARGEST_FILE = 512 * 1024 * 1024
LARGEST_RECORD = 16 * 1024 * 1024
MOST_PROBLEMS = 1000

_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
_BYTE_ORDER_MARK = "\ufeff"
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{},]', re.DOTALL)
_KINDS = {str: "a text", bool: "true or false", int: "a number", float: "a number", list: "a list"}


class _Piece(msgspec.Struct, frozen=True):
    """The text of what should be one record, from line `line` on, or what is wrong there."""

    line: int
    text: str = ""
    trouble: str = ""


def read_predictions(name: str) -> PredictionFile:
    """The predictions of a file, or of standard input for "-".

    Raises `BadData` where there is no readable file; never for what it holds.
    """
    return parse_predictions(_content(name), name)


def read_tasks(path: Path) -> PredictionFile:
    """The records of a file of tasks, told by the name it has in its folder.

    Raises `BadData` where there is no readable file; never for what it holds.
    """
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise BadData(f"The task file {path} can't be read: {reason}") from error
    return parse_predictions(content, path.name, "tasks")


def parse_predictions(content: bytes, name: str, what: str = PREDICTIONS) -> PredictionFile:
    """The same for bytes that were read already; `name` and `what` are for messages. Never raises."""
    trouble = _unreadable(content)
    if trouble:
        return PredictionFile(name, (), (Problem(name, trouble, "error"),))
    text = content.decode(errors="surrogateescape")
    marked = text.startswith(_BYTE_ORDER_MARK)
    problems = [Problem(f"{name}:1", "a byte-order mark is ignored", "note")] if marked else []
    records: list[Record] = []
    for piece in _pieces(text.removeprefix(_BYTE_ORDER_MARK)):
        found = _record(piece, writable=what != PREDICTIONS)
        if isinstance(found, Record):
            records.append(found)
        else:
            problems.append(Problem(f"{name}:{piece.line}", found, "error"))
    if not records and not problems:
        problems.append(Problem(name, f"it holds no {what}", "error"))
    return PredictionFile(name, tuple(records), _capped(problems, name))


def _content(name: str) -> bytes:
    """At most one byte more than is allowed."""
    try:
        if name == STANDARD_INPUT:
            return sys.stdin.buffer.read(LARGEST_FILE + 1)
        with Path(name).expanduser().open("rb") as file:
            return file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise BadData(
            f"The predictions {name} can't be read: {reason}", "name a file, or - for stdin"
        ) from error


def _unreadable(content: bytes) -> str:
    """Why nothing of the whole can be used, "" where something may be."""
    if len(content) > LARGEST_FILE:
        return f"it is larger than {LARGEST_FILE // 1024**2} MiB: split it"
    if content.startswith(_WIDE_MARKS):
        return "it is UTF-16: save it as UTF-8"
    if not content.strip():
        return "the file is empty"
    return ""


def _pieces(text: str) -> Iterator[_Piece]:
    """The texts of the records, by what the beginning looks like."""
    beginning = text.lstrip()
    if beginning.startswith("["):
        return _whole_elements(text) or _elements(text)
    first_line = beginning.partition("\n")[0]
    if beginning.startswith("{") and not _is_json(first_line) and _is_json(beginning):
        return iter([_element(text, 1)])
    return _lines(text)


def _lines(text: str) -> Iterator[_Piece]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _Piece(number, line)


def _whole_elements(text: str) -> Iterator[_Piece] | None:
    """The elements of a list in which nothing is broken, found by the decoder; None for another list."""
    try:
        elements = [bytes(element).decode() for element in msgspec.json.decode(text, type=list[msgspec.Raw])]
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return _placed(elements, text)


def _placed(elements: Iterable[str], text: str) -> Iterator[_Piece]:
    line, start = 1, 0
    for element in elements:
        # Only blanks and a comma are between two of them, so this is where it stands.
        found = text.index(element, start)
        line += text.count("\n", start, found)
        yield _Piece(line, element)
        line += _breaks(element)
        start = found + len(element)


def _elements(text: str) -> Iterator[_Piece]:
    """The elements of a list that takes up the whole text; a broken one leaves the others whole."""
    start = text.index("[") + 1
    line, depth, closed = 1 + _breaks(text[:start]), 0, False
    for token in _TOKEN.finditer(text, start):
        sign = token[0]
        if sign in "[{":
            depth += 1
        elif depth:
            depth -= sign in "]}"
        elif sign in ",]":
            element = text[start : token.start()]
            closed = sign == "]"
            if element.strip() or not closed:
                yield _element(element, line)
            line, start = line + _breaks(element), token.end()
            if closed:
                break
    rest = text[start:]
    if closed and rest.strip():
        yield _Piece(_element(rest, line).line, trouble="text after the end of the list")
    elif not closed:
        if rest.strip():
            yield _element(rest, line)
        yield _Piece(line + _breaks(rest.rstrip()), trouble="the list is never closed: is the file complete?")


def _element(text: str, line: int) -> _Piece:
    body = text.lstrip()
    return _Piece(line + _breaks(text[: len(text) - len(body)]), body.rstrip())


def _breaks(text: str) -> int:
    return text.count("\n")


def _is_json(text: str) -> bool:
    try:
        bounded_json.decode(text)
    except ValueError:
        return False
    return True


def _record(piece: _Piece, *, writable: bool) -> Record | str:
    """The record, or why it is none."""
    if piece.trouble:
        return piece.trouble
    if len(piece.text) > LARGEST_RECORD:
        return f"a record of more than {LARGEST_RECORD // 1024**2} MiB"
    try:
        piece.text.encode()
    except UnicodeEncodeError as error:
        return f"no UTF-8 at character {error.start + 1}"
    try:
        value: Json = bounded_json.decode(piece.text, writable=writable)
    except json.JSONDecodeError as error:
        return f"broken JSON at character {error.pos + 1}: {error.msg}"
    except ValueError as error:
        return f"unusable JSON: {error}"
    if not isinstance(value, dict):
        return f"{_KINDS.get(type(value), 'null')} in place of an object"
    return Record(piece.line, value)


def _capped(problems: Iterable[Problem], name: str) -> tuple[Problem, ...]:
    listed = tuple(problems)
    more = len(listed) - MOST_PROBLEMS
    if more <= 0:
        return listed
    return (*listed[:MOST_PROBLEMS], Problem(name, f"and {more:,} more problems", "error"))
