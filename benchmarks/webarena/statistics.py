"""WebArena's tasks in numbers: intents and templates (section 3.1), sites (figure 6), evaluators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from webbench.benchmarks.webarena.task_traits import traits
from webbench.benchmarks.webarena.tasks import GET_DATA, load_tasks
from webbench.core.analysis.printed.data_rows import data_row, mean_median_largest, share_rows, shares_by_name
from webbench.core.analysis.printed.filled_table import Evidence, Filled, FilledRow
from webbench.core.analysis.printed.printed_table import Filler
from webbench.core.statistics.mean import mean
from webbench.core.task import Task

OTHER_TEMPLATES = "the published file numbers its templates by `intent_template_id`, of which it has fewer."
SEVERAL_SITES = "several sites"
SEVERAL_CHECKS = "several evaluators"


def intents(evidence: Evidence) -> Filled:
    """Section 3.1: templates, intents, and how many intents a template has."""
    tasks, unread = _tasks(evidence)
    templates = Counter(task.template for task in tasks)
    values = {
        "intent templates": len(templates),
        "intents": len(tasks),
        "intents per template": mean(templates.values()),
    }
    rows = [data_row(name, values=(value,)) for name, value in values.items()]
    return _filled(tasks, rows, unread, (OTHER_TEMPLATES,))


def sites(evidence: Evidence) -> Filled:
    """Figure 6: intents by the site that they are about, those of several sites apart."""
    tasks, unread = _tasks(evidence)
    rows = shares_by_name(task.site if len(task.site.split()) < 2 else SEVERAL_SITES for task in tasks)
    return _filled(tasks, rows, unread)


def evaluators(evidence: Evidence) -> Filled:
    """Intents by what their answer or result is compared with; one with several counts under each."""
    tasks, unread = _tasks(evidence)
    found = Counter(kind for task in tasks for kind in dict.fromkeys(task.kind.split()))
    several = sum(len(set(task.kind.split())) > 1 for task in tasks)
    counts = dict(found.most_common()) | {SEVERAL_CHECKS: several}
    return _filled(tasks, share_rows(counts, len(tasks)), unread)


def kinds_of_task(evidence: Evidence) -> Filled:
    """Intents by what the paper groups results by: information or not, possible or not."""
    tasks, unread = _tasks(evidence)
    known = [traits(task) for task in tasks]
    values = {
        "asks for information": sum(one.seeks_information is True for one in known),
        "asks for something else": sum(one.seeks_information is False for one in known),
        "can't be done": sum(one.achievable is False for one in known),
    }
    return _filled(tasks, share_rows(values, len(tasks)), unread)


def lengths(evidence: Evidence) -> Filled:
    """Words of the intents."""
    tasks, unread = _tasks(evidence)
    words = [len(task.intent.split()) for task in tasks]
    row = data_row("words of an intent", values=mean_median_largest(words))
    return _filled(tasks, [row], unread)


DATA_FILLS = {
    "section 3.1": Filler("the task file", intents, describes_data=True),
    "figure 6": Filler("the task file", sites, describes_data=True),
    "by evaluator": Filler("the task file", evaluators, describes_data=True),
    "by kind": Filler("the task file", kinds_of_task, describes_data=True),
    "lengths": Filler("the task file", lengths, describes_data=True),
}


def _tasks(evidence: Evidence) -> tuple[Sequence[Task], int]:
    """The tasks of the data folder, and how many entries are none."""
    if evidence.data is None:
        return (), 0
    loaded = load_tasks(evidence.data)
    return loaded.tasks, loaded.left_out or 0


def _filled(
    tasks: Sequence[Task], rows: Sequence[FilledRow], unread: int, why: tuple[str, ...] = ()
) -> Filled:
    if not tasks:
        return Filled(missing=GET_DATA)
    return Filled(rows=tuple(rows), not_comparable=why, left_out={"entries that are no task": unread})
