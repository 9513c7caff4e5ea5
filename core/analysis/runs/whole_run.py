"""The whole analysis of one or more runs of a benchmark, as sections of figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from webbench.core.analysis.agreement.agreement_section import runs_agreement_section
from webbench.core.analysis.decisive.confirmed import Looked
from webbench.core.analysis.decisive.decisive_section import Decided, decisive_section
from webbench.core.analysis.decisive.model_level import named_steps
from webbench.core.analysis.decisive.ranking import Ranking
from webbench.core.analysis.decisive.reference_level import rank_steps
from webbench.core.analysis.detectable_differences import planning_section
from webbench.core.analysis.impossible_tasks import Ended, ended, impossible_section
from webbench.core.analysis.methods_text import methods_of
from webbench.core.analysis.option_grid import options_section
from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.analysis.recorded.run_records import RecordedRun, read_runs
from webbench.core.analysis.rubrics.kept_verdicts import kept_verdicts
from webbench.core.analysis.rubrics.measured_judges import Measured, judges_section
from webbench.core.analysis.rubrics.rule_readers import measured_questions
from webbench.core.analysis.runs.agent_work import Work, point_of, work_of, work_section
from webbench.core.analysis.runs.checks_reached import Reached, of_episode, reached_section
from webbench.core.analysis.runs.interventions import Watched, interventions_section, watched
from webbench.core.analysis.runs.label_counts import labels_section
from webbench.core.analysis.runs.overview import corrected_section, overview_section
from webbench.core.analysis.runs.page_flow import Way, flow_section, way
from webbench.core.analysis.runs.pass_at_k import repeats_section
from webbench.core.analysis.runs.score_groups import facets_of, groups_section
from webbench.core.analysis.runs.solved_tasks import solved_section
from webbench.core.analysis.runs.step_counts import steps_section
from webbench.core.analysis.runs.success_rates import Rates, counted, rates_of
from webbench.core.analysis.runs.templates import templates_section
from webbench.core.benchmark.benchmark import Benchmark, breakdowns_of
from webbench.core.benchmark.installed import installed_benchmark
from webbench.core.errors import BadData
from webbench.core.labels.codebook import Codebook, load_codebook
from webbench.core.labels.ledger import Book, ledger_of
from webbench.core.labels.visibility import open_labels
from webbench.core.score.aggregates import Breakdown
from webbench.core.statistics.figures import Actor, Analysis, Section, letter
from webbench.core.store.store import Store
from webbench.core.task import Task

SCHEMA_VERSION = 1

Progress = Callable[[int, int], None]
"""Called with the episodes read and their number."""


class Analysed(msgspec.Struct, frozen=True, kw_only=True):
    """An analysis with the rates that it begins with.

    Example:
        >>> [section.title for section in wb.analyse(run).analysis.sections]
    """

    rates: Rates
    analysis: Analysis


Told = Callable[[Analysed], None]
"""Called with what is known so far."""


def analyse(
    store: Store,
    runs: Sequence[str],
    *,
    seed: int = 0,
    tasks: Sequence[str] = (),
    progress: Progress = lambda _done, _of: None,
    told: Told = lambda _so_far: None,
) -> Analysed:
    """Everything that can be said of the runs without a question asked.

    Steps are read one episode at a time.

    Args:
        tasks: only episodes of these, as `read_runs` takes them.
        told: is given what there is before the steps are read: counts at once, then rates with intervals.

    Raises `UsageError` for unknown runs, and for runs of different benchmarks.
    """
    found = read_runs(store, runs, tasks=tasks)
    named = {letter(at): run for at, run in enumerate(found)}
    name = next((run.benchmark for run in found if run.benchmark), "")
    rules = next((one.header.rules for run in found for one in run.episodes), "published")

    def analysed(rates: Rates, sections: Sequence[Section | None], problems: Iterable[str] = ()) -> Analysed:
        analysis = Analysis(
            benchmark=name,
            actors=tuple(Actor(letter=at, run=run.run, agent=run.agent) for at, run in named.items()),
            sections=tuple(section for section in sections if section is not None),
            methods=methods_of(found, seed),
            problems=(*(problem for run in found for problem in run.problems), *problems),
        )
        return Analysed(rates=rates, analysis=analysis)

    rates = counted(found)
    told(analysed(rates, [overview_section(named, rates, None, rules)]))
    rates = rates_of(found, seed=seed)
    benchmark = installed_benchmark(name)
    overview = overview_section(named, rates, benchmark, rules)
    told(analysed(rates, [overview]))
    both = _both_ways(named)
    corrected = (
        rates_of([run.as_corrected() for run in found], seed=seed) if len(both) > len(named) else rates
    )
    walked = _walked(store, named, benchmark, progress)
    ledger = ledger_of(store)
    book, codebook = ledger.book(), load_codebook(written=ledger.codebooks)
    sections: Sequence[Section | None] = (
        overview,
        corrected_section(named, rates, corrected),
        labels_section(named, book, codebook),
        judges_section(_judged(store, named, book, codebook)),
        runs_agreement_section(named, book, codebook, seed=seed),
        solved_section(named),
        steps_section(both),
        templates_section(both),
        groups_section(
            both, facets_of(benchmark, _tasks_of(found)), _breakdowns(benchmark, rules), rules, seed=seed
        ),
        decisive_section(_decided(walked, store, book), codebook),
        reached_section(walked.reached),
        flow_section(walked.ways),
        impossible_section(walked.ended, seed=seed),
        work_section(walked.work, point_of(benchmark)),
        options_section(named, rates, walked.work),
        interventions_section(walked.watched),
        repeats_section(both, seed=seed),
        planning_section(list(named), rates),
    )
    return analysed(rates, sections, walked.problems)


def _judged(store: Store, runs: Mapping[str, RecordedRun], book: Book, codebook: Codebook) -> list[Measured]:
    places = [(one.run, one.episode) for run in runs.values() for one in run.episodes]
    return measured_questions(store, kept_verdicts(store), book, codebook, places)


def _tasks_of(runs: Sequence[RecordedRun]) -> Iterable[Task]:
    return (one.task for run in runs for one in run.scored)


def _both_ways(runs: Mapping[str, RecordedRun]) -> dict[str, RecordedRun]:
    """Behind each run whose scores people correct the same as corrected, under its letter with a star."""
    found: dict[str, RecordedRun] = {}
    for at, run in runs.items():
        found[at] = run
        if any(one.verdict is not None and one.verdict.differs for one in run.episodes):
            found[f"{at}*"] = run.as_corrected()
    return found


class _Walked(msgspec.Struct, frozen=True):
    """What the steps of the episodes tell, by the letter of their run, and what of them can't be read."""

    ways: dict[str, list[Way]]
    reached: dict[str, list[Reached]]
    watched: dict[str, list[Watched]]
    work: dict[str, list[Work]]
    ended: dict[str, list[Ended]]
    ranked: dict[str, dict[tuple[str, str], Ranking]]
    """Of episodes that failed, by run and episode."""
    problems: list[str]


