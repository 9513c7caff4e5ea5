"""A data set for Hugging Face's `datasets`: a folder with Parquet files of episodes and steps, and a card.

`load_dataset(FOLDER)` gives the steps with their screenshots as pictures; the columns are those of the
tables that `parquet` writes, and the whole record as JSON beside them, so that `import` reads the
folder back.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from webbench.core.exchange.account.given import Places
from webbench.core.exchange.export_format import Source
from webbench.core.exchange.hugging_face.dataset_card import EXTRA_COLUMNS, LEFT_OUT, Contents, card
from webbench.core.exchange.own.carried_fields import for_others
from webbench.core.exchange.own.flat_rows import EpisodeRow, StepRow, episode_row, step_rows
from webbench.core.exchange.own.table_exporter import columns
from webbench.core.labels.ledger import ledger_of
from webbench.core.observation import Screenshot
from webbench.core.renderings.webarena import webarena_tree
from webbench.core.store.records import codec
from webbench.core.text.plain_text import without_surrogates
from webbench.core.trajectory import Trajectory

if TYPE_CHECKING:
    import pyarrow as pa

HUGGING_FACE = "huggingface"
TABLES: Mapping[str, type[EpisodeRow | StepRow]] = {"episodes": EpisodeRow, "steps": StepRow}
CARD = "README.md"
FEATURES = b"huggingface"
"""Under which name a Parquet file tells `datasets` what its columns are."""
LARGEST_SHARD = 400 * 1024 * 1024
"""Bytes of one file, about: what the Hub advises."""
LARGEST_GROUP = 32 * 1024 * 1024
"""Bytes that wait to be written as one row group."""
_VALUES = {str: "string", int: "int64", float: "float64", bool: "bool"}


class HuggingFaceExporter:
    name = HUGGING_FACE
    title = "a data set for Hugging Face's `datasets`: Parquet with pictures, and a card (a folder)"
    ending = ""
    several = True
    lacks = "labels and disputes, and files kept with an episode, such as downloads"
    places = Places(
        no_place={
            "labels": "tables of episodes and steps have no column for what annotators wrote",
            "files": "no field for files kept with an episode",
        },
    )

    def write(self, source: Source, path: Path) -> None:
        path.mkdir()
        contents = Contents()
        tables = {name: _Shards(path / "data" / name, name) for name in TABLES}
        try:
            book = ledger_of(source.store).book()
            for trajectory in source.trajectories():
                row = msgspec.structs.asdict(episode_row(trajectory, book))
                tables["episodes"].add({**row, "record": _json(for_others(trajectory.header))})
                contents.add(trajectory, _add_steps(source, trajectory, tables["steps"]))
        finally:
            for table in tables.values():
                table.close()
        files = {name: f"data/{name}/*.parquet" for name in TABLES}
        (path / CARD).write_text(card(contents, files, self.lacks), encoding="utf-8")


def create() -> HuggingFaceExporter:
    """The entry point."""
    return HuggingFaceExporter()


def _add_steps(source: Source, trajectory: Trajectory, table: _Shards) -> int:
    """Every step as a row; how many have a picture."""
    pictures = 0
    for step, row in zip(trajectory.steps, step_rows(trajectory), strict=True):
        seen = source.observation(trajectory, step)
        picture = source.picture(trajectory, step)
        pictures += picture is not None
        name = f"{trajectory.header.episode}_{step.index}"
        table.add(
            {
                **msgspec.structs.asdict(row),
                "screenshot": _picture(picture, name),
                "tree": webarena_tree(seen) if seen is not None else "",
                "html": source.html(trajectory, step),
                "seen": _json(seen) if seen is not None else "",
                "record": _json(step),
            }
        )
    return pictures


def _picture(picture: Screenshot | None, name: str) -> dict[str, object] | None:
    return {"bytes": picture.data, "path": f"{name}.{picture.format}"} if picture is not None else None


def _json(value: object) -> str:
    return codec.encode(value).decode()


def _fields(name: str) -> dict[str, str]:
    """The columns of a table, with what `datasets` calls their types."""
    found = columns(TABLES[name]).items()
    known = {column: _VALUES[kind] for column, kind in found if column not in LEFT_OUT}
    more = {column: "image" if column == "screenshot" else "string" for column in EXTRA_COLUMNS[name]}
    return known | more


def _schema(name: str) -> pa.Schema:
    """With the features of `datasets` in its metadata, by which it knows the pictures."""
    import pyarrow

    arrow = {
        "string": pyarrow.string(),
        "int64": pyarrow.int64(),
        "float64": pyarrow.float64(),
        "bool": pyarrow.bool_(),
        "image": pyarrow.struct([("bytes", pyarrow.binary()), ("path", pyarrow.string())]),
    }
    fields = _fields(name)
    features = {
        column: {"_type": "Image"} if kind == "image" else {"dtype": kind, "_type": "Value"}
        for column, kind in fields.items()
    }
    metadata = {FEATURES: json.dumps({"info": {"features": features}})}
    return pyarrow.schema([(column, arrow[kind]) for column, kind in fields.items()], metadata=metadata)


class _Shards:
    """The files of a table, `train-00000-of-00002.parquet`; a new one is begun where one is large enough."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._schema = folder, _schema(name)
        self._waiting: list[dict[str, object]] = []
        self._waiting_bytes = self._written_bytes = 0
        self._files: list[Path] = []
        self._writer: pa.parquet.ParquetWriter | None = None
        folder.mkdir(parents=True)

    def add(self, row: dict[str, object]) -> None:
        """Add a row; rows wait until there are enough for a row group."""
        known = self._schema.names
        self._waiting.append({name: without_surrogates(row[name]) for name in known})
        self._waiting_bytes += sum(map(_size, row.values()))
        if self._waiting_bytes >= LARGEST_GROUP:
            self._flush()

    def close(self) -> None:
        """Write what waits, and give the files their last names."""
        if self._waiting or not self._files:
            self._flush()
        if self._writer is not None:
            self._writer.close()
        for number, file in enumerate(self._files):
            file.rename(self._folder / f"train-{number:05}-of-{len(self._files):05}.parquet")

    def _flush(self) -> None:
        import pyarrow
        import pyarrow.parquet

        writer = self._writer
        if writer is None or self._written_bytes > LARGEST_SHARD:
            if writer is not None:
                writer.close()
            self._files.append(self._folder / f"part-{len(self._files)}")
            writer = pyarrow.parquet.ParquetWriter(self._files[-1], self._schema, compression="zstd")
            self._writer = writer
            self._written_bytes = 0
        writer.write_table(pyarrow.Table.from_pylist(self._waiting, schema=self._schema))
        self._written_bytes += self._waiting_bytes
        self._waiting, self._waiting_bytes = [], 0


def _size(value: object) -> int:
    if isinstance(value, str | bytes):
        return len(value)
    return sum(map(_size, value.values())) if isinstance(value, dict) else 8
