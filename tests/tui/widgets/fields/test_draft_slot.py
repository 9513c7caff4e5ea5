"""A person types into a draft: only the value changes, and it arrives as it was typed."""

from __future__ import annotations

import pytest
from textual import events

from tests.tui.widgets import pages
from tests.tui.widgets.host import Host, text
from webbench.core.action.action import Action, ElementRef, Press, Select, SetRange, Stop, Type, Upload
from webbench.core.dialects.dialect import find_dialect
from webbench.core.observation import AccessibilityNode
from webbench.tui.screens.stepper.action_bar import ActionBar
from webbench.tui.screens.stepper.node_verbs import draft
from webbench.tui.widgets.fields.action_verdict import judge_action
from webbench.tui.widgets.fields.draft_slot import SLOTS, draft_words

DIALECTS = ("browsergym", "turkingbench", "webarena")
FIELD = ElementRef(id=6, field="summary", role="textbox", name="Summary")
SHOWN = {
    "browsergym": ("fill('6', '", "')"),
    "turkingbench": ('modify_text(6, "', '")'),
    "webarena": ("type [6] [", "] [0]"),
}
ODD = ('say "no"', "it's", "a]b", "] [1]", "C:\\new", 'end"', "two\nlines", "")


def bar_app(dialect: str) -> tuple[Host, ActionBar]:
    bar = ActionBar(find_dialect(dialect))
    bar.observation = pages.shop()
    return Host(bar), bar


def sent(app: Host, dialect: str) -> object:
    [message] = app.heard_of(ActionBar.ActionSubmitted)
    return find_dialect(dialect).parse(message.text)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_typing_goes_where_the_language_puts_the_text(dialect: str) -> None:
    app, bar = bar_app(dialect)
    async with app.run_test(size=(100, 30)) as pilot:
        bar.draft(Type(target=FIELD, text=""))
        await pilot.press(*"Due")
        assert bar.text == "Due".join(SHOWN[dialect])
        assert bar.verdict.kind == "ok"
        await pilot.press("enter")
        assert sent(app, dialect) == Type(target=ElementRef(id=6), text="Due")


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_what_the_field_held_is_selected_and_written_over(dialect: str) -> None:
    app, bar = bar_app(dialect)
    async with app.run_test(size=(100, 30)) as pilot:
        bar.draft(Type(target=FIELD, text="old"))
        assert bar.input.selected_text == "old"
        await pilot.press(*"new", "enter")
        assert sent(app, dialect) == Type(target=ElementRef(id=6), text="new")


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("dialect", DIALECTS)
async def test_any_text_arrives_as_it_was_pasted(dialect: str, odd: str) -> None:
    app, bar = bar_app(dialect)
    async with app.run_test(size=(100, 30)) as pilot:
        bar.draft(Type(target=FIELD, text=""))
        bar.input.post_message(events.Paste(odd))
        await pilot.pause()
        assert bar.verdict.kind == "ok"
        await pilot.press("enter")
        assert sent(app, dialect) == Type(target=ElementRef(id=6), text=odd)


@pytest.mark.parametrize(
    ("action", "typed", "expected"),
    [
        (Select(target=FIELD, options=("red",)), "green", ("green",)),
        (Press(target=FIELD, keys="Enter"), "Tab", "Tab"),
        (Upload(target=FIELD, files=("",)), "notes", ("notes",)),
        (SetRange(target=FIELD, value=3.5), "7", 7.0),
        (Stop(), "done", "done"),
    ],
)
@pytest.mark.parametrize("dialect", DIALECTS)
async def test_every_value_is_filled_in(dialect: str, action: Action, typed: str, expected: object) -> None:
    app, bar = bar_app(dialect)
    async with app.run_test(size=(100, 30)) as pilot:
        bar.draft(action)
        await pilot.press(*typed, "escape", "enter")
        done = sent(app, dialect)
        assert type(done) is type(action)
        assert getattr(done, SLOTS[type(action)]) == expected


async def test_a_range_wants_a_number() -> None:
    app, bar = bar_app("webarena")
    async with app.run_test(size=(100, 30)) as pilot:
        bar.draft(SetRange(target=FIELD, value=3))
        await pilot.press(*"many", "enter")
        assert not app.heard_of(ActionBar.ActionSubmitted)
        assert "number" in text(app)


async def test_another_dialect_takes_the_draft_along() -> None:
    app, bar = bar_app("webarena")
    async with app.run_test(size=(100, 30)) as pilot:
        bar.draft(Type(target=FIELD, text=""))
        await pilot.press(*"Due")
        bar.dialect = find_dialect("browsergym")
        assert bar.text == "fill('6', 'Due')"


async def test_a_change_outside_the_value_is_read_as_written() -> None:
    app, bar = bar_app("webarena")
    async with app.run_test(size=(100, 30)) as pilot:
        bar.draft(Type(target=FIELD, text="mug"))
        await pilot.press("end", "left", "backspace", "1", "enter")
        assert sent(app, "webarena") == Type(target=ElementRef(id=6), text="mug", enter=True)


def node(id: int, role: str, value: str) -> AccessibilityNode:
    attributes = {"name": "agree", "value": value, "type": role}
    return AccessibilityNode(id=id, role=role, depth=1, interactive=True, attributes=attributes)


def drafted(chosen: AccessibilityNode, *page: AccessibilityNode) -> str:
    return draft_words(find_dialect("turkingbench"), draft(chosen, "check", page))


def test_a_radio_button_is_named_by_its_group_and_value() -> None:
    page = node(41, "radio", "0"), node(42, "radio", "1")
    assert drafted(page[1], *page) == 'modify_radio("agree", "1")'


def test_a_box_of_a_group_is_named_by_its_value() -> None:
    page = node(41, "checkbox", "0"), node(42, "checkbox", "1")
    assert drafted(page[1], *page) == 'modify_checkbox("agree", "1")'


def test_of_two_that_have_the_same_name_and_value_the_id_tells() -> None:
    page = node(41, "radio", "1"), node(42, "radio", "1")
    assert drafted(page[1], *page) == "modify_checkbox(42)"


def test_a_language_of_ids_keeps_to_them() -> None:
    chosen = node(42, "radio", "1")
    assert draft_words(find_dialect("webarena"), draft(chosen, "check", [chosen])) == "check [42]"


def test_the_named_button_of_a_group_is_the_one_that_is_outlined() -> None:
    page = node(41, "radio", "0"), node(42, "radio", "1")
    judged = judge_action('modify_radio("agree", "1")', find_dialect("turkingbench"), page)
    assert judged.node == page[1]
