"""Which actions a person is asked about, by what they do to which element."""

from __future__ import annotations

import msgspec
import pytest

from webbench.core.action import action as a
from webbench.core.guards.approval import effect_of, why_ask
from webbench.core.observation import AccessibilityNode, Box, Observation


def node(id: int, role: str, depth: int = 1, **more: object) -> AccessibilityNode:
    return msgspec.structs.replace(AccessibilityNode(id=id, role=role, depth=depth), **more)


PAGE = Observation(
    focused=7,
    nodes=(
        node(1, "RootWebArea", 0, interactive=True, box=Box(0, 0, 800, 600)),
        node(2, "link", name="Home", interactive=True, box=Box(0, 0, 80, 20)),
        node(3, "StaticText", 2, name="Home", box=Box(0, 0, 80, 20)),
        node(4, "button", name="Buy", interactive=True),
        node(5, "checkbox", name="Gift", interactive=True),
        node(6, "textbox", name="Name", interactive=True, attributes={"name": "who"}),
        node(7, "searchbox", interactive=True),
        node(8, "StaticText", name="A word", box=Box(0, 300, 80, 20)),
        node(9, "generic", interactive=True),
    ),
)


def ref(id: int) -> a.ElementRef:
    return a.ElementRef(id=id)


@pytest.mark.parametrize(
    ("action", "effect"),
    [
        (a.Click(target=ref(2)), "navigates"),
        (a.Click(target=ref(3)), "navigates"),
        (a.ClickAt(x=10, y=10), "navigates"),
        (a.ClickAt(x=10, y=310), ""),
        (a.Click(target=ref(4)), "submits"),
        (a.Click(target=ref(5)), "types"),
        (a.Click(target=ref(6)), ""),
        (a.Click(target=a.ElementRef(field="who")), ""),
        (a.Click(target=a.ElementRef(role="button", name="Buy")), "submits"),
        (a.Click(target=ref(9)), "may do anything"),
        (a.Click(target=ref(8), at=(10, 10)), "may do anything"),
        (a.Click(target=ref(99)), "may do anything"),
        (a.Click(target=a.ElementRef(selector="#buy")), "may do anything"),
        (a.Type(target=ref(6), text="Ann"), "types"),
        (a.Type(target=ref(6), text="Ann", enter=True), "submits"),
        (a.Type(target=ref(6), text="Ann\n"), "submits"),
        (a.Press(keys="Control+Enter"), "submits"),
        (a.Press(keys="x"), "types"),
        (a.Stop(answer="1"), "ends"),
        (a.Goto(url="http://a.test/"), "navigates"),
        (a.NewTab(), ""),
        (a.NewTab(url="http://a.test/"), "navigates"),
        (a.AnswerDialog(accept=True), "submits"),
        (a.AnswerDialog(accept=False), ""),
        (a.Scroll(dy=1, unit="viewports"), ""),
        (a.Remember(text="x"), ""),
    ],
)
def test_effects(action: a.Action, effect: str) -> None:
    assert effect_of(action, PAGE) == effect


def test_policies() -> None:
    scroll, click = a.Scroll(dy=1, unit="viewports"), a.Click(target=ref(2))
    assert [why_ask("always", one, PAGE) for one in (scroll, click)] == ["always asked", "navigates"]
    assert [why_ask("changes", one, PAGE) for one in (scroll, click, None)] == [
        "",
        "navigates",
        "is no action",
    ]
    assert [why_ask("never", one, PAGE) for one in (scroll, click, None)] == ["", "", ""]
