"""What a guard keeps from hosts that are not allowed besides requests: sockets of pages and of workers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from http import HTTPStatus
from socket import AF_INET, SOCK_DGRAM, socket

import pytest
import pytest_asyncio
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as serve_sockets
from websockets.http11 import Request, Response

from tests.conftest import Site
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import launch
from webbench.core.browser.network.only_hosts import NO_DATAGRAMS, by_proxy
from webbench.core.browser.starting.browser_options import DriverName, LaunchOptions
from webbench.core.browser.starting.configured import configured_launch
from webbench.core.environment import EnvironmentSetup
from webbench.core.guards.guard import BLOCKED, Guard, GuardOptions
from webbench.core.settings.load_settings import load_settings

HEARD = """async urls => {
  const inPage = url => new Promise(done => {
    const socket = new WebSocket(url)
    socket.onmessage = event => done(event.data)
    socket.onerror = () => done('nothing')
  })
  const inWorker = url => new Promise(done => {
    const code = `const socket = new WebSocket('${url}')
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
                serve_sockets(one.greet, "127.0.0.1", 0, process_request=one.look)
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


PEER = """globalThis.peer = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:PORT'}]})
  peer.createDataChannel('any')
  peer.createOffer().then(offer => peer.setLocalDescription(offer))
  setInterval(() => { document.title = peer.iceGatheringState }, 50)
"""


@pytest.mark.thorough
@pytest.mark.parametrize("driver", ["playwright", "selenium"])
async def test_peer_connections_send_nothing(driver: DriverName, serve: Site) -> None:
    page = serve("<title>peer</title>")
    guard = Guard(GuardOptions(actions="off", hosts=("a.test",)))
    heard = []
    for arguments in ((), NO_DATAGRAMS):
        with socket(AF_INET, SOCK_DGRAM) as ear:
            ear.bind(("127.0.0.1", 0))
            ear.setblocking(False)
            script = PEER.replace("PORT", str(ear.getsockname()[1]))
            async with launch(LaunchOptions(driver=driver, extra_args=arguments)) as browser:
                world = browser.environment()
                await world.reset(guard.around(EnvironmentSetup(start_urls=(page,), init_script=script)))
                while not (said := _waiting(ear)) and await world.probe("() => document.title") != "complete":
                    await asyncio.sleep(0.05)
                await world.close()
            heard.append(bool(said or _waiting(ear)))
    assert heard == [True, False]


def test_allowed_hosts_start_a_browser_without_peer_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WEBBENCH_GUARD_HOSTS", raising=False)
    assert configured_launch(load_settings()).extra_args == ()
    monkeypatch.setenv("WEBBENCH_GUARD_HOSTS", "a.test")
    assert configured_launch(load_settings()).extra_args == NO_DATAGRAMS


def _waiting(ear: socket) -> bytes:
    try:
        return ear.recv(2000)
    except BlockingIOError:
        return b""


def test_a_browser_behind_a_proxy_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    assert not LaunchOptions(extra_args=("--no-proxy-server",)).by_proxy
    assert LaunchOptions(extra_args=("--proxy-server=p.test:3128",)).by_proxy
    assert by_proxy((), {"HTTPS_PROXY": "http://p.test:3128"})
    monkeypatch.setenv("https_proxy", "http://p.test:3128")
    assert LaunchOptions().by_proxy
    assert not LaunchOptions(endpoint="ws://far.test/").by_proxy
