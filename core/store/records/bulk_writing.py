"""Bulk writing, files made by the thousand: prepared in one locked folder, renamed into place, not synced.

Whoever copies many episodes in syncs once at the end. As with other files, a reader sees a whole file or
none, and what a killed process leaves is swept.
"""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterable
from pathlib import Path

from webbench.core.store.records.temporary import claimed_folder


class Workbench:
    """The folder, from the first file on until `close`; safe for several threads.

    Args:
        root: the store.
    """

    def __init__(self, root: Path) -> None:
        self._stack = contextlib.ExitStack()
        self._folder = self._stack.enter_context(claimed_folder(root, "many"))
        self._numbers = itertools.count()

    def write(self, path: str, chunks: Iterable[bytes]) -> None:
        """Create or replace a file. Raises `OSError`; then the old one is as it was."""
        prepared = self._next()
        _create(prepared, chunks)
        try:
            os.replace(prepared, path)  # noqa: PTH105 - in a text; taking paths apart costs more
        except FileNotFoundError:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(prepared).replace(path)

    def prepare_folder(self, files: dict[str, bytes]) -> Path:
        """A folder that holds `files`, to be filled and renamed to where it belongs. Raises `OSError`."""
        prepared = Path(self._next())
        prepared.mkdir()
        for name, data in files.items():
            _create(f"{prepared}/{name}", [data])
        return prepared

    def close(self) -> None:
        """Remove the folder and what is unfinished in it; idempotent."""
        self._stack.close()

    def _next(self) -> str:
        return f"{self._folder}/{next(self._numbers)}"


def _create(path: str, chunks: Iterable[bytes]) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        for chunk in chunks:
            view = memoryview(chunk)
            while view:
                view = view[os.write(descriptor, view) :]
    finally:
        os.close(descriptor)
