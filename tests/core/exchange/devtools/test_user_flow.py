"""User flows of DevTools' Recorder: what was counted is there, what goes out is what came in."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.core.exchange.round_trip import brought_in, counted_in_readme, number_in, written
from webbench.core.action.action import Click, Goto, Scroll, Type
from webbench.core.agents.replay import recorded_actions
from webbench.core.exchange.devtools.recorder_exporter import _pressed
from webbench.core.exchange.devtools.user_flow import element_of
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory


def flow_of(record: Trajectory) -> list[dict[str, Any]]:
    rest = [step.source["rest"] for step in record.steps[1:]]
    return [*record.steps[0].source["before"], *rest]


def test_every_shared_flow_has_what_was_counted_and_comes_out_equal(shared: Path, tmp_path: Path) -> None:
    for number, (file, told) in enumerate(counted_in_readme(shared, "devtools-recorder")):
        store = Store(tmp_path / f"s{number}")

        [place], records = brought_in("devtools-recorder", file, store)

        if file.name == "singlestep.json":
            assert (records, place.why) == ([], "one step of a user flow, and no flow")
            continue
        [record] = records
        assert place.lost == []
        steps = flow_of(record)
        assert len(steps) == number_in(told, "steps")
        kinds = Counter(step["type"] for step in steps)
        assert all(
            kinds[kind] == number_in(told, kind) for kind in ("click", "change", "keyDown", "navigate")
        )
        assert len(record.steps) == 1 + len(steps) - kinds["setViewport"]
        assert sum(len(step.get("assertedEvents", ())) for step in steps) == number_in(told, "assertedEvents")

        written("devtools-recorder", store, [record], tmp_path / f"{number}.json")
        out = json.loads((tmp_path / f"{number}.json").read_bytes())
        assert out.pop("webbench")["origin"]["format"] == "devtools-recorder"
        assert out == json.loads(file.read_bytes())


def test_an_imported_flow_is_a_reference_that_the_agent_replay_repeats(shared: Path, tmp_path: Path) -> None:
    folder = shared / "data/formats-2026/devtools-recorder/saucelabs__puppeteer-replay-runner/tests"
    store = Store(tmp_path)

    _, [record] = brought_in("devtools-recorder", folder / "coffee-cart.json", store)

    actions = recorded_actions(store.root / record.header.run / record.header.episode)
    assert actions[0] == Goto(url="https://coffee-cart.netlify.app/")
    assert isinstance(actions[1], Click)
    assert (actions[1].target.name, actions[1].target.selector) == ("Mocha", "[data-test=Mocha]")
    assert [one.text for one in actions if isinstance(one, Type)] == ["jane", "jane@doe.com"]
    assert record.header.actor == "human"


def test_selectors_are_read_and_scrolls_are_ways() -> None:
    element = element_of(
        {
            "target": "main",
            "selectors": [['aria/Add "x"[role="button"]'], ["xpath///*[@id='a']"], "#a", ["text/Add"]],
        }
    )

    assert element is not None
    assert (element.role, element.name) == ("button", 'Add "x"')
    assert (element.selector, element.path, element.frame_url) == ("#a", "//*[@id='a']", "")


def test_what_is_scrolled_to_becomes_how_far(tmp_path: Path) -> None:
    steps = [
        {"type": "navigate", "url": "http://a.test/"},
        {"type": "scroll", "x": 0, "y": 300},
        {"type": "scroll", "x": 0, "y": 100},
        {"type": "waitForExpression", "expression": "alert(1)"},
    ]
    (tmp_path / "f.json").write_text(json.dumps({"title": "t", "steps": steps}))

    [told], [record] = brought_in("devtools-recorder", tmp_path / "f.json", Store(tmp_path / "s"))

    assert [step.action for step in record.steps[2:]] == [Scroll(dy=300.0), Scroll(dy=-200.0), None]
    assert told.lost == []


def test_ours_are_flows_and_what_has_no_step_is_told(
    store: Store, attempts: list[str], tmp_path: Path
) -> None:
    record = store.load(store.find(attempts[1]))

    told = written("devtools-recorder", store, [record], tmp_path / "f.json")

    flow = json.loads((tmp_path / "f.json").read_bytes())
    assert [step["type"] for step in flow["steps"][:2]] == ["setViewport", "navigate"]
    assert "stop: a user flow has no such step" in told.lost
    kinds = {step["type"] for step in flow["steps"]}
    assert kinds <= {"setViewport", "navigate", "click", "change", "keyDown", "keyUp"}
    assert all(step["selectors"] for step in flow["steps"] if step["type"] in ("click", "change"))


@pytest.mark.parametrize("odd", [None, 1, "x", [], {}, [None], {"a": None}, 2**70, -1])
def test_odd_fields_cost_no_more_than_themselves(odd: Any, tmp_path: Path) -> None:
    step = {
        "type": "click",
        "selectors": odd,
        "target": odd,
        "x": odd,
        "y": odd,
        "assertedEvents": odd,
        "key": odd,
    }
    kinds = ("click", "scroll", "setViewport", "change", "navigate", "keyDown", "else")
    steps = [{"type": "setViewport", "width": odd, "height": odd}, *(step | {"type": kind} for kind in kinds)]
    (tmp_path / "a.json").write_text(json.dumps({"steps": steps, "title": odd}))
    (tmp_path / "b.json").write_text(
        json.dumps({"steps": odd, "title": "navigate", "x": [{"type": "click"}]})
    )

    told, _ = brought_in("devtools-recorder", tmp_path, Store(tmp_path / "s"))

    assert not [line for one in told for line in (one.why, *one.lost) if "does not foresee" in line]


@pytest.mark.parametrize(
    ("keys", "chord"),
    [("Control++", ["Control", "+"]), ("+", ["+"]), ("Control+Shift+a", ["Control", "Shift", "a"])],
)
def test_a_plus_is_a_key_of_a_chord(keys: str, chord: list[str]) -> None:
    assert [step["key"] for step in _pressed(keys) if step["type"] == "keyDown"] == chord
