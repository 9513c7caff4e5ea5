"""One folder per benchmark family, all of the same shape.

The package can be called, because the public door has a function of its name: `webbench.benchmarks()` lists
what is installed (see `webbench.core.api.available.benchmarks`).

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
        from webbench.core.api.available import benchmarks

        return benchmarks()


sys.modules[__name__].__class__ = _CallablePackage
