"""Past checks: when each task's way was gone again, whether it held, and what is news.

Source: WebCanvas, section 1 (3): scheduled monitoring with alerts, so that broken tasks are mended. One line
of JSON for each workflow and check, in `<store>/webcanvas-checks.jsonl`, which is only ever appended to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from webbench.core.store.records.kept_lines import KeptLines

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


class CheckHistory(KeptLines[KeptCheck]):
    """The file of one store."""

    def __init__(self, root: Path) -> None:
        super().__init__(
            root, FILE, KeptCheck, SCHEMA_VERSION, what="the history of checks", line="the check"
        )


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
