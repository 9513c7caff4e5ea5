"""Requests that the task's filter is asked about, and addresses from which nothing is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Site
from webbench.core.action.action import Click, ElementRef, Goto, NewTab
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.environment import EnvironmentSetup, NetworkAnswer, NetworkRequest

HERE = "<title>here</title><input name=q value=kept>"


async def test_requests_are_asked_about_unless_passed_through(
    environment: BrowserEnvironment, serve: Site
) -> None:
    asked: list[tuple[str, str]] = []

    async def decide(request: NetworkRequest) -> NetworkAnswer:
        asked.append((request.url, request.resource_type))
        if request.url.endswith(".js"):
            return NetworkAnswer("fulfil", content_type="text/javascript", body=b"document.title = 'local'")
        return NetworkAnswer("abort")

    html = """<script src='http://cdn.invalid/x.js'></script><img src='http://cdn.invalid/x.png'>
      <img src=/own.png>"""
    setup = EnvironmentSetup(start_urls=(serve(html),), request_filter=decide, passthrough=(serve.url,))
    await environment.reset(setup)
    observation = await environment.observe()
    assert observation.title == "local"
    assert sorted(asked) == [("http://cdn.invalid/x.js", "script"), ("http://cdn.invalid/x.png", "image")]
    assert "/own.png" in serve.asked
    assert any(message.kind == "network" and "x.png" in message.url for message in observation.messages)


async def test_a_filter_that_fails_fails_the_request(environment: BrowserEnvironment, serve: Site) -> None:
    async def decide(_: NetworkRequest) -> NetworkAnswer:
        raise RuntimeError("no")

    setup = EnvironmentSetup(
        start_urls=(serve("<script src='http://cdn.invalid/x.js'></script><title>here</title>"),),
        request_filter=decide,
        passthrough=(serve.url,),
    )
    await environment.reset(setup)
    assert (await environment.observe()).title == "here"


def guarded(serve: Site, start: str, closed: str) -> EnvironmentSetup:
    """Everything but the first origin is asked about, and what begins with `closed` is refused."""

    async def decide(request: NetworkRequest) -> NetworkAnswer:
        if request.url.startswith(closed):
            return NetworkAnswer("abort", reason="that server is closed")
        return NetworkAnswer("continue")

    return EnvironmentSetup(start_urls=(start,), request_filter=decide, passthrough=(serve.url,))


async def stays(environment: BrowserEnvironment, action: Goto | NewTab, *words: str) -> None:
    """The action fails with these words, and the page is as it was."""
    before = await environment.observe()
    result = await environment.act(action)
    assert not result.ok
    for word in ("nothing was loaded", action.url, *words):
        assert word in result.error
    after = await environment.observe()
    assert (after.url, after.title, after.condition) == (before.url, "here", "ok")
    assert [node.value for node in after.nodes if node.role == "textbox"] == ["kept"]


async def test_a_blocked_address_loads_nothing_and_says_why(
    environment: BrowserEnvironment, serve: Site
) -> None:
    await environment.reset(guarded(serve, serve(HERE), serve.other_origin))
    for _ in range(2):
        await stays(environment, Goto(url=f"{serve.other_origin}page"), "that server is closed", serve.url)
    assert serve.asked == ["/", "/favicon.ico"][: len(serve.asked)]
    result = await environment.act(NewTab(url=f"{serve.other_origin}page"))
    assert "that server is closed" in result.error
    assert (await environment.observe()).url == "about:blank"


async def test_a_link_to_a_blocked_address_says_so_in_the_messages(
    environment: BrowserEnvironment, serve: Site
) -> None:
    page = f"<title>here</title><a href={serve.other_origin}page>go</a>"
    await environment.reset(guarded(serve, serve(page), serve.other_origin))
    assert (await environment.act(Click(target=ElementRef(selector="a")))).ok
    observation = await environment.observe()
    assert observation.title == "here"
    assert [message.text for message in observation.messages if message.url.endswith("/page")] == [
        "not loaded: that server is closed"
    ]


async def test_a_redirect_to_a_blocked_address_is_not_followed(
    environment: BrowserEnvironment, serve: Site
) -> None:
    """Asked for as a page, in a frame, as a script, and over two hops."""
    serve((302, {"location": "/hop"}, b""), "/away")
    serve((302, {"location": f"{serve.other_origin}secret"}, b""), "/hop")
    serve("<title>secret</title><script>document.title = 'ran'</script>", "/secret")
    start = serve(HERE + "<script src=/hop></script><iframe src=/away></iframe>")
    await environment.reset(guarded(serve, start, serve.other_origin))
    await stays(environment, Goto(url=f"{serve.url}away"), "leads to", "/secret", "that server is closed")
    assert "/hop" in serve.asked
    assert "/secret" not in serve.asked


async def test_a_redirect_can_be_answered_and_let_go(environment: BrowserEnvironment, serve: Site) -> None:
    async def decide(request: NetworkRequest) -> NetworkAnswer:
        if request.url.endswith("library.js"):
            return NetworkAnswer("fulfil", content_type="text/javascript", body=b"document.title = 'ours'")
        return NetworkAnswer("continue")

    serve((302, {"location": f"{serve.other_origin}library.js"}, b""), "/script")
    serve((302, {"location": f"{serve.other_origin}open"}, b""), "/away")
    serve("<title>open</title>", "/open")
    start = serve("<script src=/script></script>")
    setup = EnvironmentSetup(start_urls=(start,), request_filter=decide, passthrough=(serve.url,))
    await environment.reset(setup)
    assert (await environment.observe()).title == "ours"
    assert (await environment.act(Goto(url=f"{serve.url}away"))).ok
    assert (await environment.observe()).title == "open"
    assert "/library.js" not in serve.asked


@pytest.mark.parametrize("status", [204, 205])
async def test_an_answer_without_content_loads_nothing(
    environment: BrowserEnvironment, serve: Site, status: int
) -> None:
    serve((status, {}, b""), "/none")
    await environment.reset(EnvironmentSetup(start_urls=(serve(HERE),)))
    await stays(environment, Goto(url=f"{serve.url}none"), f"it answered {status}")


async def test_a_download_loads_nothing_and_is_kept(
    environment: BrowserEnvironment, serve: Site, tmp_path: Path
) -> None:
    serve((200, {"content-disposition": "attachment", "content-type": "text/csv"}, b"1"), "/file.csv")
    await environment.reset(EnvironmentSetup(start_urls=(serve(HERE),), downloads=tmp_path))
    await stays(environment, Goto(url=f"{serve.url}file.csv"), "it is a file to download")


async def test_looking_at_a_page_asks_for_none_of_its_style_sheets_again(
    environment: BrowserEnvironment, serve: Site
) -> None:
    def sheet(text: str) -> tuple[int, dict[str, str], bytes]:
        return 200, {"content-type": "text/css"}, text.encode()

    serve(sheet("@import '/imported.css'; .a::before { content: 'from there' }"), "/other.css")
    serve(sheet(".b::after { content: 'and imported' }"), "/imported.css")
    serve(sheet(".c::after { content: 'blocked' }"), "/closed.css")
    other = serve.other_origin
    page = f"""<link rel=stylesheet href={other}other.css><link rel=stylesheet href={other}closed.css>
      <p class=a>text</p><p class=b>more</p><p class=c>plain</p>"""
    await environment.reset(guarded(serve, serve(page), f"{other}closed"))
    names = [node.name for node in (await environment.observe()).nodes if node.role == "StaticText"]
    assert names == ["from there", "text", "more", "and imported", "plain"]
    assert [path for path in serve.asked if path.endswith(".css")] == ["/other.css", "/imported.css"]
