"""Runs and episodes from here to a shared store, and from there to here; what both have is left alone."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec

from webbench.core.errors import BadData, UsageError
from webbench.core.runner.lease import works_here
from webbench.core.runner.plan.plan import FILE as PLAN
from webbench.core.runner.run_log import FILE as LOG
from webbench.core.scoring.judges.kept_replies import FILE as REPLIES
from webbench.core.store.bin import Bin, deleted_runs
from webbench.core.store.records import reader
from webbench.core.store.records.durable_files import create_folder, write_file, writing
from webbench.core.store.records.later_scores import FILE as LATER_SCORES
from webbench.core.store.records.line_files import append_beside, lines_besides
from webbench.core.store.records.names import checked
from webbench.core.store.records.reader import RUN
from webbench.core.store.records.recorder import FILES, HEADER, STEPS
from webbench.core.store.run_notes import FILE as NOTES
from webbench.core.store.run_notes import (
    RunNotes,
    change_notes,
    merged_notes,
    newest_notes,
    notes_bytes,
    take_notes,
)
from webbench.core.store.shared import SharedStore
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, Trajectory

BLOBS = ("observation", "screenshot", "html")
BESIDE = (REPLIES, LATER_SCORES)
RENAMED = 3
"""How often a blob is looked for anew: a picture may be given a smaller encoding while it is copied."""


class Copied(msgspec.Struct, frozen=True, kw_only=True):
    """What was copied.

    Attributes:
        left_out: why, of each episode that wasn't.
        deleted: runs that were deleted here or elsewhere, and so weren't fetched.
        deleted_elsewhere: runs that are here still.
    """

    runs: int = 0
    episodes: int = 0
    left_out: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    deleted_elsewhere: tuple[str, ...] = ()


# -- from here to there ----------------------------------------------------------------------------


def push(store: Store, shared: SharedStore, runs: tuple[str, ...] = ()) -> Copied:
    """Copy runs (all, if none is named) that are not there yet, or have grown, with what is said of them.

    An episode that is still being recorded is left for another time. A run that was deleted here stays there,
    marked as deleted. Raises `UsageError` for an unknown run,
    `EnvironmentDown`.
    """
    episodes, left_out = 0, list[str]()
    names = runs or tuple(sorted(store.run_names()))
    for run in names:
        for one in store.episodes(checked(run, "run")):
            try:
                episodes += push_episode(store, shared, run, one.episode)
            except BadData as error:
                left_out.append(f"{run}/{one.episode}: {error.message}")
        try:
            push_run(store, shared, run)
        except BadData as error:
            left_out.append(f"what is said of {run}: {error.message}")
    if not runs:
        there = deleted_runs(store.root) & set(shared.runs())
        for run in sorted(there - set(names)):
            _push_notes(store, shared, run, Bin(store).last_words(run))
    return Copied(runs=len(names), episodes=episodes, left_out=tuple(left_out))


def push_run(store: Store, shared: SharedStore, run: str) -> None:
    """What the run set out to do, what became of it so far, and what people say of it.

    A log that is longer there stays. Raises `BadData` where what is said can't be read.
    """
    folder = store.root / run
    for name in (RUN, PLAN):
        if (folder / name).is_file() and not shared.has(f"{run}/{name}"):
            shared.put(folder / name, f"{run}/{name}")
    log = folder / LOG
    if log.is_file() and log.stat().st_size > len(shared.take(f"{run}/{LOG}") or b""):
        shared.put(log, f"{run}/{LOG}")
    if said := notes_bytes(folder):
        _push_notes(store, shared, run, said)


def _push_notes(store: Store, shared: SharedStore, run: str, said: bytes) -> None:
    place = f"{run}/{NOTES}"
    there = shared.take(place) or b""
    merged = merged_notes(there, said, f"{NOTES} of {run}")
    if merged != there:
        with store.temporary_folder("notes") as folder:
            (folder / NOTES).write_bytes(merged)
            shared.put(folder / NOTES, place)


def push_episode(store: Store, shared: SharedStore, run: str, episode: str) -> bool:
    """Copy an episode: what it rests on, its steps, its header. False where it is there, or is recorded now.

    What judges said of it since is copied in any case. Raises `BadData` where something of it can't be read
    here, `EnvironmentDown`.
    """
    folder = store.root / run / episode
    place = f"{run}/{episode}"
    if reader.is_being_written(folder):
        return False
    if shared.take(f"{place}/{HEADER}") == _bytes(folder / HEADER):
        _push_lines_beside(store, shared, folder, place)
        return False
    trajectory = store.load(folder)
    for name in sorted(_blob_names(trajectory)):
        _push_blob(store, shared, name)
    for path in store.files(folder):
        shared.put(path, f"{place}/{FILES}/{path.name}")
    for name in (STEPS, HEADER):
        shared.put(folder / name, f"{place}/{name}")
    _push_lines_beside(store, shared, folder, place)
    return True


def _push_lines_beside(store: Store, shared: SharedStore, folder: Path, place: str) -> None:
    """What judges said of an episode, and scores that it was given later, behind what is there."""
    for name in BESIDE:
        if not (folder / name).is_file():
            continue
        there = shared.take(f"{place}/{name}") or b""
        if more := lines_besides(there, _bytes(folder / name), f"{name} of {place}"):
            with store.temporary_folder("beside") as temporary:
                (temporary / name).write_bytes(there + more)
                shared.put(temporary / name, f"{place}/{name}")


def _pull_lines_beside(store: Store, shared: SharedStore, folder: Path, place: str) -> None:
    """What judges said of an episode elsewhere, and scores that it was given there, behind what is here."""
    for name in BESIDE:
        there = shared.take(f"{place}/{name}") or b""
        here = _bytes(folder / name) if (folder / name).is_file() else b""
        if more := lines_besides(here, there, f"{name} of {place} in {shared.url}"):
            append_beside(store.root, folder / name, more, name)


def _push_blob(store: Store, shared: SharedStore, name: str) -> None:
    for attempt in range(RENAMED):
        try:
            for path in store.blobs.files_of(name):
                place = f"blobs/{path.parent.name}/{path.name}"
                if not shared.has(place):
                    shared.put(path, place)
            return
        except FileNotFoundError as error:
            if attempt == RENAMED - 1:
                raise BadData(f"blob {name[:12]}… is missing from {store.root}") from error


# -- from there to here ----------------------------------------------------------------------------


def pull(store: Store, shared: SharedStore, runs: tuple[str, ...] = ()) -> Copied:
    """Copy runs (all, if none is named) with their episodes that aren't here yet, or hadn't ended here.

    What was deleted, here or elsewhere, comes back only where it is named. Raises `UsageError` for a run that
    isn't there, `EnvironmentDown`, `StoreUnwritable`.
    """
    there = shared.runs()
    if missing := [run for run in runs if run not in there]:
        raise UsageError(f"there is no run {missing[0]} in {shared.url}", f"it has {len(there)} runs")
    episodes, left_out, deleted = 0, list[str](), list[str]()
    gone, here = deleted_runs(store.root), store.run_names()
    elsewhere = [run for run in runs or there if _deleted_there(shared, run)]
    for run in runs or there:
        if not runs and (run in gone or run in elsewhere) and run not in here:
            deleted.append(run)
            continue
        if run not in here:
            Bin(store).bring_back(run)
        try:
            pull_run(store, shared, run)
        except BadData as error:
            left_out.append(f"what is said of {run}: {error.message}")
        if runs and run in elsewhere:
            change_notes(store.root, run, _not_deleted, store.redaction)
        for episode in shared.episodes(run):
            try:
                episodes += pull_episode(store, shared, run, episode)
            except BadData as error:
                left_out.append(f"{run}/{episode}: {error.message}")
    return Copied(
        runs=len(runs or there) - len(deleted),
        episodes=episodes,
        left_out=tuple(left_out),
        deleted=tuple(deleted),
        deleted_elsewhere=tuple(run for run in elsewhere if run in here and not runs),
    )


def _deleted_there(shared: SharedStore, run: str) -> bool:
    with contextlib.suppress(BadData):
        said = shared.take(f"{run}/{NOTES}") or b""
        return bool(newest_notes(said, Path(NOTES)).binned)
    return False


def _not_deleted(notes: RunNotes) -> RunNotes:
    return msgspec.structs.replace(notes, binned="")


def pull_run(store: Store, shared: SharedStore, run: str) -> None:
    """The run's own files, and what is said of it; a log that is longer here, or is being written, stays.

    Raises `BadData` where what is said can't be read.
    """
    folder = store.root / checked(run, "run")
    found = {name: shared.take(f"{run}/{name}") for name in (RUN, PLAN, LOG)}
    files = {name: data for name, data in found.items() if data is not None}
    if not folder.is_dir():
        with writing(store.root, "the run"):
            create_folder(store.root, folder, files)
    log, here = files.get(LOG, b""), folder / LOG
    if not works_here(folder) and len(log) > (here.stat().st_size if here.is_file() else 0):
        with writing(store.root, "the run's log"):
            write_file(store.root, here, [log])
    take_notes(store.root, run, shared.take(f"{run}/{NOTES}") or b"", f"{NOTES} of {run} in {shared.url}")


def pull_episode(store: Store, shared: SharedStore, run: str, episode: str) -> bool:
    """Copy an episode, blobs first. False where it has ended here, is recorded here, or isn't there.

    What judges said of it is copied also where it has ended here.

    Raises `BadData` for a record that can't be read, or lacks something there.
    """
    folder = store.root / run / checked(episode, "episode")
    if reader.is_being_written(folder):
        return False
    if _has_ended(folder):
        _pull_lines_beside(store, shared, folder, f"{run}/{episode}")
        return False
    header = shared.take(f"{run}/{episode}/{HEADER}")
    if header is None:
        return False
    steps = shared.take(f"{run}/{episode}/{STEPS}") or b""
    # Claimed, so that nobody frees the space of blobs which are here before their episode is.
    with store.temporary_folder("pulled"), writing(store.root, "the episode"):
        for name in sorted(_blob_names(reader.parse_trajectory(folder, header, steps))):
            _pull_blob(store, shared, name)
        if not folder.is_dir():
            create_folder(store.root, folder, {STEPS: steps, HEADER: header})
        else:
            write_file(store.root, folder / STEPS, [steps])
            write_file(store.root, folder / HEADER, [header])
        for name in shared.kept_files(run, episode):
            data = shared.take(f"{run}/{episode}/{FILES}/{name}")
            if data is not None:
                write_file(store.root, folder / FILES / name, [data])
    _pull_lines_beside(store, shared, folder, f"{run}/{episode}")
    return True


def _pull_blob(store: Store, shared: SharedStore, name: str) -> None:
    """With what it rests on."""
    wanted = name
    while wanted and not store.blobs.has(wanted):
        files = shared.blobs(wanted)
        if not files:
            raise BadData(f"blob {wanted[:12]}… is missing from {shared.url}")
        data = shared.take(f"blobs/{wanted[:2]}/{files[0]}")
        if data is None:
            raise BadData(f"blob {wanted[:12]}… is missing from {shared.url}")
        wanted = store.blobs.adopt(files[0], data)


def _has_ended(folder: Path) -> bool:
    try:
        return bool(reader.read_header(folder).ended)
    except BadData:
        return False


def _blob_names(trajectory: Trajectory) -> set[str]:
    return {name for step in trajectory.steps for name in _names_of(step) if name}


def _names_of(step: Step) -> tuple[str, ...]:
    return tuple(getattr(step, kind) for kind in BLOBS)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadData(f"{path} can't be read: {error.strerror or error}") from error
