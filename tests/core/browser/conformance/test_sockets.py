"""Applications that are drawn over a WebSocket, piece by piece, as Panel's and Streamlit's are."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator

import pytest_asyncio
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as serving
from websockets.exceptions import ConnectionClosed

from tests.conftest import Site
from tests.core.browser.acts import css, done, opened
from webbench.core.action.action import Click
from webbench.core.browser.browser_environment import BrowserEnvironment

PAGE = """<!doctype html><title>t</title><main id=app></main><button>More</button><script>
  const socket = new WebSocket('ws://127.0.0.1:%d/%s');
  socket.onmessage = (event) => app.insertAdjacentHTML('beforeend', event.data);
  document.querySelector('button').onclick = () => socket.send('more');
</script>"""


async def drawn(socket: ServerConnection) -> None:
    """A part when the page connects and when it asks, after some thought, in pieces. `/feed` has no end."""
    path = socket.request.path if socket.request is not None else ""
    with contextlib.suppress(ConnectionClosed):
        for part in itertools.count() if path != "/mute" else ():
            await asyncio.sleep(0.3 if path != "/feed" else 0.08)
            for piece in ("a", "b", "c"):
                await socket.send(f"<p>{part}{piece}</p>")
                await asyncio.sleep(0.08)
            if path != "/feed":
                await socket.recv()
        await socket.wait_closed()


@pytest_asyncio.fixture(loop_scope="session")
async def port() -> AsyncIterator[int]:
    async with serving(drawn, "127.0.0.1", 0) as server:
        (listening,) = server.sockets
        yield listening.getsockname()[1]


async def texts(world: BrowserEnvironment) -> list[str]:
    return [node.name for node in (await world.observe()).nodes if node.role == "StaticText"]


async def test_what_a_socket_draws_is_waited_for(driven: BrowserEnvironment, serve: Site, port: int) -> None:
    await opened(driven, serve(PAGE % (port, "")))
    assert await texts(driven) == ["0a", "0b", "0c", "More"]
    await done(driven, Click(target=css("button")))
    observation = await driven.observe()
    assert [node.name for node in observation.nodes if node.name.startswith("1")] == ["1a", "1b", "1c"]
    assert not observation.changing


async def test_a_page_that_is_drawn_without_end_says_so(
    driven: BrowserEnvironment, serve: Site, port: int
) -> None:
    await opened(driven, serve(PAGE % (port, "feed")))
    observation = await driven.observe()
    assert (observation.condition, observation.changing) == ("ok", True)
    await opened(driven, serve(PAGE % (port, "mute")))
    assert not (await driven.observe()).changing


WORKING = """<title>t</title><script>new SharedWorker('/work.js');
  new Worker('/work.js').onmessage = () => { document.title = 'worked' }</script>"""


async def test_a_worker_s_script_has_come_though_only_the_worker_hears_of_it(
    driven: BrowserEnvironment, serve: Site
) -> None:
    serve.pages["/work.js"] = (200, {"content-type": "text/javascript"}, b"globalThis.postMessage?.(1)")
    await opened(driven, serve(WORKING))
    async with asyncio.timeout(30):
        while (observation := await driven.observe()).title != "worked":
            await asyncio.sleep(0.01)
    assert not observation.changing
