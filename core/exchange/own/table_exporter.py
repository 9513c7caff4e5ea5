"""The exporter of tables: a folder with `episodes`, `steps`, `checks` and `labels` as Parquet or CSV.

The columns are the fields of the types in `flat_rows`. In CSV (UTF-8, RFC 4180) a text that begins with
`=`, `+`, `-`, `@`, a tab or a line break gets an apostrophe in front, because spreadsheets take it for a
formula; Parquet holds every text as it is. Nothing is an empty cell, true and false are written so.
"""

from __future__ import annotations

import csv
import json
import sys
import types
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, get_args, get_type_hints

import msgspec

from webbench.core.exchange.account.given import Places
from webbench.core.exchange.account.kinds import kind_of_figure
from webbench.core.exchange.export_format import Source
from webbench.core.exchange.own.flat_rows import (
    CheckRow,
    EpisodeRow,
    LabelRow,
    Row,
    StepRow,
    check_rows,
    episode_row,
    label_rows,
    step_rows,
)
from webbench.core.exchange.own.jsonl import tell_of_hidden
from webbench.core.labels.label import Label
from webbench.core.labels.ledger import Book, ledger_of
from webbench.core.labels.visibility import open_labels
from webbench.core.score.score import Status
from webbench.core.text.plain_text import without_surrogates
from webbench.core.trajectory import Trajectory

if TYPE_CHECKING:
    import pyarrow as pa

ROWS: dict[str, type[Row]] = {
    "episodes": EpisodeRow,
    "steps": StepRow,
    "checks": CheckRow,
    "labels": LabelRow,
}
ROWS_AT_A_TIME = 5_000
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


class _Table(Protocol):
    """One table being written."""

    def add(self, rows: Sequence[Row]) -> None: ...
    def close(self) -> None: ...


class _Tables:
    """Writes every table, episode by episode.

    Attributes:
        table: makes the file of a table.
    """

    name: str
    title: str
    ending = ""
    several = True
    lacks = "pages, pictures, model input and output, page messages and evidence"
    places = Places(
        no_place={
            "trees": "only the name of the store's blob",
            "html": "only the name of the store's blob",
            "pictures": "only the name of the store's blob",
            "prompts": "no column for model input",
            "replies": "no column for model output",
            "reasoning.calls": "no column for calls of models",
            "labels.disputes": "only what they make of the score",
            "labels.rulings": "only what they make of the score",
            "labels.memos": "no column for memos",
            "labels.done": "no column for who is through",
            "messages": "only how many there are",
            "exchanges": "no column for evidence",
            "files": "no column for files kept with an episode",
        },
    )
    table: type[_CsvTable] | type[_ParquetTable]

    def write(self, source: Source, path: Path) -> None:
        path.mkdir()
        with ExitStack() as open_tables:
            tables: dict[str, _Table] = {}
            for name, kind in ROWS.items():
                tables[name] = self.table(path / name, kind)
                open_tables.callback(tables[name].close)
            book = ledger_of(source.store).book()
            labels = open_labels(book)
            for trajectory in source.trajectories():
                header = trajectory.header
                tell_of_hidden(source, book, header, labels.get((header.run, header.episode), ()))
                for name, rows in _rows(trajectory, book, labels.get((header.run, header.episode), ())):
                    tables[name].add(rows)

    def count_written(self, path: Path) -> Mapping[str, int]:
        """By the rows of the tables."""
        found: Counter[str] = Counter()
        for name in ROWS:
            for row in self.table.rows(path / name):
                found.update(_parts(name, row))
        return +found


_SPANS = ("seconds_idle", "seconds_agent", "seconds_environment", "seconds_scoring")
_WRITTEN = {"at": "times.at", "reasoning": "reasoning.steps", "note": "notes"}


