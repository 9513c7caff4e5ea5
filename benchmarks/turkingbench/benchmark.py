"""TurkingBench to be stepped: a person's own data folder beside the data sets that ship."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cached_property
from pathlib import Path

import msgspec

from webbench.benchmarks.turkingbench.tasks import TurkingBench
from webbench.core.benchmark.benchmark import BenchmarkStatus, Problem, Stage
from webbench.core.benchmark.bundle import bundles_of
from webbench.core.benchmark.selection import require_names, require_split
from webbench.core.settings.locations import benchmark_data
from webbench.core.task import Task, TaskEntry
from webbench.core.text.plural import counted


def create(data: Path | None = None) -> TurkingBenchWithBundles:
    """The benchmark over a data folder, else the one that `WEBBENCH_DATA_TURKINGBENCH` names.

    Cheap, and kept by nobody here: what one benchmark has read of the folder, another reads anew.
    """
    return TurkingBenchWithBundles(benchmark_data("turkingbench", data))


class TurkingBenchWithBundles(TurkingBench):
    """The tasks of a data folder, then those of each bundle, whose split is the bundle's name."""

    def status(self) -> BenchmarkStatus:
        """Ready by the bundles where no folder is named; one that is named and unusable is not."""
        own = super().status()
        if self.data is not None and own.state != "ready":
            return own
        shipped = [
            f"{counted(len(one.folder.names), 'task')} of {name}, bundled"
            for name, one in self._bundles.items()
        ]
        if not shipped:
            return own
        return BenchmarkStatus(
            "ready", "; ".join([own.detail, *shipped] if self.data else [*shipped, own.detail])
        )

    def splits(self) -> Sequence[str]:
        return (*(super().splits() if self.data else ()), *self._bundles)

    def catalogue(self) -> Sequence[TaskEntry]:
        shipped = [
            msgspec.structs.replace(entry, split=name)
            for name, one in self._bundles.items()
            for entry in one.catalogue()
        ]
        return (*(super().catalogue() if self.data else ()), *shipped)

    def tasks(
        self, split: str = "", names: Sequence[str] = (), instances: int | None = None
    ) -> Sequence[Task]:
        """Tasks in file order, instances in order of first appearance; a folder's before the bundles'."""
        if split not in ("", *self._bundles):
            if not self.data:
                require_split(split, self.splits(), self.title)
            return super().tasks(split, names, instances)
        bundles = {split: self._bundles[split]} if split else self._bundles
        shipped = {name for one in bundles.values() for name in one.folder.names}
        others = [name for name in names if name not in shipped]
        own = self.data is not None and not split
        if not own:
            require_names(others, shipped, self.title, split)
        found = list(super().tasks("", others, instances)) if own and (others or not names) else []
        for bundle, one in bundles.items():
            wanted = [name for name in names if name in one.folder.names]
            if wanted or not names:
                tasks = one.tasks("", wanted, instances)
                found += [msgspec.structs.replace(task, split=bundle) for task in tasks]
        return found

    def problems(self) -> Sequence[Problem]:
        shipped = [problem for one in self._bundles.values() for problem in one.problems()]
        return (*(super().problems() if self.data else ()), *shipped)

    def beside(self, task: Task) -> TurkingBench:
        return self._bundles.get(task.split, self)

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        one = self._bundles.get(task.split)
        return one.stage(task) if one else super().stage(task)

    @cached_property
    def _bundles(self) -> Mapping[str, TurkingBench]:
        return {bundle.name: TurkingBench(bundle.data) for bundle in bundles_of(self.name)}
