"""TurkingBench's data set in numbers: tasks, instances, fields by type, lengths (table 2, figure 3)."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from webbench.benchmarks.turkingbench.batch import ANSWER_PREFIX, read_batch
from webbench.benchmarks.turkingbench.scoring.template_fields import template_fields
from webbench.benchmarks.turkingbench.splits import (
    BATCH,
    SPLIT_FILES,
    SPLITS,
    TEMPLATE,
    TRAIN,
    DataFolder,
    is_data_folder,
    open_folder,
)
from webbench.core.analysis.printed.data_rows import data_row, mean_median_largest
from webbench.core.analysis.printed.filled_table import Evidence, Filled, FilledRow
from webbench.core.analysis.printed.printed_table import Filler
from webbench.core.errors import BadData
from webbench.core.models.gpt2_subwords import MISSING as NO_SUBWORDS
from webbench.core.models.gpt2_subwords import gpt2_length
from webbench.core.statistics.mean import mean

NEEDS_DATA = "name the data folder with --data; `webbench-tui data get turkingbench` downloads it"
PAPERS_SPLITS = {"train": "Train", "test_easy": "Test", "test_hard": "Test challenge"}
NO_FILE = "every folder that no file names"
NOT_IN_PAPER = "–"
BY_SCRIPT = "not in the template"
"""Type of the fields that a script makes, or that a later template lacks."""
AS_FIELDS = (
    "fields are what answer columns are of: one with a column for each option counts once, and what a page's "
    "script makes counts by its columns."
)
FEWER = "{tasks} of the paper's 158 tasks are at hand, some with fewer instances than were published."
NOT_READ = "tasks that can't be read"
_CROWD = re.compile(r"""<crowd-([a-z-]+)\b[^>]*?\bname\s*=\s*["']([^"'>]+)["']""", re.IGNORECASE)


class TaskNumbers(msgspec.Struct, frozen=True, kw_only=True):
    """One task.

    Attributes:
        answers: rows of its table.
        fields: type by name, of the fields that answers are of.
        subwords: GPT-2's, of the template; None where they can't be counted.
    """

    split: str
    name: str
    fields: dict[str, str]
    instances: int = 0
    answers: int = 0
    subwords: int | None = None


def of_folder(data: Path | None, *, whole: bool = True) -> tuple[list[TaskNumbers], int]:
    """Every task of a data folder, and how many can't be read; nothing where it is no data folder.

    Args:
        whole: False reads no rows and counts no subwords, which takes a hundredth of the time.
    """
    if data is None or not is_data_folder(data):
        return [], 0
    folder = open_folder(data)
    found, unread = [], 0
    for name in folder.names:
        try:
            found.append(_task(folder, name) if whole else _fields_of(folder, name))
        except (BadData, OSError, csv.Error, UnicodeDecodeError):
            unread += 1
    return found, unread


def answer_fields(names: Sequence[str], template: str) -> dict[str, str]:
    """Type by name of the fields that answer columns are of.

    A column "field.option" of a field that the template has is one of its options.
    """
    types = _types(template)
    found: dict[str, str] = {}
    for name in names:
        field = name if name in types else _field_of_option(name, types)
        found[field or name] = types.get(field, BY_SCRIPT)
    return found


def data_set(evidence: Evidence) -> Filled:
    """Table 2: tasks, instances, fields and subwords per task."""
    tasks, unread = of_folder(evidence.data)
    lengths = [task.subwords for task in tasks if task.subwords is not None]
    values = {
        "# of tasks": len(tasks),
        "# of instances": sum(task.instances for task in tasks),
        "avg. # of fields per task": mean([len(task.fields) for task in tasks]),
        "avg. # of fields in the template": mean([_in_template(task) for task in tasks]),
        "avg. length (subwords) of the tasks": mean(lengths),
    }
    rows = [data_row(name, values=(value,), n=len(tasks)) for name, value in values.items()]
    return _filled(tasks, unread, rows, (FEWER.format(tasks=len(tasks)), AS_FIELDS))


def splits(evidence: Evidence) -> Filled:
    """Section 3.5: tasks by the file that names them."""
    tasks, unread = of_folder(evidence.data, whole=False)
    rows = [
        data_row(
            PAPERS_SPLITS.get(name, NOT_IN_PAPER), SPLIT_FILES.get(name, NO_FILE), name, values=(len(inside),)
        )
        for name, inside in _by_split(tasks).items()
    ]
    return _filled(tasks, unread, rows, (FEWER.format(tasks=len(tasks)),), lengths=False)


def field_types(evidence: Evidence) -> Filled:
    """Figure 3: fields by type, the most common first."""
    tasks, unread = of_folder(evidence.data, whole=False)
    kinds = Counter(kind for task in tasks for kind in task.fields.values())
    having = Counter(kind for task in tasks for kind in set(task.fields.values()))
    rows = [
        data_row(kind, values=(count, 100 * count / kinds.total(), having[kind]))
        for kind, count in kinds.most_common()
    ]
    return _filled(tasks, unread, rows, (AS_FIELDS,), lengths=False)


def by_split(evidence: Evidence) -> Filled:
    """Sizes of each split, and of all."""
    tasks, unread = of_folder(evidence.data)
    parts = [*_by_split(tasks).items(), ("all", tasks)]
    rows = [data_row(name, values=_sizes(inside)) for name, inside in parts]
    return _filled(tasks, unread, rows)


def by_task(evidence: Evidence) -> Filled:
    """Each task, in the order of the splits."""
    tasks, unread = of_folder(evidence.data)
    rows = [
        data_row(
            task.split,
            task.name,
            _kinds(task),
            values=(task.instances, task.answers, len(task.fields), task.subwords),
        )
        for task in tasks
    ]
    return _filled(tasks, unread, rows)


DATA_FILLS = {
    "table 2": Filler("the data", data_set, describes_data=True),
    "section 3.5": Filler("the data", splits, describes_data=True),
    "figure 3": Filler("the data", field_types, describes_data=True),
    "by split": Filler("the data", by_split, describes_data=True),
    "by task": Filler("the data", by_task, describes_data=True),
}


def _task(folder: DataFolder, name: str) -> TaskNumbers:
    directory = folder.directory(name)
    batch = read_batch(directory / BATCH)
    template = (directory / TEMPLATE).read_text("utf-8", errors="replace")
    length = gpt2_length()
    return TaskNumbers(
        split=folder.split_of(name),
        name=name,
        instances=len(batch.instances),
        answers=len(batch.rows),
        fields=answer_fields(batch.answer_names, template),
        subwords=length(template) if length else None,
    )


def _types(template: str) -> dict[str, str]:
    """Type by name, those of Mechanical Turk's own elements ("crowd-checkbox") too."""
    crowd = {name: f"crowd-{kind.lower()}" for kind, name in reversed(_CROWD.findall(template))}
    return crowd | template_fields(template)


