"""Trials: what each person did on each task, from a study's logs and records or from imported runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from webbench.core.analysis.compare.compared_step import Moment, moments
from webbench.core.analysis.recorded.run_records import NO_END
from webbench.core.analysis.recorded.step_observations import look_into
from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.benchmark.installed import installed_benchmark
from webbench.core.errors import BadData, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.labels.corrections import corrected
from webbench.core.labels.ledger import ledger_of
from webbench.core.people.studies.allocation import Plan
from webbench.core.people.studies.annotator_progress import Work
from webbench.core.people.studies.desk import progress_of
from webbench.core.people.studies.sampling import Drawn, drawn
from webbench.core.people.studies.study import Study
from webbench.core.score.score import Score, Status
from webbench.core.statistics.estimates import Cluster, cluster_of
from webbench.core.store.called_runs import each_run
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import IN_THE_WINDOW, Step

ANNOTATOR = "annotator"
"""The setting of an episode that holds a person's pseudonym."""


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """One actor's attempt at one task.

    Attributes:
        who: a person's pseudonym, or the agent.
        score: None while there is none.
        corrected: the value that people hold to be right where they dispute the score's, else None.
        evidence: what the last score rests on.
        seconds: worked on it, pauses left out; None where the record has no times.
        steps: actions, also ones without an effect. Notes are none, and neither are new pages in a browser's
            own window that nobody was seen to go to.
        goes_on_with: an earlier episode of the attempt, which this one repeats.
        walk: the actions, as comparisons see them; only where somebody else did the same.
        instruction: what was asked, where the record alone tells it: attempts at a task of one name may then
            have been asked different things. "" where the benchmark tells.
    """

    who: str
    drawn: Drawn
    run: str
    episode: str
    score: Score | None = None
    evidence: JsonObject = {}
    seconds: float | None = None
    steps: int = 0
    goes_on_with: str = ""
    walk: tuple[Moment, ...] = ()
    instruction: str = ""
    corrected: float | None = None
    outcome: str = ""
    difficulty: int | None = None
    confidence: int | None = None

    @property
    def task(self) -> str:
        return self.drawn.task

    @property
    def name(self) -> str:
        """As commands open it: "run/episode"."""
        return f"{self.run}/{self.episode}"

    @property
    def state(self) -> str:
        """Of the score: "scored", "pending", "not_scored", "error", "no end"."""
        return self.score.status.value if self.score is not None else NO_END

    @property
    def success(self) -> float | None:
        """1 for a score of 1, 0 for any other; None where there is no value."""
        if self.score is None or self.score.status is not Status.SCORED or self.score.value is None:
            return None
        return float(self.score.value == 1)

    @property
    def cluster(self) -> Cluster:
        return cluster_of(self.task, self.drawn.template)


class Trials(msgspec.Struct, frozen=True, kw_only=True):
    """Attempts in order, and what could not be read; `open` counts tasks that are still to be done."""

    trials: tuple[Trial, ...]
    open: int = 0
    problems: tuple[str, ...] = ()

    @property
    def are_corrected(self) -> bool:
        """People hold some score to be wrong."""
        return any(one.corrected is not None for one in self.trials)

    def as_corrected(self) -> Trials:
        """The same with people's values in place of the scores that they dispute."""
        return msgspec.structs.replace(self, trials=tuple(map(_as_corrected, self.trials)))


def _as_corrected(one: Trial) -> Trial:
    if one.corrected is None or one.score is None:
        return one
    score = msgspec.structs.replace(one.score, status=Status.SCORED, value=one.corrected)
    return msgspec.structs.replace(one, score=score)


def trials_of_study(store: Store, study: Study, plan: Plan) -> Trials:
    """What has been done so far, and how much is still to do. Raises `BadData` as reading logs does."""
    found: list[Trial] = []
    problems: list[str] = []
    still_open = 0
    for annotator in study.annotators:
        told = progress_of(store, study, plan, annotator)
        problems += told.problems
        for work in told.works:
            if work.stage in ("to do", "open") or work.record is None:
                still_open += 1
                continue
            one = _read_trial(store, *work.record, plan.drawn(work.task), problems)
            if one is not None:
                found.append(_with_log(one, annotator, work))
    found = _walked(store, _disputed(store, found), problems)
    return Trials(trials=tuple(found), open=still_open, problems=tuple(problems))


