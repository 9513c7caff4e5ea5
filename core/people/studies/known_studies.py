"""The known studies of a store: those whose file lies there, those that were begun; with their progress."""

from __future__ import annotations

from pathlib import Path

import msgspec

from webbench.core.errors import BadData, UsageError, WebbenchError
from webbench.core.people.studies.annotator_progress import Progress
from webbench.core.people.studies.desk import CONDITIONS, FOLDER, begun_plan, progress_of
from webbench.core.people.studies.study import Study, read_study
from webbench.core.store.records import codec
from webbench.core.store.records.names import is_name
from webbench.core.store.store import Store
from webbench.core.text.nearest import suggestion

ENDING = ".toml"


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One annotator's part of a study.

    Attributes:
        tasks: None before the study has begun: they are dealt then.
        done: tasks that are done with; `begun` are being worked on, or wait for their questions.
        seconds: worked on all of them, pauses left out.
        episodes: (run, episode) of each task that is recorded.
    """

    annotator: str
    tasks: int | None = None
    done: int = 0
    begun: int = 0
    seconds: float = 0.0
    episodes: tuple[tuple[str, str], ...] = ()


class KnownStudy(msgspec.Struct, frozen=True, kw_only=True):
    """A study with how far each of its people is.

    Attributes:
        begun: somebody has worked on it: its conditions are fixed.
        problem: why nothing can be told of it, or what of its records could not be read.
    """

    name: str
    title: str = ""
    benchmark: str = ""
    begun: bool = False
    parts: tuple[Part, ...] = ()
    problem: str = ""

    @property
    def complete(self) -> bool:
        return self.begun and all(part.done == part.tasks for part in self.parts)

    @property
    def episodes(self) -> tuple[tuple[str, str], ...]:
        """All that is recorded of it."""
        return tuple(episode for part in self.parts for episode in part.episodes)


def study_file(store: Store, name: str) -> Path:
    """Where the file of a study is that is known by its name."""
    return store.root / FOLDER / f"{name}{ENDING}"


def known_studies(store: Store) -> tuple[KnownStudy, ...]:
    """All of them, by name."""
    return tuple(_known(store, name) for name in study_names(store))


def study_names(store: Store) -> list[str]:
    folder = store.root / FOLDER
    written = {path.stem for path in folder.glob(f"*{ENDING}")}
    begun = {path.parent.name for path in folder.glob(f"*/{CONDITIONS}")}
    return sorted(written | begun)


def find_study(store: Store, given: Path) -> Study:
    """A study by its file, or by the name under which the store knows it. Raises `UsageError`, `BadData`."""
    name = str(given)
    if given.is_file() or not is_name(name):
        return read_study(given)
    known = study_names(store)
    if name not in known:
        raise UsageError(
            f'There is no study "{name[:60]}", and no such file',
            suggestion(name, known) if known else "`webbench-tui baseline new` makes one",
        )
    return _kept(store, name)


def _kept(store: Store, name: str) -> Study:
    """Of its file; without one the conditions under which it was begun."""
    file = study_file(store, name)
    if file.is_file():
        return read_study(file)
    path = store.root / FOLDER / name / CONDITIONS
    try:
        return codec.decode(path.read_bytes(), Study)
    except (OSError, msgspec.DecodeError) as error:
        raise BadData(f"{path} can't be read: {error}") from error


def _known(store: Store, name: str) -> KnownStudy:
    told = KnownStudy(name=name)
    try:
        study = _kept(store, name)
        told = KnownStudy(
            name=name,
            title=study.title,
            benchmark=study.benchmark,
            parts=tuple(Part(annotator=who) for who in study.annotators),
        )
        plan = begun_plan(store, study)
        if plan is None:
            return told
        found = [progress_of(store, study, plan, who) for who in study.annotators]
    except WebbenchError as error:
        return msgspec.structs.replace(told, problem=str(error))
    problems = [problem for one in found for problem in one.problems]
    return msgspec.structs.replace(
        told, begun=True, parts=tuple(map(_part, found)), problem="\n".join(problems)
    )


def _part(told: Progress) -> Part:
    return Part(
        annotator=told.annotator,
        tasks=len(told.works),
        done=told.done,
        begun=sum(work.stage in ("open", "to rate") for work in told.works),
        seconds=sum(work.seconds for work in told.works),
        episodes=tuple(work.record for work in told.works if work.record is not None),
    )
