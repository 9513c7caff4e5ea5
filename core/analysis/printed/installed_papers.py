"""The installed papers, by the benchmark that each is of; found by entry points (`webbench.papers`)."""

from __future__ import annotations

from typing import cast

from webbench.core.analysis.printed.printed_table import Paper
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import PAPERS


def paper_names() -> list[str]:
    """Benchmarks that have a paper with us; imports nothing."""
    return list(entry_points.load(PAPERS))


def paper_of(benchmark: str) -> Paper:
    """Its paper.

    Raises:
        UsageError: none of that name; names the nearest ones.
        PluginBroken: it can't be made.
        BadData: its typed numbers can't be read.
    """
    create = entry_points.find(PAPERS, "paper of a benchmark", benchmark)()
    return cast("Paper", entry_points.make(PAPERS, benchmark, create))
