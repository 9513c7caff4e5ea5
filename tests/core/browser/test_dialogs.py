"""JavaScript dialogs are part of the observation and are answered by actions."""

from __future__ import annotations

import asyncio

import pytest

from tests.conftest import Site
from webbench.core.action.action import (
    AnswerDialog,
    Click,
    CloseTab,
    ElementRef,
    FocusTab,
    Goto,
    NewTab,
    Noop,
    Stop,
)
from webbench.core.browser.acting.settle import Patience
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.environment import EnvironmentSetup
from webbench.core.observation import Dialog

BUTTON = ElementRef(selector="button")
LEAVE = "<script>addEventListener('beforeunload', (e) => e.preventDefault())</script><button>B</button>"


async def click_on(environment: BrowserEnvironment, url: str) -> None:
    await environment.reset(EnvironmentSetup(start_urls=(url,)))
    result = await environment.act(Click(target=BUTTON))
    assert result.ok, result.error


def asking(call: str) -> str:
    return f'<button onclick="document.title = String({call})">B</button>'


@pytest.mark.parametrize(
    ("call", "answer", "dialog", "title"),
    [
        ("alert('Hello')", AnswerDialog(), Dialog("alert", "Hello"), "undefined"),
        ("confirm('Sure?')", AnswerDialog(), Dialog("confirm", "Sure?"), "true"),
        ("confirm('Sure?')", AnswerDialog(accept=False), Dialog("confirm", "Sure?"), "false"),
        ("prompt('Name?', 'Bob')", AnswerDialog(text="Zoë"), Dialog("prompt", "Name?", "Bob"), "Zoë"),
        ("prompt('Name?', 'Bob')", AnswerDialog(accept=False), Dialog("prompt", "Name?", "Bob"), "null"),
    ],
)
async def test_a_dialog_is_observed_and_answered(
    environment: BrowserEnvironment, serve: Site, call: str, answer: AnswerDialog, dialog: Dialog, title: str
) -> None:
    await click_on(environment, serve(asking(call)))
    observation = await environment.observe()
    assert observation.dialog == dialog
    assert observation.url == serve.url
    assert await environment.screenshot() is None
    result = await environment.act(answer)
    assert result.ok, result.error
    observation = await environment.observe()
    assert observation.dialog is None
    assert observation.title == title
    assert await environment.screenshot() is not None


async def test_other_actions_wait_for_the_answer(environment: BrowserEnvironment, serve: Site) -> None:
    await click_on(environment, serve(asking("confirm('Delete all?')")))
    for action in (Click(target=BUTTON), FocusTab(index=0), Noop()):
        result = await environment.act(action)
        assert not result.ok
        assert 'confirm dialog is open: "Delete all?"' in result.error
    assert (await environment.act(Stop())).ok
    assert (await environment.act(AnswerDialog())).ok
    result = await environment.act(AnswerDialog())
    assert result.error.startswith("there is no dialog")


async def test_one_dialog_after_another(environment: BrowserEnvironment, serve: Site) -> None:
    await click_on(environment, serve(asking("confirm('one') + '/' + prompt('two')")))
    assert (await environment.act(AnswerDialog(accept=False))).ok
    dialog = (await environment.observe()).dialog
    assert dialog is not None
    assert dialog.message == "two"
    assert (await environment.act(AnswerDialog(text="2"))).ok
    assert (await environment.observe()).title == "false/2"


async def test_dialog_while_the_page_loads(environment: BrowserEnvironment, serve: Site) -> None:
    url = serve("<script>alert('first')</script><title>after</title>")
    environment.patience = Patience(deadline=600, navigation=600)
    async with asyncio.timeout(60):  # nobody waits for the page
        await environment.reset(EnvironmentSetup(start_urls=(url,)))
    dialog = (await environment.observe()).dialog
    assert dialog is not None
    assert dialog.message == "first"
    assert (await environment.act(AnswerDialog())).ok
    assert (await environment.observe()).title == "after"


async def test_a_dialog_that_opens_later_shows_at_the_next_look(
    environment: BrowserEnvironment, serve: Site
) -> None:
    await click_on(environment, serve("<button onclick=\"setTimeout(() => alert('late'), 400)\">B</button>"))
    result = await environment.act(Noop(seconds=30))
    assert result.seconds < 30, "it breaks off as the dialog opens"
    dialog = (await environment.observe()).dialog
    assert dialog is not None
    assert dialog.message == "late"
    assert (await environment.act(AnswerDialog())).ok


async def test_leaving_a_page_that_asks(environment: BrowserEnvironment, serve: Site) -> None:
    other = serve("<title>other</title>", "/other")
    await click_on(environment, serve(LEAVE))
    assert (await environment.act(Goto(url=other))).ok
    dialog = (await environment.observe()).dialog
    assert dialog is not None
    assert dialog.kind == "beforeunload"
    assert (await environment.act(AnswerDialog(accept=False))).ok
    assert (await environment.observe()).url == serve.url
    await environment.act(Click(target=BUTTON))
    assert (await environment.act(Goto(url=other))).ok
    assert (await environment.act(AnswerDialog())).ok
    assert (await environment.observe()).title == "other"


async def test_closing_a_tab_that_asks(environment: BrowserEnvironment, serve: Site) -> None:
    await environment.reset(EnvironmentSetup(start_urls=(serve("<title>first</title>"),)))
    await environment.act(NewTab(url=serve(LEAVE, "/leave")))
    await environment.act(Click(target=BUTTON))
    assert (await environment.act(CloseTab())).ok
    dialog = (await environment.observe()).dialog
    assert dialog is not None
    assert dialog.kind == "beforeunload"
    assert (await environment.act(AnswerDialog())).ok
    observation = await environment.observe()
    assert [tab.title for tab in observation.tabs] == ["first"]
