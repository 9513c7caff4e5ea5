"""Inspect's logs: what was counted is there, what goes out is what came in, and ours can be read."""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard

from tests.core.exchange.round_trip import brought_in, counted_in_readme, number_in, written
from webbench.core.action.action import Click, Goto
from webbench.core.exchange.inspect_logs.evaluation_log import Inspect
from webbench.core.exchange.place import Place
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory


def log_of(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The log without its reductions, and its samples by name."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            samples = {
                name: json.loads(archive.read(name)) for name in archive.namelist() if "samples/" in name
            }
            header = json.loads(archive.read("header.json"))
    else:
        header = json.loads(path.read_bytes())
        listed = header.pop("samples", None) or []
        samples = {f"samples/{one['id']}_epoch_{one['epoch']}.json": one for one in listed}
    return {name: one for name, one in header.items() if name != "reductions"}, samples


def messages_of(record: Trajectory) -> tuple[int, int]:
    """Messages and tool calls that a record holds."""
    turns = list(record.steps[0].source["before"])
    later = [step.source for step in record.steps[1:]]
    results = [
        one
        for turn in (*turns, *later)
        for one in turn.get("results", ())
        if one["rest"] != {"of": "message"}
    ]
    spoken = sum(turn["speaker"] != "tool" for turn in turns) + sum("speaker" in one for one in later)
    return spoken + len(results), sum("call" in one for one in later)


def test_every_shared_log_has_what_was_counted_and_comes_out_equal(shared: Path, tmp_path: Path) -> None:
    for number, (file, told) in enumerate(counted_in_readme(shared, "inspect-ai")):
        store = Store(tmp_path / f"s{number}")

        [place], records = brought_in("inspect", file, store)

        assert len(records) == number_in(told, "samples"), file
        if not records:
            assert "without samples" in place.why
            continue
        assert place.lost == []
        counts = [messages_of(record) for record in records]
        assert sum(one for one, _ in counts) == number_in(told, "messages")
        assert sum(one for _, one in counts) == number_in(told, "tool calls")
        assert place.screenshots == number_in(told, "pictures")
        usage = [
            one
            for record in records
            for one in record.header.settings["inspect"]["sample"].get("model_usage", {}).values()
        ]
        assert sum(one["input_tokens"] for one in usage) == number_in(told, "sample tokens in")

        written("inspect", store, records, tmp_path / f"{number}.eval")
        header, samples = log_of(tmp_path / f"{number}.eval")
        for sample in samples.values():
            own = sample["metadata"].pop("webbench")
            assert own["origin"]["from"] == file.name
            if own.get("place") == "none":
                del sample["metadata"]
        assert (header, samples) == log_of(file), file


def test_a_browser_log_has_pages_elements_tokens_and_a_verdict(shared: Path, tmp_path: Path) -> None:
    folder = shared / "data/formats-2026/inspect-ai/UKGovernmentBEIS__inspect_ai/analysis/test_logs"

    _, [record] = brought_in("inspect", next(folder.glob("*_browser.json")), Store(tmp_path))

    first, second, *_ = (step.action for step in record.steps[1:])
    assert first == Goto(url="https://www.aisi.gov.uk/")
    assert isinstance(second, Click)
    assert (second.target.id, second.target.role, second.target.name) == (151, "link", "Work")
    assert [bool(step.observation) for step in record.steps] == [False, True, True, True, True, False]
    assert sum(step.usage["prompt_tokens"] for step in record.steps[1:]) == 15235
    assert record.header.score is not None
    assert (record.header.score.value, record.header.actor) == (1.0, "openai/gpt-4o-mini")
    assert record.header.started.startswith("2025-05-13T00:27:3")


