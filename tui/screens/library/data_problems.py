"""What is wrong with a benchmark's data, in words."""

from __future__ import annotations

from collections.abc import Mapping

from webbench.core.benchmark.benchmark import Severity
from webbench.core.engine.wire.catalogue_messages import ProblemsListed, TasksListed
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.widgets.lists.text_rows import Entry

PARTS: Mapping[Severity, str] = {"error": "bad", "warning": "text", "note": "muted"}
SERIOUS: tuple[Severity, ...] = ("error", "warning")


def counted_problems(found: ProblemsListed, severities: tuple[Severity, ...] = tuple(PARTS)) -> str:
    """How many there are: "3 errors, 1 warning"; "" where there is none."""
    counts = [(severity, found.counts.get(severity, 0)) for severity in severities]
    return ", ".join(counted(count, name) for name, count in counts if count)


def heading(title: str, found: ProblemsListed | None) -> str:
    """The title of a task list, with what ought to be looked at before its figures are believed."""
    told = counted_problems(found, SERIOUS) if found else ""
    return f"{title} ({told} in its data)" if told else title


def entries(listed: TasksListed, found: ProblemsListed | None) -> list[Entry]:
    """State, tasks that can't be used, and the problems of the data, the worst first."""
    shown = [Entry("state", listed.status.state, "strong"), Entry("", listed.status.detail)]
    broken = [entry for entry in listed.entries if entry.problem]
    shown += [Entry(plain_text(entry.name, limit=40), entry.problem, "bad") for entry in broken]
    if not broken and listed.entries:
        shown.append(Entry("", f"{counted(len(listed.entries), 'task')}, all can be used.", "good"))
    if found is None:
        told = "being looked through…" if listed.status.state == "ready" else "not there to be looked through"
        return [*shown, Entry("data", told, "muted")]
    shown.append(Entry("data", counted_problems(found) or "clean", "strong"))
    shown += [
        Entry(problem.severity, f"{problem.where}: {problem.message}", PARTS[problem.severity])
        for problem in found.problems
    ]
    more = sum(found.counts.values()) - len(found.problems)
    if more > 0:
        shown.append(
            Entry("", f"and {more:,} more; `webbench-tui tasks {listed.benchmark} --problems`", "muted")
        )
    return shown
