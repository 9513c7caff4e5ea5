"""Online-Mind2Web's schema v2, constructed from its published description: no such folder was at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.core.exchange.account.full_episode import picture
from tests.core.exchange.round_trip import brought_in
from webbench.core.action.action import Goto, Stop
from webbench.core.store.store import Store

ENTRIES: list[dict[str, Any]] = [
    {"action": "page -> NAVIGATE -> http://shop.test/", "url": "http://shop.test/", "thought": None},
    {"action": "button 'Tea' -> CLICK | SUCCESS", "action_status": "SUCCESS", "thought": "It is there."},
    {"action": "page -> NAVIGATE -> http://shop.test/2 | FAILED", "action_status": "FAILED", "thought": ""},
    {"action": "TASK_COMPLETE -> ANSWER: green", "thought": None},
]


def folder(room: Path, entries: list[Any], **more: Any) -> Path:
    place = room / "results" / "t1"
    (place / "trajectory").mkdir(parents=True)
    history = [
        {"step": at, "screenshot": f"{at:04}.png", "url": None, "action_status": None, **one}
        if isinstance(one, dict)
        else one
        for at, one in enumerate(entries)
    ]
    for at in range(3):
        (place / "trajectory" / f"{at:04}.png").write_bytes(picture(20 * at).data)
    result = {
        "schema_version": "online-mind2web-v2",
        "task": "Which tea?",
        "task_id": "t1",
        "agent_final_answer": "green",
        "reference_length": 5,
        "action_history": history,
    }
    (place / "result.json").write_text(json.dumps(result | more))
    return place


def test_a_result_has_its_steps_pictures_answer_and_reference_length(tmp_path: Path) -> None:
    [told], [record] = brought_in("online-mind2web", folder(tmp_path, ENTRIES), Store(tmp_path / "store"))

    assert [type(step.action) for step in record.steps] == [type(None), type(None), Goto, Stop]
    assert record.steps[3].action == Stop(answer="green")
    assert [(step.ok, bool(step.screenshot)) for step in record.steps] == [
        *[(True, True)] * 2,
        (False, True),
        (True, False),
    ]
    assert record.steps[1].reasoning == "It is there."
    assert (record.header.task.name, record.header.task.gold) == ("t1", {"reference_length": 5})
    assert not [line for line in told.lost if "unexplained" in line]
    assert any("screenshot" in line for line in told.lost)


def test_what_is_typed_makes_no_address_and_a_long_address_is_not_cut(tmp_path: Path) -> None:
    long = f"page -> NAVIGATE -> http://shop.test/{'a' * 2_000}"
    typed = "box -> TYPE -> go -> NAVIGATE -> http://shop.test/ | SUCCESS"
    entries = [ENTRIES[0], {"action": typed}, {"action": long}, ENTRIES[2], ENTRIES[3]]

    [told], [record] = brought_in("online-mind2web", folder(tmp_path, entries), Store(tmp_path / "store"))

    assert [type(step.action) for step in record.steps[1:]] == [type(None), type(None), Goto, Stop]
    assert record.steps[1].text == typed
    assert sum("is no action that we know" in line for line in told.lost) == 2


def test_what_is_missing_or_odd_in_it_is_told(tmp_path: Path) -> None:
    place = folder(tmp_path, [ENTRIES[0], 7, ENTRIES[1] | {"step": 9}, ENTRIES[3]], odd={"key": "some words"})

    [told], [record] = brought_in("online-mind2web", place, Store(tmp_path / "store"))

    assert "steps that are no objects: 1" in told.lost
    assert "step 1 has the number '9'; the order is used" in told.lost
    assert record.header.settings["odd"] == {"key": "some words"}
