"""Episodes in other formats: what they hold, what is told as lost, and that ours comes back whole."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image

from tests.core.report.conftest import HOSTILE
from tests.known_exporters import known_exporters
from webbench.benchmarks.webarena.verified.har import read_har
from webbench.core.errors import BadData
from webbench.core.exchange.export_format import Exported, find_exporter
from webbench.core.exchange.exporting import export
from webbench.core.exchange.importing import bring_in
from webbench.core.exchange.own.jsonl import JsonLinesImporter
from webbench.core.exchange.own.table_exporter import neutralised
from webbench.core.labels.label import Dispute, Done, Label
from webbench.core.labels.ledger import Ledger
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import EXPORTERS
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step, Trajectory


def exported(store: Store, names: list[str], to: str, path: Path, **options: Any) -> Exported:
    return export(store, [store.find(name) for name in names], find_exporter(to), path, **options)


def comparable(trajectory: Trajectory) -> object:
    """All but the names that an import gives; of a picture only the pixels stay."""
    header = msgspec.structs.replace(trajectory.header, run="", episode="", order=0, settings={})
    return header, [msgspec.structs.replace(step, screenshot="") for step in trajectory.steps]


def test_json_lines_come_back_as_they_were(store: Store, attempts: list[str], tmp_path: Path) -> None:
    place = store.find(attempts[0])
    label = Label(
        run=place.parent.name,
        episode=place.name,
        step=1,
        taxonomy="t",
        version=1,
        question="q",
        code="loop",
        annotator="ann",
    )
    Ledger(store.root).add([label, Done(run=label.run, episode=label.episode, taxonomy="t", annotator="ann")])
    told = exported(store, attempts, "jsonl", tmp_path / "out.jsonl.gz")
    back = Store(tmp_path / "back")

    read = list(bring_in(told_path(told), [JsonLinesImporter()], back))

    assert [(one.state, one.episodes, one.lost) for one in read] == [("imported", 2, [])]
    assert (told.episodes, told.steps, told.pictures, told.lost) == (2, 5, 7, [])
    episodes = {one.actor: back.load(back.root / one.run / one.episode) for one in back.episodes()}
    for name in attempts:
        origin = store.load(name)
        assert comparable(episodes[origin.header.actor]) == comparable(origin)
        for step in origin.steps:
            assert back.observation(origin, step) == store.observation(origin, step)
        copy = episodes[origin.header.actor]
        assert [pixels(back, copy, step) for step in copy.steps] == [
            pixels(store, origin, step) for step in origin.steps
        ]
    assert [(one.code, one.step) for one in Ledger(back.root).book().labels] == [("loop", 1)]


def pixels(store: Store, trajectory: Trajectory, step: Step) -> bytes:
    picture = store.screenshot(trajectory, step)
    assert picture is not None
    return Image.open(io.BytesIO(picture.data)).convert("RGB").tobytes()


def told_path(told: Exported) -> Path:
    return Path(told.path)


def test_damaged_json_lines_are_told_and_the_rest_is_read(
    store: Store, attempts: list[str], tmp_path: Path
) -> None:
    exported(store, attempts, "jsonl", tmp_path / "out.jsonl", pictures=False)
    lines = (tmp_path / "out.jsonl").read_bytes().split(b"\n")
    assert lines[2].startswith(b'{"kind":"step","step":{')
    state = b'"agent_state":{"a":' + b"[" * 300 + b"]" * 300 + b"},"
    lines[2] = lines[2].replace(b'"step":{', b'"step":{' + state, 1)
    lines[3] = b'{"kind":"step","step":{"index":1,"at":"","evidence":{"a":' + b"[" * 100_000
    (tmp_path / "cut.jsonl").write_bytes(b"\n".join(lines)[:-200])
    back = Store(tmp_path / "back")

    (read,) = bring_in(tmp_path / "cut.jsonl", [JsonLinesImporter()], back)

    assert (read.state, read.episodes, read.steps) == ("partial", 2, 3)
    assert read.lost == [
        "line 3: what the agent kept is left out: it is nested deeper than 64 levels",
        "line 4 is damaged, cut off or too long",
        "line 10 is damaged, cut off or too long",
    ]


def test_a_newer_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "new.jsonl").write_text('{"format":"webbench-jsonl","schema_version":99}\n')

    (read,) = bring_in(tmp_path / "new.jsonl", [JsonLinesImporter()], None)

    assert read.state == "refused"
    assert "newer release" in read.why


def test_records_of_a_newer_release_are_told_and_never_written_where_none_can_read_them(
    store: Store, attempts: list[str], tmp_path: Path
) -> None:
    exported(store, attempts, "jsonl", tmp_path / "out.jsonl", pictures=False)
    lines = (tmp_path / "out.jsonl").read_text().split("\n")
    lines[2] = lines[2].replace('"schema_version":1', '"schema_version":9999')
    (tmp_path / "out.jsonl").write_text("\n".join(lines))
    back = Store(tmp_path / "back")

    (read,) = bring_in(tmp_path / "out.jsonl", [JsonLinesImporter()], back)

    assert read.lost == ["line 3: a step that was written by a newer release"]
    for file in back.root.glob("*/*/episode.json"):
        assert back.load(file.parent).steps


def test_an_episode_of_a_newer_release_is_counted_with_its_lines(
    store: Store, attempts: list[str], tmp_path: Path
) -> None:
    exported(store, attempts, "jsonl", tmp_path / "out.jsonl", pictures=False)
    lines = (tmp_path / "out.jsonl").read_text().split("\n")
    steps = len(store.load(store.find(json.loads(lines[1])["header"]["episode"])).steps) - 1
    lines[1] = lines[1].replace('"schema_version":1', '"schema_version":9999')
    (tmp_path / "out.jsonl").write_text("\n".join(lines))

    (read,) = bring_in(tmp_path / "out.jsonl", [JsonLinesImporter()], Store(tmp_path / "back"))

    left = "an episode that was written by a newer release (update webbench-tui)"
    assert f"episodes: {left}" in read.lost
    assert read.again.get(f"steps: of {left}", 0) + 1 == steps
    rows = {row.kind: (row.source, row.recorded) for row in read.account}
    assert rows["episodes"] == (2, 1)
    assert rows["steps"][0] - rows["steps"][1] == steps


def test_the_agent_data_protocol(store: Store, attempts: list[str], tmp_path: Path) -> None:
    told = exported(store, attempts[1:], "adp", tmp_path / "adp")

    (line,) = (tmp_path / "adp" / "trajectories.jsonl").read_bytes().splitlines()
    found = json.loads(line)
    kinds = [item["class_"] for item in found["content"]]
    images = {
        item["image_observation"]["content"]
        for item in found["content"]
        if item["class_"] == "web_observation"
    }
    assert set(found) == {"schema_version", "id", "content", "details"}
    assert kinds == [
        *("text_observation", "web_observation"),
        *("api_action", "web_observation"),
        *("api_action", "text_observation", "web_observation"),
        *("message_action", "web_observation"),
    ]
    assert found["content"][2]["function"] == "type"
    assert found["content"][2]["kwargs"]["target"] == {"id": 3, "role": "searchbox", "name": "Search"}
    assert found["content"][3]["axtree"].startswith("[1] RootWebArea")
    assert len(images) == told.pictures == 4
    assert all((tmp_path / "adp" / name).is_file() for name in images)
    assert found["details"]["score"]["value"] == 0.0


def test_tables_agree_and_neutralise_formulas(
    store: Store, attempts: list[str], dispute: Dispute, tmp_path: Path
) -> None:
    import pyarrow.parquet

    Ledger(store.root).add([dispute])

    exported(store, attempts, "csv", tmp_path / "csv")
    exported(store, attempts, "parquet", tmp_path / "parquet")

    for name, rows in (("episodes", 2), ("steps", 7), ("checks", 2)):
        with (tmp_path / "csv" / f"{name}.csv").open(newline="", encoding="utf-8") as file:
            listed = list(csv.DictReader(file))
        table = pyarrow.parquet.read_table(tmp_path / "parquet" / f"{name}.parquet")
        assert list(listed[0]) == table.column_names
        assert (len(listed), table.num_rows) == (rows, rows)
        for told, kept in zip(listed, table.to_pylist(), strict=True):
            for column, value in kept.items():
                if isinstance(value, str):
                    assert told[column] == neutralised(value)
        if name == "episodes":
            both = [(one["value"], one["corrected"]) for one in table.to_pylist()]
            assert both == [(1.0, 1.0), (0.0, 1.0)]
    assert table.to_pylist()[0]["actual"] == json.dumps(HOSTILE, ensure_ascii=False).replace("\ud800", "?")
    assert [neutralised(text) for text in ("=1+1", "@x", "-1", "\tx", "x=1", "")] == [
        *("'=1+1", "'@x", "'-1", "'\tx", "x=1", "")
    ]


def test_a_har_reads_back_what_evidence_kept(store: Store, tmp_path: Path) -> None:
    event = {
        "method": "POST",
        "url": "http://shop.test/cart?x=1&y=",
        "status": 302,
        "headers": {"content-type": "application/x-www-form-urlencoded", "referer": "http://shop.test/"},
        "post_data": {"name": "a b", "amount": "2"},
        "response_content": {"ok": True},
        "cookies": {"cart": "1"},
    }
    header = EpisodeHeader(
        run="", episode="", task=Task(benchmark="shop", name="tea"), actor="agent", dialect="webarena"
    )
    writer = store.recorder(store.start_run("shop", "agent", 1), header)
    at = "2026-01-01T00:00:00.000+00:00"
    writer.write(Step(index=0, at=at, url="http://shop.test/"))
    writer.write(Step(index=1, at=at, url="http://shop.test/cart", evidence={"har_events": [event]}))
    writer.finish(None, "ended")

    told = exported(store, [writer.folder.name], "har", tmp_path / "out.har")

    assert read_har(tmp_path / "out.har") == [event]
    log = json.loads((tmp_path / "out.har").read_text())["log"]
    assert [page["id"] for page in log["pages"]] == ["step-0", "step-1"]
    assert log["entries"][0]["pageref"] == "step-1"
    assert log["entries"][0]["request"]["queryString"] == [
        {"name": "x", "value": "1"},
        {"name": "y", "value": ""},
    ]
    assert told.lost == []


def test_what_a_format_can_not_hold_is_told(store: Store, attempts: list[str], tmp_path: Path) -> None:
    with pytest.raises(BadData, match="no network events"):
        exported(store, attempts[:1], "har", tmp_path / "out.har")
    with pytest.raises(BadData, match="none of the 2 episodes"):
        exported(store, attempts, "har", tmp_path / "out")
    assert not list(tmp_path.glob("out*"))
    assert not list(tmp_path.glob(".out*"))


def test_formats_of_one_episode_make_a_folder_of_several(
    store: Store, attempts: list[str], tmp_path: Path
) -> None:
    told = exported(store, attempts, "html", tmp_path / "pages", pictures=False)

    assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == sorted(
        f"{name}.html" for name in attempts
    )
    assert (told.files, told.pictures) == (2, 0)


def test_an_episode_that_can_not_be_read_is_lost_and_the_others_are_written(
    store: Store, attempts: list[str], tmp_path: Path
) -> None:
    (store.find(attempts[0]) / "episode.json").write_text("{")

    folders = [path.parent for path in store.root.glob("*/*/episode.json")]
    told = export(store, folders, find_exporter("jsonl"), tmp_path / "out.jsonl")

    assert told.episodes == 1
    assert len(told.lost) == 1
    assert "no readable record" in told.lost[0]


def test_every_export_format_says_what_it_is() -> None:
    names = [one.name for one in known_exporters()]

    assert {"adp", "csv", "har", "html", "jsonl", "parquet", "weblinx"} <= set(names)
    assert not entry_points.broken(EXPORTERS)
    assert all(one.title and one.lacks for one in known_exporters())
