"""Midscene's reports: each action a step with what led to it, counted against the README; HTML as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.core.exchange.round_trip import brought_in, counted_in_readme, number_in
from webbench.core.store.store import Store


def test_the_shared_report_has_what_was_counted(shared: Path, tmp_path: Path) -> None:
    [(file, counted)] = counted_in_readme(shared, "midscene")

    [told], [record] = brought_in("midscene", file, Store(tmp_path))

    names = ["Tap", "Input", "Input", "Input", "Tap", "Print_Assert_Result"]
    assert [step.text.partition("(")[0] for step in record.steps[1:]] == names
    assert [type(step.action).__name__ for step in record.steps[1:-1]] == [
        *("Click", "Type", "Type", "Type", "Click")
    ]
    for ours, theirs in (("prompt", "tokens in"), ("completion", "out")):
        total = sum(step.usage[f"{ours}_tokens"] for step in record.steps[1:])
        assert total == number_in(counted, theirs)
    [pictures] = [row for row in told.account if row.kind == "pictures"]
    assert pictures.source == number_in(counted, "images")
    assert pictures.recorded == 7
    assert [line for line in told.lost if "unexplained" in line] == []
    tasks = [task for step in record.steps[1:] for task in step.source["rest"]["tasks"]]
    assert len(tasks) == number_in(counted, "tasks")
    assert record.header.task.intent.startswith("Sign up for Github")


def test_a_page_with_the_report_in_it_is_the_same_report(shared: Path, tmp_path: Path) -> None:
    [(file, _)] = counted_in_readme(shared, "midscene")
    whole = json.loads(file.read_text())
    dump = json.dumps(whole["dump"]).replace("<", "__midscene_lt__").replace(">", "__midscene_gt__")
    earlier = dict(whole["dump"], executions=[dict(one, tasks=[]) for one in whole["dump"]["executions"]])
    scripts = [
        "<script>const tag = '<script type=\"midscene_web_dump\">' + dump</script>",
        f'<script type="midscene_web_dump" type="application/json">{json.dumps(earlier)}</script>',
        *(
            f'<script type="midscene-image" data-id="{named}">{data}</script>'
            for named, data in whole["images"].items()
        ),
        f'<script type="midscene_web_dump" type="application/json" data-x="1">\n{dump}\n</script>',
    ]
    page = "<!doctype html><title>Report - Midscene.js</title>" + "\n".join(scripts)
    (tmp_path / "report.html").write_text(page)
    store, other = Store(tmp_path / "s"), Store(tmp_path / "t")

    [told], [record] = brought_in("midscene", tmp_path / "report.html", store)

    [plain], [same] = brought_in("midscene", file, other)
    assert told.lost == plain.lost
    assert [step.text for step in record.steps] == [step.text for step in same.steps]
    assert [bool(step.screenshot) for step in record.steps] == [True] * 7


def test_executions_of_one_name_are_each_their_own(tmp_path: Path) -> None:
    def execution(start: int, *names: str) -> dict[str, Any]:
        timing = {"start": start}
        tasks = [{"type": "Action Space", "subType": name, "timing": timing, "param": {}} for name in names]
        return {"name": "Act", "tasks": tasks}

    begun = {"groupName": "g", "executions": [execution(1, "Tap"), execution(2, "Hover")]}
    further = {"groupName": "g", "executions": [execution(2, "Hover", "Scroll")]}
    other = {"groupName": "h", "executions": [execution(2, "Input"), {"name": "Act", "tasks": []}]}
    scripts = [
        f'<script type="midscene_web_dump">{json.dumps(one)}</script>' for one in (begun, further, other)
    ]
    (tmp_path / "report.html").write_text("<title>Midscene</title>" + "".join(scripts))

    [told], [record] = brought_in("midscene", tmp_path / "report.html", Store(tmp_path / "s"))

    assert [line for line in told.lost if "unexplained" in line] == []
    acted = [step.text.partition("(")[0] for step in record.steps if step.actor == "agent"]
    assert acted == ["Tap", "Hover", "Scroll", "Input"]


def test_a_failed_action_says_why(tmp_path: Path) -> None:
    task = {
        "type": "Action Space",
        "subType": "KeyboardPress",
        "status": "failed",
        "errorMessage": "no such key",
        "param": {"keyName": "Enter"},
        "timing": {"start": 1766401465402, "end": 1766401465502, "cost": 100},
    }
    report = {"groupName": "g", "sdkVersion": "1", "executions": [{"name": "press", "tasks": [task]}]}
    (tmp_path / "a.json").write_text(json.dumps(report))

    [told], [record] = brought_in("midscene", tmp_path / "a.json", Store(tmp_path / "s"))

    assert told.lost == []
    [step] = record.steps[1:]
    assert (step.ok, step.error) == (False, "no such key")
    assert type(step.action).__name__ == "Press"


@pytest.mark.parametrize("odd", [None, 1, "x", "[", [], {}, [None], {"a": None}, 2**70, True])
def test_odd_fields_cost_no_more_than_themselves(odd: Any, tmp_path: Path) -> None:
    fields = (
        "param",
        "output",
        "thought",
        "timing",
        "usage",
        "uiContext",
        "recorder",
        "errorMessage",
        "status",
    )
    tasks: list[Any] = [odd]
    for kind, name in (
        ("Planning", "Plan"),
        ("Action Space", "Input"),
        ("Action Space", "Scroll"),
        (odd, odd),
    ):
        tasks.append({"type": kind, "subType": name} | dict.fromkeys(fields, odd))
    inner = {"value": odd, "locate": {"rect": {"left": odd}, "description": odd}, "distance": odd}
    shown = {"screenshot": odd}
    usage = {"prompt_tokens": odd, "model_name": odd}
    tasks.append(
        {"type": "Action Space", "subType": "Input", "param": inner, "recorder": [shown], "usage": usage}
    )
    tasks.append({"type": "Action Space", "subType": "Tap", "uiContext": {"screenshot": {"id": odd}}})
    report = {
        "groupName": odd,
        "sdkVersion": odd,
        "executions": [odd, {"name": odd, "tasks": odd}, {"tasks": tasks}],
    }
    (tmp_path / "a.json").write_text(json.dumps({"dump": report, "images": odd}))

    [told], _ = brought_in("midscene", tmp_path / "a.json", Store(tmp_path / "s"))

    assert told.episodes == 1
    assert not [line for line in told.lost if "does not foresee" in line]