def _with_log(one: Trial, annotator: str, work: Work) -> Trial:
    """The session's own clock counts: it knows of what was lost with a killed engine."""
    return msgspec.structs.replace(
        one,
        who=annotator,
        seconds=work.seconds,
        outcome=work.outcome or "",
        difficulty=work.difficulty,
        confidence=work.confidence,
    )


def trials_of_runs(store: Store, runs: Sequence[str], data: Path | None = None, *, of: str = "") -> Trials:
    """Every episode of the runs but those that another one repeats and goes on with.

    Raises `UsageError` for unknown runs, and for several benchmarks.

    Args:
        data: folder of the benchmark's tasks, which tell what imported episodes may not.
        of: the benchmark that they have to be of, "" for any.
    """
    found: list[Trial] = []
    problems: list[str] = []
    known: dict[str, Benchmark | None] = {}
    for run in each_run(store, runs):
        for summary in store.episodes(run):
            if summary.benchmark not in known:
                known[summary.benchmark] = installed_benchmark(summary.benchmark, data)
            benchmark = known[summary.benchmark]
            one = _read_trial(store, run, summary.episode, None, problems, benchmark)
            if one is not None:
                found.append(one)
    named = {*known, *filter(None, [of])}
    if len(named) > 1:
        told = " and ".join(sorted(named))
        raise UsageError(f"These runs are of different benchmarks: {told}", "take runs of the same")
    repeated = {(one.run, one.goes_on_with) for one in found}
    whole = [one for one in found if (one.run, one.episode) not in repeated]
    walked = _walked(store, _disputed(store, whole), problems)
    return Trials(trials=tuple(walked), problems=tuple(problems))


def _disputed(store: Store, trials: Sequence[Trial]) -> list[Trial]:
    """With the values that disputes of their scores lead to."""
    book = ledger_of(store).book()
    disputed = {(one.run, one.episode) for one in book.disputes}
    found = []
    for one in trials:
        if (one.run, one.episode) in disputed:
            scored = one.score.value if one.score is not None else None
            verdict = corrected(book, one.run, one.episode, scored)
            value = verdict.corrected if verdict.differs else None
            one = msgspec.structs.replace(one, corrected=value)
        found.append(one)
    return found


def _read_trial(
    store: Store,
    run: str,
    episode: str,
    about: Drawn | None,
    problems: list[str],
    benchmark: Benchmark | None = None,
) -> Trial | None:
    """None for an episode that can't be read, which is told."""
    try:
        recorded = store.load(store.root / run / episode)
    except BadData as error:
        problems.append(str(error))
        return None
    problems += [f"{run}/{episode}: {problem}" for problem in recorded.problems]
    header = recorded.header
    acted = [step for step in recorded.steps if step.acted]
    person = header.settings.get(ANNOTATOR)
    return Trial(
        who=str(person) if person else header.actor,
        drawn=about or _about(header.task, benchmark),
        run=run,
        episode=episode,
        score=header.score if header.ended or header.score is not None else None,
        evidence=_evidence(recorded.steps),
        seconds=recorded.seconds or None,
        steps=sum(step.text != IN_THE_WINDOW for step in acted),
        goes_on_with=header.resumed_from,
        instruction=header.task.intent if about is None and benchmark is None else "",
    )


def _about(task: Task, benchmark: Benchmark | None) -> Drawn:
    """Imported tasks may lack what the benchmark's own data tells of them."""
    if benchmark is not None and not task.template:
        try:
            own = benchmark.tasks(names=(task.name,))
        except (UsageError, BadData):
            own = ()
        task = next((one for one in own if one.id == task.id), task)
    return drawn(task, benchmark)


def _evidence(steps: Sequence[Step]) -> JsonObject:
    return next((step.evidence for step in reversed(steps) if step.evidence), {})


def _walked(store: Store, trials: Sequence[Trial], problems: list[str]) -> list[Trial]:
    """With the ways of those that there are others to compare with; reading pages takes its time."""
    times = Counter((one.task, one.instruction) for one in trials)
    return [
        msgspec.structs.replace(one, walk=_walk(store, one, problems))
        if times[one.task, one.instruction] > 1
        else one
        for one in trials
    ]


def _walk(store: Store, one: Trial, problems: list[str]) -> tuple[Moment, ...]:
    recorded = store.load(store.root / one.run / one.episode)
    return moments(recorded, look_into(store, recorded, problems))
