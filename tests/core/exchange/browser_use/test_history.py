"""browser-use's histories: what was counted is there, what goes out is what came in, and ours can be read."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from tests.core.exchange.round_trip import brought_in, counted_in_readme, number_in, written
from webbench.core.action.action import Click, ElementRef, Stop, Type
from webbench.core.exchange.browser_use.browser_use_exporter import _named, _without_a_place
from webbench.core.store.secrets.redaction import MARKER
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, Trajectory

SECRETS = ("learning",)
"""Passwords of public practice sites, which two of the files type."""


def without_pictures(history: Any) -> tuple[Any, list[str]]:
    """The history with its embedded screenshots taken out, and those."""
    states = [item["state"] for item in history["history"]]
    found = [state.pop("screenshot") for state in states if state.get("screenshot")]
    return history, found


def redacted(value: Any) -> Any:
    text = json.dumps(value, ensure_ascii=False)
    for secret in SECRETS:
        text = text.replace(secret, MARKER)
    return json.loads(text)


def same_pixels(one: str, other: str) -> bool:
    pictures = [Image.open(io.BytesIO(base64.b64decode(text))).convert("RGB") for text in (one, other)]
    return ImageChops.difference(*pictures).getbbox() is None


def calls(record: Trajectory) -> int:
    return sum("call" in step.source for step in record.steps)


def results(record: Trajectory) -> Iterator[dict[str, Any]]:
    for step in record.steps[1:]:
        yield from (one["rest"] for one in step.source.get("results", ()) if one["rest"] != {"absent": True})


def test_every_shared_file_has_what_was_counted_and_comes_out_equal(shared: Path, tmp_path: Path) -> None:
    for number, (file, told) in enumerate(counted_in_readme(shared, "browser-use")):
        store = Store(tmp_path / f"s{number}")

        [place], [record] = brought_in("browser-use", file, store)

        turns = {step.source["turn"] for step in record.steps[1:]}
        assert len(turns) == number_in(told, "steps"), file
        assert calls(record) == number_in(told, "actions")
        assert len(list(results(record))) == number_in(told, "results")
        pictures = sum(step.screenshot != "" for step in record.steps)
        assert pictures == place.screenshots == number_in(told, "embedded screenshots")
        assert sum(step.usage.get("input_tokens", 0) for step in record.steps) == number_in(
            told, "input tokens"
        )
        clock = [step.source["rest"].get("metadata") for step in record.steps if "rest" in step.source]
        if clock[0]:
            took = clock[-1]["step_end_time"] - clock[0]["step_start_time"]
            assert took == pytest.approx(number_in(told, "duration s"), abs=0.06)
            assert sum(step.seconds.total for step in record.steps) <= took

        written("browser-use", store, [record], tmp_path / f"o{number}")
        back, shown = without_pictures(
            json.loads((tmp_path / f"o{number}" / "AgentHistory.json").read_bytes())
        )
        origin = back.pop("webbench")["origin"]
        assert (origin["format"], origin["from"]) == ("browser-use", file.name)
        source, given = without_pictures(json.loads(file.read_bytes()))
        if any("password field" in line for line in place.lost):
            back, source = redacted(back), redacted(source)
        assert back == source, file
        assert len(shown) == len(given)
        assert all(map(same_pixels, shown[-1:], given[-1:]))


def history(*actions: dict[str, Any], **state: Any) -> dict[str, Any]:
    return {
        "model_output": {"thinking": "why", "memory": "m", "action": list(actions)},
        "result": [{"is_done": False, "extracted_content": "done it"}],
        "state": {"url": "http://shop.test/", "title": "Shop", "tabs": [], "interacted_element": [], **state},
        "metadata": {"step_start_time": 100.0, "step_end_time": 102.5, "step_number": 1},
    }


def test_what_was_not_carried_out_is_told_and_elements_have_their_words(tmp_path: Path) -> None:
    element = {"node_name": "BUTTON", "attributes": {}, "x_path": "html/body/button", "ax_name": "Buy"}
    item = history(
        {"click": {"index": 3}}, {"input": {"index": 4, "text": "x"}}, interacted_element=[element, None]
    )
    (tmp_path / "h.json").write_text(json.dumps({"history": [item]}))

    [told], [record] = brought_in("browser-use", tmp_path / "h.json", Store(tmp_path / "s"))

    click, typed = (step.action for step in record.steps[1:])
    assert isinstance(click, Click)
    assert (click.target.role, click.target.name, click.target.path) == ("button", "Buy", "html/body/button")
    assert isinstance(typed, Type)
    assert [step.ok for step in record.steps] == [True, True, False]
    assert record.steps[1].reasoning == "why\nMemory: m"
    assert told.lost == []


def test_what_browser_use_never_writes_is_kept_and_told(tmp_path: Path) -> None:
    """A file made by hand looks like a history, by two of its keys."""
    item = {**history(), "model_output": {"plan": "to buy tea"}}
    (tmp_path / "h.json").write_text(json.dumps({"history": [item], "score": 0.5, "ANSWER": "tea"}))

    [told], [record] = brought_in("browser-use", tmp_path / "h.json", Store(tmp_path / "s"))

    assert told.lost == ["1 step without a list of actions in model_output: nothing is done in it"]
    assert told.noticed == ["kept unread, as browser-use has no such keys: ANSWER, score"]
    assert record.steps[1].source["rest"]["model_output"] == {"plan": "to buy tea"}


@pytest.mark.parametrize("name", ["s" * 300 + ".png", "a\0b.png", "../../s.png"])
def test_a_screenshot_by_a_name_that_no_file_can_have_is_told(name: str, tmp_path: Path) -> None:
    (tmp_path / "h.json").write_text(json.dumps({"history": [history(screenshot_path=name)]}))

    [told], [record] = brought_in("browser-use", tmp_path, Store(tmp_path / "s"))

    assert any("lies nowhere in what is imported" in line for line in told.lost)
    assert len(record.steps) == 2


def test_a_claim_is_no_verdict_and_a_judgement_is_one(tmp_path: Path) -> None:
    item = history({"done": {"text": "blue", "success": True}})
    item["result"] = [{"is_done": True, "success": True, "extracted_content": "blue"}]
    judged = json.loads(json.dumps(item))
    judged["result"][0]["judgement"] = {"verdict": False, "reasoning": "it is red"}
    for name, one in (("a", item), ("b", judged)):
        (tmp_path / f"{name}.json").write_text(json.dumps({"history": [one]}))

    _, records = brought_in("browser-use", tmp_path, Store(tmp_path / "s"))

    scores = [record.header.score for record in records]
    assert [score and score.value for score in scores] == [None, 0.0]
    assert scores[1] is not None
    assert [check.name for check in scores[1].checks] == ["recorded", "claim"]
    assert records[0].steps[-1].action == Stop(answer="blue")


def test_ours_are_written_with_the_page_before_each_action(
    store: Store, attempts: list[str], tmp_path: Path
) -> None:
    record = store.load(store.find(attempts[0]))

    told = written("browser-use", store, [record], tmp_path / "out")
    (came, *beside), [back] = brought_in("browser-use", tmp_path / "out", Store(tmp_path / "back"))

    items = json.loads((tmp_path / "out" / "AgentHistory.json").read_bytes())["history"]
    assert [next(iter(item["model_output"]["action"][0])) for item in items] == ["click", "done"]
    assert [item["state"]["url"] for item in items] == ["http://shop.test/0", "http://shop.test/1"]
    assert all((tmp_path / "out" / item["state"]["screenshot_path"]).exists() for item in items)
    assert (told.lost, came.lost, came.screenshots) == ([], [], 2)
    assert [one.state for one in beside] == ["companion"] * 2
    assert [type(step.action) for step in back.steps] == [type(step.action) for step in record.steps]


@pytest.mark.parametrize("odd", [None, 1, "x", [], {}, [None], {"a": None}, 2**70])
def test_odd_fields_cost_no_more_than_themselves(odd: Any, tmp_path: Path) -> None:
    for at, field in enumerate(("model_output", "result", "state", "metadata")):
        (tmp_path / f"{at}.json").write_text(
            json.dumps({"history": [history({"click": {"index": 1}}) | {field: odd}]})
        )
    item = history({"click": odd}, odd, interacted_element=odd, tabs=odd, screenshot=odd)
    (tmp_path / "5.json").write_text(json.dumps({"history": [item, odd, item]}))

    told, _ = brought_in("browser-use", tmp_path, Store(tmp_path / "s"))

    assert not [line for one in told for line in (one.why, *one.lost) if "does not foresee" in line]


def test_no_success_is_claimed_and_what_has_no_argument_is_told() -> None:
    name, arguments = _named(Step(index=1, at="", actor="human", action=Stop(answer="42")))
    assert (name, "success" in arguments) == ("done", False)
    twice = Click(target=ElementRef(id=1), button="right", count=2, modifiers=("Shift",))
    assert list(_without_a_place(twice)) == [
        "the right mouse button of a click",
        "a click 2 times",
        "Shift held in a click",
    ]
    assert list(_without_a_place(Type(text="x", enter=True))) == ["Enter after typing"]
    assert list(_without_a_place(Click(target=ElementRef(id=1)))) == []
