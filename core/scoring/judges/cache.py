"""Replies on disk, so that scoring again asks nobody and gives the same result."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import msgspec

from webbench.core.judge import Reply


class ReplyCache:
    """One file per reply, named by the digest of what was asked. A damaged file is as good as none.

    Args:
        folder: made when the first reply is kept; a folder that can't be written keeps nothing.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> Reply | None:
        try:
            return msgspec.json.decode(self._path(key).read_bytes(), type=Reply)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None

    def put(self, key: str, reply: Reply) -> None:
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
                file.write(msgspec.json.encode(reply))
            os.replace(file.name, path)  # noqa: PTH105  (atomic within the folder)
        except OSError:
            return

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"
