"""What a person fills in to begin a run: the tasks to choose from, and what the fields come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from webbench.core.benchmark.subsets import SIGN, Subset, subset_words
from webbench.core.runner.plan.declared_options import Declared, declared_field
from webbench.core.runner.plan.run_request import RunRequest
from webbench.core.task import Task, TaskEntry
from webbench.core.text.plural import counted


@dataclass(frozen=True, slots=True)
class TaskChoice:
    """Tasks of one benchmark that a run may be of: in words, and as `run` takes them."""

    label: str
    split: str = ""
    names: tuple[str, ...] = ()


def _fields(*names: str) -> tuple[Declared, ...]:
    return tuple(declared_field(RunRequest, name) for name in names)


PLAYING = _fields("workers", "repeats", "seed", "instances")
LIMITS = _fields("limit_steps", "limit_seconds", "limit_cost", "run_cost")


def task_choices(
    title: str,
    entries: Sequence[TaskEntry],
    shown: Sequence[TaskEntry],
    *,
    marked: Sequence[str] = (),
    split: str = "",
    filtered: bool = False,
    subsets: Sequence[Subset] = (),
    subset: str = "",
    here: TaskEntry | None = None,
    instance: int = 0,
) -> list[TaskChoice]:
    """What a run may be of, the likeliest first.

    Args:
        entries: all tasks of the benchmark; shown: those that pass the list's filter.
        marked: names of tasks; split: the one that the list shows, "" for all.
        filtered: whether words or anything else than a split hide tasks.
        subsets: that are kept under a name; subset: "@NAME" of the one that is shown, "" for none.
        here, instance: what is under the cursor.
    """
    choices = []
    if marked:
        choices.append(TaskChoice(f"the {counted(len(marked), 'marked task')}", names=tuple(marked)))
    named = [
        TaskChoice(f"subset {SIGN}{one.name}: {subset_words(one)}", names=(f"{SIGN}{one.name}",))
        for one in subsets
    ]
    choices += [one for one in named if one.names == (subset,)]
    if filtered and 0 < len(shown) < sum(not split or split in entry.splits for entry in entries):
        names = tuple(entry.name for entry in shown)
        choices.append(TaskChoice(f"the {counted(len(names), 'task')} that the list shows", names=names))
    if split:
        count = sum(split in entry.splits for entry in entries)
        choices.append(TaskChoice(f"split {split} of {title}: {counted(count, 'task')}", split=split))
    choices.append(TaskChoice(f"all of {title}: {counted(len(entries), 'task')}"))
    choices += [one for one in named if one.names != (subset,)]
    if here is not None:
        choices.append(TaskChoice(f"only {here.name}", names=(here.name,)))
        if here.instances and here.instances > 1:
            one = Task(benchmark=here.benchmark, name=here.name, instance=instance).id
            choices.append(TaskChoice(f"only {one}", names=(one,)))
    return choices


def request_of(base: RunRequest, choice: TaskChoice, filled: Mapping[str, str]) -> RunRequest:
    """The base with what was filled in, by name of field. Raises `UsageError` for what is no such number."""
    values = {one.name: one.number(filled.get(one.name, "")) for one in (*PLAYING, *LIMITS)}
    return msgspec.structs.replace(base, split=choice.split, tasks=choice.names, **values)
