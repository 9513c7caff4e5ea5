"""What browser-use tells of its actions, in our words and on our elements."""

from __future__ import annotations

import json

import pytest

from webbench.core.action.action import Click, FocusTab, Noop, Stop, Type
from webbench.core.agents.browser_use.told_actions import (
    Told,
    known_action,
    proposal_of,
    read_outcome,
    read_told,
)
from webbench.core.errors import ActionFailed, AgentFailed
from webbench.core.models.prices import Price
from webbench.core.observation import AccessibilityNode, Box, Observation, Tab, Viewport

PAGE = Observation(
    url="http://shop.test/",
    tabs=(Tab(0, "Shop", "http://shop.test/", True), Tab(1, "Help", "http://shop.test/help")),
    viewport=Viewport(scroll_y=300),
    nodes=(
        AccessibilityNode(id=1, role="RootWebArea", name="Shop"),
        AccessibilityNode(id=6, role="listitem", name="Buy", box=Box(10, 20, 80, 30)),
        AccessibilityNode(id=7, role="button", name="Buy", box=Box(10.4, 20, 80, 30), interactive=True),
        AccessibilityNode(id=8, role="button", name="Sell", box=Box(10, 60, 80, 30), interactive=True),
    ),
)
BUTTON = {
    "node_name": "BUTTON",
    "attributes": {"type": "submit"},
    "ax_name": "Buy",
    "x_path": "html/body/ul/li/button",
    "bounds": {"x": 10, "y": 320, "width": 80, "height": 30},
}


def test_an_element_is_ours_where_one_of_its_box_is_seen_and_else_has_no_number() -> None:
    """browser-use counts elements in its own way: its 8 is none of ours, and boxes are those of the page."""
    action = known_action(Told(name="click", arguments={"index": 8}, element=BUTTON), PAGE)
    assert isinstance(action, Click)
    assert action.target is not None
    assert (action.target.id, action.target.role, action.target.box) == (7, "button", PAGE.nodes[2].box)
    gone = BUTTON | {"bounds": {"x": 500, "y": 500, "width": 80, "height": 30}}
    typed = known_action(Told(name="input", arguments={"index": 8, "text": "x"}, element=gone), PAGE)
    assert isinstance(typed, Type)
    assert typed.target is not None
    assert (typed.target.id, typed.target.name, typed.text) == (None, "Buy", "x")


def test_tabs_are_told_by_their_addresses_and_what_is_no_action_of_ours_is_named() -> None:
    tabs = {"A1B2": "http://shop.test/help", "C3D4": "http://elsewhere.test/"}
    to_help, away = (Told(name="switch", arguments={"tab_id": one}, tabs=tabs) for one in tabs)
    assert (known_action(to_help, PAGE), known_action(away, PAGE)) == (FocusTab(index=1), None)
    done = Told(name="done", arguments={"text": "42", "success": True})
    assert known_action(done, PAGE) == Stop(answer="42")
    own = Told(name="extract", arguments={"query": "the price"}, reasoning="I look")
    proposal = proposal_of(own, known_action(own, PAGE))
    assert proposal.action == Noop()
    assert proposal.reasoning == 'I look\n\nbrowser-use\'s own action: extract({"query": "the price"})'


def test_calls_have_their_price_and_come_with_a_failure_too() -> None:
    call = {"model": "m", "reply": "r", "prompt_tokens": 1000, "completion_tokens": 100}
    told = read_told(json.dumps({"name": "wait", "calls": [call]}), "it", Price(input=2.0, output=10.0))
    assert [one.cost for one in told.calls] == [pytest.approx(0.003)]
    with pytest.raises(AgentFailed, match="it failed: no reply") as failed:
        read_told(json.dumps({"error": "no reply", "calls": [call]}), "it", Price())
    assert [one.prompt_tokens for one in failed.value.calls] == [1000]
    for line in ("{", "[]", '{"name": 3}'):
        with pytest.raises(AgentFailed, match="no line of the protocol"):
            read_told(line, "it", Price())


def test_what_came_of_it_is_told_or_why_it_failed() -> None:
    assert read_outcome('{"output": "clicked", "target": "T"}') == ("clicked", "T")
    with pytest.raises(ActionFailed, match="the element is gone"):
        read_outcome('{"error": "the element is gone"}')
    with pytest.raises(ActionFailed, match="told nothing"):
        read_outcome("?")
