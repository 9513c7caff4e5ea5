"""One embedded server per process, on loopback, for all episodes.

Every episode lives under a path of its own (`/<token>/<site>/…`) with private databases, so any
number of them run side by side. The server has a thread and an event loop of its own: it outlives the
caller's loop and keeps answering while that one is busy.
"""

from __future__ import annotations

import secrets
import socket
import threading
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from webbench.benchmarks.sample_sites.known_sites import every_site
from webbench.benchmarks.sample_sites.world import Site, World, fresh_databases
from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import JsonObject

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

START_TIMEOUT = 15.0
CONTENT_SECURITY_POLICY = "default-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'"


class DemoServer:
    """Serves the sites; `open` gives an episode its own fresh copy of them."""

    def __init__(self, sites: Sequence[Site]) -> None:
        self.sites = {site.name: site for site in sites}
        self.origin = ""
        self._server: uvicorn.Server | None = None
        self._worlds: dict[str, World] = {}

    def start(self, port: int = 0) -> None:
        """Listen on loopback, on this port or a free one. Raises `EnvironmentDown` where that can't be."""
        import uvicorn

        try:
            listener = _listener(port)
        except OSError as error:
            place = f"127.0.0.1:{port}" if port else "127.0.0.1"
            raise EnvironmentDown(f"The demo server can't listen on {place}: {error}") from error
        config = uvicorn.Config(
            self.application(), log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(
            target=server.run, kwargs={"sockets": [listener]}, name="demo-server", daemon=True
        )
        thread.start()
        deadline = time.monotonic() + START_TIMEOUT
        while not server.started:
            if not thread.is_alive() or time.monotonic() > deadline:
                raise EnvironmentDown("The demo server did not start", "try again; see the engine's log")
            time.sleep(0.005)
        self._server = server
        self.origin = f"http://127.0.0.1:{listener.getsockname()[1]}"

    def stop(self) -> None:
        """Leave the port; pages that are under way get a second."""
        if self._server is not None:
            self._server.should_exit = True

    def open(self, start: JsonObject, names: Sequence[str] = (), token: str = "") -> World:
        """Fresh sites in the starting state `{site: {...}}`: those of these names, all when empty.

        Args:
            token: first part of their addresses, where it isn't to be drawn.
        """
        databases = fresh_databases(self.sites, names or tuple(self.sites), start)
        world = World(token=token or secrets.token_hex(4), databases=databases)
        self._worlds[world.token] = world
        return world

    def close(self, world: World) -> None:
        self._worlds.pop(world.token, None)
        world.close()

    def snapshot(self, world: World) -> JsonObject:
        """The state of every site of this world, by name."""
        with world.lock:
            return {name: self.sites[name].snapshot(database) for name, database in world.databases.items()}

    def application(self) -> Starlette:
        """The ASGI application, which also works without `start` (an ASGI client, for instance)."""
        from starlette.applications import Starlette
        from starlette.middleware import Middleware
        from starlette.middleware.trustedhost import TrustedHostMiddleware
        from starlette.routing import BaseRoute, Mount
        from starlette.staticfiles import StaticFiles

        from webbench.benchmarks.sample_sites.smallweb import site as smallweb

        hosts = ["127.0.0.1", "localhost", *smallweb.HOST_NAMES]
        folder = Path(__file__).parent
        routes: list[BaseRoute] = smallweb.routes()
        routes += [
            Mount(f"/static/{name}", StaticFiles(directory=folder / name / "static")) for name in self.sites
        ]
        routes += [Mount(f"/{{token}}/{site.name}", routes=site.routes()) for site in self.sites.values()]
        application = Starlette(
            routes=routes,
            middleware=[
                Middleware(TrustedHostMiddleware, allowed_hosts=hosts),
                Middleware(SecurityHeaders),
            ],
        )
        application.state.worlds = self._worlds
        return application


def _listener(port: int) -> socket.socket:
    """A listening socket that says it is TCP.

    asyncio sends small pieces at once (TCP_NODELAY) only on those; else every page takes 40 ms longer.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


class SecurityHeaders:
    """Nothing on a page may be fetched from anywhere but the server itself."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
                    (b"x-content-type-options", b"nosniff"),
                    (b"referrer-policy", b"no-referrer"),
                ]
            await send(message)

        await self.app(scope, receive, send_with_headers)


_starting = threading.Lock()


def running_server() -> DemoServer:
    """The process-wide server, started at the first call."""
    with _starting:
        return _start()


@cache
def _start() -> DemoServer:
    server = DemoServer(every_site())
    server.start()
    return server
