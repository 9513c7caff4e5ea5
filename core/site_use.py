"""Which sites tasks share, so that many episodes at a time don't disturb each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

import msgspec

from webbench.core.task import Benchmark, Task


class SiteUse(msgspec.Struct, frozen=True, kw_only=True):
    """What a task does to sites that outlive its episode; nothing, where it has an instance of its own.

    Attributes:
        sites: address by name, as `Stage.sites` has them.
        changes: it is meant to leave them changed, or nothing says that it isn't.
        after: ids of tasks whose effects it needs: it begins when they are through.
    """

    sites: Mapping[str, str] = {}
    changes: bool = False
    after: tuple[str, ...] = ()


@runtime_checkable
class UsesSites(Protocol):
    """What a `Benchmark` may offer besides, where episodes share sites."""

    def site_uses(self, tasks: Sequence[Task]) -> Mapping[str, SiteUse]:
        """By the ids of those tasks that share anything; cheap, and without a look at the sites."""


def site_uses_of(benchmark: Benchmark, tasks: Sequence[Task]) -> Mapping[str, SiteUse]:
    """As the benchmark says; nothing shared where it says nothing."""
    return benchmark.site_uses(tasks) if isinstance(benchmark, UsesSites) else {}
