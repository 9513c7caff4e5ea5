"""What a person fills in to begin a run: the tasks to choose from, and what the fields come to."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from webbench.core.episode_limits import Budget
from webbench.core.errors import UsageError
from webbench.core.plural import counted
from webbench.core.task import Task, TaskEntry
from webbench.tui.headless.run_request import RunRequest


@dataclass(frozen=True, slots=True)
class TaskChoice:
    """Tasks of one benchmark that a run may be of: in words, and as `run` takes them."""

    label: str
    split: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NumberField:
    """A number to fill in; left empty it is `default`, which `hint` tells."""

    name: str
    label: str
    hint: str
    default: int | None = 0
    least: int = 0
    whole: bool = True


PLAYING = (
    NumberField("workers", "Workers", "1", default=1, least=1),
    NumberField("repeats", "Repeat", "1", default=1, least=1),
    NumberField("seed", "Seed", "0", least=-(2**31)),
    NumberField("instances", "Instances", "all", default=None, least=1),
)
LIMITS = (
    NumberField("steps", "Steps", "own"),
    NumberField("seconds", "Seconds", "none", whole=False),
    NumberField("cost", "US$ each", "none", whole=False),
    NumberField("run_cost", "US$ total", "none", whole=False),
)


def task_choices(
    title: str,
    entries: Sequence[TaskEntry],
    shown: Sequence[TaskEntry],
    *,
    marked: Sequence[str] = (),
    split: str = "",
    filtered: bool = False,
    here: TaskEntry | None = None,
    instance: int = 0,
) -> list[TaskChoice]:
    """What a run may be of, the likeliest first.

    Args:
        entries: all tasks of the benchmark; shown: those that pass the list's filter.
        marked: names of tasks; split: the one that the list shows, "" for all.
        filtered: whether words or anything else than a split hide tasks.
        here, instance: what is under the cursor.
    """
    choices = []
    if marked:
        choices.append(TaskChoice(f"the {counted(len(marked), 'marked task')}", names=tuple(marked)))
    if filtered and 0 < len(shown) < sum(not split or split in entry.splits for entry in entries):
        names = tuple(entry.name for entry in shown)
        choices.append(TaskChoice(f"the {counted(len(names), 'task')} that the list shows", names=names))
    if split:
        count = sum(split in entry.splits for entry in entries)
        choices.append(TaskChoice(f"split {split} of {title}: {counted(count, 'task')}", split=split))
    choices.append(TaskChoice(f"all of {title}: {counted(len(entries), 'task')}"))
    if here is not None:
        choices.append(TaskChoice(f"only {here.name}", names=(here.name,)))
        if here.instances and here.instances > 1:
            one = Task(benchmark=here.benchmark, name=here.name, instance=instance).id
            choices.append(TaskChoice(f"only {one}", names=(one,)))
    return choices


def request_of(base: RunRequest, choice: TaskChoice, filled: Mapping[str, str]) -> RunRequest:
    """The base with what was filled in, by name of field. Raises `UsageError` for what is no such number."""
    values = {field.name: number_of(field, filled.get(field.name, "")) for field in (*PLAYING, *LIMITS)}
    steps, instances = values["steps"], values["instances"]
    return msgspec.structs.replace(
        base,
        split=choice.split,
        tasks=choice.names,
        workers=int(values["workers"] or 1),
        repeats=int(values["repeats"] or 1),
        seed=int(values["seed"] or 0),
        instances=None if instances is None else int(instances),
        budget=Budget(steps=int(steps or 0), seconds=values["seconds"] or 0.0, cost=values["cost"] or 0.0),
        run_cost=values["run_cost"] or 0.0,
    )


def number_of(field: NumberField, text: str) -> float | None:
    """What a field holds. Raises `UsageError`."""
    text = text.strip()
    if not text:
        return field.default
    try:
        value = int(text) if field.whole else float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= field.least and value < 2**53):
        kind = "a whole number" if field.whole else "a number"
        least = f" from {field.least}" if field.least >= 0 else ""
        raise UsageError(f'{field.label} is {kind}{least}, not "{text}"', f"left empty: {field.hint}")
    return value
