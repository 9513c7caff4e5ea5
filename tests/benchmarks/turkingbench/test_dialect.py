"""TurkingBench's language, as the paper gives it and as a recorded model wrote it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from webbench.benchmarks.turkingbench.dialect import create, create_unhinted
from webbench.core.action.action import (
    Action,
    CaptureScreen,
    Check,
    Click,
    ClickAt,
    ElementRef,
    GetHtml,
    Maximize,
    Noop,
    Scroll,
    ScrollTo,
    Select,
    SetRange,
    Submit,
    Type,
)
from webbench.core.dialects.dialect import ParseError, find_dialect
from webbench.core.observation import AccessibilityNode, Observation

DIALECT = create()
SHARED = Path(os.environ.get("WEBBENCH_SHARED") or Path(__file__).parents[3].parent / "shared")
LOG = SHARED / "data" / "trajectories" / "turkingbench-claude-logs" / "text_claude_7_1.txt"


def field(name: str, option: str = "", role: str = "") -> ElementRef:
    return ElementRef(field=name, option=option, role=role)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (
            'modify_text("summary", "A \\"short\\" text")',
            Type(target=field("summary"), text='A "short" text'),
        ),
        ("self.actions.modify_text('rot', 'it\\'s good')", Type(target=field("rot"), text="it's good")),
        ("actions.modify_radio('rot-agree', '3')", Check(target=field("rot-agree", "3", "radio"))),
        ("modify_radio('rot-agree', 3.0)", Check(target=field("rot-agree", "3", "radio"))),
        ('modify_checkbox("topic", "a|b")', Check(target=field("topic", "a|b"))),
        ('modify_checkbox("agree")', Check(target=field("agree"))),
        ('modify_checkbox("agree", "yes", False)', Check(target=field("agree", "yes"), checked=False)),
        ('modify_select("country", "Norway")', Select(target=field("country"), options=("Norway",))),
        ('modify_range("score", "7")', SetRange(target=field("score"), value=7)),
        ('modify_text(12, "by id")', Type(target=ElementRef(id=12), text="by id")),
        ('modify_text("n", """two\nlines""")', Type(target=field("n"), text="two\nlines")),
        (
            'modify_text(value="v", name="n", enter=True)',
            Type(target=field("n"), text="v", enter=True),
        ),
        ("click(320, 45.5)", ClickAt(x=320, y=45.5)),
        ("click(12)", Click(target=ElementRef(id=12))),
        ('type("héllo")', Type(text="héllo", clear=False)),
        ("scroll_down()", Scroll(dy=1.0, unit="viewports")),
        ("scroll_up(200)", Scroll(dy=-200)),
        ("scroll(0, 300)", Scroll(dy=300)),
        ('scroll("up")', Scroll(dy=-1.0, unit="viewports")),
        ('scroll_to_element("summary")', ScrollTo(target=field("summary"))),
        ("get_html()", GetHtml()),
        ('get_html("summary")', GetHtml(target=field("summary"))),
        ("capture_screen()", CaptureScreen()),
        ("take_screenshot()", CaptureScreen()),
        ('capture_screen("summary")', CaptureScreen(target=ElementRef(field="summary"))),
        ("maximize_window()", Maximize()),
        ("maximize()", Maximize()),
        ("wait(2)", Noop(seconds=2)),
        ("submit()", Submit()),
        ("```python\nsubmit()\n```", Submit()),
    ],
)
def test_a_text_is_its_action(text: str, action: Action) -> None:
    assert DIALECT.parse(text) == action
    assert DIALECT.parse(DIALECT.format(action)) == action


@pytest.mark.parametrize(
    ("text", "position", "reason", "nearest"),
    [
        ("modify_text('rot', 'it's good')", 23, "missing", 'modify_text("rot", "it\'s good")'),
        ("modify_radio(rot-agree, 3)", 13, "not in quotes", 'modify_radio("rot-agree", "3")'),
        ("modifytext('a', 'b')", 0, "no action", "modify_text('a', 'b')"),
        ("modify_text('a', 'b'", 20, "missing", "modify_text('a', 'b')"),
        ("modify_text('a')", 15, "needs value", "modify_text(name, value)"),
        ("modify_text('a', 'b') modify_text('c', 'd')", 22, "one action", "modify_text('a', 'b')"),
        ("modify_checkbox('m', 'f', 'on')", 26, "0 or 1", 'modify_checkbox("m", "f")'),
        ("modify_text('a', f'{x}')", 17, "f-string", 'modify_text("a", "f\'{x}\'")'),
        ("modify_text('a', open('b').read())", 17, "not in quotes", 'modify_text("a", "open(\'b\').read()")'),
    ],
)
def test_an_error_says_where_and_why_and_what_was_meant(
    text: str, position: int, reason: str, nearest: str
) -> None:
    error = DIALECT.parse(text)
    assert isinstance(error, ParseError)
    assert reason in error.reason
    assert (error.position, error.nearest) == (position, nearest)


def test_every_call_that_a_recorded_model_made_is_understood_or_mended() -> None:
    if not LOG.exists():
        assert not os.environ.get("CI"), f"{LOG} is missing"
        pytest.skip(f"no shared data at {LOG}")
    log = re.sub(r"\x1b\[[0-9;]*m", "", LOG.read_text(encoding="utf-8", errors="replace"))
    calls = re.findall(r"^Executing one action: *(self\.actions\..*)$", log, re.MULTILINE)
    assert len(calls) > 70
    failed = {call for call in calls if isinstance(DIALECT.parse(call), ParseError)}
    assert failed == {
        "self.actions.modify_text('rot-judgment', 'it's good')",
        "self.actions.modify_checkbox('rot-moral-foundations', 'fairness-cheating', 'on')",
    }
    for call in failed:
        error = DIALECT.parse(call)
        assert isinstance(error, ParseError)
        assert not isinstance(DIALECT.parse(error.nearest), ParseError)


FORM = Observation(
    nodes=(
        AccessibilityNode(
            id=3,
            role="textbox",
            name="Say \x1b[2J",
            value="old",
            interactive=True,
            attributes={"name": "summary"},
        ),
        AccessibilityNode(
            id=4,
            role="radio",
            name="Yes",
            interactive=True,
            states={"checked": "true"},
            attributes={"name": "agree", "type": "radio", "value": "1"},
        ),
        AccessibilityNode(
            id=5,
            role="radio",
            name="No",
            interactive=True,
            attributes={"name": "agree", "type": "radio", "value": "0"},
        ),
        AccessibilityNode(id=6, role="button", name="Send", interactive=True),
    )
)


def completed(text: str) -> list[str]:
    return [text[: entry.start] + entry.text for entry in DIALECT.complete(text, FORM)]


def test_field_names_that_suit_the_verb_come_first() -> None:
    assert completed("modify_radio(")[:2] == ['modify_radio("agree")', 'modify_radio("summary")']
    assert completed("modify_text(")[0] == 'modify_text("summary", '
    assert completed('modify_text("summ') == ['modify_text("summary", ']
    assert completed('modify_radio("agree", ') == ['modify_radio("agree", "1")', 'modify_radio("agree", "0")']
    assert completed("click(Sen") == ["click(6)"]
    assert completed("modify_t")[0] == "modify_text("


def test_the_form_is_rendered_before_the_page() -> None:
    text = DIALECT.render(FORM)
    assert "'agree' radio = '1' (chosen) [4] Yes" in text
    assert "'summary'" in text
    assert "\x1b" not in text.split("\n\n")[0]
    assert "[6] button 'Send'" in text


def test_without_the_hint_no_name_of_a_field_is_told() -> None:
    field_node = AccessibilityNode(
        id=4, role="textbox", name="Summary", interactive=True, tag="input", attributes={"name": "sum_1"}
    )
    page = Observation(nodes=(field_node,), relevant_html={"sum_1": "<input name=sum_1>"})
    hinted, unhinted = create(), create_unhinted()
    assert "sum_1" in hinted.render(page)
    assert "sum_1" not in unhinted.render(page)
    assert "[4]" in unhinted.render(page)
    assert unhinted.verbs() == hinted.verbs()
    assert unhinted.parse('modify_text(4, "so")') == hinted.parse('modify_text(4, "so")')
    assert find_dialect("turkingbench-unhinted").name == "turkingbench-unhinted"
