from __future__ import annotations

import pytest

from tests.tui.widgets import pages
from tests.tui.widgets.host import Host, dangerous, text
from webbench.benchmarks.webarena.dialect import create
from webbench.tui.screens.stepper.action_bar import ActionBar


def bar_app() -> tuple[Host, ActionBar]:
    bar = ActionBar(create())
    bar.observation = pages.shop()
    return Host(bar), bar


async def test_tells_what_an_id_refers_to_while_typing():
    app, bar = bar_app()
    async with app.run_test(size=(100, 30)) as pilot:
        bar.edit("click [28]")
        await pilot.pause()
        assert 'click [28] button "Add to basket"' in text(app)
        bar.edit("click [21]")
        await pilot.pause()
        assert "disabled" in text(app)
        bar.edit("click [999]")
        await pilot.pause()
        assert "there is no [999] on this page" in text(app)


async def test_says_what_is_wrong_and_does_not_send_it():
    app, bar = bar_app()
    async with app.run_test(size=(100, 30)) as pilot:
        bar.input.focus()
        await pilot.press(*"clik [12]", "escape", "enter")
        assert not app.heard_of(ActionBar.ActionSubmitted)
        assert bar.verdict.kind == "wrong"
        assert "try: click [" in text(app)


async def test_completes_verb_and_id_and_sends():
    app, bar = bar_app()
    async with app.run_test(size=(100, 30)) as pilot:
        bar.input.focus()
        await pilot.press(*"cli")
        assert bar.completions.is_open
        await pilot.press("tab")
        assert bar.text == "click ["
        await pilot.press(*"basket")
        current = bar.completions.current
        assert current is not None
        assert "asket" in current.label
        await pilot.press("down", "tab")
        assert bar.verdict.kind == "ok"
        await pilot.press("escape", "enter")
        sent = app.heard_of(ActionBar.ActionSubmitted)[0].text
        assert sent.startswith("click [")
        assert bar.text == ""


async def test_up_and_down_go_through_what_was_sent():
    app, bar = bar_app()
    async with app.run_test(size=(100, 30)) as pilot:
        for action in ("click [3]", "go_back", "click [3]"):
            bar.edit(action)
            await pilot.press("enter")
        assert bar.history == ["go_back", "click [3]"]
        await pilot.press("up")
        assert bar.text == "click [3]"
        await pilot.press("up", "up")
        assert bar.text == "go_back"
        await pilot.press("down", "down")
        assert bar.text == ""


async def test_escape_closes_completions_first_and_then_leaves():
    app, bar = bar_app()
    async with app.run_test(size=(100, 30)) as pilot:
        bar.input.focus()
        await pilot.press("c", "escape")
        assert not bar.completions.is_open
        assert not app.heard_of(ActionBar.Left)
        await pilot.press("escape")
        assert app.heard_of(ActionBar.Left)


async def test_the_dialect_is_named_and_its_key_asks_for_another():
    app, bar = bar_app()
    async with app.run_test(size=(100, 30)) as pilot:
        assert "webarena" in text(app)
        bar.input.focus()
        await pilot.press("f3")
        assert app.heard_of(ActionBar.DialectSwitchRequested)


async def test_a_refusal_stands_until_something_is_typed():
    app, bar = bar_app()
    async with app.run_test(size=(100, 30)) as pilot:
        bar.show_error("the page went away")
        await pilot.pause()
        assert "the page went away" in text(app)
        bar.input.focus()
        await pilot.press("g")
        assert "the page went away" not in text(app)


@pytest.mark.parametrize("hostile", pages.HOSTILE)
async def test_any_text_can_stand_in_the_field(hostile: str):
    app, bar = bar_app()
    async with app.run_test(size=(100, 30)) as pilot:
        bar.edit(f"type [6] [{hostile[:300]}]")
        await pilot.pause()
        assert not dangerous(text(app))
