"""How steadily actors solve the tasks of one template (as in WebArena, table 3)."""

from __future__ import annotations

from collections.abc import Mapping

from webbench.core.analysis.recorded.run_records import RecordedRun
from webbench.core.analysis.runs.success_rates import TaskScore, task_scores
from webbench.core.statistics.figures import Bar, Bars, Section

GROUPS = ("none", "to 25 %", "to 50 %", "to 75 %", "below 100 %", "all")

ABOUT = (
    "Templates by the share of their tasks that was solved. Templates with one scored task are left out: "
    "they are solved or not, and say nothing of steadiness."
)


def templates_section(runs: Mapping[str, RecordedRun]) -> Section | None:
    """Number of templates by the share of their tasks that was solved; None where there is no template."""
    bars: list[Bar] = []
    left_out: dict[str, int] = {}
    for letter, run in runs.items():
        by_template: dict[str, list[TaskScore]] = {}
        for task in task_scores(run.episodes):
            if task.template:
                by_template.setdefault(task.template, []).append(task)
        left_out[letter] = sum(len(tasks) == 1 for tasks in by_template.values())
        bars += _counts(letter, [tasks for tasks in by_template.values() if len(tasks) > 1])
    if not bars:
        return None
    bars.sort(key=lambda bar: GROUPS.index(bar.group))
    told = ", ".join(f"{letter} {count}" for letter, count in left_out.items())
    histogram = Bars(
        title="Templates by share of tasks solved",
        unit="count",
        bars=tuple(bars),
        over="tasks solved",
        note=f"templates left out for having one scored task: {told}",
    )
    return Section(name="templates", title="Success within templates", about=ABOUT, figures=(histogram,))


def _counts(letter: str, templates: list[list[TaskScore]]) -> list[Bar]:
    grouped: dict[str, list[list[TaskScore]]] = {name: [] for name in GROUPS}
    for tasks in templates:
        grouped[_group(sum(task.solved for task in tasks), len(tasks))].append(tasks)
    return [
        Bar(
            group=name,
            actor=letter,
            value=len(found),
            n=len(templates),
            episodes=tuple(one for tasks in found for task in tasks for one in task.names),
        )
        for name, found in grouped.items()
        if templates
    ]


def _group(solved: int, tasks: int) -> str:
    if not solved:
        return GROUPS[0]
    if solved == tasks:
        return GROUPS[-1]
    return GROUPS[min(4, -(-4 * solved // tasks))]
