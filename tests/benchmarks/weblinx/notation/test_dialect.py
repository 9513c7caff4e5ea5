"""WebLINX' own grammar: what is read, what is written, what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.benchmarks.weblinx.dialect import create
from webbench.benchmarks.weblinx.notation.output import parse_output
from webbench.benchmarks.weblinx.notation.prediction import predicted, selector_of, uid_in
from webbench.benchmarks.weblinx.pages.elements import PageElements
from webbench.core.action.action import (
    Action,
    Click,
    ClickAt,
    CloseTab,
    ElementRef,
    FocusTab,
    Goto,
    Hover,
    HoverAt,
    NewTab,
    Press,
    Say,
    Scroll,
    Select,
    Stop,
    Submit,
    Type,
)
from webbench.core.dialects.dialect import ParseError
from webbench.core.observation import AccessibilityNode, Box, Observation

DIALECT = create()
UID = "67e2a5fb-8b1d-41a0"
BY_UID, BY_ID = ElementRef(selector=selector_of(UID)), ElementRef(id=12)
BY_CORNERS = ElementRef(box=Box(20, 10, 30, 5))

WRITTEN: list[tuple[str, Action]] = [
    ('say(speaker="navigator", utterance="Which size?")', Say(text="Which size?")),
    (f'click(uid="{UID}")', Click(target=BY_UID)),
    ("click(uid=12)", Click(target=BY_ID)),
    ("click(x=10, y=20.5)", ClickAt(x=10, y=20.5)),
    ("click(top=10, left=20, right=50, bottom=15)", Click(target=BY_CORNERS)),
    (f'textinput(uid="{UID}", text="a \\"lamp\\", (red)")', Type(target=BY_UID, text='a "lamp", (red)')),
    ('load(url="https://www.example.org/")', Goto(url="https://www.example.org/")),
    ("submit(uid=12)", Submit(target=BY_ID)),
    ('change(uid=12, value="Large")', Select(target=BY_ID, options=("Large",))),
    ("scroll(x=0, y=300)", Scroll(dx=0, dy=300)),
    (f'hover(uid="{UID}")', Hover(target=BY_UID)),
    ("hover(x=1, y=2)", HoverAt(x=1, y=2)),
    ("copy()", Press(keys="Control+c")),
    ("paste()", Press(keys="Control+v")),
    ("tabcreate()", NewTab()),
    ("tabswitch(target=102465635)", FocusTab(index=102465635)),
    ("tabremove(target=2)", CloseTab(index=2)),
    ("stop()", Stop()),
]


@pytest.mark.parametrize(("text", "action"), WRITTEN)
def test_every_verb_is_read_and_written(text: str, action: Action) -> None:
    assert DIALECT.parse(text) == action
    assert DIALECT.format(action) == text


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ('say(speaker="navigator", utterance="I found "it", sure")', Say(text='I found "it", sure')),
        (f'text_input(text="lamp", uid="{UID}")', Type(target=BY_UID, text="lamp")),
        ("```\nclick(12)\n```", Click(target=BY_ID)),
        ("tabswitch(origin=1, target=2)", FocusTab(index=2)),
        ('copy(text="whatever")', Press(keys="Control+c")),
        ('{"verb": "click", "target": {"id": 12}}', Click(target=BY_ID)),
        ("textinput(x=3, y=4, text='a')", Type(target=ElementRef(box=Box(3, 4, 0, 0)), text="a")),
    ],
)
def test_what_else_is_understood(text: str, action: Action) -> None:
    assert DIALECT.parse(text) == action


@pytest.mark.parametrize(
    ("text", "reason", "nearest"),
    [
        ("click()", "an element is wanted", "click(uid=…)"),
        ("click(x=1)", "an element is wanted", "click(uid=…)"),
        (f'click(uid="{UID})', "the string is not closed", f'click(uid="{UID}")'),
        ("click(uid=", "", "click(uid=…)"),
        ("click abc", '"(" is missing', 'click(uid="abc")'),
        ("type(12, 'x')", 'there is no action "type"', "textinput("),
        ("submit(uid=1.5)", "an element is named by its id", "submit(uid=…)"),
        ("", "there is no action here", "one of say, click"),
    ],
)
def test_what_is_no_action_says_why(text: str, reason: str, nearest: str) -> None:
    found = DIALECT.parse(text)
    assert isinstance(found, ParseError)
    assert reason in found.reason
    assert found.nearest.startswith(nearest)


@settings(max_examples=examples(150), deadline=None)
@given(st.text(max_size=60), st.text(max_size=30))
def test_texts_survive_writing_and_reading(text: str, uid: str) -> None:
    typed = Type(target=ElementRef(selector=selector_of(uid)) if uid else BY_ID, text=text)
    assert DIALECT.parse(DIALECT.format(typed)) == typed
    assert uid_in(selector_of(uid)) == uid
    DIALECT.parse(text)
    prediction = predicted(Say(text=text), PageElements(), lambda _reference: "")
    evidence = prediction.evidence()
    if "output" in evidence:
        assert parse_output(evidence["output"], quoted_text=True)[1]["utterance"] == text
    else:
        assert evidence["action"]["args"]["utterance"] == text


def test_ids_of_the_page_are_offered_while_one_types() -> None:
    nodes = (AccessibilityNode(id=7, role="button", name="Buy", interactive=True),)
    page = Observation(nodes=nodes)
    assert DIALECT.complete("cl", page)[0].text == "click(uid="
    assert [one.text for one in DIALECT.complete("click(uid=", page)] == ["7)"]
    assert DIALECT.complete("textinput(uid=Bu", page)[0].text == "7, text="
    assert DIALECT.complete("sa", page)[0].text == 'say(speaker="navigator", utterance='
