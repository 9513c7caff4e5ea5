"""Past checks: when each task's way was gone again, whether it held, and what is news.

Source: WebCanvas, section 1 (3): scheduled monitoring with alerts, so that broken tasks are mended. One line
of JSON for each workflow and check, in `<store>/webcanvas-checks.jsonl`, which is only ever appended to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from webbench.core.errors import BadData
from webbench.core.store.records import codec
from webbench.core.store.records.durable_files import writing
from webbench.core.store.records.line_files import LARGEST_BESIDE, append_line_file, read_lines

if TYPE_CHECKING:
    from webbench.benchmarks.webcanvas.upkeep.check import CheckReport

FILE = "webcanvas-checks.jsonl"
SCHEMA_VERSION = 1
ENOUGH = 0.9
"""Of the days after which a task is due."""

State = Literal["holds", "changed", "not checked"]


class KeptCheck(msgspec.Struct, frozen=True, kw_only=True):
    """How one task fared in one check.

    Attributes:
        at: when, ISO 8601 with its time zone.
        changes: what changed on its way, in words.
        error: why it could not be checked.
        site_version: of bundled sites.
    """

    task: str
    at: str
    state: State
    changes: tuple[str, ...] = ()
    error: str = ""
    site_version: int = 1
    schema_version: int = SCHEMA_VERSION


class News(msgspec.Struct, frozen=True, kw_only=True):
    """A task whose state is another one than at its last check.

    Attributes:
        since: when it last was otherwise.
    """

    kind: Literal["broke", "holds again"]
    task: str
    since: str
    changes: tuple[str, ...] = ()


class CheckHistory:
    """The file of one store."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.file = root / FILE

    def entries(self) -> tuple[list[KeptCheck], list[str]]:
        """In the order in which they were made, and a sentence for each line that can't be read.

        Raises `BadData` for a file that can't be opened, is too large, or that a newer release wrote.
        """
        try:
            if self.file.stat().st_size > LARGEST_BESIDE:
                raise BadData(f"{self.file} is larger than {LARGEST_BESIDE >> 20} MiB", "move it away")
            data = self.file.read_bytes()
        except FileNotFoundError:
            return [], []
        except OSError as error:
            raise BadData(
                f"{self.file} can't be read: {error.strerror or error}", "mend it, or move it away"
            ) from error
        return read_lines(data, self.file, _check, "the check")

    def add(self, entries: Sequence[KeptCheck]) -> None:
        """Raises `StoreUnwritable`."""
        lines = b"".join(codec.encode(one) + b"\n" for one in entries)
        with writing(self._root, "the history of checks"):
            self._root.mkdir(parents=True, exist_ok=True)
        append_line_file(self._root, self.file, lines, "the history of checks")


def _check(line: bytes, where: str) -> KeptCheck:
    return codec.decode_record(line, KeptCheck, SCHEMA_VERSION, where)


def kept_checks(report: CheckReport, at: datetime, site_version: int) -> list[KeptCheck]:
    """One for each task of a report, whatever the number of ways that were gone through it."""
    changes: dict[str, list[str]] = {}
    for change in report.changes:
        for place in change.places:
            told = changes.setdefault(place.task, [])
            told += [] if change.change in told else [change.change]
    errors: dict[str, list[str]] = {}
    for one in report.workflows:
        errors.setdefault(one.task, []).extend([one.error] if one.error else [])
    return [
        KeptCheck(
            task=task,
            at=at.isoformat(timespec="seconds"),
            state="changed" if task in changes else "not checked" if failed else "holds",
            changes=tuple(changes.get(task, ())),
            error="; ".join(failed),
            site_version=site_version,
        )
        for task, failed in errors.items()
    ]


def latest(entries: Iterable[KeptCheck]) -> dict[str, KeptCheck]:
    """By task, its last check that came to something."""
    return {one.task: one for one in entries if one.state != "not checked"}


def news(before: Mapping[str, KeptCheck], now: Iterable[KeptCheck]) -> Iterator[News]:
    """What broke, and what holds again; nothing of a task that was never checked, or can't be now."""
    for one in now:
        last = before.get(one.task)
        if last is None or one.state == "not checked" or one.state == last.state:
            continue
        kind: Literal["broke", "holds again"] = "broke" if one.state == "changed" else "holds again"
        yield News(kind=kind, task=one.task, since=last.at, changes=one.changes)


def is_due(task: str, before: Mapping[str, KeptCheck], now: datetime, days: float) -> bool:
    """Whether its last check is as many days ago, or there was none.

    A tenth less will do: a check ends later than it begins, and a weekly one would else be late by a day.
    """
    last = before.get(task)
    if last is None:
        return True
    try:
        return now - datetime.fromisoformat(last.at) >= timedelta(days=days * ENOUGH)
    except (ValueError, TypeError, OverflowError):
        return True
