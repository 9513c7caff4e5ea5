"""Line files, append-only and with a record on each line, as a writer that was killed may have left them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from webbench.core.errors import BadData
from webbench.core.store.records import codec

Record = TypeVar("Record")


def read_lines(
    data: bytes, path: Path, read: Callable[[bytes, str], Record], in_flight: str
) -> tuple[list[Record], list[str]]:
    """The records that can be read, in order, and a sentence for each line that can't be.

    A last line without its end that is no record is torn: nobody was told yet that it was kept.

    Args:
        data: what the file holds; `path` names it in what is told.
        read: makes a record of a line, given the line and its place in words. Raises `BadData`.
        in_flight: what a torn line was to hold, such as "the step".

    Raises `codec.NewerSchema` for a line that a newer release wrote.
    """
    records: list[Record] = []
    problems: list[str] = []
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{path}, line {number},"
        try:
            records.append(read(line, where))
        except codec.NewerSchema:
            raise
        except BadData as error:
            torn = f"is torn: {in_flight} in flight when its writer died was skipped"
            damaged = f"is damaged and was skipped: {error.message}"
            problems.append(f"{where} {torn if number == len(lines) else damaged}")
    return records, problems
