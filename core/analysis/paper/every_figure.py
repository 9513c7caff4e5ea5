"""Every paper figure by its name, made for runs of a benchmark."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from webbench.core.analysis.paper.chosen_targets import targets_figure
from webbench.core.analysis.paper.error_shares import error_figures
from webbench.core.analysis.paper.forest import forest_figure
from webbench.core.analysis.paper.new_codes import saturation_figures
from webbench.core.analysis.paper.page_ways import pages_figure
from webbench.core.analysis.paper.paper_figure import PaperFigure
from webbench.core.analysis.paper.persons_way import Partings, partings, partings_figure, survival_figure
from webbench.core.analysis.paper.rater_confusion import confusion_figures
from webbench.core.analysis.paper.read_steps import Steps
from webbench.core.analysis.paper.success_by_effort import effort_figure
from webbench.core.analysis.paper.task_matrix import task_matrix
from webbench.core.analysis.recorded.run_records import read_runs
from webbench.core.errors import UsageError
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.ledger import ledger_of
from webbench.core.store.store import Store
from webbench.core.text.nearest import suggestion

SCHEMA_VERSION = 1

KINDS = {
    "forest": "success rates with Wilson's intervals, and paired differences",
    "errors": "share of labelled episodes with each code, by agent, of settled labels",
    "tasks": "every task by agent",
    "raters": "the codes of each two raters crossed",
    "saturation": "new codes by episode read",
    "effort": "success against steps and cost",
    "survival": "share of attempts still on the reference's way, by step",
    "partings": "in which part of the reference's way attempts part",
    "pages": "ways through pages, as a Sankey diagram",
    "targets": "one screenshot with the targets of the reference and of others",
}
"""What each figure shows, in the order in which they are made."""
OF_LABELS = frozenset(("errors", "raters", "saturation"))
"""They count what readers said and no score, so that runs of several benchmarks can share one."""


class PaperFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Figures, and what of the records could not be read for them."""

    figures: tuple[PaperFigure, ...]
    problems: tuple[str, ...] = ()


def paper_figures(
    store: Store,
    runs: Sequence[str],
    kinds: Sequence[str] = (),
    *,
    reference: str = "",
    tasks: Sequence[str] = (),
    seed: int = 0,
) -> PaperFigures:
    """The named figures, all where none is named.

    Args:
        reference: run whose way the others are held against; "": the one of a person.
        tasks: only these, `@NAME` for those of a subset. Targets are shown on the page of the one on which
            most can be marked.

    Raises `UsageError` for unknown kinds and runs, and for runs of different benchmarks, where
    other figures than those `OF_LABELS` are asked for.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise UsageError(f'There is no figure "{kind}"', suggestion(kind, list(KINDS)))
    found = read_runs(store, runs, one_benchmark=not kinds or not OF_LABELS.issuperset(kinds), tasks=tasks)
    steps = Steps(store, found)
    ledger = ledger_of(store)
    book, codebook = ledger.book(), load_codebook(written=ledger.codebooks)
    beside: list[Partings] = []

    def parted() -> Partings:
        """Two figures rest on them, and they take longest."""
        if not beside:
            beside.append(partings(found, steps, reference))
        return beside[0]

    makers: dict[str, Callable[[], Sequence[PaperFigure]]] = {
        "forest": lambda: [forest_figure(found, seed=seed)],
        "errors": lambda: error_figures(found, book, codebook),
        "tasks": lambda: [task_matrix(found)],
        "raters": lambda: confusion_figures(found, book, codebook, seed=seed),
        "saturation": lambda: saturation_figures(found, book, codebook),
        "effort": lambda: [effort_figure(found, steps)],
        "survival": lambda: [survival_figure(parted())],
        "partings": lambda: [partings_figure(parted())],
        "pages": lambda: [pages_figure(found, steps)],
        "targets": lambda: [targets_figure(found, steps, reference)],
    }
    figures = tuple(figure for kind in KINDS if kind in (kinds or KINDS) for figure in makers[kind]())
    return PaperFigures(figures=figures, problems=tuple(steps.problems))
