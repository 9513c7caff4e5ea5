"""Mind2Web's own records: what was counted is there, goes out as it came; ours are records that come back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.core.exchange.round_trip import brought_in, written
from webbench.core.store.store import Store


def record_file(shared: Path) -> Path:
    [file] = (shared / "data/formats-2026/mind2web").rglob("*.json")
    return file


def without_origin(file: Path, came_from: str) -> Any:
    """The one record of a file, which tells beside itself where it had been imported from."""
    [row] = json.loads(file.read_text())
    origin = row.pop("webbench")["origin"]
    assert (origin["format"], Path(origin["from"]).name) == ("mind2web", came_from)
    return row


def test_a_record_has_its_actions_elements_and_pages_and_goes_out_equal(shared: Path, tmp_path: Path) -> None:
    file = record_file(shared)
    [row] = json.loads(file.read_text())
    store = Store(tmp_path / "s")

    [told], [record] = brought_in("mind2web", file, store)

    assert told.lost == []
    assert told.noticed == ["6 actions are told in words only, without a page"]
    assert [step.text for step in record.steps[1:]] == row["action_reprs"]
    assert all(step.action is not None for step in record.steps[1:])
    action = msgspec.to_builtins(record.steps[-1].action)
    assert (action["verb"], action["target"]["id"], action["target"]["name"]) == ("click", 65163, "Submit")
    assert action["target"]["box"][1] == 934.890625
    before = record.steps[-2]
    assert store.html(record, before) == row["actions"][0]["raw_html"]
    seen = store.observation(record, before)
    assert seen is not None
    assert {node.id for node in seen.nodes} >= {65168, 65484, 70374}
    link = seen.node(65484)
    assert link is not None
    assert link.box is not None
    assert link.box.width == 168
    written("mind2web", store, [record], tmp_path / "out.json")
    assert without_origin(tmp_path / "out.json", file.name) == row


def test_a_whole_record_has_each_page_before_its_action(shared: Path, tmp_path: Path) -> None:
    [row] = json.loads(record_file(shared).read_text())
    [last] = row["actions"]
    pages = [f'<html><body><a backend_node_id="{number}">x</a></body></html>' for number in (1, 2)]
    typed = {"op": "TYPE", "original_op": "ENTER", "value": ""}
    row["actions"] = [{**last, "raw_html": pages[0]}, {**last, "raw_html": pages[1], "operation": typed}]
    row["action_reprs"] = ["[button]  Submit -> CLICK", "[textbox]  Search -> ENTER"]
    (tmp_path / "train_0.json").write_text(json.dumps([row]))
    store = Store(tmp_path / "s")

    _, [record] = brought_in("mind2web", tmp_path / "train_0.json", store)

    assert [store.html(record, step) for step in record.steps[:2]] == pages
    assert [type(step.action).__name__ for step in record.steps[1:]] == ["Click", "Press"]
    written("mind2web", store, [record], tmp_path / "out.json")
    assert without_origin(tmp_path / "out.json", "train_0.json") == row


def test_ours_are_records_with_candidates(store: Store, attempts: list[str], tmp_path: Path) -> None:
    record = store.load(store.find(attempts[0]))

    told = written("mind2web", store, [record], tmp_path / "out.json")

    [row] = json.loads((tmp_path / "out.json").read_text())
    clicks = [step for step in record.steps if type(step.action).__name__ == "Click"]
    assert len(row["actions"]) == len(row["action_reprs"]) == len(clicks)
    assert told.lost == ["a step that is no click, typing or choosing of an element"]
    assert row["actions"][0]["operation"]["op"] == "CLICK"
    meant = row["actions"][0]["pos_candidates"]
    assert meant, row["actions"][0]
    for one in (*meant, *row["actions"][0]["neg_candidates"]):
        assert f'backend_node_id="{one["backend_node_id"]}"' in row["actions"][0]["cleaned_html"]
    _, [again] = brought_in("mind2web", tmp_path / "out.json", Store(tmp_path / "again"))
    assert [type(step.action).__name__ for step in again.steps[1:]] == ["Click"] * len(clicks)
    assert again.header.task.intent == record.header.task.intent


@pytest.mark.parametrize("odd", [None, 1, "x", "[", [], {}, [None], {"a": None}, 2**70, "<a" * 99])
def test_odd_fields_cost_no_more_than_themselves(odd: Any, tmp_path: Path) -> None:
    action = {
        "raw_html": odd,
        "cleaned_html": odd,
        "operation": odd,
        "pos_candidates": odd,
        "action_uid": odd,
    }
    candidate = {"tag": odd, "attributes": odd, "backend_node_id": odd, "is_original_target": odd}
    operation = {"op": odd, "original_op": odd, "value": odd}
    row = {
        "annotation_id": odd,
        "confirmed_task": odd,
        "website": odd,
        "action_reprs": [odd, "x", "[a]  b -> CLICK"],
        "actions": [odd, action, {**action, "operation": operation, "pos_candidates": [odd, candidate]}],
    }
    rows = [row, {**row, "actions": odd}, {**row, "action_reprs": odd}]
    (tmp_path / "a.json").write_text(json.dumps(rows))

    [told], _ = brought_in("mind2web", tmp_path / "a.json", Store(tmp_path / "s"))

    assert told.state != "refused"
    assert not [line for line in told.lost if "does not foresee" in line]
