"""The benchmarks that are installed, over the data that the settings name."""

from __future__ import annotations

from pathlib import Path

from webbench.core import registry
from webbench.core.errors import UsageError
from webbench.core.registry import PluginBroken
from webbench.core.settings import load_settings
from webbench.core.task import Benchmark


def installed_benchmark(name: str, data: Path | None = None) -> Benchmark | None:
    """None where it isn't installed, as recorded episodes may be of any.

    Args:
        data: folder of its data; None for the configured one.
    """
    try:
        return registry.benchmark(name, data or load_settings().data_folder(name))
    except (UsageError, PluginBroken):
        return None
