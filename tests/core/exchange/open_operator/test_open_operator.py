"""Runs of three browser agents: actions on what they were shown, the judge's verdict beside the claim."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.core.exchange.reading import read
from webbench.core.action.action import Click, ElementRef, Stop, Type
from webbench.core.exchange.open_operator.open_operator import OpenOperator
from webbench.core.exchange.reading.element_lines import elements_of
from webbench.core.score.score import Status

PAGE = "[2]<input Find;q;text/>\n[9]<button Consent/>\nwords\n[26]<a Lasagna\n113\nRatings/>"


def call(reply: dict[str, Any], shown: str = PAGE) -> dict[str, Any]:
    return {
        "messages_in": [{"role": "system", "content": "[1]<a Example/>"}, {"role": "user", "content": shown}],
        "message_out": reply,
        "pretty_out": "Think.\n\U0001f6e0️ Actions: ...",
        "input_tokens": 7,
        "output_tokens": 2,
    }


def browser_use(*actions: dict[str, Any]) -> dict[str, Any]:
    arguments = json.dumps({"current_state": {}, "action": list(actions)})
    return {"tool_calls": [{"function": {"name": "AgentOutput", "arguments": arguments}}]}


def result(tmp_path: Path, steps: list[dict[str, Any]], agent: str = "BrowserUse", **more: Any) -> Any:
    folder = tmp_path / agent / "1743" / "Shop_webvoyager--Shop--1" / "0"
    folder.mkdir(parents=True)
    run = {
        "success": True,
        "run_id": 0,
        "eval": {"eval": "failure", "reason": "no"},
        "duration_in_s": 9.0,
        "agent_answer": "It is 5.",
        "task": {"question": "How much?", "id": "webvoyager--Shop--1", "answer": "6", "url": "https://s/"},
        "steps": steps,
    }
    (folder / "results_no_screenshot.json").write_text(json.dumps(run | more))
    ((episode, read_steps),) = read(OpenOperator(), folder / "results_no_screenshot.json", tmp_path)
    return episode, [one.step for one in read_steps], [one.observation for one in read_steps]


def test_several_actions_of_one_call_are_several_steps(tmp_path: Path) -> None:
    both = browser_use({"input_text": {"index": 2, "text": "x"}}, {"click_element": {"index": 9}})
    first = {"url": "https://s/", "llm_calls": [call(both)], "duration_in_s": 3}
    last = {"url": "https://s/found", "llm_calls": [], "duration_in_s": 1}

    episode, steps, seen = result(tmp_path, [first, last])

    assert (episode.header.actor, episode.header.task.name) == ("BrowserUse", "Shop--1")
    assert [type(step.action) for step in steps] == [type(None), Type, Click, Stop]
    assert steps[2].action == Click(target=ElementRef(id=9, role="button", name="Consent"))
    assert [step.url for step in steps] == ["https://s/", "", "https://s/found", ""]
    assert (steps[1].reasoning, steps[1].usage, steps[1].seconds.agent) == (
        "Think.",
        {"input_tokens": 7, "output_tokens": 2},
        3.0,
    )
    assert (steps[2].reasoning, steps[2].usage) == ("", {})
    assert steps[3].action == Stop(answer="It is 5.")
    assert [node.name for node in seen[0].nodes] == ["Find", "Consent", "Lasagna 113 Ratings"]


def test_the_claim_stands_beside_the_verdict_and_does_not_count(tmp_path: Path) -> None:
    episode, _, _ = result(tmp_path, [])

    score = episode.header.score
    assert score.value == 0.0
    assert [(check.name, check.actual, check.counted) for check in score.checks] == [
        ("recorded", "failure", True),
        ("claim", True, False),
    ]
    assert episode.header.end_reason == "it failed before its first step"


@pytest.mark.parametrize(
    ("judged", "reason"),
    [(None, "the source's judge was not asked"), ({"eval": "unknown"}, "the source's judge says 'unknown'")],
)
def test_without_a_verdict_there_is_no_score(tmp_path: Path, judged: Any, reason: str) -> None:
    episode, _, _ = result(tmp_path, [], eval=judged)

    assert (episode.header.score.status, episode.header.score.reason) == (Status.NOT_SCORED, reason)


def test_notte_and_proxy_write_their_calls_in_their_own_ways(tmp_path: Path) -> None:
    notte = {"content": json.dumps({"state": {}, "actions": [{"fill": {"id": "I1", "value": "x"}}]})}
    page = 'I1[:]<input aria_label="Find"></input>'
    _, steps, _ = result(tmp_path, [{"url": "https://s/", "llm_calls": [call(notte, page)]}], "Notte")
    assert steps[1].action.target.name == "Find"
    assert [step.url for step in steps] == ["", "https://s/"]

    typed = {"name": "type", "arguments": {"entries": [{"mark_id": 3, "content": "x"}], "submit": True}}
    tagged = f"<thinking>t</thinking><tool_call>{json.dumps(typed)}</tool_call>"
    page = '- [3] <input placeholder="Find"/>'
    odd = call({"content": tagged, "tool_calls": None}, page)
    unknown = call({"tool_calls": [{"function": {"name": "fly", "arguments": "{not json"}}]})
    steps_ = [{"url": "a", "llm_calls": [odd]}, {"url": "b", "llm_calls": [unknown]}]
    episode, steps, _ = result(tmp_path, steps_, "Convergence")
    assert steps[1].action == Type(target=ElementRef(id=3, role="textbox", name="Find"), text="x", enter=True)
    assert (steps[2].action, steps[2].text) == (None, "fly({})")
    assert episode.lost == ["'fly' is no action that we know; kept as text"]


def test_lists_of_elements_take_other_lines_into_the_text() -> None:
    nodes = elements_of('- [1] <a role="button">Two\nlines</a>\n- [4] <img alt="Cat"></img>\n[x]<b>')

    assert [(key, node.id, node.role, node.name) for key, node in nodes.items()] == [
        ("1", 1, "button", "Two lines"),
        ("4", 4, "image", "Cat"),
    ]


def test_a_prompt_keeps_all_that_its_messages_hold_and_pictures_in_it_are_told(tmp_path: Path) -> None:
    said = {"role": "assistant", "content": None, "tool_calls": [{"name": "click", "args": {"at": 9}}]}
    shown = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    parts = {"role": "user", "content": ["in words", {"type": "text", "text": "page"}, shown, {"odd": 4}]}
    one = call({"role": "assistant", "content": "{}", "refusal": "no"})
    one["messages_in"] += ["a text alone", said, parts]

    _, steps, _ = result(tmp_path, [{"url": "https://s/", "llm_calls": [one]}])

    assert steps[1].prompt.split("\n\n")[2:] == [
        "[]\na text alone",
        '[assistant]\n{"tool_calls": [{"name": "click", "args": {"at": 9}}]}',
        '[user]\nin words\npage\n(image_url)\n{"odd": 4}',
    ]
    assert steps[1].reply == '{}\n{"refusal": "no"}'