def _walked(
    store: Store, runs: Mapping[str, RecordedRun], benchmark: Benchmark | None, progress: Progress
) -> _Walked:
    found = _Walked({}, {}, {}, {}, {}, {}, [])
    for at in runs:
        found.ways[at], found.reached[at], found.watched[at], found.work[at] = [], [], [], []
        found.ended[at], found.ranked[at] = [], {}
    of = sum(len(run.episodes) for run in runs.values())
    done = 0
    for at, run in runs.items():
        for one in run.episodes:
            try:
                trajectory = store.load(store.root / one.run / one.episode)
            except BadData as error:
                found.problems.append(f"{one.name}: {error}")
                continue
            found.problems.extend(f"{one.name}: {problem}" for problem in trajectory.problems)
            taken = way(one.name, trajectory, one.outcome)
            reached = of_episode(one.name, trajectory, benchmark)
            found.ways[at] += [taken] if taken else []
            found.reached[at] += [reached] if reached else []
            found.watched[at].append(
                watched(one.name, trajectory, RecordedEpisode(store, trajectory).seen_before)
            )
            found.work[at].append(work_of(one.name, trajectory, benchmark))
            ending = ended(one, trajectory, benchmark)
            found.ended[at] += [ending] if ending else []
            ranking = None if one.value in (None, 1) else rank_steps(store, trajectory)
            found.ranked[at] |= {} if ranking is None else {(one.run, one.episode): ranking}
            done += 1
            progress(done, of)
    return found


def _decided(walked: _Walked, store: Store, book: Book) -> dict[str, list[Decided]]:
    """Failed episodes with what judges named and what people said, by the letter of their run."""
    named, labels = named_steps(store), open_labels(book)
    return {
        at: [
            Decided(
                name="/".join(place),
                looked=Looked(
                    suggestions=(),
                    ranking=ranking,
                    labels=labels.get(place, ()),
                    named=named.get(place, ()),
                ),
            )
            for place, ranking in found.items()
        ]
        for at, found in walked.ranked.items()
    }


def _breakdowns(benchmark: Benchmark | None, rules: str) -> Sequence[Breakdown]:
    """None for scores that others gave: they lack the parts that the benchmark's own have."""
    if benchmark is None or rules not in benchmark.rule_sets:
        return ()
    return breakdowns_of(benchmark)
