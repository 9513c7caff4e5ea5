"""Reads what a recorder wrote, also where the writer was killed or the disk lost something."""

from __future__ import annotations

import fcntl
from pathlib import Path

import msgspec

from webbench.core.errors import BadData
from webbench.core.store.records import codec
from webbench.core.store.records.later_scores import with_later_score
from webbench.core.store.records.line_files import read_lines
from webbench.core.store.records.recorder import HEADER, STEPS
from webbench.core.trajectory import (
    MIXED,
    SCHEMA_VERSION,
    EpisodeHeader,
    RunHeader,
    Step,
    Trajectory,
    told_by_steps,
)

RUN = "run.json"


def read_run(folder: Path) -> RunHeader:
    """A run's header. Raises `BadData`."""
    path = folder / RUN
    return codec.decode_record(_bytes(path), RunHeader, SCHEMA_VERSION, str(path))


def read_header(folder: Path) -> EpisodeHeader:
    """An episode's header; where it ended without a score, with the later one. Raises `BadData`."""
    return _header(folder)[0]


def _header(folder: Path) -> tuple[EpisodeHeader, list[str]]:
    """The header, and what could not be read of later scores."""
    path = folder / HEADER
    header = codec.decode_record(_bytes(path), EpisodeHeader, SCHEMA_VERSION, str(path))
    return with_later_score(folder, header)


def read_header_as_acted(folder: Path) -> EpisodeHeader:
    """The same, naming all who acted; the steps are read where it can't tell. Raises `BadData`."""
    header = read_header(folder)
    if header.actors or (header.ended and header.actor != MIXED):
        return header
    try:
        return read_trajectory(folder).header
    except BadData:
        return header


def read_trajectory(folder: Path) -> Trajectory:
    """An episode with every step that can be read.

    A torn last line, a broken line in the middle, missing steps and later scores that can't be read are told
    in `problems`. Raises `BadData` for an unreadable header and for steps written by a newer release.
    """
    header, problems = _header(folder)
    try:
        data = _bytes(folder / STEPS)
    except BadData as error:
        return Trajectory(header=header, problems=(error.message, *problems))
    found = _with_steps(header, folder / STEPS, data)
    return msgspec.structs.replace(found, problems=(*found.problems, *problems))


def parse_trajectory(folder: Path, header: bytes, steps: bytes) -> Trajectory:
    """The same from the content of the two files; `folder` names them in what is told."""
    decoded = codec.decode_record(header, EpisodeHeader, SCHEMA_VERSION, str(folder / HEADER))
    return _with_steps(decoded, folder / STEPS, steps)


def _with_steps(header: EpisodeHeader, path: Path, data: bytes) -> Trajectory:
    steps, problems = read_lines(data, path, _step, "the step")
    if withheld := header.step_scores:
        steps = [msgspec.structs.replace(one, score=one.score or withheld.get(one.index)) for one in steps]
    problems.extend(_gaps(steps))
    if header.ended and len(steps) < header.steps:
        problems.append(f"{path} holds {len(steps)} of the {header.steps} steps that were recorded")
    return Trajectory(header=told_by_steps(header, steps), steps=tuple(steps), problems=tuple(problems))


def is_being_written(folder: Path) -> bool:
    """Whether a live recorder on this machine holds the episode."""
    try:
        with (folder / STEPS).open("rb") as file:
            return is_locked(file.fileno())
    except OSError:
        return False


def is_locked(descriptor: int) -> bool:
    """Whether a live process holds the file; the lock of a killed one is gone."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    return False


def _step(line: bytes, where: str) -> Step:
    return codec.decode_record(line, Step, SCHEMA_VERSION, where)


def _gaps(steps: list[Step]) -> list[str]:
    """Step numbers that are missing or come twice."""
    problems = []
    expected = 0
    for step in steps:
        if step.index > expected:
            missing = (
                f"step {expected}" if step.index == expected + 1 else f"steps {expected}-{step.index - 1}"
            )
            problems.append(
                f"{missing} is not in the record"
                if "-" not in missing
                else f"{missing} are not in the record"
            )
        elif step.index < expected:
            problems.append(f"step {step.index} is in the record twice")
        expected = max(expected, step.index + 1)
    return problems


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise BadData(f"{path} is missing") from error
    except OSError as error:
        raise BadData(f"{path} can't be read: {error.strerror or error}") from error