def test_our_own_episodes_come_back_through_it(store: Store, attempts: list[str], tmp_path: Path) -> None:
    record = store.load(store.find(attempts[0]))
    written("inspect", store, [record], tmp_path / "ours.eval")
    named_otherwise = (tmp_path / "ours.eval").rename(tmp_path / "ours")
    claimed = Inspect().claim(Place(named_otherwise, tmp_path))
    assert claimed is not None

    [told], [back] = brought_in("inspect", named_otherwise, Store(tmp_path / "back"))

    def plain(step: Any) -> Any:
        return msgspec.structs.replace(
            step, at="", observation="", screenshot="", html="", source={}, reasoning=""
        )

    assert told.lost == []
    assert [plain(step) for step in back.steps] == [plain(step) for step in record.steps]
    assert (back.header.task.id, back.header.score) == (record.header.task.id, record.header.score)
    assert [bool(step.screenshot) for step in back.steps] == [bool(step.screenshot) for step in record.steps]


def test_samples_that_are_no_objects_are_told_and_equal_ids_stay_apart(tmp_path: Path) -> None:
    sample = {"input": "add", "messages": [{"role": "user", "content": "add"}]}
    log = {"version": 2, "eval": {"task": "sums", "run_id": "r"}, "samples": [sample, 5, "x"]}
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text(json.dumps(log))
    store = Store(tmp_path / "s")

    told, records = brought_in("inspect", tmp_path, store)

    assert all("no objects are left out: 2" in one.lost[0] for one in told)
    exported = written("inspect", store, records, tmp_path / "both.eval")
    assert len(log_of(tmp_path / "both.eval")[1]) == len(records) == 2
    assert any("a sample with the id and epoch of another" in line for line in exported.lost)


def packed(entries: dict[str, bytes]) -> bytes:
    """A zip of Zstandard, as newer releases of Inspect write it."""
    body, listed = b"", b""
    for name, data in entries.items():
        inner = zstandard.compress(data)
        fields = struct.pack(
            "<HHHHHIIIHH", 63, 0, 93, 0, 0, zlib.crc32(data), len(inner), len(data), len(name), 0
        )
        listed += (
            b"PK\x01\x02"
            + struct.pack("<H", 63)
            + fields
            + struct.pack("<HHHII", 0, 0, 0, 0, len(body))
            + name.encode()
        )
        body += b"PK\x03\x04" + fields + name.encode() + inner
    count = len(entries)
    return (
        body + listed + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, count, count, len(listed), len(body), 0)
    )


def test_members_of_zstandard_are_read_within_bounds(tmp_path: Path) -> None:
    sample = {"id": 1, "epoch": 1, "input": "add", "messages": [{"role": "user", "content": "add"}]}
    log = {"version": 2, "eval": {"task": "sums", "model": "m"}}
    entries = {"header.json": json.dumps(log).encode(), "samples/1_epoch_1.json": json.dumps(sample).encode()}
    (tmp_path / "a.eval").write_bytes(packed(entries))
    (tmp_path / "b.eval").write_bytes(packed(entries | {"samples/2_epoch_1.json": b" " * 40_000_000}))

    told, records = brought_in("inspect", tmp_path, Store(tmp_path / "s"))

    assert [record.header.task.intent for record in records] == ["add", "add"]
    assert [bool(one.lost) for one in told] == [False, True]
    assert "times its size" in told[1].lost[0]


@pytest.mark.parametrize(
    "odd", [None, 1, "x", [], {}, [None], {"a": None}, 2**70, "attachment://" + "0" * 32]
)
def test_odd_fields_cost_no_more_than_themselves(odd: Any, tmp_path: Path) -> None:
    message = {"role": "assistant", "content": odd, "tool_calls": odd, "id": odd}
    sample: dict[str, Any] = {
        "id": odd,
        "epoch": odd,
        "input": odd,
        "messages": [message, odd],
        "scores": {"s": odd},
    }
    samples = [
        sample,
        sample | {"messages": odd},
        sample | {"events": odd, "attachments": odd, "error": odd},
        odd,
    ]
    log = {"version": 2, "eval": {"task": "t", "run_id": "r", "model": odd}, "samples": samples}
    (tmp_path / "a.json").write_text(json.dumps(log))

    told, _ = brought_in("inspect", tmp_path, Store(tmp_path / "s"))

    assert not [line for one in told for line in (one.why, *one.lost) if "does not foresee" in line]
