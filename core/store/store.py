"""The store: all runs and episodes below one folder."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import msgspec

from webbench.core.errors import BadData, UsageError
from webbench.core.json_types import JsonObject
from webbench.core.observation import Observation, Screenshot
from webbench.core.store.changed_sites import ChangedSites
from webbench.core.store.index.filters import SUSPECT, EpisodeFilter
from webbench.core.store.index.index import Index, Standing
from webbench.core.store.index.summaries import EpisodeSummary, RunSummary, with_progress
from webbench.core.store.index.suspects import suspicion_of
from webbench.core.store.records import codec, pictures, reader
from webbench.core.store.records.blobs import BlobStore
from webbench.core.store.records.bulk_writing import Workbench
from webbench.core.store.records.durable_files import StoreUnwritable, create_folder, write_file, writing
from webbench.core.store.records.names import checked, episode_names, is_name, run_names
from webbench.core.store.records.recorder import FILES, HEADER, STEPS, Recorder, as_written
from webbench.core.store.records.temporary import claimed_folder, sweep_temporary
from webbench.core.store.secrets.redaction import Redaction
from webbench.core.trajectory import EpisodeHeader, RunHeader, Step, Trajectory, now

Record = TypeVar("Record")
GIVING_WAY = 15
"""Niceness of what has time: on Linux a thread has one of its own."""


class Store:
    """Records and reads trajectories; several processes may use one store at the same time.

    Nothing is created before something is written, so a read-only store can be read.

    Args:
        root: the store's folder.
        redaction: patterns and known secrets that no record may hold.
    """

    def __init__(self, root: Path, redaction: Redaction | None = None) -> None:
        self.root = root
        self.blobs = BlobStore(root)
        self.changed_sites = ChangedSites(root)
        self.redaction = redaction or Redaction()
        self._index = Index(root)
        self._lock = threading.Lock()
        self._archivist: ThreadPoolExecutor | None = None
        self._workbench: Workbench | None = None
        self._swept = False

    # -- writing ---------------------------------------------------------------------------------

    def start_run(
        self,
        benchmark: str,
        agent: str,
        planned: int,
        task_ids: Sequence[str] = (),
        settings: JsonObject | None = None,
        beside: Mapping[str, bytes] | None = None,
    ) -> str:
        """Begin a run; its name, which is also its folder. Raises `StoreUnwritable`.

        Args:
            beside: further files that its folder holds from the first moment on, by name.
        """
        header = RunHeader(
            run="",
            benchmark=benchmark,
            agent=agent,
            planned=planned,
            started=now(),
            task_ids=tuple(task_ids),
            settings=settings or {},
        )
        header = self.redaction.record(header)
        self.sweep()
        with writing(self.root, "the run"):
            for name in run_names(header.benchmark, header.agent):
                own = codec.encode(msgspec.structs.replace(header, run=name))
                files = {**(beside or {}), reader.RUN: own}
                with contextlib.suppress(FileExistsError):
                    create_folder(self.root, self.root / name, files)
                    return name
        raise StoreUnwritable(f"no free name for a run in {self.root}", "try again", "failed")

    def redacted(self, record: Record) -> Record:
        """The record without what may never be written, for files that lie beside a run's own."""
        return self.redaction.record(record)

    def extend_run(self, run: str, task_id: str) -> None:
        """One more episode planned for a run that grows as a person goes on; one process may do so.

        Raises `BadData` for a run whose header can't be read, `StoreUnwritable`.
        """
        header = reader.read_run(self.root / checked(run, "run"))
        self._replace_run(
            msgspec.structs.replace(header, planned=header.planned + 1, task_ids=(*header.task_ids, task_id)),
            run,
        )

    def plan_run(self, run: str, planned: int) -> None:
        """Say how many episodes a run has, where that is only known at its end.

        Raises `BadData` for a run whose header can't be read, `StoreUnwritable`.
        """
        header = reader.read_run(self.root / checked(run, "run"))
        self._replace_run(msgspec.structs.replace(header, planned=planned), run)

    def _replace_run(self, header: RunHeader, run: str) -> None:
        with writing(self.root, "the run"):
            path = self.root / run / reader.RUN
            write_file(self.root, path, [codec.encode(self.redaction.record(header))])

    def recorder(self, run: str, header: EpisodeHeader, *, durable: bool = True) -> Recorder:
        """Begin an episode of a run; `header.run` and `header.episode` are filled in here.

        Args:
            durable: every step is on disk when it is written; without, the episode appears in its run when
                it is finished, whoever copies many in syncs at the end, and one that doesn't tell when it
                began says nothing of it.

        Raises `UsageError` for an unknown run, `StoreUnwritable` where nothing can be written.
        """
        folder = self.root / checked(run, "run")
        if not folder.is_dir():
            raise UsageError(f"there is no run {run} in {self.root}", "start it first")
        redaction = self.redaction.copy()
        started = header.started or (now() if durable else "")
        header = redaction.record(msgspec.structs.replace(header, run=run, started=started))
        with writing(self.root, "the episode"):
            workbench = None if durable else self._many()
            for name in episode_names(header.order, header.task.id):
                header = msgspec.structs.replace(header, episode=name)
                files = {HEADER: codec.encode(as_written(header)), STEPS: b""}
                with contextlib.suppress(FileExistsError):
                    made = self._new_episode(folder / name, files, workbench)
                    return Recorder(
                        self.root,
                        made,
                        header,
                        redaction,
                        self._archive,
                        place=folder / name,
                        workbench=workbench,
                    )
        raise StoreUnwritable(f"no free name for an episode in {folder}", "try again", "failed")

    def _new_episode(self, place: Path, files: dict[str, bytes], workbench: Workbench | None) -> Path:
        """The folder that an episode is written in. Raises `FileExistsError` where `place` is taken."""
        if workbench is None:
            create_folder(self.root, place, files)
            return place
        if place.exists():
            raise FileExistsError
        return workbench.prepare_folder(files)

    @contextlib.contextmanager
    def temporary_folder(self, name: str) -> Iterator[Path]:
        """A folder in the store that is removed at the end; what a killed process left is swept later."""
        with contextlib.ExitStack() as stack:
            with writing(self.root, f"the folder of {name}"):
                folder = stack.enter_context(claimed_folder(self.root, name))
            yield folder

    def close(self, *, drain: bool = True) -> None:
        """Let background work end; with `drain=False` pictures that still wait stay PNG. Idempotent."""
        with self._lock:
            archivist, self._archivist = self._archivist, None
            workbench, self._workbench = self._workbench, None
        if workbench is not None:
            workbench.close()
        if archivist is not None:
            archivist.shutdown(wait=True, cancel_futures=not drain)

    # -- reading ---------------------------------------------------------------------------------

    def runs(self) -> list[RunSummary]:
        """All runs, newest first; one that can't be read says so in `problem`."""
        return self._index.runs()

    def run_names(self) -> set[str]:
        """Names of the folders that runs have, without a look into them."""
        try:
            entries = list(os.scandir(self.root))
        except OSError:
            return set()
        return {one.name for one in entries if is_name(one.name) and one.is_dir(follow_symlinks=False)}

    def episodes(self, run: str = "") -> list[EpisodeSummary]:
        """The episodes of a run in order of execution, or of all runs. Raises `UsageError`."""
        if run and not (self.root / checked(run, "run")).is_dir():
            raise UsageError(f"there is no run {run} in {self.root}", "`webbench-tui runs` lists them")
        return self._with_progress(self._index.episodes(run))

    def select(self, wanted: EpisodeFilter) -> list[EpisodeSummary]:
        """The episodes of all runs that a filter lets through, by run and order of execution."""
        found = self._with_progress(self._index.select(wanted))
        return self._suspects(found) if wanted.status == SUSPECT else found

    def names_of(self, wanted: EpisodeFilter) -> set[tuple[str, str]]:
        """(run, episode) of the same, quicker where a filter lets many through."""
        if wanted.status == SUSPECT:
            return {(one.run, one.episode) for one in self.select(wanted)}
        return self._index.names_of(wanted)

    def summaries(self, places: Iterable[tuple[str, str]]) -> list[EpisodeSummary]:
        """Of these (run, episode), in the same order; those that aren't there are left out."""
        return self._with_progress(self._index.summaries(places))

    def standing(self) -> Standing:
        """What a cache beside the index can tell by that it is up to date with the folders."""
        return self._index.standing()

    def stamps(self, run: str) -> dict[str, tuple[int, int]]:
        """Time and size of the header of each episode of a run."""
        return self._index.stamps(run)

    def resumed(self) -> set[str]:
        """Names of the episodes that another one has repeated to their end and goes on from."""
        return self._index.resumed()

    def reindex(self) -> bool:
        """Build the index anew from the folders; whether its file could be written."""
        return self._index.rebuild()

    def attempts(self, benchmark: str) -> list[EpisodeSummary]:
        """What is recorded of a benchmark, scores and all, without a look at what is still running."""
        return self._index.attempts(benchmark)

    def find(self, text: str) -> Path:
        """The folder of an episode: its name, the beginning of it, "run/episode", or a path.

        Raises `UsageError` where none, or more than one, answers to it.
        """
        path = Path(text).expanduser()
        if path.is_absolute() or text.startswith("."):
            return self._inside(path)
        run, _, name = text.rstrip("/").rpartition("/")
        checked(name, "episode")
        if run:
            checked(run, "run")
        found = self._index.names(name, run)
        exact = [match for match in found if match[1] == name]
        if len(exact or found) == 1:
            return self.root.joinpath(*(exact or found)[0])
        if not found:
            raise UsageError(
                f"there is no episode {text} in {self.root}", "`webbench-tui runs` lists what there is"
            )
        several = ", ".join("/".join(match) for match in found[:5])
        raise UsageError(f"{len(found)} episodes are called {text}…: {several}", "give more of the name")

    def load(self, episode: str | Path) -> Trajectory:
        """An episode with every step that can be read; what could not is told in `problems`.

        Raises `UsageError` for an unknown one, `BadData` for one that can't be read at all.
        """
        return reader.read_trajectory(self._folder(episode))

    def header(self, run: str, episode: str) -> EpisodeHeader:
        """An episode's header alone. Raises `BadData`."""
        return reader.read_header_as_acted(self.root / run / episode)

    def observation(self, trajectory: Trajectory, step: Step) -> Observation:
        """What the actor saw after the step, `Observation()` where none was recorded.

        Raises `BadData` where it is missing or damaged.
        """
        if not step.observation:
            return Observation()
        with _of_step("the observation", trajectory, step):
            data = self.blobs.get(step.observation)
            try:
                return codec.decode(data, Observation)
            except msgspec.DecodeError as error:
                raise BadData(f"blob {step.observation[:12]}… is no observation: {error}") from error

    def screenshot(self, trajectory: Trajectory, step: Step) -> Screenshot | None:
        """The picture recorded with the step, None where there is none. Raises `BadData`."""
        if not step.screenshot:
            return None
        with _of_step("the screenshot", trajectory, step):
            data, encoding = self.blobs.get_picture(step.screenshot)
            return pictures.screenshot(
                data, encoding, step.screenshot_scale, step.screenshot_full_page, step.screenshot_origin
            )

    def html(self, trajectory: Trajectory, step: Step) -> str:
        """The page's HTML recorded with the step, or "". Raises `BadData`."""
        if not step.html:
            return ""
        with _of_step("the HTML", trajectory, step):
            return self.blobs.get(step.html).decode("utf-8", "surrogatepass")

    def files(self, episode: str | Path) -> list[Path]:
        """Files kept with the episode, such as downloads."""
        folder = self._folder(episode) / FILES
        return sorted(folder.iterdir()) if folder.is_dir() else []

    def file(self, path: Path) -> bytes:
        """One of these files. Raises `BadData`."""
        try:
            return path.read_bytes()
        except OSError as error:
            raise BadData(f"{path} can't be read: {error.strerror or error}") from error

    def check(self, episode: str | Path) -> list[str]:
        """Everything that can't be read back of an episode: lines and blobs."""
        trajectory = self.load(episode)
        problems = list(trajectory.problems)
        for step in trajectory.steps:
            for kind in ("observation", "screenshot", "html"):
                name = getattr(step, kind)
                trouble = self.blobs.check(name) if name else ""
                if trouble:
                    problems.append(f"step {step.index}, {kind}: {trouble}")
        return problems

    def _with_progress(self, found: list[EpisodeSummary]) -> list[EpisodeSummary]:
        """The summaries, with what the steps of those without an end tell."""
        return [
            with_progress(summary, self.root / summary.run / summary.episode)
            if summary.state == "interrupted"
            else summary
            for summary in found
        ]

    def _suspects(self, found: list[EpisodeSummary]) -> list[EpisodeSummary]:
        """Those whose score is of a page that was not there, and those whose steps can't be read."""
        told = []
        for summary in found:
            try:
                why = suspicion_of(self.root / summary.run / summary.episode)
            except BadData as error:
                told.append(msgspec.structs.replace(summary, problem=error.message))
                continue
            if why:
                told.append(msgspec.structs.replace(summary, suspicion=why, reason=why))
        return told

    def _folder(self, episode: str | Path) -> Path:
        return self._inside(episode) if isinstance(episode, Path) else self.find(episode)

    def _inside(self, path: Path) -> Path:
        """An episode's folder given as a path, which must lie in this store."""
        folder, root = path.resolve(), self.root.resolve()
        if folder.parent.parent != root or not (folder / HEADER).is_file():
            raise UsageError(f"{path} is no episode of the store {self.root}", "or choose it with --store")
        return folder

    def _archive(self, name: str) -> None:
        """Re-encode a PNG when there is time; failing that it stays as it is."""
        with self._lock:
            if self._archivist is None:
                self._archivist = ThreadPoolExecutor(1, thread_name_prefix="archivist", initializer=_give_way)
            self._archivist.submit(_archive_quietly, self.blobs, name)

    def _many(self) -> Workbench:
        """Where the files of episodes that are copied in are prepared."""
        with self._lock:
            if self._workbench is None:
                self.sweep()
                self._workbench = Workbench(self.root)
            return self._workbench

    def sweep(self) -> None:
        """Remove what killed processes left unfinished; only the first call looks."""
        if not self._swept:
            self._swept = True
            sweep_temporary(self.root)


@contextlib.contextmanager
def _of_step(what: str, trajectory: Trajectory, step: Step) -> Iterator[None]:
    try:
        yield
    except BadData as error:
        raise BadData(
            f"{what} of step {step.index} of {trajectory.header.episode} can't be read: {error.message}",
            error.hint,
        ) from error


def _give_way() -> None:
    """Let this thread work only when nothing else does: browsers of episodes go before pictures."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), GIVING_WAY)


def _archive_quietly(blobs: BlobStore, name: str) -> None:
    with contextlib.suppress(BadData, StoreUnwritable):
        pictures.archive(blobs, name)
