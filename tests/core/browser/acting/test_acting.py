"""Verbs about the page as a whole: reading it, submitting it, leaving it, or none of that."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Site
from tests.core.browser.acts import css, done, field, opened, refused
from webbench.core.action.action import (
    Back,
    CaptureScreen,
    Click,
    Forward,
    GetHtml,
    Goto,
    NewTab,
    Noop,
    Reload,
    Say,
    Stop,
    Submit,
    Type,
)
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.environment import EnvironmentSetup


async def test_html_of_page_and_element(environment: BrowserEnvironment, serve: Site) -> None:
    await opened(
        environment, serve("<table><tr><td>Colour</td><td><input name=q></td></tr></table><p>Other</p>")
    )
    whole = await done(environment, GetHtml())
    assert "<p>Other</p>" in whole.output
    part = await done(environment, GetHtml(target=field("q")))
    assert "Colour" in part.output
    assert "Other" not in part.output


async def test_html_without_end_is_cut(
    environment: BrowserEnvironment, serve: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webbench.core.browser.acting.element_verbs.LONGEST_HTML", 1000)
    await opened(environment, serve(f"<p>{'x' * 5000}"))
    output = (await done(environment, GetHtml())).output
    assert len(output) == 1000
    assert output.startswith("<html>")
    assert output.endswith("x…")


async def test_submit_uses_the_forms_own_control(environment: BrowserEnvironment, serve: Site) -> None:
    html = "<form action=/done><input name=q required><button name=b value=yes>Send</button></form>"
    serve("arrived", "/done")
    await opened(environment, serve(html))
    assert "form is not complete: q:" in await refused(environment, Submit())
    await done(environment, Type(target=field("q"), text="x"))
    await done(environment, Submit())
    assert (await environment.observe()).url == f"{serve.url}done?q=x&b=yes"
    await opened(environment, serve("<form action=/done><input name=q value=1></form>"))
    await done(environment, Submit(target=field("q")))
    assert (await environment.observe()).url == f"{serve.url}done?q=1"
    assert "no form" in await refused(environment, Submit())


async def test_going_places(environment: BrowserEnvironment, serve: Site) -> None:
    two = serve("<title>two</title>", "/two")
    await opened(environment, serve("<title>one</title><a href=/two>go</a>"))
    await done(environment, Click(target=css("a")))
    assert (await environment.observe()).title == "two"
    await done(environment, Back())
    assert (await environment.observe()).title == "one"
    await done(environment, Forward())
    assert (await environment.observe()).title == "two"
    assert "no page to go forward to" in await refused(environment, Forward())
    serve("<title>new</title>", "/two")
    await done(environment, Reload())
    assert (await environment.observe()).title == "new"
    await done(environment, Goto(url=two.removeprefix("http://")))
    assert "no address" in await refused(environment, Goto(url=" "))


@pytest.mark.parametrize("verb", [Goto, NewTab])
@pytest.mark.parametrize(
    "url",
    [
        "chrome://version",
        "Chrome-Extension://abc/page.html",
        "view-source:http://127.0.0.1/",
        "devtools://devtools/bundled/inspector.html",
        "javascript:document.title = 'run'",
        "file:///etc/passwd",
        "data:text/html,<title>inline</title>",
        "about:version",
    ],
)
async def test_addresses_that_no_task_needs_are_refused(
    environment: BrowserEnvironment, serve: Site, verb: type[Goto | NewTab], url: str
) -> None:
    await opened(environment, serve("<title>here</title>"))
    error = await refused(environment, verb(url=url))
    assert url.split(":")[0].lower() in error
    assert "can't be opened" in error
    assert [tab.title for tab in (await environment.observe()).tabs] == ["here"]


async def test_a_task_that_begins_inline_or_in_a_file_may_go_on_there(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    inline = "data:text/html,<title>inline</title>"
    (tmp_path / "page.html").write_text("<title>file</title>")
    file = (tmp_path / "page.html").as_uri()
    await environment.reset(EnvironmentSetup(start_urls=(inline, file)))
    for url, title in ((file, "file"), ("about:blank", "about:blank"), (inline, "inline")):
        await done(environment, Goto(url=url))
        assert (await environment.observe()).title in (title, "")


async def test_verbs_without_effect_on_the_page(environment: BrowserEnvironment, serve: Site) -> None:
    await opened(environment, serve("<p>x"))
    for action in (Say(text="hi"), Stop(answer="42"), CaptureScreen(), Noop()):
        assert (await done(environment, action)).action == action
