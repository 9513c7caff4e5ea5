"""What the oracle knows and decides, without a browser: fields from HTML, the best label, the next action."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.benchmarks.turkingbench.agents.best_labels import best_answer
from webbench.benchmarks.turkingbench.agents.form import FormField, form_fields
from webbench.benchmarks.turkingbench.agents.oracle import TurkingOracle
from webbench.core.action.action import (
    Action,
    AnswerDialog,
    Check,
    Click,
    ElementRef,
    GetHtml,
    ScrollTo,
    Select,
    Stop,
    Submit,
    Type,
)
from webbench.core.agent import AgentView, Proposal
from webbench.core.observation import AccessibilityNode, Dialog, Observation
from webbench.core.task import Task


def test_fields_are_read_from_html_in_page_order() -> None:
    fields = form_fields(
        "<input name=t><input type=RADIO name=r value=1 checked><input type=radio name=r value=2>"
        "<input type=checkbox name=c><select name=s><option value=a>A<option selected>B  b</option></select>"
        "<textarea name=x readonly>old</textarea><input><div name=d></div>"
    )
    assert list(fields.values()) == [
        FormField("t", "text"),
        FormField("r", "radio", ["1", "2"], ["1"]),
        FormField("c", "checkbox", ["on"]),
        FormField("s", "select", ["a", "B b"], ["B b"]),
        FormField("x", "textarea", readonly=True),
    ]


@settings(max_examples=examples(300))
@given(st.text(alphabet=st.sampled_from("<>/=\"' abinputselectoptionnametype&;!-"), max_size=120))
def test_no_html_breaks_the_reader(html: str) -> None:
    assert all(field.name == name for name, field in form_fields(html).items())


@pytest.mark.parametrize(
    ("field", "labels", "values", "worth"),
    [
        (FormField("q", "radio", ["1", "2", "3"]), [3.0, 1.0, 3.0], ("3",), 1.0),
        (FormField("q", "radio", ["1", "2"]), [math.nan, math.nan, 1.0], (), 1.0),
        (FormField("q", "select", ["", "x"]), ["x", "y"], ("x",), 1.0),
        (FormField("q", "select", ["a"]), [math.nan], ("a",), 0.0),
        (FormField("q", "checkbox", ["a", "b", "c"]), ["c|a", "b"], ("a", "c"), 1.0),
        (FormField("q", "checkbox", ["on"]), [math.nan, "on"], (), 1.0),
        (FormField("q", "text"), ["", "one\r\ntwo"], ("one two",), 1.0),
        (FormField("q", "textarea"), ["one\r\ntwo"], ("one\ntwo",), 1.0),
        (FormField("q", "text"), [5.0], ("5",), 1.0),
        (FormField("q", "range"), [30.0, 30.0], ("30",), 1.0),
    ],
)
def test_the_label_that_the_rules_value_most_is_given(
    field: FormField, labels: list[Any], values: tuple[str, ...], worth: float
) -> None:
    answer = best_answer(field, labels)
    assert answer is not None
    assert (answer.values, answer.worth) == (values, worth)


@pytest.mark.parametrize("labels", [[math.nan], ["", "{}"], []])
def test_a_text_that_no_worker_wrote_is_left_alone(labels: list[Any]) -> None:
    assert best_answer(FormField("q", "text"), labels) is None


class Script:
    """Plays a page to an oracle: HTML for each look, which fields show, whether its proposal was taken."""

    def __init__(self, labels: dict[str, list[Any]]) -> None:
        self.oracle = TurkingOracle(
            Task(benchmark="turkingbench", name="t", gold={"labels": labels, "shared_blank": []})
        )
        self.proposed = Proposal()

    async def next(
        self, *shown: str, html: str = "", error: str = "", taken: bool = True, **observed: Any
    ) -> Action:
        nodes = [AccessibilityNode(id=9, role="textbox", attributes={"name": name}) for name in shown]
        observation = Observation(nodes=(*nodes, *observed.pop("nodes", ())), **observed)
        view = AgentView(
            task=Task(benchmark="turkingbench", name="t"),
            step=0,
            observation=observation,
            last_output=html,
            last_error=error,
            last_proposal=self.proposed if taken else Proposal(),
        )
        self.proposed = await self.oracle.propose(view)
        action = self.proposed.action
        assert action is not None
        return action


async def test_it_scrolls_to_each_field_modifies_it_and_submits() -> None:
    script = Script({"a": ["x"], "s": ["2"], "unknown": ["y"]})
    html = "<input name=a><select name=s><option>1<option>2</select><input name=other>"
    assert await script.next("a", "s") == GetHtml()
    a, s = ElementRef(field="a"), ElementRef(field="s")
    assert await script.next("a", "s", html=html) == ScrollTo(target=a)
    assert await script.next("a", "s") == Type(target=a, text="x")
    assert await script.next("a", "s") == ScrollTo(target=s)
    assert await script.next("a", "s") == Select(target=s, options=("2",))
    assert await script.next("a", "s") == GetHtml()
    assert await script.next("a", "s", html=html) == Submit()
    assert await script.next("a", "s") == GetHtml()
    assert await script.next("a", "s", html=html) == Stop()


async def test_checkboxes_that_are_right_already_are_not_touched() -> None:
    script = Script({"c": ["a|b"]})
    html = "".join(f"<input type=checkbox name=c value={v} {s}>" for v, s in [("a", "checked"), ("b", "")])
    await script.next("c")
    assert isinstance(await script.next("c", html=html), ScrollTo)
    assert await script.next("c") == Check(target=ElementRef(field="c", option="b"), checked=True)
    assert await script.next("c") == GetHtml()


async def test_fields_that_appear_are_filled_at_the_next_look() -> None:
    script = Script({"a": ["x"], "b": ["y"]})
    await script.next("a")
    await script.next("a", html="<input name=a>")
    assert await script.next("a") == Type(target=ElementRef(field="a"), text="x")
    assert await script.next("a", "b") == GetHtml()
    await script.next("a", "b", html="<input name=a><input name=b>")
    assert await script.next("a", "b") == Type(target=ElementRef(field="b"), text="y")


async def test_hidden_fields_make_it_unfold_the_form_once() -> None:
    script = Script({"a": ["x"]})
    heading = AccessibilityNode(id=4, role="heading", name="Place (click to show)")
    await script.next(nodes=(heading,))
    assert await script.next(html="<input name=a>", nodes=(heading,)) == Click(target=ElementRef(id=4))
    await script.next(nodes=(heading,))
    assert await script.next(html="<input name=a>", nodes=(heading,)) == Submit()


async def test_a_button_called_submit_is_pressed_where_the_first_one_did_not_end_it() -> None:
    script = Script({})
    disabled = AccessibilityNode(id=5, role="button", name="Submit", states={"disabled": True})
    button = AccessibilityNode(id=6, role="button", name=" Submit answers")
    await script.next()
    assert await script.next() == Submit()
    assert await script.next() == GetHtml()
    assert await script.next(nodes=(disabled, button)) == Click(target=ElementRef(id=6))
    assert await script.next() == GetHtml()
    assert await script.next(nodes=(disabled, button)) == Stop()


async def test_it_answers_dialogs_and_remembers_what_failed() -> None:
    script = Script({"a": ["x"]})
    await script.next("a")
    await script.next("a", html="<input name=a>")
    await script.next("a")
    dialog = Dialog("alert", "hello")
    assert await script.next(dialog=dialog, error="the field is covered") == AnswerDialog(accept=True)
    await script.next("a")
    assert script.oracle.failures == {"a": "the field is covered"}


async def test_what_was_not_carried_out_is_proposed_again() -> None:
    script = Script({"a": ["x"]})
    html = "<input name=a>"
    assert await script.next("a") == GetHtml()
    assert await script.next("a", taken=False) == GetHtml(), (
        "the look was rejected, or a person acted instead"
    )
    for wanted in (ScrollTo(target=ElementRef(field="a")), Type(target=ElementRef(field="a"), text="x")):
        assert await script.next("a", html=html) == wanted
        assert await script.next("a", taken=False) == wanted
    assert await script.next("a") == GetHtml()
    assert await script.next("a", html=html) == Submit()
    assert await script.next("a", taken=False) == Submit()


async def test_a_look_at_a_page_behind_a_dialog_is_repeated() -> None:
    script = Script({"a": ["x"]})
    await script.next("a")
    assert await script.next(html="<input name=a>", dialog=Dialog("alert", "hello")) == AnswerDialog(
        accept=True
    )
    assert await script.next("a") == GetHtml()
    assert await script.next("a", html="<input name=a>") == ScrollTo(target=ElementRef(field="a"))
