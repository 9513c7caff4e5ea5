"""REAL's observations: files of one name are an episode, each with the action that led to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.core.exchange.round_trip import brought_in
from webbench.core.action.action import Click
from webbench.core.score.score import Status
from webbench.core.store.store import Store

FOLDER = Path("data/formats-2026/real-agisdk")


def observed(number: int, action: str, **more: Any) -> dict[str, Any]:
    def node(id: str, role: str, name: str, **more: Any) -> dict[str, Any]:
        return {"nodeId": id, "role": {"value": role}, "name": {"value": name}, **more}

    tree = [
        node("1", "RootWebArea", "Inbox", childIds=["2", "3"]),
        node("2", "none", "", ignored=True, childIds=["4", "1"]),
        node("3", "link", "Away", browsergym_id="a7", childIds=5),
        node("4", "button", f"Send {number}", browsergym_id="12"),
    ]
    return {
        "chat_messages": [],
        "goal": "Send it",
        "goal_object": [],
        "task_id": "mail-1",
        "url": "http://mail.test/",
        "open_pages_urls": ["http://mail.test/"],
        "axtree_object": {"nodes": tree},
        "extra_element_properties": {"12": {"bbox": [1, 2, 30, 40], "clickable": True}},
        "last_action": action,
        "last_action_error": "",
        **more,
    }


def test_the_shared_observations_are_an_episode(shared: Path, tmp_path: Path) -> None:
    folder = next((shared / FOLDER).rglob("*.json.gz")).parent
    [told], [record] = brought_in("browsergym-observations", folder, Store(tmp_path))
    header = record.header
    assert (header.task.name, header.task.intent) == (
        "gomail-2",
        'Mark the first email in the Inbox as "read".',
    )
    assert header.score is not None
    assert header.score.status is Status.NOT_SCORED
    assert [step.text for step in record.steps] == ["", "noop()", "click('209')"]
    assert isinstance(record.steps[2].action, Click)
    assert record.steps[2].action.target.id == 209
    assert all(step.screenshot for step in record.steps)
    assert not any("unexplained" in line for line in told.lost)
    assert any("no file tells of the 1 step before it" in line for line in told.lost)


def test_ids_boxes_and_nesting_are_kept_and_circles_end(tmp_path: Path) -> None:
    folder = tmp_path / "one"
    folder.mkdir()
    for number, action in ((0, ""), (1, "click('12')"), (2, "fly('12')")):
        (folder / f"m_step{number:02}.json").write_text(json.dumps(observed(number, action)))
    store = Store(tmp_path / "store")
    [told], [record] = brought_in("browsergym-observations", folder, store)
    seen = store.observation(record, record.steps[1])
    assert [(node.own_id, node.name, node.depth) for node in seen.nodes] == [
        ("", "Inbox", 0),
        ("12", "Send 1", 1),
        ("a7", "Away", 1),
    ]
    assert seen.nodes[1].interactive
    assert seen.nodes[1].box is not None
    assert [step.action is not None for step in record.steps] == [False, True, False]
    assert any("fly(" in line for line in told.lost)


@pytest.mark.parametrize("odd", [{"axtree_object": []}, {"axtree_object": None}])
def test_what_is_no_observation_is_refused_with_its_reason(odd: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "m_step00.json"
    file.write_text(json.dumps(observed(0, "", **odd)))
    [told], records = brought_in("browsergym-observations", file, Store(tmp_path / "store"))
    assert records == []
    assert "no axtree_object" in str(told)
