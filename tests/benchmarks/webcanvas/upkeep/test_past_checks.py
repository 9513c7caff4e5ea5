"""The history of checks: what is kept, what is due, and what is news."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from webbench.benchmarks.webcanvas.upkeep.check import Change, Checked, CheckReport, Place
from webbench.benchmarks.webcanvas.upkeep.past_checks import (
    CheckHistory,
    News,
    is_due,
    kept_checks,
    latest,
    news,
)

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
    assert unread == 0


def test_a_task_is_due_some_days_after_its_last_check(tmp_path: Path) -> None:
    history = CheckHistory(tmp_path)
    assert is_due("t", latest(history.entries()[0]), MONDAY, 7)
    history.add(kept_checks(report(), MONDAY, 1))
    history.add(kept_checks(report(error="no page"), MONDAY + timedelta(days=5), 1))
    history.file.write_bytes(history.file.read_bytes() + b"{torn")
    entries, unread = history.entries()
    assert unread == 1
    before = latest(entries)
    assert not is_due("t", before, MONDAY + timedelta(days=6), 7)
    assert is_due("t", before, MONDAY + timedelta(days=7, minutes=-10), 7), (
        "what could not be checked is checked again"
    )
