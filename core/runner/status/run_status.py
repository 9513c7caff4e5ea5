"""The status of a run, seen from outside: from the files in its folder, while its runner works or after.

What is read: `plan.json` (see `plan`), `attempts.jsonl` (see `run_log`), `runner/beat.json` (see `lease`) and
the steps of the episodes that are going on. Nothing is written, and the runner isn't asked.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

import msgspec

from webbench.core.errors import UsageError
from webbench.core.json_types import JsonObject
from webbench.core.models.spending import Spent, added, spent
from webbench.core.runner.lease import STALE_SECONDS, Beat, read_beat, this_boot, works_here
from webbench.core.runner.plan.plan import PlannedEpisode, read_plan
from webbench.core.runner.run_log import Began, Ended, read_log
from webbench.core.runner.status.progress import RunProgress
from webbench.core.runner.status.unscored_causes import Cause, causes
from webbench.core.score.score import Status
from webbench.core.statistics.mean import mean
from webbench.core.store.records.names import checked
from webbench.core.store.records.recorder import STEPS

SCHEMA_VERSION = 1

STALE_STEP_SECONDS = 60.0
"""An episode whose last step is older than this is shown as stale; it may still go on."""

PACE_EPISODES = 30
"""Throughput is that of the last so many episodes."""

RunState = Literal["running", "stale", "died", "finished", "interrupted", "limited", "halted", "not begun"]
"""`stale`: its runner gives no sign of life; `died`: it is gone, and left work behind."""


class RunningEpisode(msgspec.Struct, frozen=True, kw_only=True):
    """An episode that is going on.

    Attributes:
        order, task, repeat, attempt: which of the plan.
        episode: its record; worker: the machine that plays it, "" for the runner's own.
        seconds: since its record was opened; step_age: since its last step was recorded.
        steps: transitions so far.
        stale: nothing happened in it for a while.
        spent: by models so far.
    """

    order: int
    task: str
    repeat: int
    attempt: int
    episode: str
    worker: str
    seconds: float
    step_age: float
    steps: int
    stale: bool
    spent: Spent


class RunStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A run now.

    Attributes:
        reason: why it halted or was interrupted, "" otherwise.
        runner: who works at it, None where nobody does; beat_age: seconds since its last sign of life.
        planned: episodes in all: waiting + len(running) + scored + pending + not_scored + errors.
        mean_score: over the scored ones that the agent played alone, None where there are none.
        mixed: episodes in which somebody else acted too; they are not in the mean.
        causes: why episodes have no score, the most frequent first.
        replaced: attempts that don't count because the episode was or will be played again.
        per_minute: episodes that ended lately in a minute, None where that isn't known yet.
        eta_seconds: until the end at that pace.
        seconds: that runners have worked at it, all of them; the time between two doesn't count.
        spent: tokens and US dollars of all attempts, those going on included.
        problems: what could not be read.
    """

    run: str
    benchmark: str
    agent: str
    state: RunState
    reason: str = ""
    runner: Beat | None = None
    beat_age: float | None = None
    workers: int = 1
    planned: int = 0
    waiting: int = 0
    running: tuple[RunningEpisode, ...] = ()
    scored: int = 0
    pending: int = 0
    not_scored: int = 0
    errors: int = 0
    mean_score: float | None = None
    mixed: int = 0
    causes: tuple[Cause, ...] = ()
    replaced: int = 0
    per_minute: float | None = None
    eta_seconds: float | None = None
    seconds: float = 0.0
    spent: Spent = Spent()
    problems: tuple[str, ...] = ()
    schema_version: int = SCHEMA_VERSION

    @property
    def done(self) -> int:
        """Episodes that need not be played any more."""
        return self.scored + self.pending + self.not_scored + self.errors


def run_status(root: Path, run: str, *, at: float | None = None) -> RunStatus:
    """The status of a run of the store in `root`, as of `at` (seconds since 1970, by default now).

    Raises `UsageError` for an unknown run and for one that `run` didn't begin, `BadData` for a plan that
    can't be read.
    """
    folder = root / checked(run, "run")
    if not folder.is_dir():
        raise UsageError(f"there is no run {run} in {root}", "`webbench-tui runs` lists them")
    plan = read_plan(folder)
    entries, problems = read_log(folder)
    progress = RunProgress(plan, entries)
    return status_of(folder, progress, problems, time.time() if at is None else at)


