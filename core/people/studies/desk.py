"""A desk: one annotator at work on a study, with their tasks, their log, their run in the store."""

from __future__ import annotations

from pathlib import Path

import msgspec

from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.errors import BadData, UsageError
from webbench.core.people.studies.allocation import SCHEMA_VERSION, Plan, make_plan
from webbench.core.people.studies.annotator_progress import Progress, Work, progress
from webbench.core.people.studies.session_log import ENDING, Entry, Happening, Outcome, SessionLog, read_log
from webbench.core.people.studies.study import Study
from webbench.core.score.score import Status
from webbench.core.store.records import codec
from webbench.core.store.records.durable_files import write_file, writing
from webbench.core.store.records.reader import read_header
from webbench.core.store.store import Store
from webbench.core.text.nearest import suggestion
from webbench.core.trajectory import EpisodeHeader

FOLDER = "studies"
PLAN = "plan.json"
CONDITIONS = "study.json"
LEFT = "left"
"""End reason of an episode that is gone on with in another one."""
INTERRUPTED = frozenset({LEFT, "abandoned"})
GAVE_UP = "gave up"
OUT_OF_TIME = "the time limit"


def folder_of(store: Store, study: Study) -> Path:
    return store.root / FOLDER / study.name


def begun_plan(store: Store, study: Study) -> Plan | None:
    """The plan as it was recorded when the study began, None before that.

    Raises `BadData` where the study was changed after it had begun.
    """
    path = folder_of(store, study) / PLAN
    if not path.is_file():
        return None
    plan = codec.decode_record(path.read_bytes(), Plan, SCHEMA_VERSION, str(path))
    if plan.hash != study.hash:
        raise BadData(
            f"The study {study.name} was changed after it had begun{_changes(path.parent, study)}",
            "what was done under other conditions is another study: change back, or give it another name",
        )
    return plan


def settled_plan(store: Store, study: Study, benchmark: Benchmark, *, keep: bool = False) -> Plan:
    """The plan of a study that has begun; before that, the one it would begin with.

    Args:
        keep: record it now, with the study.

    Raises `BadData` where the study was changed after it had begun.
    """
    begun = begun_plan(store, study)
    if begun is not None:
        return begun
    plan = make_plan(study, benchmark)
    if keep:
        path = folder_of(store, study) / PLAN
        with writing(store.root, f"the study {study.name}"):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(store.root, path.parent / CONDITIONS, [codec.encode(study)])
            write_file(store.root, path, [codec.encode(plan)])
    return plan


def _changes(folder: Path, study: Study) -> str:
    """Which keys differ from those it began with."""
    try:
        before = codec.decode((folder / CONDITIONS).read_bytes(), Study)
    except (OSError, msgspec.DecodeError):
        return ""
    names = [name for name in study.__struct_fields__ if getattr(study, name) != getattr(before, name)]
    return f": {', '.join(names)}" if names else ""


def progress_of(store: Store, study: Study, plan: Plan, annotator: str) -> Progress:
    """How far somebody has come, while they may be at work. Raises `UsageError`, `BadData`."""
    require_annotator(study, annotator)
    entries, problems = read_log(folder_of(store, study) / f"{annotator}{ENDING}")
    return progress(annotator, plan.assigned[annotator], entries, problems)


def require_annotator(study: Study, annotator: str) -> None:
    if annotator not in study.annotators:
        raise UsageError(
            f'The study {study.name} has no annotator "{annotator}"', suggestion(annotator, study.annotators)
        )


