"""What a guard keeps from hosts that are not allowed besides requests: sockets of pages and of workers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from http import HTTPStatus

import pytest
import pytest_asyncio
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from webbench.core.browser.environment import BrowserEnvironment
from webbench.core.browser.launch_options import LaunchOptions
from webbench.core.browser.only_hosts import by_proxy
from webbench.core.environment import EnvironmentSetup
from webbench.core.guards.guard import BLOCKED, Guard, GuardOptions

HEARD = """async urls => {
  const listen = url => `new WebSocket('${url}')`
  const inPage = url => new Promise(done => {
    const socket = eval(listen(url))
    socket.onmessage = event => done(event.data)
    socket.onerror = () => done('nothing')
  })
  const inWorker = url => new Promise(done => {
    const code = `const socket = ${listen(url)}
      socket.onmessage = event => postMessage(event.data)
      socket.onerror = () => postMessage('nothing')`
    new Worker(URL.createObjectURL(new Blob([code]))).onmessage = event => done(event.data)
  })
  return Promise.all(urls.flatMap(url => [inPage(url), inWorker(url)]))
}"""
"""What a socket to each address says, opened by the page and opened by a worker."""


class Sockets:
    """A server of a page and of sockets on one port, which remembers who reached it."""

    def __init__(self) -> None:
        self.port = 0
        self.reached: list[str] = []

    async def greet(self, connection: ServerConnection) -> None:
        await connection.send("hello")
        await connection.wait_closed()

    def look(self, connection: ServerConnection, request: Request) -> Response | None:
        self.reached.append(request.headers["host"])
        if request.headers.get("upgrade"):
            return None
        page = connection.respond(HTTPStatus.OK, "<title>sockets</title>")
        del page.headers["content-type"]
        page.headers["content-type"] = "text/html"
        return page


@pytest_asyncio.fixture(loop_scope="session")
async def servers() -> AsyncIterator[list[Sockets]]:
    """Two, to be told apart by their ports alone."""
    found = [Sockets(), Sockets()]
    async with AsyncExitStack() as stack:
        for one in found:
            server = await stack.enter_async_context(
                serve(one.greet, "127.0.0.1", 0, process_request=one.look)
            )
            one.port = next(iter(server.sockets)).getsockname()[1]
        yield found


async def test_sockets_reach_allowed_hosts_only(world: BrowserEnvironment, servers: list[Sockets]) -> None:
    own, closed = servers
    guard = Guard(GuardOptions(actions="off", hosts=(f"*.localhost:{own.port}",)))
    setup = EnvironmentSetup(start_urls=(f"http://127.0.0.1:{own.port}/",))
    await world.reset(guard.around(setup))
    assert (await world.observe()).title == "sockets"
    open_to = [f"ws://127.0.0.1:{own.port}/", f"ws://shop.localhost:{own.port}/"]
    closed_to = [f"ws://127.0.0.1:{closed.port}/", f"ws://localhost:{own.port}/"]
    heard = await world.probe(HEARD, [*open_to, *closed_to])
    assert heard == ["hello"] * 4 + ["nothing"] * 4
    assert not closed.reached
    assert f"localhost:{own.port}" not in own.reached
    told = guard.take_messages()
    assert sorted(one.url for one in told) == sorted(closed_to)
    assert {one.text for one in told} == {
        f"{BLOCKED}GET (websocket), no request goes to this host, the guard says"
    }


async def test_without_hosts_sockets_go_where_they_like(
    world: BrowserEnvironment, servers: list[Sockets]
) -> None:
    own, other = servers
    guard = Guard(GuardOptions(actions="on"))
    await world.reset(guard.around(EnvironmentSetup(start_urls=(f"http://127.0.0.1:{own.port}/",))))
    assert await world.probe(HEARD, [f"ws://127.0.0.1:{other.port}/"]) == ["hello"] * 2
    assert not guard.take_messages()


def test_a_browser_behind_a_proxy_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    assert not LaunchOptions(extra_args=("--no-proxy-server",)).by_proxy
    assert LaunchOptions(extra_args=("--proxy-server=p.test:3128",)).by_proxy
    assert by_proxy((), {"HTTPS_PROXY": "http://p.test:3128"})
    monkeypatch.setenv("https_proxy", "http://p.test:3128")
    assert LaunchOptions().by_proxy
    assert not LaunchOptions(endpoint="ws://far.test/").by_proxy
