"""TurkingBench to be stepped: a person's own data folder beside the data sets that ship."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cached_property
from pathlib import Path

from webbench.benchmarks.common.own_and_bundled import OwnAndBundled, status_of, told_of_hidden
from webbench.benchmarks.turkingbench.scoring.aggregate import BREAKDOWNS
from webbench.benchmarks.turkingbench.scoring.evaluate import TurkingEvaluator
from webbench.benchmarks.turkingbench.tasks import NAME, FormTasks
from webbench.core.agent import Agent
from webbench.core.benchmark.benchmark import BenchmarkStatus, Limits, Problem, Stage, Traits
from webbench.core.benchmark.selection import require_names, require_split
from webbench.core.score.aggregates import Breakdown
from webbench.core.settings.locations import benchmark_data
from webbench.core.task import Task, TaskEntry


def create(data: Path | None = None) -> TurkingBench:
    """The benchmark over a data folder, else the one that `WEBBENCH_DATA_TURKINGBENCH` names.

    Cheap, and kept by nobody here: what one benchmark has read of the folder, another reads anew.
    """
    return TurkingBench(benchmark_data(NAME, data))


class TurkingBench:
    """Crowd-work tasks: an HTML form filled from a row of data, scored against the workers' answers.

    The tasks of a data folder, then those of each bundle, whose split is the bundle's name.
    """

    name = NAME
    title = "TurkingBench"
    dialect = "turkingbench"
    rule_sets: tuple[str, ...] = ("published", "paper")
    step_limit = 400
    limits = Limits(invalid=0)
    """A field whose answer is no action stays as it is, and the next one is asked for."""

    def __init__(self, data: Path | None) -> None:
        self.data = data.expanduser() if data else None
        self.evaluator = TurkingEvaluator()
        self._sources = OwnAndBundled(
            NAME, lambda: FormTasks(self.data), lambda bundle: FormTasks(bundle.data, bundle.name)
        )

    def status(self) -> BenchmarkStatus:
        """Ready by the bundles where no folder is named; one that is named and unusable is not."""
        own = self.own.status()
        if self.data is not None and own.state != "ready":
            return own
        listed = self._listed()
        bundled = {name: len(listed[forms]) for name, forms in self._sources.bundled.items()}
        return status_of(len(self.own.names()) if self.data else 0, self.data, bundled, own.detail)

    @property
    def own(self) -> FormTasks:
        """Those of the data folder."""
        return self._sources.own

    def splits(self) -> Sequence[str]:
        return tuple(split for forms in self._data_sets for split in forms.splits)

    def catalogue(self) -> Sequence[TaskEntry]:
        """Every form with its number of instances; reads each table once and keeps none."""
        return self._entries

    def tasks(
        self, split: str = "", names: Sequence[str] = (), instances: int | None = None
    ) -> Sequence[Task]:
        """Tasks in file order, instances in order of first appearance; a folder's before the bundles'."""
        require_split(split, self.splits(), self.title)
        listed = self._listed(split)
        require_names(names, {name for known in listed.values() for name in known}, self.title, split)
        return [
            task
            for forms, known in listed.items()
            for name in (names or known)
            if name in known
            for task in forms.tasks(name, instances)
        ]

    def problems(self) -> Sequence[Problem]:
        own = self.own.names() if self.data else ()
        hidden = [
            problem
            for bundle, forms in self._sources.bundled.items()
            for problem in told_of_hidden(bundle, forms.names(), own)
        ]
        return (*(problem for forms in self._data_sets for problem in forms.problems()), *hidden)

    def ends_by_submitting(self, task: Task) -> bool:
        """Every form is sent in."""
        return True

    def breakdowns(self) -> Sequence[Breakdown]:
        """The literature's tables of parts of a score."""
        return BREAKDOWNS

    def traits(self, task: Task) -> Traits:
        """The published test splits are an easy and a hard one."""
        easy_or_hard = {"test_easy": "easy", "test_hard": "hard"}
        return Traits(difficulty=easy_or_hard.get(task.split, ""), seeks_information=False, achievable=True)

    def beside(self, task: Task) -> FormTasks:
        """The data set that holds this task; others of it can be shown as examples."""
        return self._sources.bundled.get(task.split, self.own)

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        from webbench.benchmarks.turkingbench.stage import open_stage

        return open_stage(task, self.beside(task).folder.root)

    def kept_open(self) -> AbstractAsyncContextManager[object]:
        """The server of task pages, which ends with its last page and takes a while about it."""
        from webbench.benchmarks.turkingbench.serving.page_server import shared_server

        return shared_server().running()

    def oracle(self, task: Task) -> Agent:
        from webbench.benchmarks.turkingbench.agents.oracle import TurkingOracle

        return TurkingOracle(task)

    @property
    def _data_sets(self) -> Sequence[FormTasks]:
        return (*((self.own,) if self.data else ()), *self._sources.bundled.values())

    def _listed(self, split: str = "") -> Mapping[FormTasks, Sequence[str]]:
        """The names in each data set that has the split; a person's own form hides a bundled one."""
        own = set(self.own.names()) if self.data else set()
        return {
            forms: [name for name in forms.names(split) if forms is self.own or name not in own]
            for forms in self._data_sets
            if not split or split in forms.splits
        }

    @cached_property
    def _entries(self) -> tuple[TaskEntry, ...]:
        return tuple(forms.entry(name) for forms, names in self._listed().items() for name in names)
