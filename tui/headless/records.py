"""`runs`, `show` and `score`: what is in the store."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from webbench.core import registry
from webbench.core.analysis.time_profile import seconds_words, time_profile
from webbench.core.errors import BadData, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.judge.asking import answered
from webbench.core.judge.choosing import choose_judge, in_use
from webbench.core.labels.corrections import Verdict, corrected
from webbench.core.runner.board import look_at, unfinished_statuses
from webbench.core.runner.status import RunStatus
from webbench.core.runner.status_text import standing_words
from webbench.core.score import Score, Status, not_scored
from webbench.core.score_json import plain_numbers
from webbench.core.score_table import FLEXIBLE, HEADERS, NUMBERS, OPTIONAL, score_rows
from webbench.core.score_text import score_text
from webbench.core.settings import load_settings
from webbench.core.spending import spent_text
from webbench.core.store.filters import FIELDS, parse_filter
from webbench.core.store.store import Store
from webbench.core.store.summaries import EpisodeSummary, RunSummary
from webbench.core.task import Evaluator, Task
from webbench.core.trajectory import EpisodeHeader, Step, Trajectory
from webbench.tui.headless.asking_person import person_at
from webbench.tui.headless.output import (
    print_json,
    print_line,
    print_table,
    print_text,
    say,
    width,
    wrapped,
)
from webbench.tui.headless.place import chosen_rules, data_folder, find_episode, open_store

SCHEMA_VERSION = 1
EPISODE_HEADERS = ("episode", "actor", "state", "score", "corrected", "steps")


def list_runs(*, store: Path | None, as_json: bool) -> int:
    """Runs, newest first; exit code 4 when one can't be read."""
    opened = open_store(store)
    found = opened.runs()
    unreadable = any(run.problem for run in found)
    statuses = unfinished_statuses(opened.root, found)
    if as_json:
        states = {run: status.state for run, status in statuses.items()}
        print_json({"schema_version": SCHEMA_VERSION, "runs": found, "unfinished": states})
    elif not found:
        say(
            f"The store {opened.root} has no runs yet: try `webbench-tui demo --headless`, "
            "or `webbench-tui run demo --agent oracle`"
        )
    else:
        headers = ("run", "agent", "planned", "scored", "mean", "corrected", "note")
        disputed = any(run.disputed for run in found)
        rows = [_run_row(run, statuses.get(run.run), disputed=disputed) for run in found]
        print_table(headers, rows, numbers=(2, 3, 4, 5), flexible=(1, 6), optional=(1,))
    return 4 if unreadable else 0


def list_episodes(wanted: str, *, store: Path | None, as_json: bool) -> int:
    """The episodes of all runs that a filter lets through; exit code 4 when one can't be read.

    Raises `UsageError` for a filter that is none.
    """
    found = open_store(store).select(parse_filter(wanted))
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "episodes": found})
    elif not found:
        say(f"No episode matches; before a colon may stand: {', '.join(FIELDS)}")
    else:
        disputed = any(one.dispute for one in found)
        rows = [
            (f"{one.run}/{one.episode}", one.actor, *_episode_row(one, disputed=disputed)[1:5])
            for one in found
        ]
        print_table(EPISODE_HEADERS, rows, numbers=(3, 4, 5), flexible=(1,), optional=(1,))
    return 4 if any(one.problem for one in found) else 0


def _run_row(run: RunSummary, status: RunStatus | None, *, disputed: bool) -> tuple[object, ...]:
    notes = [standing_words(run, status)]
    if run.disputed and not run.problem:
        notes.append(_disputes_text(run))
    corrected = _figure(run.as_corrected) if disputed else ""
    note = ", ".join(filter(None, notes))
    return run.run, run.agent, run.planned, run.scored, _figure(run.mean_score), corrected, note


def _disputes_text(run: RunSummary) -> str:
    return f"{run.disputed} disputed" + (f", {run.unconfirmed} not confirmed" if run.unconfirmed else "")


