"""The benchmarks that are installed, by name, and what was published on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from webbench.core.benchmark.benchmark import Benchmark, BenchmarkFactory
from webbench.core.errors import UsageError
from webbench.core.plugins import entry_points
from webbench.core.plugins.entry_points import PluginBroken
from webbench.core.plugins.groups import BENCHMARKS, TABLES
from webbench.core.settings.load_settings import load_settings


def find_benchmark(name: str, data: Path | None = None) -> Benchmark:
    """The benchmark of this name over the given data folder.

    Raises:
        UsageError: no such benchmark; names the nearest ones.
        PluginBroken: it is installed but can't be made.
    """
    factory = cast("BenchmarkFactory", entry_points.find(BENCHMARKS, "benchmark", name)())
    return entry_points.make(BENCHMARKS, name, lambda: factory(data))


def installed_benchmark(name: str, data: Path | None = None) -> Benchmark | None:
    """None where it isn't installed, as recorded episodes may be of any.

    Args:
        data: folder of its data; None for the configured one.
    """
    try:
        return find_benchmark(name, data or load_settings().data_folder(name))
    except (UsageError, PluginBroken):
        return None


def published_tables(name: str, data: Path | None = None) -> dict[str, Callable[[], Any]]:
    """What else was published about a benchmark: functions that load a pandas table, by its name.

    Nothing is read before one is called. Raises as `find_benchmark` does.
    """
    factory = entry_points.find(TABLES, "benchmark with tables", name)()
    return entry_points.make(TABLES, name, lambda: dict(factory(data)))
