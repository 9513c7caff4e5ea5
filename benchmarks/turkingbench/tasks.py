"""The forms of TurkingBench as tasks, and what is wrong with those of a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from webbench.benchmarks.turkingbench.batch import Batch, read_batch
from webbench.benchmarks.turkingbench.scoring.gold import gold_of
from webbench.benchmarks.turkingbench.splits import (
    BATCH,
    SPLITS,
    TEMPLATE,
    DataFolder,
    is_data_folder,
    open_folder,
)
from webbench.core.benchmark.benchmark import BenchmarkStatus, Problem
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.task import Task, TaskEntry
from webbench.core.text.plural import counted

NAME = "turkingbench"
DATA_VARIABLE = "WEBBENCH_DATA_TURKINGBENCH"
GET_DATA = (
    "`webbench-tui data get turkingbench` downloads it; or clone github.com/JHU-CLSP/turking-bench and name "
    f"its folder that holds tasks/ with --data or {DATA_VARIABLE}"
)


class FormTasks:
    """The forms of one data folder, an instance of a form for each row of its table.

    Args:
        data: the folder, None where none is named.
        bundle: what its only split is called; "" where the folder itself tells the splits.
    """

    def __init__(self, data: Path | None, bundle: str = "") -> None:
        self.splits: Sequence[str] = (bundle,) if bundle else SPLITS
        self._data = data.expanduser() if data else None
        self._bundle = bundle
        self._batch = lru_cache(maxsize=4)(read_batch)

    def status(self) -> BenchmarkStatus:
        if self._data is None:
            return BenchmarkStatus("needs data", f"no data folder is set: {GET_DATA}")
        if not is_data_folder(self._data):
            return BenchmarkStatus("needs data", f"{self._data} has no folder tasks/: {GET_DATA}")
        return BenchmarkStatus("ready", f"{counted(len(self.folder.names), 'task')} in {self._data}")

    @cached_property
    def folder(self) -> DataFolder:
        """Raises `BadData` where there is no data folder."""
        status = "" if self._data and is_data_folder(self._data) else self.status().detail
        if self._data is None or status:
            raise BadData(f"TurkingBench can't be loaded: {status}")
        try:
            return open_folder(self._data)
        except OSError as error:
            raise BadData(f"{self._data} can't be read: {error.strerror or error}") from error

    def names(self, split: str = "") -> Sequence[str]:
        """Of the forms of one of its splits, "" for all; in file order."""
        return self.folder.splits[split] if split and not self._bundle else self.folder.names

    def entry(self, name: str) -> TaskEntry:
        """A form with its number of instances; its table is read and not kept."""
        split = self._split_of(name)
        try:
            batch = _with_instances(read_batch(self.folder.directory(name) / BATCH))
        except BadData as error:
            return TaskEntry(benchmark=NAME, name=name, split=split, instances=0, problem=str(error))
        return TaskEntry(
            benchmark=NAME,
            name=name,
            intent=_intent(batch.texts(batch.instances[0][0])),
            split=split,
            kind="form",
            instances=len(batch.instances),
        )

    def tasks(self, name: str, instances: int | None = None) -> Sequence[Task]:
        """The instances of a form in order of first appearance, the first so many where a number is given.

        A table without an instance makes one task that can't be staged, so that whoever plans a run
        sees it, and why it is not scored.
        """
        try:
            batch = _with_instances(self._batch(self.folder.directory(name) / BATCH))
        except BadData as error:
            return [self._broken(name, error)]
        count = len(batch.instances) if instances is None else min(instances, len(batch.instances))
        return [self._task(name, batch, instance) for instance in range(count)]

    def problems(self) -> Sequence[Problem]:
        from webbench.benchmarks.turkingbench.soundness import task_problems

        return (*self.folder.problems, *task_problems(self.folder))

    def _split_of(self, name: str) -> str:
        return self._bundle or self.folder.split_of(name)

    def _broken(self, name: str, error: BadData) -> Task:
        return Task(
            benchmark=NAME,
            name=name,
            split=self._split_of(name),
            kind="form",
            template=name,
            data={"problem": str(error)},
            gold={"labels": {}},
        )

    def _task(self, name: str, batch: Batch, instance: int) -> Task:
        inputs = batch.texts(batch.instances[instance][0])
        data: JsonObject = {
            "inputs": inputs,
            "template": f"tasks/{name}/{TEMPLATE}",
            "answers": list(batch.answer_names),
        }
        return Task(
            benchmark=NAME,
            name=name,
            instance=instance,
            intent=_intent(inputs),
            split=self._split_of(name),
            kind="form",
            template=name,
            data=data,
            gold=gold_of(batch, instance),
        )


def _with_instances(batch: Batch) -> Batch:
    if not batch.instances:
        raise BadData(f"{batch.where} holds no row below its header")
    return batch


def _intent(inputs: Mapping[str, str]) -> str:
    return ": ".join(filter(None, (inputs.get("Title", ""), inputs.get("Description", ""))))
