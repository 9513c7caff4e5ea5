"""A task: what an actor is asked to do, with what its environment and its evaluator need."""

from __future__ import annotations

from typing import Literal

import msgspec

from webbench.core.json_types import JsonObject, read_fields


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to be done, as plain data that a trajectory can keep.

    Attributes:
        benchmark: name of its benchmark.
        name: the benchmark's own task name; several instances may share it.
        instance: number of the instance within `name`, None where tasks have none.
        intent: what the actor is asked to do.
        site, kind, template: what people filter by.
        data: inputs and anything else the environment needs.
        gold: what the evaluator compares with; never shown to an actor.

    Example:
        >>> task = wb.tasks("demo", names=["camp-mugs"])[0]
        >>> task.id, task.site, task.intent
    """

    benchmark: str
    name: str
    instance: int | None = None
    intent: str = ""
    split: str = ""
    site: str = ""
    kind: str = ""
    template: str = ""
    data: JsonObject = {}
    gold: JsonObject = {}

    @property
    def id(self) -> str:
        """Unique within the benchmark: "name" or "name#instance"."""
        return self.name if self.instance is None else f"{self.name}#{self.instance}"

    @property
    def heading(self) -> str:
        """Benchmark, id and intent in two lines, as a terminal or an agent is told them."""
        return f"task: {self.benchmark} {self.id}\nintent: {self.intent}"


PICTURES = "pictures"
"""Where a task's data has what it shows beside its words."""


class TaskPicture(msgspec.Struct, frozen=True, kw_only=True):
    """A picture that belongs to what is asked; its size in its own pixels."""

    format: Literal["png", "jpeg", "webp"]
    width: int
    height: int
    base64: str

    @property
    def address(self) -> str:
        """As a data URL."""
        return f"data:image/{self.format};base64,{self.base64}"


def task_pictures(task: Task) -> tuple[TaskPicture, ...]:
    """Those of a task; none where its data has something else there."""
    try:
        return msgspec.convert(task.data.get(PICTURES, ()), tuple[TaskPicture, ...])
    except msgspec.ValidationError:
        return ()


SOLUTION = "solution"
"""Where a task's gold has how its authors solved it."""


class Solution(msgspec.Struct, frozen=True, kw_only=True):
    """How a task is solved, as those who wrote it tell; for readers of ended episodes, never for an actor.

    Attributes:
        pages: addresses where the answer can be verified.
        explanation: in words.
    """

    pages: tuple[str, ...] = ()
    explanation: str = ""


def solution_of(task: Task) -> Solution:
    """The task's, empty where none is known or its gold has something else there."""
    try:
        return msgspec.convert(task.gold.get(SOLUTION, {}), Solution)
    except msgspec.ValidationError:
        return Solution()


def name_and_instance(id: str) -> tuple[str, int | None]:
    """What an id is made of: "picture-labels#3" is instance 3; without a number after a "#" it is a name."""
    name, _, number = id.rpartition("#")
    if name and number.isascii() and number.isdecimal():
        return name, int(number)
    return id, None


def benchmark_and_task(named: str) -> tuple[str, str]:
    """ "miniwob:click-test" is a task of miniwob; a benchmark alone is all of it, and its task ""."""
    benchmark, _, task = named.partition(":")
    return benchmark, task


class TaskEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a task list: cheap to make, no instance is read for it."""

    benchmark: str
    name: str
    intent: str = ""
    split: str = ""
    site: str = ""
    kind: str = ""
    template: str = ""
    instances: int | None = None
    """How many instances it has; None where tasks have none."""
    problem: str = ""
    """Why it can't be used, "" where it can."""
    parts: tuple[str, ...] = ()
    """Further splits that it is in: named subsets of its own."""

    @property
    def splits(self) -> tuple[str, ...]:
        """All that it is in, its own first."""
        return (self.split, *self.parts)


read_fields(Task)