def show(name: str, *, store: Path | None, as_json: bool) -> int:
    """An episode step by step, or the episodes of a run.

    Exit code 4 when part of the record could not be read.

    Raises:
        UsageError: no such episode or run.
    """
    opened = open_store(store)
    run = next((run for run in opened.runs() if run.run == name.rstrip("/")), None)
    if run is not None:
        return _show_run(run, opened, as_json)
    folder = find_episode(opened, name)
    trajectory = opened.load(folder)
    score = trajectory.header.score
    scored = score.value if score is not None else None
    verdict = corrected(opened.labels.book(), folder.parent.name, folder.name, scored)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "trajectory": trajectory, "verdict": verdict})
    else:
        _print_trajectory(trajectory)
        if verdict.is_disputed:
            _print_verdict(verdict)
    for problem in trajectory.problems:
        say(problem)
    return 4 if trajectory.problems else 0


def _print_verdict(verdict: Verdict) -> None:
    print_text(
        f"as scored {_figure(verdict.scored)}, as corrected {_figure(verdict.corrected)} ({verdict.why})"
    )
    for case in verdict.cases:
        step = "" if case.dispute.evidence is None else f", step {case.dispute.evidence}"
        print_text(f"  {case.state}: {case.dispute.annotator}: {case.dispute.reason}{step}")


def _show_run(run: RunSummary, store: Store, as_json: bool) -> int:
    _, episodes = look_at(store, run.run)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "run": run, "episodes": episodes})
    else:
        print_text(f"{run.benchmark} · {run.agent} · {run.started}")
        disputed = run.disputed > 0
        rows = [_episode_row(episode, disputed=disputed) for episode in episodes]
        headers = ("episode", "state", "score", "corrected", "steps", "reason")
        print_table(headers, rows, numbers=(2, 3, 4), flexible=(5,))
        print_text(f"\nmean {_figure(run.mean_score)} over {run.scored} scored of {run.planned} planned")
        if disputed:
            print_text(
                f"as corrected {_figure(run.as_corrected)} over {run.corrected}: {_disputes_text(run)}"
            )
    return 4 if run.problem or any(episode.problem for episode in episodes) else 0


def _episode_row(episode: EpisodeSummary, *, disputed: bool) -> tuple[object, ...]:
    state = episode.state if episode.state != "ended" else episode.status.value.replace("_", " ")
    reason = episode.problem or episode.reason
    if episode.dispute:
        reason = "; ".join(filter(None, (episode.dispute, reason)))
    corrected = _figure(episode.as_corrected) if disputed else ""
    return episode.episode, state, _figure(episode.value), corrected, episode.steps, reason


def _print_trajectory(trajectory: Trajectory) -> None:
    header = trajectory.header
    told = (header.task.benchmark, header.task.id, header.actor, header.started)
    print_text(" · ".join(filter(None, told)))
    print_text(f"episode {header.run}/{header.episode}")
    if (origin := header.origin) is not None:
        print_text(f"fork of {origin.run}/{origin.episode} at step {origin.step}")
    print_line(wrapped(header.task.intent, "intent: "))
    print_line()
    headers = ("step", "by", "action", "result", "score", "s")
    rows = [_step_row(step) for step in trajectory.steps]
    print_table(headers, rows, numbers=(0, 4, 5), flexible=(2, 3), whole=True)
    for warning in header.warnings:
        print_text(f"\nat the start: {warning}")
    _print_profile(trajectory)
    print_text(f"\nended: {header.end_reason or 'no'}")
    if header.score is not None:
        _print_score(header.score)
        return
    print_text(_unfinished(header).headline())
    reached = _last_scored(trajectory)
    if reached is not None and reached.score is not None:
        print_text(f"at step {reached.index} it stood at {reached.score.headline()}")


def _print_profile(trajectory: Trajectory) -> None:
    """Where the time went and what models took, as far as that is recorded."""
    profile = time_profile(trajectory.steps)
    if profile.known:
        print_text(f"\ntime: {seconds_words(profile.total)}")
    if words := spent_text(profile.spent):
        print_text(f"spent: {words}")


def _unfinished(header: EpisodeHeader) -> Score:
    return not_scored("the episode did not end (interrupted, or still running)", rules=header.rules)


