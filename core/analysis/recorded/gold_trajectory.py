"""Gold trajectories: a person's episode that is kept as the reference of its task (AssistantBench, figure 2).

Which episodes they are stands in `<store>/gold-trajectories.jsonl`, a line for each time that somebody said
so, only ever appended to; the record itself is never changed. They are shown to readers of ended episodes,
never to an actor.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from webbench.core.errors import BadData, UsageError
from webbench.core.labels.label import pseudonym
from webbench.core.score.score import Status
from webbench.core.store.records.kept_lines import KeptLines
from webbench.core.store.store import Store
from webbench.core.trajectory import HUMAN, IMPORTED, Trajectory, now

FILE = "gold-trajectories.jsonl"
SCHEMA_VERSION = 1


class GoldTrajectory(msgspec.Struct, frozen=True, kw_only=True):
    """An episode that somebody named as its task's reference.

    Attributes:
        benchmark, task: what it solves, the task's id.
        run, episode: where it is recorded.
        by: who named it; `at` when (UTC, ISO 8601).
        origin: how it came about: "recorded here", or the format that it was imported from.
        score: that it had, None where it has none.
        withdrawn: it is the reference no longer.
    """

    benchmark: str
    task: str
    run: str
    episode: str
    by: str
    at: str
    note: str = ""
    origin: str = ""
    score: float | None = None
    withdrawn: bool = False
    schema_version: int = SCHEMA_VERSION

    @property
    def name(self) -> str:
        return f"{self.run}/{self.episode}"


class GoldTrajectories:
    """Those of one store; the last that was named for a task holds."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lines = KeptLines(
            store.root,
            FILE,
            GoldTrajectory,
            SCHEMA_VERSION,
            what="the list of gold trajectories",
            line="the gold trajectory",
        )

    def all(self) -> dict[tuple[str, str], GoldTrajectory]:
        """By benchmark and task. Raises `BadData` where the list can't be opened."""
        found: dict[tuple[str, str], GoldTrajectory] = {}
        for one in self._lines.entries()[0]:
            key = one.benchmark, one.task
            if not one.withdrawn:
                found[key] = one
            elif key in found and found[key].name == one.name:
                del found[key]
        return found

    def of(self, benchmark: str, task: str) -> GoldTrajectory | None:
        """The task's, None where it has none, or its record is gone. Raises `BadData`."""
        found = self.all().get((benchmark, task))
        return found if found is not None and self.is_here(found) else None

    def told_of(self, benchmark: str, task: str) -> tuple[GoldTrajectory | None, str]:
        """As `of`, with why the list can't be read: what else is recorded is read all the same."""
        try:
            return self.of(benchmark, task), ""
        except BadData as error:
            return None, str(error)

    def folder(self, gold: GoldTrajectory) -> Path:
        """Where it is recorded; see `is_here`."""
        return self._store.root / gold.run / gold.episode

    def is_here(self, gold: GoldTrajectory) -> bool:
        """Whether its record is there, and in this store: the list may be somebody else's."""
        folder = self.folder(gold).resolve()
        return folder.is_dir() and folder.parent.parent == self._store.root.resolve()

    @property
    def problems(self) -> list[str]:
        """A sentence for each line that can't be read."""
        return self._lines.entries()[1]

    def name_gold(self, trajectory: Trajectory, by: str, note: str = "") -> GoldTrajectory:
        """Keep the episode as its task's. Raises `UsageError` for one that can't be, `StoreUnwritable`."""
        header = trajectory.header
        if faults := list(_faults(trajectory)):
            raise UsageError(f"{header.episode} can't be a gold trajectory: {faults[0]}", "name another one")
        task = header.task
        source = header.settings.get(IMPORTED) if isinstance(header.settings, dict) else None
        named = GoldTrajectory(
            benchmark=task.benchmark,
            task=task.id,
            run=header.run,
            episode=header.episode,
            by=pseudonym(by),
            at=now(),
            note=note.strip(),
            origin=str(source.get("format", "imported")) if isinstance(source, dict) else "recorded here",
            score=header.score.value if header.score is not None else None,
        )
        self._lines.add([named])
        return named

    def withdraw(self, trajectory: Trajectory, by: str, note: str = "") -> GoldTrajectory:
        """Take it back. Raises `UsageError` where the episode isn't its task's, `StoreUnwritable`."""
        task, header = trajectory.header.task, trajectory.header
        known = self.all().get((task.benchmark, task.id))
        if known is None or known.episode != header.episode or known.run != header.run:
            raise UsageError(f"{header.episode} is not the gold trajectory of its task", "")
        taken = msgspec.structs.replace(known, by=pseudonym(by), at=now(), note=note.strip(), withdrawn=True)
        self._lines.add([taken])
        return taken


def _faults(trajectory: Trajectory) -> Iterator[str]:
    """Why it can't be anybody's reference."""
    header = trajectory.header
    acted = {step.actor for step in trajectory.steps if step.acted}
    if header.actor != HUMAN or acted - {HUMAN, "operator"}:
        yield f"{header.actor} acted in it, and a person's alone is one"
    if not header.ended:
        yield "it goes on, or has no end"
    if header.score is not None and header.score.status is Status.SCORED and header.score.value != 1:
        yield f"it does not solve its task: {header.score.headline()}"


def gold_words(gold: GoldTrajectory | None) -> Iterator[tuple[str, str]]:
    """Label and text of the line that tells of it."""
    if gold is not None:
        yield "gold trajectory", f"{gold.name}, named by {gold.by}" + (f": {gold.note}" if gold.note else "")