class Desk:
    """Keeps everything an annotator does; the screen tells it, and asks it what comes next.

    Use as a context manager; while it is open nobody else can work under the same name.

    Attributes:
        run: of the store, in which all of the annotator's episodes are.
    """

    def __init__(self, store: Store, study: Study, benchmark: Benchmark, annotator: str) -> None:
        require_annotator(study, annotator)
        self.study = study
        self.annotator = annotator
        self.plan = settled_plan(store, study, benchmark, keep=True)
        self._store = store
        path = folder_of(store, study) / f"{annotator}{ENDING}"
        self._log = SessionLog(store.root, path)
        self._entries, problems = read_log(path)
        self._problems = tuple(problems)
        self.run = self._run()

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_error: object) -> None:
        self._log.close()

    @property
    def progress(self) -> Progress:
        return progress(self.annotator, self.plan.assigned[self.annotator], self._entries, self._problems)

    def begin(self, task: str) -> str:
        """Start a task, or go on with it; the episode to be resumed, "" where there is nothing to repeat."""
        work = self.progress.of(task)
        self._keep("begun", task, work.seconds)
        record = self._header(work)
        return record.episode if record is not None else ""

    def opened(self, task: str, seconds: float, episode: str) -> None:
        """The engine has begun an episode for the task."""
        self._keep("episode", task, seconds, episode=episode)

    def tick(self, task: str, seconds: float) -> None:
        """How far the clock is, so that no more than what passed since is lost with the process."""
        self._keep("clock", task, seconds)

    def pause(self, task: str, seconds: float) -> None:
        self._keep("paused", task, seconds)

    def go_on(self, task: str, seconds: float) -> None:
        self._keep("went on", task, seconds)

    def leave(self, task: str, seconds: float) -> None:
        """Leave the session; the task stays open."""
        self._keep("left", task, seconds)

    def end(self, task: str, seconds: float, header: EpisodeHeader) -> None:
        """The task's episode has ended, and not because somebody left."""
        entry = ended_entry(task, seconds, header)
        self._entries.append(self._log.append(msgspec.structs.replace(entry, run=self.run)))

    def answer(
        self, task: str, difficulty: int | None, confidence: int | None = None, remark: str = ""
    ) -> None:
        """Keep the answers so far, None for a question that is still open; the task waits for the others."""
        self._answered("answered", task, difficulty, confidence, remark)

    def rate(self, task: str, difficulty: int, confidence: int, remark: str = "") -> None:
        """The questions about a task are answered: it is done with."""
        self._answered("rated", task, difficulty, confidence, remark)

    def _answered(
        self, what: Happening, task: str, difficulty: int | None, confidence: int | None, remark: str
    ) -> None:
        entry = Entry(
            what=what,
            task=task,
            seconds=self.progress.of(task).seconds,
            difficulty=difficulty,
            confidence=confidence,
            remark=remark,
        )
        self._entries.append(self._log.append(entry))

    def settle(self) -> None:
        """Take over from the record that a task had ended when the process was killed."""
        for work in self.progress.works:
            header = self._header(work) if work.stage == "open" else None
            if header is not None and has_ended(header):
                self.end(work.task, work.seconds, header)

    def _header(self, work: Work) -> EpisodeHeader | None:
        """Of the latest episode that was recorded for a task."""
        for run, episode in reversed(work.episodes):
            try:
                return read_header(self._store.root / run / episode)
            except BadData:
                continue
        return None

    def _keep(self, what: Happening, task: str, seconds: float, *, episode: str = "") -> None:
        entry = Entry(what=what, task=task, seconds=seconds, run=self.run, episode=episode)
        self._entries.append(self._log.append(entry))

    def _run(self) -> str:
        """The run that earlier sessions used, else a new one."""
        for entry in self._entries:
            if entry.run and (self._store.root / entry.run).is_dir():
                return entry.run
        tasks = self.plan.assigned[self.annotator]
        return self._store.start_run(
            benchmark=self.study.benchmark,
            agent="human",
            planned=len(tasks),
            task_ids=tasks,
            settings={
                "study": self.study.name,
                "study_hash": self.plan.hash,
                "annotator": self.annotator,
            },
        )


def has_ended(header: EpisodeHeader) -> bool:
    """Whether a task's episode came to its end: nobody left it, and nothing broke off."""
    score = header.score
    if not header.ended or header.end_reason in INTERRUPTED or score is None:
        return False
    unscored = score.status in (Status.NOT_SCORED, Status.ERROR)
    return not (unscored and score.reason == header.end_reason)


def ended_entry(task: str, seconds: float, header: EpisodeHeader) -> Entry:
    reason = header.end_reason
    outcome: Outcome = "other"
    if reason.startswith(GAVE_UP):
        outcome, reason = "gave up", reason.removeprefix(GAVE_UP).removeprefix(": ")
    elif reason.startswith(OUT_OF_TIME):
        outcome = "time limit"
    elif reason.startswith("step limit"):
        outcome = "step limit"
    elif header.score is not None:
        outcome = "submitted"
    return Entry(
        what="ended", task=task, seconds=seconds, episode=header.episode, outcome=outcome, reason=reason
    )
