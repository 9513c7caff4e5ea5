"""The history of checks: what is kept, what is due, and what is news."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from webbench.benchmarks.webcanvas.benchmark import WebCanvasBenchmark
from webbench.benchmarks.webcanvas.upkeep.check import Change, Checked, CheckReport, Place
from webbench.benchmarks.webcanvas.upkeep.past_checks import (
    CheckHistory,
    News,
    is_due,
    kept_checks,
    latest,
    news,
)
from webbench.core.errors import BadData
from webbench.core.store.records.line_files import LARGEST_BESIDE
from webbench.core.store.store import Store
from webbench.tui.cli.benchmarks.check_workflows import CheckRequest, _chosen

MONDAY = datetime(2026, 11, 23, 8, tzinfo=UTC)


def report(changed: bool = False, error: str = "") -> CheckReport:
    gone = Change(
        kind="page gone", change="/hours is gone", places=(Place(task="t", step=1, told="404"),) * 2
    )
    checked = (Checked(task="t", intent="?", source="x", steps=1, error=error),)
    return CheckReport(workflows=checked, changes=(gone,) if changed else ())


def test_what_broke_and_what_holds_again_is_news_once(tmp_path: Path) -> None:
    """A check that came to nothing, because no site answered, is kept and changes no state."""
    history, told = CheckHistory(tmp_path / "store"), []
    days = (report(), report(), report(changed=True), report(error="no page"), report(changed=True), report())
    for day, one in enumerate(days):
        checks = kept_checks(one, MONDAY + timedelta(days=day), 1)
        told.append(list(news(latest(history.entries()[0]), checks)))
        history.add(checks)
    day_two, day_five = ((MONDAY + timedelta(days=day)).isoformat() for day in (1, 4))
    broke = News(kind="broke", task="t", since=day_two, changes=("/hours is gone",))
    assert told == [[], [], [broke], [], [], [News(kind="holds again", task="t", since=day_five)]]
    entries, unread = history.entries()
    assert [one.state for one in entries] == [
        "holds",
        "holds",
        "changed",
        "not checked",
        "changed",
        "holds",
    ]
    assert unread == []


def test_several_ways_through_a_task_are_one_check_of_it() -> None:
    """Its own way holds, that of an alternative couldn't be gone: that is no check that it holds."""
    own = Checked(task="t", intent="?", source="reference list", steps=1)
    other = msgspec.structs.replace(own, source="reference list of alternative 1", error="no page")
    (kept,) = kept_checks(CheckReport(workflows=(own, other), changes=()), MONDAY, 1)
    assert (kept.state, kept.error) == ("not checked", "no page")
    changed = msgspec.structs.replace(report(changed=True), workflows=(own, other))
    (kept,) = kept_checks(changed, MONDAY, 1)
    assert kept.state == "changed"


def test_the_written_way_of_each_alternative_is_checked_too(tmp_path: Path) -> None:
    request = CheckRequest(tasks=("nearest-branch", "branch-phone"))
    recorded, unrecorded = _chosen(request, WebCanvasBenchmark(None), Store(tmp_path))
    assert recorded == []
    assert [(task.name, way) for task, way in unrecorded] == [
        ("nearest-branch", 0),
        ("nearest-branch", 1),
        ("branch-phone", 0),
    ]


def test_a_task_is_due_some_days_after_its_last_check(tmp_path: Path) -> None:
    history = CheckHistory(tmp_path)
    assert is_due("t", latest(history.entries()[0]), MONDAY, 7)
    history.add(kept_checks(report(), MONDAY, 1))
    history.add(kept_checks(report(error="no page"), MONDAY + timedelta(days=5), 1))
    history.file.write_bytes(history.file.read_bytes() + b"{torn")
    entries, unread = history.entries()
    assert unread == [
        f"{history.file}, line 3, is torn: the check in flight when its writer died was skipped"
    ]
    before = latest(entries)
    assert not is_due("t", before, MONDAY + timedelta(days=6), 7)
    assert is_due("t", before, MONDAY + timedelta(days=7, minutes=-10), 7), (
        "what could not be checked is checked again"
    )


def test_checks_go_on_behind_a_torn_line_and_what_is_too_much_or_newer_is_refused(tmp_path: Path) -> None:
    """Lines that a release without a version in them wrote are read as its first."""
    history = CheckHistory(tmp_path)
    old = b'{"task": "t", "at": "2026-11-23T08:00:00+00:00", "state": "holds"}\n'
    history.file.write_bytes(old + b'{"task": "t')
    history.add(kept_checks(report(changed=True), MONDAY, 1))
    entries, problems = history.entries()
    assert [one.state for one in entries] == ["holds", "changed"]
    assert len(problems) == 1
    assert "line 2" in problems[0]
    history.file.write_bytes(history.file.read_bytes() + b'{"schema_version": 2}\n')
    with pytest.raises(BadData, match="newer release"):
        history.entries()
    os.truncate(history.file, LARGEST_BESIDE + 1)
    with pytest.raises(BadData, match="larger than 64 MiB"):
        history.entries()
