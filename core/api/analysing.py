"""Analysing records: attempts side by side, and everything that can be said of whole runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webbench.core.analysis.agreement import annotator_agreement
from webbench.core.analysis.agreement.annotator_agreement import Agreement
from webbench.core.analysis.compare import comparison
from webbench.core.analysis.compare.comparison import Comparison
from webbench.core.analysis.paper.every_figure import paper_figures
from webbench.core.analysis.runs import whole_run
from webbench.core.analysis.runs.whole_run import Analysed
from webbench.core.api.naming import several
from webbench.core.api.store_tables import Store, core_store, episode_folder
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.ledger import ledger_of
from webbench.core.people.labelling.labelled_episode import last_steps
from webbench.core.report.paper.figure_files import formats_of, write_figures
from webbench.core.report.paper.plot_style import require_matplotlib
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.called_runs import actor_called, each_run, runs_called
from webbench.core.store.index.summaries import EpisodeSummary
from webbench.core.trajectory import Trajectory


def compare(
    *episodes: Trajectory | EpisodeSummary | Path | str, store: Store | Path | str | None = None
) -> Comparison:
    """Align two or more attempts at one task, step by step; people's come first.

    Args:
        episodes: trajectories, summaries or names.
        store: where they are recorded; None: the configured one.

    Returns the alignment with its marks, where the attempts part (`divergence`), phases, and when each check
    was first met (`milestones`).

    Raises `UsageError` for fewer than two, for one named twice, and for episodes of different tasks.

    Example:
        >>> import webbench as wb
        >>> found = wb.compare("0000_camp-mugs_ab12", "0003_camp-mugs_cd34")
        >>> found.divergence.first
    """
    records = core_store(store)
    trajectories = [
        one if isinstance(one, Trajectory) else records.load(episode_folder(records, one)) for one in episodes
    ]
    return comparison.compare(records, trajectories, load_settings().annotator)


def analyse(runs: str | Sequence[str], *, seed: int = 0, store: Store | Path | str | None = None) -> Analysed:
    """Everything that can be said of one or more runs of a benchmark: rates with intervals, groups, work.

    Args:
        runs: names of runs, as `Store.runs` gives them; several are compared.
        seed: of resampling.
        store: where they are recorded; None: the configured one.

    Returns the success rates (`rates`), and sections of figures with the text of a methods section
    (`analysis`). Raises `UsageError` for unknown runs, and for runs of different benchmarks.

    Example:
        >>> import webbench as wb
        >>> newest = wb.Store().runs()[0].run
        >>> [section.title for section in wb.analyse(newest).analysis.sections]
    """
    records = core_store(store)
    return whole_run.analyse(records, runs_called(records, several(runs)), seed=seed)


def agreement(
    runs: str | Sequence[str] = (),
    *,
    taxonomy: str = "",
    between: Sequence[str] = (),
    tolerance: int = annotator_agreement.TOLERANCE,
    seed: int = 0,
    store: Store | Path | str | None = None,
) -> list[Agreement]:
    """How far raters agree, code by code: percent, Cohen's kappa, Krippendorff's alpha, with intervals.

    Args:
        runs: names of runs; every run of the store if none is given.
        taxonomy: or codebook; "": each one by which episodes of these runs are labelled.
        between: compare these raters only.
        tolerance: steps that two labels may lie apart and still be of one place.
        seed: of resampling.
        store: where the runs are recorded; None: the configured one.

    Returns one for each taxonomy; `episodes` of it is 0 where no two raters are done with the same episode.
    Raises `UsageError` for unknown runs and taxonomies.

    Example:
        >>> import webbench as wb
        >>> for found in wb.agreement(taxonomy="open"):
        ...     print([(one.code, one.alpha.value, one.items) for one in found.codes])
    """
    records = core_store(store)
    ledger = ledger_of(records)
    book, codebook = ledger.book(), load_codebook(written=ledger.codebooks)
    named = each_run(records, several(runs)) or [""]
    wanted = [(one.run, one.episode) for run in named for one in records.episodes(run)]
    last = {place: steps for place, steps in last_steps(records).items() if place in set(wanted)}
    used = dict.fromkeys(one.taxonomy for one in book.labels if (one.run, one.episode) in last)
    names = [taxonomy] if taxonomy else [name for name in used if name in codebook.taxonomies]
    return [
        annotator_agreement.agreement(
            book, codebook.taxonomy(name), last, annotators=between, tolerance=tolerance, seed=seed
        )
        for name in names
    ]


def figures(
    runs: str | Sequence[str],
    folder: Path | str,
    kinds: Sequence[str] = (),
    *,
    formats: Sequence[str] = ("svg", "pdf", "png"),
    reference: str = "",
    seed: int = 0,
    force: bool = False,
    store: Store | Path | str | None = None,
) -> list[Path]:
    """Write figures of runs for a paper, each with its numbers as CSV and a table for LaTeX; the files.

    Args:
        runs: names of runs of a benchmark.
        folder: a new one.
        kinds: "forest", "errors", "tasks", "raters", "saturation", "effort", "survival", "partings",
            "pages", "targets"; all where none is given.
        reference: run whose way the others are held against; "": a person's.
        seed: of resampling.
        force: replace the files of a folder that is there.
        store: where the runs are recorded; None: the configured one.

    Raises `UsageError` for unknown runs, kinds and formats, and where matplotlib isn't installed.

    Example:
        >>> import webbench as wb
        >>> newest = wb.Store().runs()[0].run
        >>> wb.figures(newest, "figures", ["forest", "tasks"], formats=["pdf"])
    """
    require_matplotlib()
    records = core_store(store)
    named, held_against = runs_called(records, several(runs)), actor_called(records, reference)
    found = paper_figures(records, named, kinds, reference=held_against, seed=seed)
    written = write_figures(Path(folder), found.figures, formats_of(",".join(formats)), force=force)
    return list(written.files)
