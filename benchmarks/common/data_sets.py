"""Data sets of a benchmark: which are published, in which forms people have them, what is wrong in files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from webbench.benchmarks.common.own_and_bundled import LoadedTasks
from webbench.core.datasets.data_family import Checked, DataSet, read_known
from webbench.core.datasets.first_look import Look

Check = Callable[[Sequence[Path]], Checked]


class Form(msgspec.Struct, frozen=True):
    """A form in which files of a benchmark are handed around.

    Attributes:
        name: as it is shown ("tasks").
        fits: whether a file or folder has this form.
        check: reads everything in files of the form, which lie side by side. Raises `BadData` where one
            can't be read at all.
    """

    name: str
    fits: Callable[[Look], bool]
    check: Check


class DataSets:
    """A `DataFamily` out of the forms that a benchmark knows.

    Args:
        benchmark: its name.
        module: the file beside which `data_sets.json` lists what is published.
        forms: the first that fits a file counts.
    """

    def __init__(self, benchmark: str, module: str, forms: Sequence[Form]) -> None:
        self.benchmark = benchmark
        self._list = Path(module).with_name("data_sets.json")
        self._forms = {form.name: form for form in forms}

    def known(self) -> Sequence[DataSet]:
        return read_known(self._list)

    def recognise(self, look: Look) -> str:
        return next((name for name, form in self._forms.items() if form.fits(look)), "")

    def check(self, form: str, paths: Sequence[Path]) -> Checked:
        return self._forms[form].check(paths)


def counted_tasks(read: Callable[[Sequence[Path]], LoadedTasks]) -> Check:
    """A check by the loader of a benchmark's tasks."""

    def check(paths: Sequence[Path]) -> Checked:
        loaded = read(paths)
        return Checked(len(loaded.tasks), loaded.problems)

    return check
