"""What the library remembers between sittings: lists of tasks as they were shown last, and where one was."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

import msgspec

from webbench.core.engine.kept_catalogue import KeptCatalogue, source_key
from webbench.core.engine.wire.catalogue_messages import TasksListed

FILE = "place.json"


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A benchmark and a task of it, and the split that was shown."""

    benchmark: str = ""
    task: str = ""
    split: str = ""


START = Place(benchmark="demo", task="camp-mugs")
"""Where to begin who was never here: it works offline, and the docs go through it."""


class Remembered:
    """Reads and writes files; call it from a thread.

    Args:
        folder: where they lie; None to remember nothing, and to begin like anybody who was here before.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._lists = KeptCatalogue(folder / "lists") if folder is not None else None
        self._keys: dict[tuple[str, str], str] = {}
        """Of what is being read, as its files were before."""

    def place(self) -> Place | None:
        """Where one was last; None where one never was."""
        if self._folder is None:
            return Place()
        try:
            return msgspec.json.decode((self._folder / FILE).read_bytes(), type=Place)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return Place()

    def leave(self, place: Place) -> None:
        """Come back here the next time."""
        if self._folder is None or not place.benchmark:
            return
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
                file.write(msgspec.json.encode(place))
            Path(file.name).replace(self._folder / FILE)

    def about_to_read(self, name: str, data: str) -> TasksListed | None:
        """The list that was kept of the same files, to be shown until they are read."""
        if self._lists is None:
            return None
        key = self._keys[name, data] = source_key(name, data)
        return self._lists.get(name, key)

    def was_read(self, listed: TasksListed, data: str) -> None:
        """Keep what was read, with the key of the files as they were before that."""
        key = self._keys.get((listed.benchmark, data), "")
        if self._lists is not None and key:
            self._lists.put(key, listed)