def status_of(folder: Path, progress: RunProgress, problems: Sequence[str], at: float) -> RunStatus:
    """The same from what was read already."""
    plan, note = progress.plan, progress.note
    beat = read_beat(folder)
    beat_age = None if beat is None else max(0.0, at - _seconds(beat.at))
    state = _state(folder, progress, beat, beat_age)
    going = state in ("running", "stale")
    running = _running(folder, progress, at) if going else ()
    open_ends = 0 if going else sum(one.began is not None for one in progress.states.values())
    ended = progress.ended
    waiting = len(progress.waiting) + open_ends
    pace = per_minute(progress)
    return RunStatus(
        run=folder.name,
        benchmark=plan.benchmark,
        agent=plan.agent,
        state=state,
        reason=note.reason if note is not None and not going else "",
        runner=beat if going else None,
        beat_age=beat_age if going else None,
        workers=note.workers if note is not None else plan.workers,
        planned=len(plan.episodes),
        waiting=waiting,
        running=running,
        **_counts(ended),
        mean_score=mean(one.score for one in ended if not one.mixed),
        mixed=sum(one.mixed for one in ended),
        causes=causes(ended),
        replaced=progress.replaced,
        per_minute=pace,
        eta_seconds=(waiting + len(running)) / pace * 60 if pace and going else None,
        seconds=_worked_seconds(progress, at if going else None),
        spent=added((progress.spent, *(one.spent for one in running))),
        problems=tuple(problems),
    )


def per_minute(progress: RunProgress) -> float | None:
    """Episodes that were done with in a minute, over the last ones; None before two were."""
    done = [one for one in progress.session if not one.again]
    lately = done[-PACE_EPISODES:]
    since = progress.began_at if len(lately) == len(done) else lately[0].at
    counted = len(lately) - (since != progress.began_at)
    seconds = _seconds(lately[-1].at) - _seconds(since) if lately else 0.0
    return counted / seconds * 60 if counted > 1 and seconds > 0 else None


def _state(folder: Path, progress: RunProgress, beat: Beat | None, beat_age: float | None) -> RunState:
    note = progress.note
    if beat is not None and beat_age is not None:
        if works_here(folder):
            return "running" if beat_age <= STALE_SECONDS else "stale"
        if beat.boot != this_boot():
            return "running" if beat_age <= STALE_SECONDS else "stale"
    if note is None:
        return "not begun"
    return "died" if note.what == "began" else note.what


def _counts(ended: Sequence[Ended]) -> dict[str, int]:
    names = {
        Status.SCORED: "scored",
        Status.PENDING: "pending",
        Status.NOT_SCORED: "not_scored",
        Status.ERROR: "errors",
    }
    return {name: sum(one.status is status for one in ended) for status, name in names.items()}


def _running(folder: Path, progress: RunProgress, at: float) -> tuple[RunningEpisode, ...]:
    return tuple(
        _running_episode(folder, planned, began, at)
        for planned in progress.plan.episodes
        if (began := progress.states[planned.order].began) is not None
    )


def _running_episode(folder: Path, planned: PlannedEpisode, began: Began, at: float) -> RunningEpisode:
    steps, changed, taken = _steps(folder / began.episode / STEPS)
    step_age = max(0.0, at - (changed or _seconds(began.at)))
    return RunningEpisode(
        order=planned.order,
        task=planned.task,
        repeat=planned.repeat,
        attempt=began.attempt,
        episode=began.episode,
        worker=began.worker,
        seconds=max(0.0, at - _seconds(began.at)),
        step_age=step_age,
        steps=max(0, steps - 1),
        stale=step_age > STALE_STEP_SECONDS,
        spent=taken,
    )


class _Usage(msgspec.Struct):
    """Of a step, what a model took."""

    usage: JsonObject = {}


def _steps(path: Path) -> tuple[int, float, Spent]:
    """How many steps are recorded, when the last one was, and what they took."""
    try:
        with path.open("rb") as file:
            data, changed = file.read(), os.fstat(file.fileno()).st_mtime
    except OSError:
        return 0, 0.0, Spent()
    lines = data.split(b"\n")[:-1]
    return len(lines), changed, added([spent(_usage(line)) for line in lines])


def _usage(line: bytes) -> JsonObject:
    try:
        return msgspec.json.decode(line, type=_Usage).usage
    except (msgspec.DecodeError, RecursionError):
        return {}


def _worked_seconds(progress: RunProgress, at: float | None) -> float:
    """How long runners have worked; `at` is now while one does, None after."""
    if not progress.began_at:
        return 0.0
    before = sum(_seconds(heard) - _seconds(began) for began, heard in progress.sessions_before)
    last = [one.at for one in progress.session] + ([progress.note.at] if progress.note else [])
    end = at if at is not None else max(_seconds(one) for one in last)
    return max(0.0, before + end - _seconds(progress.began_at))


def _seconds(at: str) -> float:
    """Since 1970; 0 for a time that is none."""
    try:
        return datetime.fromisoformat(at).timestamp()
    except ValueError:
        return 0.0
