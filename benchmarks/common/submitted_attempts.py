"""Submitted attempts: one episode for each task, and an account of the tasks that have none.

Hosts take one attempt a task. Of several the first repetition counts, as it would for pass@1, and of its
attempts the last; whoever wants another one exports that alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from webbench.core.action.action import Stop
from webbench.core.benchmark.benchmark import Benchmark
from webbench.core.errors import BadData, UsageError
from webbench.core.exchange.account.given import Places
from webbench.core.exchange.account.kinds import KINDS
from webbench.core.exchange.export_format import Source
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Trajectory

NAMED = 5
"""Missing tasks that are named; `--json` counts them all."""
ONE_A_TASK = Places(
    partly=dict.fromkeys(KINDS, "the host takes one attempt a task, and of it only what it scores by")
)
"""What all submissions say of what they have of the records."""


class Attempts(Mapping[str, Trajectory]):
    """The attempts that are handed in, by the task's name; each is read when it is asked for.

    Args:
        headers: of the attempts; a host may have hundreds of tasks, whose records don't fit into memory.
    """

    def __init__(self, source: Source, headers: Mapping[str, EpisodeHeader]) -> None:
        self._source, self._headers = source, headers

    def __getitem__(self, task: str) -> Trajectory:
        """Raises as `Store.load`, and `KeyError`."""
        header = self._headers[task]
        return self._source.store.load(self._source.store.root / header.run / header.episode)

    def __contains__(self, task: object) -> bool:
        """Without reading the attempt, as a mapping would."""
        return task in self._headers

    def __iter__(self) -> Iterator[str]:
        return iter(self._headers)

    def __len__(self) -> int:
        return len(self._headers)


def one_a_task(source: Source, benchmark: str, unsent: Callable[[Task], str] = lambda _: "") -> Attempts:
    """The attempt at each task that is handed in; the others are counted as left out.

    Args:
        unsent: why a task is no part of a submission, "" where it is one.
    """
    found: dict[str, EpisodeHeader] = {}
    for trajectory in source.trajectories():
        header = trajectory.header
        if header.task.benchmark != benchmark:
            source.told.leave_out(f"an episode of {header.task.benchmark}, not of {benchmark}")
        elif why := unsent(header.task):
            source.told.leave_out(why)
        elif not header.ended:
            source.told.leave_out("an episode that has not ended")
        else:
            earlier = found.get(header.task.name)
            if earlier is not None:
                source.told.leave_out("another attempt at a task; the first repetition is handed in")
            if earlier is None or _rank(header) < _rank(earlier):
                found[header.task.name] = header
    return Attempts(source, found)


def _rank(header: EpisodeHeader) -> tuple[int, int, str]:
    return header.repeat, -header.attempt, header.started


def known_tasks(benchmark: Benchmark, split: str) -> Mapping[str, Task]:
    """The tasks of a split that are installed, by name, in their order; none where there are none."""
    try:
        return {task.name: task for task in benchmark.tasks(split)}
    except (BadData, UsageError):  # UsageError: no such split, as only bundled tasks are there
        return {}


def tell_missing(
    source: Source, done: Collection[str], wanted: Collection[str], of_all: int, of: str
) -> None:
    """Tell of the tasks without an episode as lost, and of episodes whose task the host may not know.

    Args:
        wanted: names of the tasks that are installed; of others only their number is known.
        of_all: how many tasks the host has.
        of: what they are called.
    """
    strange = [name for name in done if name not in wanted]
    if wanted and strange:
        source.told.lose(f"{len(strange):,} of the {of} handed in are not installed here: {_some(strange)}")
    missing = [name for name in wanted if name not in done]
    all_of_them = max(of_all, len(wanted))
    count = max(len(missing), all_of_them - len(done))
    if count <= 0:
        return
    told = f": {_some(missing)}" if missing else ""
    if unnamed := count - len(missing):
        told += f"; the names of {unnamed:,} aren't known, as their tasks are not installed"
    have = "has" if count == 1 else "have"
    source.told.lose(f"{count:,} of the {all_of_them:,} {of} {have} no episode{told}")


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def given_answer(trajectory: Trajectory) -> str | None:
    """The answer that the episode ended with, None where it ended without one."""
    for step in reversed(trajectory.steps):
        if isinstance(step.action, Stop) and step.ok:
            return step.action.answer
    return None
