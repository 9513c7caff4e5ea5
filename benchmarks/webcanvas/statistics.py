"""Mind2Web-Live in numbers: tasks, steps, key nodes (table 2), evaluation functions (figure 4), websites."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from webbench.benchmarks.webcanvas.benchmark import create as benchmark
from webbench.core.analysis.printed.data_rows import data_row, mean_median_largest, shares_by_name
from webbench.core.analysis.printed.filled_table import Evidence, Filled
from webbench.core.analysis.printed.printed_table import Filler
from webbench.core.benchmark.bundle import bundles_of
from webbench.core.statistics.mean import mean
from webbench.core.task import Task

NEEDS_DATA = "name the task files with --data; `webbench-tui data get webcanvas` says where they are"
NEEDS_DOMAINS = (
    "none of the tasks names a domain: the published files lack it; it is read from `domain` and `subdomain` "
    "of a task, as Mind2Web's own files have them"
)
TEST = "test"
FEWER = "the files at hand hold {count} of the paper's 542 tasks: {files}."


def data_set(evidence: Evidence) -> Filled:
    """Table 2: tasks, annotated steps and key nodes of the files at hand."""
    tasks = _own_tasks(evidence.data)
    if not tasks:
        return Filled(missing=NEEDS_DATA)
    nodes = [_key_nodes(task) for task in tasks]
    steps = _steps(tasks)
    files = Counter(task.split for task in tasks)
    test = [task for task in tasks if f"_{TEST}_" in task.split]
    values = {
        "Mind2Web-Live": len(tasks),
        "Test set": len(test) or None,
        "Annotate steps": sum(steps),
        "Avg. steps": mean(steps),
        "Eval functions": sum(nodes),
        "Avg. eval functions": fmean(nodes),
    }
    told = ", ".join(f"{count} in {name}" for name, count in files.items())
    return Filled(
        rows=tuple(data_row(name, values=(value,), n=len(tasks)) for name, value in values.items()),
        not_comparable=(FEWER.format(count=len(tasks), files=told),),
    )


def functions(evidence: Evidence) -> Filled:
    """Figure 4: key nodes by the function that matches them."""
    kinds = Counter(
        str(node.get("match_function", "none"))
        for task in _own_tasks(evidence.data)
        for node in task.gold.get("key_nodes", ())
    )
    rows = [data_row(name.replace("_", " "), values=(count,)) for name, count in kinds.most_common()]
    return Filled(rows=tuple(rows), missing="" if rows else NEEDS_DATA)


def domains(evidence: Evidence) -> Filled:
    """Tasks of the files at hand by the domain that they name."""
    tasks = _own_tasks(evidence.data)
    told = [task for task in tasks if task.data.get("domain")]
    if not told:
        return Filled(missing=NEEDS_DOMAINS if tasks else NEEDS_DATA)
    found: dict[tuple[str, str], list[Task]] = {}
    for task in told:
        place = str(task.data["domain"]), str(task.data.get("subdomain", "–"))
        found.setdefault(place, []).append(task)
    rows = []
    for place, inside in sorted(found.items()):
        test = sum(f"_{TEST}_" in task.split for task in inside)
        rows.append(data_row(*place, values=(test, len(inside) - test)))
    return Filled(rows=tuple(rows), left_out={"tasks without a domain": len(tasks) - len(told)})


def by_file(evidence: Evidence) -> Filled:
    """Sizes of each file, and of all."""
    tasks = _own_tasks(evidence.data)
    files = {name: [task for task in tasks if task.split == name] for name in _files(tasks)}
    parts = [*files.items(), ("all", tasks)] if tasks else []
    rows = []
    for name, inside in parts:
        nodes, steps = [_key_nodes(task) for task in inside], _steps(inside)
        values = (
            len(inside),
            mean(steps),
            fmean(nodes),
            max(nodes),
            len({task.site for task in inside if task.site}),
        )
        rows.append(data_row(name, values=values))
    return Filled(rows=tuple(rows), missing="" if rows else NEEDS_DATA)


def by_website(evidence: Evidence) -> Filled:
    """Tasks by their website."""
    rows = shares_by_name(task.site for task in _own_tasks(evidence.data))
    return Filled(rows=tuple(rows), missing="" if rows else NEEDS_DATA)


def lengths(evidence: Evidence) -> Filled:
    """Words of the tasks."""
    words = [len(task.intent.split()) for task in _own_tasks(evidence.data)]
    if not words:
        return Filled(missing=NEEDS_DATA)
    return Filled(rows=(data_row("words of a task", values=mean_median_largest(words)),))


DATA_FILLS = {
    "table 2": Filler("the task files", data_set, describes_data=True),
    "figure 4": Filler("the task files", functions, describes_data=True),
    "table 8": Filler("task files that name domains", domains, describes_data=True),
    "by file": Filler("the task files", by_file, describes_data=True),
    "by website": Filler("the task files", by_website, describes_data=True),
    "lengths": Filler("the task files", lengths, describes_data=True),
}


def _own_tasks(data: Path | None) -> list[Task]:
    if data is None:
        return []
    shipped = {bundle.name for bundle in bundles_of("webcanvas")}
    return [task for task in benchmark(data).tasks() if task.split not in shipped]


def _files(tasks: Sequence[Task]) -> list[str]:
    return list(dict.fromkeys(task.split for task in tasks))


def _key_nodes(task: Task) -> int:
    return len(task.gold.get("key_nodes", ()))


def _steps(tasks: Sequence[Task]) -> list[int]:
    return [length for task in tasks if isinstance(length := task.gold.get("reference_length"), int)]
