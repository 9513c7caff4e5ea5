"""Reading files that strangers wrote: bounded in size and depth, with errors that name the file."""

from __future__ import annotations

import codecs
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from webbench.core.errors import BadData
from webbench.core.json_types import Json
from webbench.core.text import bounded_json

DATA_VARIABLE = "WEBBENCH_DATA_WEBLINX"
GET_DATA = (
    "`webbench-tui data get weblinx` downloads a few demonstrations; or name a folder of them with --data, "
    f"or --tasks to score a file, or {DATA_VARIABLE}"
)
_Shape = TypeVar("_Shape")

LARGEST = 256 << 20
"""Bytes; the largest replays of the benchmark have some tens of megabytes."""


def read_text(path: Path) -> str:
    """UTF-8, with what isn't replaced. Raises `BadData` where the file can't be read or is too large."""
    return text_of(read_bytes(path))


def text_of(content: bytes) -> str:
    text = content.removeprefix(codecs.BOM_UTF8).decode(errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def read_bytes(path: Path) -> bytes:
    """Raises `BadData` where the file can't be read or is too large."""
    try:
        return _content(path)
    except OSError as error:
        raise BadData(f"{path} can't be read: {error.strerror or error}") from error


def bytes_if_there(path: str | Path) -> bytes | None:
    """None where there is no such file; raises as `read_bytes`."""
    try:
        return _content(path)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        raise BadData(f"{path} can't be read: {error.strerror or error}") from error


_PART = 1 << 16


def _content(path: str | Path) -> bytes:
    """By one call each for opening, size and content: evaluations read tens of thousands of small files."""
    # Without waiting, for a pipe would only open when somebody writes.
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        size = os.fstat(file).st_size
        content = os.read(file, min(size, LARGEST) + 1)
        while len(content) <= LARGEST and (more := os.read(file, _PART)):
            content += more
    finally:
        os.close(file)
    if len(content) > LARGEST:
        raise BadData(f"{path}: more than the {LARGEST:,} bytes that are read")
    return content


def json_of(path: Path) -> Json:
    """Raises `BadData` naming the file and, for broken JSON, line and column."""
    text = read_text(path)
    try:
        return bounded_json.decode(text, writable=True)
    except json.JSONDecodeError as error:
        raise BadData(f"{path}:{error.lineno}: no JSON at column {error.colno}: {error.msg}") from error
    except ValueError as error:
        raise BadData(f"{path} can't be used: {error}") from error


def json_lines(path: Path) -> Iterator[tuple[str, Json]]:
    """("file:line", value) of a JSON Lines file. Raises `BadData` at the first line that is no JSON."""
    for where, text in numbered_lines(path):
        yield where, decoded(text, where)


def numbered_lines(path: Path) -> Iterator[tuple[str, str]]:
    """("file:line", text) of the lines that hold anything."""
    for number, text in enumerate(read_text(path).split("\n"), 1):
        if text.strip():
            yield f"{path}:{number}", text


def decoded(text: str, where: str) -> Json:
    """The value of a line of JSON. Raises `BadData`."""
    try:
        return bounded_json.decode(text, writable=True)
    except json.JSONDecodeError as error:
        raise BadData(f"{where}: no JSON at column {error.colno}: {error.msg}") from error
    except ValueError as error:
        raise BadData(f"{where}: {error}") from error


def converted(data: Json, shape: type[_Shape], where: str) -> _Shape:
    """The data in this shape. Raises `BadData`."""
    try:
        return msgspec.convert(data, shape)
    except msgspec.ValidationError as error:
        raise BadData(f"{where}: {error}") from error