def _fields_of(folder: DataFolder, name: str) -> TaskNumbers:
    """By the header of its table alone."""
    directory = folder.directory(name)
    with (directory / BATCH).open(encoding="utf-8-sig", newline="") as lines:
        header = next(csv.reader(lines), [])
    names = [column.removeprefix(ANSWER_PREFIX) for column in header if column.startswith(ANSWER_PREFIX)]
    template = (directory / TEMPLATE).read_text("utf-8", errors="replace")
    fields = answer_fields(names, template)
    return TaskNumbers(split=folder.split_of(name), name=name, fields=fields)


def _field_of_option(name: str, types: dict[str, str]) -> str:
    """The longest name of a field that this one continues after a dot, "" where there is none."""
    at = name.rfind(".")
    while at > 0:
        if name[:at] in types:
            return name[:at]
        at = name.rfind(".", 0, at)
    return ""


def _by_split(tasks: Sequence[TaskNumbers]) -> dict[str, list[TaskNumbers]]:
    of = {name: [task for task in tasks if task.split == name] for name in (TRAIN, *SPLITS)}
    return {name: inside for name, inside in of.items() if inside}


def _sizes(tasks: Sequence[TaskNumbers]) -> tuple[float | None, ...]:
    fields = [len(task.fields) for task in tasks]
    lengths = [task.subwords for task in tasks if task.subwords is not None]
    return (
        len(tasks),
        sum(task.instances for task in tasks),
        sum(task.answers for task in tasks),
        *mean_median_largest(fields),
        *mean_median_largest(lengths),
    )


def _kinds(task: TaskNumbers) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in Counter(task.fields.values()).most_common())


def _in_template(task: TaskNumbers) -> int:
    return sum(kind != BY_SCRIPT for kind in task.fields.values())


def _filled(
    tasks: Sequence[TaskNumbers],
    unread: int,
    rows: Sequence[FilledRow],
    why: tuple[str, ...] = (),
    *,
    lengths: bool = True,
) -> Filled:
    if not tasks:
        return Filled(missing=NEEDS_DATA, left_out={NOT_READ: unread})
    uncounted = sum(task.subwords is None for task in tasks) if lengths else 0
    without = lengths and gpt2_length() is None
    return Filled(
        rows=tuple(rows),
        not_comparable=(*why, *((NO_SUBWORDS,) if without else ())),
        left_out={NOT_READ: unread, "tasks without a length": 0 if without else uncounted},
    )
