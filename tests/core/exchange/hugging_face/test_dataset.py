"""Data sets for Hugging Face: columns with pictures, a card that tells what is in it, and the way back."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet
from PIL import Image

from tests.core.exchange.round_trip import brought_in, written
from tests.core.report.conftest import HOSTILE
from webbench.core.exchange.hugging_face.parquet_records import HuggingFace
from webbench.core.exchange.place import Place
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory


def plain(record: Trajectory) -> Any:
    """All but the names that an import gives."""
    header = msgspec.structs.replace(record.header, run="", episode="", order=0, settings={})
    return header, [msgspec.structs.replace(step, screenshot="") for step in record.steps]


def test_rows_have_pictures_and_come_back_as_they_were(
    store: Store, attempts: list[str], tmp_path: Path
) -> None:
    records = [store.load(store.find(name)) for name in attempts]

    written("huggingface", store, records, tmp_path / "set")

    [file] = (tmp_path / "set" / "data" / "steps").iterdir()
    assert file.name == "train-00000-of-00001.parquet"
    table = pyarrow.parquet.read_table(file)
    features = json.loads(table.schema.metadata[b"huggingface"])["info"]["features"]
    assert features["screenshot"] == {"_type": "Image"}
    assert list(features) == table.schema.names
    rows = table.to_pylist()
    assert len(rows) == sum(len(record.steps) for record in records)
    assert Image.open(io.BytesIO(rows[0]["screenshot"]["bytes"])).size == (320, 200)

    back = Store(tmp_path / "back")
    [told], came = brought_in("huggingface", tmp_path / "set", back)
    assert (told.state, told.lost) == ("imported", [])
    assert sorted(map(repr, map(plain, came))) == sorted(map(repr, map(plain, records)))
    assert back.observation(came[0], came[0].steps[0]) == store.observation(records[0], records[0].steps[0])


def test_the_card_tells_what_is_in_it_and_takes_no_markup_from_it(
    store: Store, attempts: list[str], tmp_path: Path
) -> None:
    records = [store.load(store.find(name)) for name in attempts]

    written("huggingface", store, records, tmp_path / "set")

    text = (tmp_path / "set" / "README.md").read_text()
    front = text.split("---")[1]
    for table in ("episodes", "steps"):
        assert f"- config_name: {table}\n" in front
        assert f'data_files: [{{split: train, path: "data/{table}/*.parquet"}}]' in front
    assert "| benchmark | shop | 2 |" in text
    assert "Not in it: labels and disputes" in text
    for table in ("episodes", "steps"):
        names = pyarrow.parquet.read_schema(
            tmp_path / "set" / "data" / table / "train-00000-of-00001.parquet"
        ).names
        section = text.partition(f"## Columns of `{table}`")[2].partition("\n## ")[0]
        assert [name for name in names if f"\n| `{name}` | " not in section] == []
    assert HOSTILE not in text
    assert "<script>" not in text


def test_an_episode_that_cannot_be_read_takes_no_other_ones_steps_along(
    store: Store, attempts: list[str], tmp_path: Path
) -> None:
    records = [store.load(store.find(name)) for name in attempts]
    written("huggingface", store, records, tmp_path / "set")
    file = tmp_path / "set" / "data" / "episodes" / "train-00000-of-00001.parquet"
    table = pyarrow.parquet.read_table(file)
    rows = table.to_pylist()
    rows[0]["record"] = "{"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, schema=table.schema), file)

    [told], came = brought_in("huggingface", tmp_path / "set", Store(tmp_path / "broken"))

    [header] = [one for one in records if one.header.episode == rows[1]["episode"]]
    assert [len(one.steps) for one in came] == [len(header.steps)]
    assert any("record can't be read is left out" in line for line in told.lost)
    assert [(row.source, row.recorded) for row in told.account if row.kind == "episodes"] == [(2, 1)]
    assert any("steps of an episode whose record can't be read" in line for line in told.lost)

    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows[1:], schema=table.schema), file)
    [told], came = brought_in("huggingface", tmp_path / "set", Store(tmp_path / "short"))
    assert [len(one.steps) for one in came] == [len(header.steps)]
    assert any("steps of no episode in the table" in line for line in told.lost)


def test_an_observation_that_cannot_be_read_ends_nothing(
    store: Store, attempts: list[str], tmp_path: Path
) -> None:
    written("huggingface", store, [store.load(store.find(name)) for name in attempts], tmp_path / "set")
    file = tmp_path / "set" / "data" / "steps" / "train-00000-of-00001.parquet"
    table = pyarrow.parquet.read_table(file)
    rows = table.to_pylist()
    rows[0]["seen"] = "{"
    deep = "[" * 100 + "]" * 100
    rows[1]["record"] = rows[1]["record"].replace('{"index":', f'{{"unknown":{deep},"index":')
    assert deep in rows[1]["record"]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, schema=table.schema), file)

    [told], came = brought_in("huggingface", tmp_path / "set", Store(tmp_path / "back"))

    assert sum(len(one.steps) for one in came) == len(rows)
    assert "an observation that can't be read" in told.lost
    assert any("not looked through" in line for line in told.noticed)


def test_odd_folders_are_told(store: Store, attempts: list[str], tmp_path: Path) -> None:
    written("huggingface", store, [store.load(store.find(attempts[0]))], tmp_path / "set")
    file = tmp_path / "set" / "data" / "steps" / "train-00000-of-00001.parquet"
    assert HuggingFace().claim(Place(tmp_path, tmp_path)) is None

    file.write_bytes(file.read_bytes()[:-40])
    [told], _ = brought_in("huggingface", tmp_path / "set", Store(tmp_path / "a"))
    assert "no Parquet file" in told.lost[0]

    file.unlink()
    file.symlink_to("/etc/passwd")
    [told], _ = brought_in("huggingface", tmp_path / "set", Store(tmp_path / "b"))
    assert "does not lie in" in told.lost[0]
