"""What the literature groups tasks by, as far as their benchmark tells."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import msgspec

from webbench.core.task import Benchmark, Task


class Traits(msgspec.Struct, frozen=True, kw_only=True):
    """Of one task.

    Attributes:
        difficulty: in the benchmark's own words, "" where it grades none.
        seeks_information: it asks for an answer, in place of a page to be reached or something to be changed;
            None where that isn't known.
        achievable: False where the right answer is that it can't be done; None where that isn't known.
    """

    difficulty: str = ""
    seeks_information: bool | None = None
    achievable: bool | None = None


@runtime_checkable
class Described(Protocol):
    """What a `Benchmark` may offer besides."""

    def traits(self, task: Task) -> Traits:
        """Never raises: what isn't known is left out."""


def traits_of(benchmark: Benchmark | None, task: Task) -> Traits:
    """The task's traits; none are known of a benchmark that tells none, or that isn't installed."""
    return benchmark.traits(task) if isinstance(benchmark, Described) else Traits()
