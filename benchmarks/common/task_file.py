"""A task file that is written to: a JSON list, one task after the other."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from webbench.core.errors import BadData, WebbenchError
from webbench.core.json_types import Json, JsonObject
from webbench.core.store.records.durable_files import held
from webbench.core.text import bounded_json

LARGEST_FILE = 64 * 1024 * 1024


def listed_tasks(file: Path) -> list[Json]:
    """What the file lists so far; nothing where there is none. Raises `BadData`."""
    try:
        if not file.exists():
            return []
        if file.stat().st_size > LARGEST_FILE:
            raise BadData(f"{file} is too large to be a task file")
        listed = bounded_json.decode(file.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise BadData(f"{file} can't be read as a task file: {error}", "name another one") from error
    if not isinstance(listed, list):
        raise BadData(f"{file} is no list of tasks", "name another one")
    return listed


@contextlib.contextmanager
def changing(file: Path) -> Iterator[None]:
    """Nobody else changes the file meanwhile, so that what it lists can be read, changed and written.

    Raises `WebbenchError` where its folder can't be used.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with held(file.parent):
            yield
    except OSError as error:
        raise WebbenchError(
            f"{file} can't be changed: {error.strerror or error}", "name another one"
        ) from error


def write_tasks(file: Path, tasks: Sequence[Json]) -> None:
    """Write the whole file beside and put it into place, so that it is never half written.

    Raises `WebbenchError` where it can't be written.
    """
    content = json.dumps(tasks, ensure_ascii=False, indent=1) + "\n"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f".{file.name}-", dir=file.parent)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as beside:
                beside.write(content)
                beside.flush()
                os.fsync(beside.fileno())
            Path(name).replace(file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise WebbenchError(
            f"{file} can't be written: {error.strerror or error}", "name another one"
        ) from error


def required_text(row: JsonObject, key: str) -> str:
    """A text of a task, without blanks around it. Raises `BadData` where there is none."""
    value = row.get(key)
    if not isinstance(value, str) or not value.strip():
        raise BadData(f'the task has no text "{key}"')
    return value.strip()
