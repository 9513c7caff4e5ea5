"""Loading TurkingBench, and the door through which everything else finds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cached_property, lru_cache
from pathlib import Path

from webbench.benchmarks.turkingbench.batch import Batch, read_batch
from webbench.benchmarks.turkingbench.scoring.aggregate import BREAKDOWNS
from webbench.benchmarks.turkingbench.scoring.evaluate import TurkingEvaluator
from webbench.benchmarks.turkingbench.scoring.gold import gold_of
from webbench.benchmarks.turkingbench.splits import (
    BATCH,
    SPLITS,
    TEMPLATE,
    DataFolder,
    is_data_folder,
    open_folder,
)
from webbench.core.agent import Agent
from webbench.core.benchmark.benchmark import BenchmarkStatus, Limits, Problem, Stage, Traits
from webbench.core.benchmark.selection import require_names, require_split
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.score.aggregates import Breakdown
from webbench.core.settings.locations import benchmark_data
from webbench.core.task import Task, TaskEntry
from webbench.core.text.plural import counted

DATA_VARIABLE = "WEBBENCH_DATA_TURKINGBENCH"
GET_DATA = (
    "`webbench-tui data get turkingbench` downloads it; or clone github.com/JHU-CLSP/turking-bench and name "
    f"its folder that holds tasks/ with --data or {DATA_VARIABLE}"
)


def create(data: Path | None = None) -> TurkingBench:
    """The benchmark over a data folder, else the one that `WEBBENCH_DATA_TURKINGBENCH` names.

    Cheap, and kept by nobody here: what one benchmark has read of the folder, another reads anew.
    """
    return TurkingBench(benchmark_data("turkingbench", data))


class TurkingBench:
    """Crowd-work tasks: an HTML form filled from a row of data, scored against the workers' answers."""

    name = "turkingbench"
    title = "TurkingBench"
    dialect = "turkingbench"
    rule_sets: tuple[str, ...] = ("published", "paper")
    step_limit = 400
    limits = Limits(invalid=0)
    """A field whose answer is no action stays as it is, and the next one is asked for."""

    def __init__(self, data: Path | None) -> None:
        self.data = data.expanduser() if data else None
        self.evaluator = TurkingEvaluator()
        self._batch = lru_cache(maxsize=4)(read_batch)

    def ends_by_submitting(self, task: Task) -> bool:  # noqa: ARG002 - of the contract
        """Every form is sent in."""
        return True

    def breakdowns(self) -> Sequence[Breakdown]:
        """The literature's tables of parts of a score."""
        return BREAKDOWNS

    def status(self) -> BenchmarkStatus:
        if self.data is None:
            return BenchmarkStatus("needs data", f"no data folder is set: {GET_DATA}")
        if not is_data_folder(self.data):
            return BenchmarkStatus("needs data", f"{self.data} has no folder tasks/: {GET_DATA}")
        return BenchmarkStatus("ready", f"{counted(len(self.folder.names), 'task')} in {self.data}")

    @cached_property
    def folder(self) -> DataFolder:
        """Raises `BadData` where there is no data folder."""
        status = "" if self.data and is_data_folder(self.data) else self.status().detail
        if self.data is None or status:
            raise BadData(f"TurkingBench can't be loaded: {status}")
        try:
            return open_folder(self.data)
        except OSError as error:
            raise BadData(f"{self.data} can't be read: {error.strerror or error}") from error

    def splits(self) -> Sequence[str]:
        return SPLITS

    @cached_property
    def _entries(self) -> tuple[TaskEntry, ...]:
        return tuple(self._entry(name) for name in self.folder.names)

    def catalogue(self) -> Sequence[TaskEntry]:
        """Every task name with its number of instances; reads each table once and keeps none."""
        return self._entries

    def _entry(self, name: str) -> TaskEntry:
        split = self.folder.split_of(name)
        try:
            batch = _with_instances(read_batch(self.folder.directory(name) / BATCH))
        except BadData as error:
            return TaskEntry(benchmark=self.name, name=name, split=split, instances=0, problem=str(error))
        return TaskEntry(
            benchmark=self.name,
            name=name,
            intent=_intent(batch.texts(batch.instances[0][0])),
            split=split,
            kind="form",
            instances=len(batch.instances),
        )

    def tasks(
        self, split: str = "", names: Sequence[str] = (), instances: int | None = None
    ) -> Sequence[Task]:
        """Tasks in file order, instances in order of first appearance.

        A table without an instance makes one task that can't be staged, so that whoever plans a run
        sees it, and why it is not scored.
        """
        found: list[Task] = []
        for name in self._wanted(split, names):
            path = self.folder.directory(name) / BATCH
            try:
                batch = _with_instances(self._batch(path))
            except BadData as error:
                found.append(self._broken(name, error))
                continue
            count = len(batch.instances) if instances is None else min(instances, len(batch.instances))
            found += [self._task(name, batch, instance) for instance in range(count)]
        return found

    def _broken(self, name: str, error: BadData) -> Task:
        return Task(
            benchmark=self.name,
            name=name,
            split=self.folder.split_of(name),
            kind="form",
            template=name,
            data={"problem": str(error)},
            gold={"labels": {}},
        )

    def _wanted(self, split: str, names: Sequence[str]) -> Sequence[str]:
        require_split(split, SPLITS, self.title)
        known = self.folder.splits[split] if split else self.folder.names
        require_names(names, known, self.title, split)
        return names or known

    def _task(self, name: str, batch: Batch, instance: int) -> Task:
        inputs = batch.texts(batch.instances[instance][0])
        data: JsonObject = {
            "inputs": inputs,
            "template": f"tasks/{name}/{TEMPLATE}",
            "answers": list(batch.answer_names),
        }
        return Task(
            benchmark=self.name,
            name=name,
            instance=instance,
            intent=_intent(inputs),
            split=self.folder.split_of(name),
            kind="form",
            template=name,
            data=data,
            gold=gold_of(batch, instance),
        )

    def beside(self, task: Task) -> TurkingBench:
        """The data set that holds this task; others of it can be shown as examples."""
        del task
        return self

    def problems(self) -> Sequence[Problem]:
        from webbench.benchmarks.turkingbench.soundness import task_problems

        return (*self.folder.problems, *task_problems(self.folder))

    def traits(self, task: Task) -> Traits:
        """The published test splits are an easy and a hard one."""
        easy_or_hard = {"test_easy": "easy", "test_hard": "hard"}
        return Traits(difficulty=easy_or_hard.get(task.split, ""), seeks_information=False, achievable=True)

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        from webbench.benchmarks.turkingbench.stage import open_stage

        return open_stage(task, self.folder.root)

    def kept_open(self) -> AbstractAsyncContextManager[object]:
        """The server of task pages, which ends with its last page and takes a while about it."""
        from webbench.benchmarks.turkingbench.serving.page_server import shared_server

        return shared_server().running()

    def oracle(self, task: Task) -> Agent:
        from webbench.benchmarks.turkingbench.agents.oracle import TurkingOracle

        return TurkingOracle(task)


def _with_instances(batch: Batch) -> Batch:
    if not batch.instances:
        raise BadData(f"{batch.where} holds no row below its header")
    return batch


def _intent(inputs: Mapping[str, str]) -> str:
    return ": ".join(filter(None, (inputs.get("Title", ""), inputs.get("Description", ""))))
