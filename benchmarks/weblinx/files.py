"""Reading files that strangers wrote: bounded in size and depth, with errors that name the file."""

from __future__ import annotations

import json
from pathlib import Path

from webbench.core import bounded_json
from webbench.core.errors import BadData
from webbench.core.json_types import Json

DATA_VARIABLE = "WEBBENCH_DATA_WEBLINX"
GET_DATA = (
    "`webbench-tui data get weblinx` downloads a few demonstrations; or name a folder of them with --data, "
    f"or --tasks to score a file, or {DATA_VARIABLE}"
)
LARGEST = 256 << 20
"""Bytes; the largest replays of the benchmark have some tens of megabytes."""


def read_text(path: Path) -> str:
    """UTF-8, with what isn't replaced. Raises `BadData` where the file can't be read or is too large."""
    try:
        size = path.stat().st_size
        if size > LARGEST:
            raise BadData(f"{path}: {size:,} bytes are more than the {LARGEST:,} that are read")
        return path.read_text("utf-8-sig", errors="replace")
    except OSError as error:
        raise BadData(f"{path} can't be read: {error.strerror or error}") from error


def json_of(path: Path) -> Json:
    """Raises `BadData` naming the file and, for broken JSON, line and column."""
    text = read_text(path)
    try:
        return bounded_json.decode(text, writable=True)
    except json.JSONDecodeError as error:
        raise BadData(f"{path}:{error.lineno}: no JSON at column {error.colno}: {error.msg}") from error
    except ValueError as error:
        raise BadData(f"{path} can't be used: {error}") from error