def _parts(table: str, row: Mapping[str, Any]) -> Iterator[str]:
    """The parts (`account/episode_parts.py`) that a row has."""
    if table == "episodes":
        yield "episodes"
        yield from (f"times.{name}" for name in ("started", "ended") if row[name])
        yield from ["scores.episode"] * (row["status"] == Status.SCORED.value)
    if table == "labels":
        yield "labels.codes"
    if table == "steps":
        yield from ["steps"] * (int(row["step"]) > 0)
        yield from ["actions"] * bool(row["verb"])
        yield from (part for name, part in _WRITTEN.items() if row[name])
        yield from ("times.spans" for name in _SPANS if float(row[name]) > 0)
        yield from ["scores.steps"] * (row["status"] == Status.SCORED.value)
        used = json.loads(row["usage"] or "{}")
        yield from (kind for name in used if (kind := kind_of_figure(name)) != "values")


class Csv(_Tables):
    name = "csv"
    title = "CSV tables of episodes, steps, checks and labels (a folder)"

    def __init__(self) -> None:
        self.table = _CsvTable


class Parquet(_Tables):
    name = "parquet"
    title = "Parquet tables of episodes, steps, checks and labels (a folder)"

    def __init__(self) -> None:
        self.table = _ParquetTable


def create_csv() -> Csv:
    """An entry point."""
    return Csv()


def create_parquet() -> Parquet:
    """An entry point."""
    return Parquet()


def neutralised(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _rows(trajectory: Trajectory, book: Book, labels: Sequence[Label]) -> Iterator[tuple[str, Sequence[Row]]]:
    yield "episodes", [episode_row(trajectory, book)]
    yield "steps", list(step_rows(trajectory))
    yield "checks", list(check_rows(trajectory))
    yield "labels", list(label_rows(labels))


def columns(kind: type[msgspec.Struct]) -> dict[str, type]:
    """Name and type of each column; that it may be empty is left out."""
    hints = get_type_hints(kind)
    return {name: _without_none(hints[name]) for name in kind.__struct_fields__}


def _without_none(hint: Any) -> type:
    if isinstance(hint, types.UnionType):
        hint = next(one for one in get_args(hint) if one is not types.NoneType)
    assert isinstance(hint, type)
    return hint


class _CsvTable:
    def __init__(self, path: Path, kind: type[Row]) -> None:
        self._file = path.with_suffix(".csv").open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file)
        self._writer.writerow(kind.__struct_fields__)

    @staticmethod
    def rows(path: Path) -> Iterator[Mapping[str, Any]]:
        """What a table holds; cells are texts."""
        csv.field_size_limit(sys.maxsize)
        with path.with_suffix(".csv").open(encoding="utf-8", newline="") as file:
            yield from csv.DictReader(file)

    def add(self, rows: Sequence[Row]) -> None:
        for row in rows:
            self._writer.writerow([_cell(value) for value in msgspec.structs.astuple(row)])

    def close(self) -> None:
        self._file.close()


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    return neutralised(str(without_surrogates(value))) if isinstance(value, str) else value


class _ParquetTable:
    """Rows are gathered until there are enough for a row group."""

    def __init__(self, path: Path, kind: type[Row]) -> None:
        import pyarrow.parquet

        self._schema = _schema(kind)
        self._writer = pyarrow.parquet.ParquetWriter(
            path.with_suffix(".parquet"), self._schema, compression="zstd"
        )
        self._waiting: list[dict[str, object]] = []

    @staticmethod
    def rows(path: Path) -> Iterator[Mapping[str, Any]]:
        """What a table holds."""
        import pyarrow.parquet

        with pyarrow.parquet.ParquetFile(path.with_suffix(".parquet")) as file:
            for batch in file.iter_batches(ROWS_AT_A_TIME):
                yield from batch.to_pylist()

    def add(self, rows: Sequence[Row]) -> None:
        for row in rows:
            values = zip(row.__struct_fields__, msgspec.structs.astuple(row), strict=True)
            self._waiting.append({name: without_surrogates(value) for name, value in values})
        if len(self._waiting) >= ROWS_AT_A_TIME:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        import pyarrow

        self._writer.write_table(pyarrow.Table.from_pylist(self._waiting, schema=self._schema))
        self._waiting = []


def _schema(kind: type[Row]) -> pa.Schema:
    import pyarrow

    arrow = {
        str: pyarrow.string(),
        int: pyarrow.int64(),
        float: pyarrow.float64(),
        bool: pyarrow.bool_(),
    }
    return pyarrow.schema([(name, arrow[column]) for name, column in columns(kind).items()])
