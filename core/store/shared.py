"""A store that several machines share: any address that fsspec knows, such as `s3://bucket/runs`.

Episodes are recorded on the machine that plays them, and copied here when they have ended: what they rest on
first, their header last. An episode is there when its header is, so nobody reads half of one. Nothing here
is ever deleted; a run's log only grows.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol, cast

from webbench.core.errors import BadData, EnvironmentDown, UsageError
from webbench.core.store.records.names import file_name, is_name
from webbench.core.store.records.recorder import FILES, HEADER
from webbench.core.store.records.temporary import TEMPORARY
from webbench.core.text.addresses import without_secrets

AT_ONCE = frozenset({"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "memory"})
"""Protocols by which a file appears whole or not at all."""
LARGEST = 1 << 30
"""Bytes of a file that is taken from there."""


class FileSystem(Protocol):
    """What is used of fsspec's."""

    protocol: str | tuple[str, ...]

    def exists(self, path: str) -> bool: ...

    def makedirs(self, path: str, exist_ok: bool = False) -> None: ...

    def pipe_file(self, path: str, value: bytes) -> None: ...

    def put_file(self, lpath: str, rpath: str) -> None: ...

    def mv(self, path1: str, path2: str) -> None: ...

    def cat_file(self, path: str) -> bytes: ...

    def size(self, path: str) -> int | None: ...

    def ls(self, path: str, detail: bool = True, **options: object) -> list[dict[str, object]]: ...


class SharedStore:
    """Files at an address; every call may raise `EnvironmentDown` where it can't be reached.

    Raises `UsageError` for an address that fsspec doesn't know, or whose package isn't installed.
    """

    def __init__(self, url: str) -> None:
        import fsspec

        self.url = without_secrets(url)
        try:
            found, root = fsspec.core.url_to_fs(url)
        except (ValueError, ImportError) as error:
            raise UsageError(
                f"{self.url} is no address of a shared store: {error}",
                "file://, s3:// (s3fs), gs:// (gcsfs), sftp:// ...; some need a package beside fsspec",
            ) from error
        self._files = cast("FileSystem", found)
        self._root = str(root).rstrip("/")
        protocols = found.protocol if isinstance(found.protocol, tuple) else (found.protocol,)
        self._at_once = bool(AT_ONCE & set(protocols))

    # -- putting -------------------------------------------------------------------------------

    def reach(self) -> None:
        """See that files can be put there, by an empty one that no reader heeds."""
        with self._reaching(lambda: False):
            folder = f"{self._root}/{TEMPORARY}"
            self._files.makedirs(folder, exist_ok=True)
            self._files.pipe_file(f"{folder}/reached", b"")

    def put(self, source: Path, place: str) -> None:
        """Copy a file to a place below the root; a reader sees the old one or the whole new one.

        Raises `FileNotFoundError` where the source is gone.
        """
        with self._reaching(lambda: not source.is_file()):
            path = f"{self._root}/{place}"
            self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
            if self._at_once:
                self._files.put_file(str(source), path)
                return
            made = f"{self._root}/{TEMPORARY}/{secrets.token_hex(8)}"
            self._files.makedirs(f"{self._root}/{TEMPORARY}", exist_ok=True)
            self._files.put_file(str(source), made)
            self._files.mv(made, path)

    def has(self, place: str) -> bool:
        with self._reaching():
            return self._files.exists(f"{self._root}/{place}")

    # -- taking --------------------------------------------------------------------------------

    def take(self, place: str) -> bytes | None:
        """A file's content, None where there is none. Raises `BadData` for one that is far too large."""
        with self._reaching():
            try:
                size = self._files.size(f"{self._root}/{place}")
                if size is not None and size > LARGEST:
                    raise BadData(f"{self.url}/{place} has {size:,} bytes", f"at most {LARGEST:,} are read")
                return self._files.cat_file(f"{self._root}/{place}")
            except FileNotFoundError:
                return None

    def runs(self) -> list[str]:
        """Names of the runs that are there, oldest first."""
        return self._folders("")

    def episodes(self, run: str) -> list[str]:
        """Names of a run's episodes that have a header."""
        return [name for name in self._folders(run) if self.has(f"{run}/{name}/{HEADER}")]

    def kept_files(self, run: str, episode: str) -> list[str]:
        """Names of the files kept with an episode, such as downloads."""
        return [name for name in self._names(f"{run}/{episode}/{FILES}") if file_name(name) == name]

    def blobs(self, name: str) -> list[str]:
        """Names of the files that hold a blob, in whatever encoding."""
        return [one for one in self._names(f"blobs/{name[:2]}") if one.startswith(f"{name}.")]

    def _folders(self, place: str) -> list[str]:
        return sorted(name for name in self._names(place, kind="directory") if is_name(name))

    def _names(self, place: str, kind: str = "file") -> list[str]:
        with self._reaching():
            try:
                found = self._files.ls(f"{self._root}/{place}".rstrip("/"), detail=True, refresh=True)
            except FileNotFoundError:
                return []
        paths = [str(one["name"]).rstrip("/") for one in found if one.get("type") == kind]
        return [path.rpartition("/")[2] for path in paths]

    @contextlib.contextmanager
    def _reaching(self, may_be_missing: Callable[[], bool] = lambda: True) -> Iterator[None]:
        try:
            yield
        except BadData:
            raise
        except Exception as error:
            if isinstance(error, FileNotFoundError) and may_be_missing():
                raise
            raise EnvironmentDown(
                f"the shared store {self.url} can't be reached: {type(error).__name__}: {error}",
                "check the address and its credentials; what is recorded here is safe",
            ) from error
