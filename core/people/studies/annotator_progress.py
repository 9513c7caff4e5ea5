"""An annotator's progress in a study, read from the log of their sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from webbench.core.people.studies.session_log import Entry, Outcome, last_of

Stage = Literal["to do", "open", "to rate", "done"]


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """An annotator's work on one task.

    Attributes:
        stage: "open" while it is being worked on, "to rate" when it has ended and the questions about it are
            still to be answered.
        seconds: worked on it so far, pauses left out.
        episodes: (run, episode) in which it is recorded, the last one is complete: it repeats the others.
        difficulty, confidence, remark: the answers so far; they are final once the stage is "done".
        paused: whether the clock stood still when the log ends.
    """

    task: str
    stage: Stage = "to do"
    seconds: float = 0.0
    episodes: tuple[tuple[str, str], ...] = ()
    paused: bool = False
    interruptions: int = 0
    outcome: Outcome | None = None
    reason: str = ""
    difficulty: int | None = None
    confidence: int | None = None
    remark: str = ""

    @property
    def record(self) -> tuple[str, str] | None:
        """(run, episode) that tells all of it, None before anything was opened."""
        return self.episodes[-1] if self.episodes else None


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """All work of one annotator, in the order of their tasks."""

    annotator: str
    works: tuple[Work, ...]
    problems: tuple[str, ...] = ()

    @property
    def done(self) -> int:
        return sum(work.stage == "done" for work in self.works)

    @property
    def next(self) -> Work | None:
        """What to go on with: something begun before anything new; None when all is done."""
        begun = [work for work in self.works if work.stage in ("open", "to rate")]
        waiting = [work for work in self.works if work.stage == "to do"]
        return next(iter((*begun, *waiting)), None)

    def of(self, task: str) -> Work:
        """Raises `KeyError` for a task that isn't theirs."""
        for work in self.works:
            if work.task == task:
                return work
        raise KeyError(task)


def progress(
    annotator: str, tasks: Sequence[str], entries: Sequence[Entry], problems: Sequence[str] = ()
) -> Progress:
    """Entries of other tasks are left out."""
    by_task: dict[str, list[Entry]] = {task: [] for task in tasks}
    for entry in entries:
        if entry.task in by_task:
            by_task[entry.task].append(entry)
    works = tuple(_work(task, told) for task, told in by_task.items())
    return Progress(annotator=annotator, works=works, problems=tuple(problems))


def _work(task: str, entries: Sequence[Entry]) -> Work:
    if not entries:
        return Work(task=task)
    ended, rated = last_of(entries, "ended"), last_of(entries, "rated")
    answers = rated or last_of(entries, "answered")
    stage: Stage = "done" if rated else "to rate" if ended else "open"
    opened = dict.fromkeys((one.run, one.episode) for one in entries if one.what == "episode")
    return Work(
        task=task,
        stage=stage,
        seconds=ended.seconds if ended else max(entry.seconds for entry in entries),
        episodes=tuple(opened),
        paused=next((one.what == "paused" for one in reversed(entries) if one.what in _MOVES), False),
        interruptions=max(0, sum(one.what == "begun" for one in entries) - 1),
        outcome=ended.outcome if ended else None,
        reason=ended.reason if ended else "",
        difficulty=answers.difficulty if answers else None,
        confidence=answers.confidence if answers else None,
        remark=answers.remark if answers else "",
    )


_MOVES = ("paused", "went on", "begun")
