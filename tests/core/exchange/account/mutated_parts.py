"""What of a file is mutated: a file, a member of a zip, or rows of a Parquet file as JSON lines."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any, Protocol

import pyarrow
import pyarrow.parquet


class Part(Protocol):
    """Bytes that a mutation changes, and the file that holds them."""

    file: Path

    def read(self) -> bytes: ...

    def write(self, changed: bytes) -> bool:
        """Put changed bytes in their place; False where the file can hold no such thing."""
        ...


class WholeFile:
    """The file as it is."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def read(self) -> bytes:
        return self.file.read_bytes()

    def write(self, changed: bytes) -> bool:
        self.file.write_bytes(changed)
        return True


class Member:
    """A member of a zip, by the beginning of its name; the others stay as they are."""

    def __init__(self, file: Path, beginning: str) -> None:
        self.file = file
        with zipfile.ZipFile(file) as archive:
            self._members = {name: archive.read(name) for name in archive.namelist()}
        self._name = next(name for name in self._members if name.startswith(beginning))

    def read(self) -> bytes:
        return self._members[self._name]

    def write(self, changed: bytes) -> bool:
        with zipfile.ZipFile(self.file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in self._members.items():
                archive.writestr(name, changed if name == self._name else data)
        return True


class Rows:
    """Rows of a Parquet file as JSON lines; columns that hold JSON as text are JSON there. Pictures stay."""

    JSON = ("record", "seen")

    def __init__(self, file: Path) -> None:
        self.file = file
        self._table = pyarrow.parquet.read_table(file)
        rows = self._table.to_pylist()
        self._pictures = {str(number): row.pop("screenshot", None) for number, row in enumerate(rows)}
        self._lines = [
            json.dumps({**row, **{name: json.loads(row[name]) for name in self.JSON if row.get(name)}})
            for row in rows
        ]

    def read(self) -> bytes:
        return "\n".join(self._lines).encode()

    def write(self, changed: bytes) -> bool:
        try:
            rows = [json.loads(line) for line in changed.decode().splitlines()]
            whole = [self._row(row, self._pictures.get(str(at))) for at, row in enumerate(rows)]
            table = pyarrow.Table.from_pylist(whole, schema=self._table.schema)
        except (ValueError, TypeError, OverflowError, pyarrow.ArrowException):
            return False
        pyarrow.parquet.write_table(table, self.file)
        return True

    def _row(self, row: Any, picture: Any) -> dict[str, Any]:
        texts = {name: json.dumps(row[name]) for name in self.JSON if row.get(name)}
        shown = {"screenshot": picture} if "screenshot" in self._table.schema.names else {}
        return {**row, **texts, **shown}
