"""Writes one episode: append-only, on disk before the caller is told."""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from webbench.core.action.action import Press
from webbench.core.errors import UsageError
from webbench.core.observation import Observation, Screenshot
from webbench.core.score.score import Score
from webbench.core.store.records import codec
from webbench.core.store.records.blobs import BlobStore, Stored
from webbench.core.store.records.bulk_writing import Workbench
from webbench.core.store.records.durable_files import sync_folder, write_all, write_file, writing
from webbench.core.store.records.names import file_name
from webbench.core.store.secrets import passwords
from webbench.core.store.secrets.redaction import MARKER, Redaction
from webbench.core.trajectory import EpisodeHeader, Step

HEADER = "episode.json"
STEPS = "steps.jsonl"
FILES = "files"
_CHUNK = 1 << 20


class Recorder:
    """The one writer of an episode's folder, which it holds locked; safe for several threads.

    Args:
        root: the store.
        folder: the episode's folder, with its header and an empty list of steps in it.
        place: where the folder belongs, if not there yet: it is moved there when the episode is finished.
        header: what the header file says, redacted.
        archive: told the name of each PNG kept, to re-encode it when there is time.
        workbench: where files are prepared without a sync by whoever copies many episodes, whose pictures
            stay as they came; None = a step is on disk when `write` returns.
    """

    def __init__(
        self,
        root: Path,
        folder: Path,
        header: EpisodeHeader,
        redaction: Redaction,
        archive: Callable[[str], None],
        *,
        place: Path | None = None,
        workbench: Workbench | None = None,
    ) -> None:
        self.folder = folder
        self._place = place or folder
        self.header = header
        self._root = root
        self._workbench = workbench
        self._blobs = BlobStore(root, workbench=workbench)
        self._redaction = redaction
        self._archive = archive
        self._lock = threading.RLock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="recorder")
        self._before = Observation()
        self._typed = ""
        self._scores: dict[int, Score] = {}
        self._last: dict[str, Stored] = {}
        self._steps = 0
        with writing(root, "the episode"):
            self._file = os.open(folder / STEPS, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        with contextlib.suppress(OSError):  # some network file systems have no locks
            fcntl.flock(self._file, fcntl.LOCK_EX)

    def redact(self, secrets: Iterable[str]) -> None:
        """Replace these texts in everything written from now on."""
        with self._lock:
            self._redaction.learn(secrets)

    async def append(
        self,
        step: Step,
        *,
        observation: Observation | None = None,
        screenshot: Screenshot | None = None,
        html: str = "",
    ) -> Step:
        """`write`, off the event loop."""
        self._require_open()
        call = partial(self.write, step, observation=observation, screenshot=screenshot, html=html)
        import asyncio  # which commands that only read or label can do without

        return await asyncio.get_running_loop().run_in_executor(self._thread, call)

    async def keep_picture(self, screenshot: Screenshot) -> str:
        """Keep a picture ahead of the step that it belongs to; its name. Raises `StoreUnwritable`."""
        self._require_open()
        call = partial(self._blobs.put_picture, screenshot.data, screenshot.format)
        import asyncio  # see `append`

        return await asyncio.get_running_loop().run_in_executor(self._thread, call)

    def write(
        self,
        step: Step,
        *,
        observation: Observation | None = None,
        screenshot: Screenshot | None = None,
        html: str = "",
    ) -> Step:
        """Keep a step with what the actor sees after it.

        Returns the step as it was written: redacted, with the names of its blobs. It is on disk when
        this returns. Raises `StoreUnwritable`; then nothing of the step was kept and the same call
        may be repeated.
        """
        with self._lock:
            self._require_open()
            seen = observation
            step, observation, html = self._redacted(step, observation, html)
            names = self._write_blobs(observation, screenshot, html)
            step = msgspec.structs.replace(step, **names)
            self._write_line(codec.encode(self._without_score(step)) + b"\n")
            self._steps += 1
            self._before = seen or self._before
        if self._workbench is None and screenshot is not None and screenshot.format == "png":
            self._archive(step.screenshot)
        return step

    def _without_score(self, step: Step) -> Step:
        """As it is written while an agent's own code could read it: scores name the reference answers."""
        if not self.header.agent_reach or step.score is None:
            return step
        self._scores[step.index] = step.score
        return msgspec.structs.replace(step, score=None)

    def revise(self, **changes: Any) -> EpisodeHeader:
        """Replace fields of the header, e.g. versions that became known after the start."""
        with self._lock:
            revised = self._redaction.record(msgspec.structs.replace(self.header, **changes))
            with writing(self._root, "the episode's header"):
                data = [codec.encode(as_written(revised))]
                write_file(self._root, self.folder / HEADER, data, workbench=self._workbench)
                os.utime(self.folder.parent)
            self.header = revised
            return revised

    def finish(self, score: Score | None, reason: str, *, ended: str = "") -> EpisodeHeader:
        """Write the end into the header and let go of the episode; a second call changes nothing.

        Args:
            ended: when that was (ISO 8601, UTC); empty for now.
        """
        with self._lock:
            if self._file < 0:
                return self.header
            ended = ended or datetime.now(UTC).isoformat(timespec="milliseconds")
            self.revise(
                ended=ended, end_reason=reason, score=score, steps=self._steps, step_scores=self._scores
            )
            self.close()
            self._appear()
            return self.header

    def _appear(self) -> None:
        if self.folder != self._place:
            with writing(self._root, "the episode"):
                self.folder.rename(self._place)
            self.folder = self._place

    def close(self) -> None:
        """Let go of the episode without an end, as an interrupted one; idempotent."""
        with self._lock:
            if self._file >= 0:
                os.close(self._file)
                self._file = -1
        self._thread.shutdown(wait=False)

    def keep_file(self, path: Path) -> str:
        """Copy a download into the episode, known secrets replaced; its path within the episode.

        Raises `UsageError` where there is no such file, `StoreUnwritable` where it can't be kept.
        """
        if not path.is_file():
            raise UsageError(f"there is no file {path} to keep with the episode")
        return self._keep(path.name, _chunks(path, self._redaction.secret_bytes()))

    def keep_data(self, name: str, data: bytes) -> str:
        """Keep a file that came with an episode, known secrets replaced; its path within the episode.

        Raises `StoreUnwritable`.
        """
        return self._keep(name, [_replaced(data, self._redaction.secret_bytes())])

    def _keep(self, name: str, chunks: Iterable[bytes]) -> str:
        with self._lock, writing(self._root, f"the file {name}"):
            folder = self.folder / FILES
            folder.mkdir(exist_ok=True)
            kept = _free(folder, file_name(name))
            write_file(self._root, kept, chunks, workbench=self._workbench)
            if self._workbench is None:
                sync_folder(self.folder)
        return f"{FILES}/{kept.name}"

    def _require_open(self) -> None:
        if self._file < 0:
            raise UsageError(f"the episode {self.header.episode} has ended; nothing can be added to it")

    def _redacted(
        self, step: Step, observation: Observation | None, html: str
    ) -> tuple[Step, Observation | None, str]:
        typed = passwords.typed_secret(step, self._before)
        self._typed = self._typed + typed if typed and isinstance(step.action, Press) else typed
        self._learn({self._typed, *passwords.secrets_in_html(html)})
        if observation is not None:
            self._learn(passwords.shown_secrets(observation))
            observation = self._redaction.record(passwords.without_values(observation))
        html = self._redaction.text(passwords.without_html_values(html))
        step = msgspec.structs.replace(step, output=passwords.without_html_values(step.output))
        step = self._redaction.record(step)
        return passwords.conceal(step) if typed else step, observation, html

    def _learn(self, secrets: set[str]) -> None:
        """But what the task itself tells is none: its own words would be blotted out."""
        told = self.header.task.intent
        self._redaction.learn(secret for secret in secrets if not passwords.is_told(secret, told))

    def _write_blobs(
        self, observation: Observation | None, screenshot: Screenshot | None, html: str
    ) -> dict[str, Any]:
        names: dict[str, Any] = {}
        if observation is not None:
            names["observation"] = self._write_text("observation", codec.encode(observation))
        if html:
            names["html"] = self._write_text("html", html.encode("utf-8", "surrogatepass"))
        if screenshot is not None:
            names["screenshot"] = self._blobs.put_picture(screenshot.data, screenshot.format)
            names["screenshot_scale"] = screenshot.scale
            names["screenshot_full_page"] = screenshot.full_page
            names["screenshot_origin"] = screenshot.origin
        return names

    def _write_text(self, kind: str, data: bytes) -> str:
        stored = self._blobs.put(data, self._last.get(kind))
        self._last[kind] = stored
        return stored.name

    def _write_line(self, line: bytes) -> None:
        """Append and sync; what a failure left of the line is cut off again."""
        size = os.fstat(self._file).st_size
        with writing(self._root, "the step"):
            try:
                write_all(self._file, line)
                if self._workbench is None:
                    os.fsync(self._file)
            except OSError:
                os.ftruncate(self._file, size)
                raise


def as_written(header: EpisodeHeader) -> EpisodeHeader:
    """Without the reference answers as long as the episode goes on; whoever needs them has the task's id."""
    if header.ended or not header.task.gold:
        return header
    task = msgspec.structs.replace(header.task, gold={})
    return msgspec.structs.replace(header, task=task, gold_withheld=True)


def _free(folder: Path, name: str) -> Path:
    """A path in the folder that nothing has yet: "name.pdf", "name (2).pdf" ..."""
    path, number = folder / name, 1
    while path.exists():
        number += 1
        path = folder / f"{Path(name).stem} ({number}){Path(name).suffix}"
    return path


def _chunks(path: Path, secrets: tuple[bytes, ...]) -> Iterator[bytes]:
    """The file's bytes with secrets replaced, also where one lies across two reads."""
    overlap = max((len(secret) for secret in secrets), default=1) - 1
    rest = b""
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            rest += chunk
            rest = _replaced(rest, secrets)
            ready = max(0, len(rest) - overlap)
            yield rest[:ready]
            rest = rest[ready:]
    yield rest


def _replaced(data: bytes, secrets: tuple[bytes, ...]) -> bytes:
    for secret in secrets:
        data = data.replace(secret, MARKER.encode())
    return data
