"""What is installed: `webbench.benchmarks()` gives every benchmark, also those of other packages.

They are in alphabetical order. Each comes as an `AvailableBenchmark` with its name, title, number of tasks,
splits and rule sets; `state` says whether its data is there, and `detail` how to get it. This package is also
the folder of the built-in benchmarks, so it is a module that can be called.

Example:
    >>> import webbench as wb
    >>> [one.name for one in wb.benchmarks() if one.state == "ready"]
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webbench.core.api.available import AvailableBenchmark


class _CallablePackage(ModuleType):
    def __call__(self) -> list[AvailableBenchmark]:
        """See `webbench.core.api.available.benchmarks`."""
        from webbench.core.api.available import benchmarks

        return benchmarks()


sys.modules[__name__].__class__ = _CallablePackage
