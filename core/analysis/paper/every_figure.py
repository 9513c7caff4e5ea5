"""Every paper figure by its name, made for runs of a benchmark."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from webbench.core.analysis.paper.forest import forest_figure
from webbench.core.analysis.paper.paper_figure import PaperFigure
from webbench.core.analysis.recorded.run_records import read_runs
from webbench.core.errors import UsageError
from webbench.core.store.store import Store
from webbench.core.text.nearest import suggestion

SCHEMA_VERSION = 1

KINDS = {
    "forest": "success rates with Wilson's intervals, and paired differences",
}
"""What each figure shows, in the order in which they are made."""


class PaperFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Figures, and what of the records could not be read for them."""

    figures: tuple[PaperFigure, ...]
    problems: tuple[str, ...] = ()


def paper_figures(
    store: Store, runs: Sequence[str], kinds: Sequence[str] = (), *, seed: int = 0
) -> PaperFigures:
    """The named figures, all where none is named.

    Raises `UsageError` for unknown kinds and runs, and for runs of different benchmarks.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise UsageError(f'There is no figure "{kind}"', suggestion(kind, list(KINDS)))
    found = read_runs(store, runs)
    makers: dict[str, Callable[[], PaperFigure]] = {
        "forest": lambda: forest_figure(found, seed=seed),
    }
    return PaperFigures(
        figures=tuple(make() for kind, make in makers.items() if kind in (kinds or KINDS)),
        problems=tuple(problem for run in found for problem in run.problems),
    )