def _last_scored(trajectory: Trajectory) -> Step | None:
    return next((step for step in reversed(trajectory.steps) if step.score), None)


def _step_row(step: Step) -> tuple[object, ...]:
    result = step.note or step.error or ("ok" if step.ok else "no effect")
    value = step.score.value if step.score and step.score.status is Status.SCORED else None
    seconds = step.seconds.idle + step.seconds.agent + step.seconds.environment + step.seconds.scoring
    action = step.text or ("start" if step.index == 0 else "note" if step.note else "")
    return step.index, step.actor, action, result, _figure(value), f"{seconds:.1f}" if seconds else "–"


class Rescored(msgspec.Struct, frozen=True, kw_only=True):
    """What `score --json` prints.

    Attributes:
        step: the step whose evidence was scored, None where nothing was.
        recorded: how the episode ended; *not scored* for one that did not end.
        score: the new score, None for an episode that ended without one.
    """

    run: str
    episode: str
    task: str
    rules: str
    recorded: Score
    step: int | None = None
    score: Score | None = None
    schema_version: int = SCHEMA_VERSION


class ScoreRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of `score`; `anyway` scores the last evidence of an episode that has no score."""

    episode: str
    rules: str = ""
    judge: str = "none"
    data: Path | None = None
    store: Path | None = None
    anyway: bool = False
    as_table: bool = False


def score_episode(request: ScoreRequest, *, as_json: bool) -> int:
    """Score recorded evidence again, offline; exit code 1 when that gives no value.

    Raises:
        UsageError: no such episode, rule set or judge.
        BadData: the episode holds no evidence.
    """
    store = open_store(request.store)
    try:
        found = find_episode(store, request.episode)
    except UsageError as error:
        if request.episode not in registry.load(registry.SCORERS):
            raise
        raise UsageError(
            error.message, f"{request.episode} is a benchmark: add --predictions FILE"
        ) from error
    rescored = _rescored(store.load(found), request)
    if as_json:
        print_json(plain_numbers(msgspec.to_builtins(rescored)))
    else:
        _print_rescored(rescored, as_table=request.as_table)
    return 0 if rescored.score is not None and rescored.score.status is Status.SCORED else 1


def _rescored(trajectory: Trajectory, request: ScoreRequest) -> Rescored:
    header = trajectory.header
    task = header.task
    benchmark = registry.benchmark(task.benchmark, data_folder(task.benchmark, request.data))
    unscored = Rescored(
        run=header.run,
        episode=header.episode,
        task=task.id,
        rules=chosen_rules(request.rules, benchmark.rule_sets, benchmark.name),
        recorded=header.score or _unfinished(header),
    )
    if unscored.recorded.status is Status.NOT_SCORED and not request.anyway:
        return unscored
    step = next((step for step in reversed(trajectory.steps) if step.evidence), None)
    if step is None:
        raise BadData(
            f"Episode {header.episode} holds no evidence to score", "it ended before anything was read"
        )
    score = asyncio.run(_judged(benchmark.evaluator, task, step.evidence, unscored.rules, request.judge))
    return msgspec.structs.replace(unscored, step=step.index, score=score)


async def _judged(evaluator: Evaluator, task: Task, evidence: JsonObject, rules: str, judge: str) -> Score:
    """The score, after the judge of this spec was asked what is still open."""
    async with in_use(choose_judge(judge, load_settings().judge, person_at())) as asked:
        return evaluator.score(task, await answered(evaluator, task, evidence, asked, rules), rules)


def _print_rescored(rescored: Rescored, *, as_table: bool) -> None:
    recorded = rescored.recorded
    print_text(f"recorded, rules {recorded.rules}: {recorded.headline()}")
    if rescored.score is None:
        say("It ended without a score; --anyway scores the last evidence in the record")
        return
    print_text(f"step {rescored.step}, rules {rescored.rules}:")
    if as_table:
        print_table(
            HEADERS, score_rows(rescored.score), numbers=NUMBERS, flexible=FLEXIBLE, optional=OPTIONAL
        )
    else:
        _print_score(rescored.score)


def _print_score(score: Score) -> None:
    print_text(score_text(score, width=min(width(), 120)))


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
