"""The loopback server of task pages: one per event loop, a secret path per stage."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
from collections.abc import AsyncIterator, Generator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from webbench.core.errors import EnvironmentDown

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

STATIC = Path(__file__).parents[1] / "static"
HOST = "127.0.0.1"
START_SECONDS = 10.0
SERVED_SUFFIXES = frozenset(
    (
        *(".apng", ".avif", ".bmp", ".gif", ".ico", ".jpeg", ".jpg", ".png", ".svg", ".webp"),
        *(".css", ".js", ".mjs", ".eot", ".otf", ".ttf", ".woff", ".woff2"),
        *(".flac", ".m4a", ".m4v", ".mp3", ".mp4", ".oga", ".ogg", ".ogv", ".wav", ".webm"),
    )
)
"""Pictures, styles, scripts, fonts, sound and film: what a page is made of, and no table."""

SUBMITTED_PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Submitted</title></head>
<body><h1>Submitted</h1><p>Your answers were received. This task is finished.</p></body></html>"""


class ServedPage:
    """One task page that is being served.

    Attributes:
        html: the complete document.
        folder: where page-relative files may be read from, and nowhere else.
        submitted: the form has been sent.
    """

    def __init__(self, html: str, folder: Path) -> None:
        self.html = html
        self.folder = folder.resolve()
        self.submitted = False

    def file(self, relative: str) -> Path | None:
        """The file of this name inside the folder; None if there is none or it lies elsewhere.

        Only what a page is made of is given out: the workers' answers lie beside the page that asks
        for them.
        """
        try:
            path = (self.folder / relative).resolve()
        except (OSError, ValueError):
            return None
        is_allowed = path.suffix.lower() in SERVED_SUFFIXES and path.is_relative_to(self.folder)
        return path if is_allowed and path.is_file() else None


class PageServer:
    """Serves the pages that were added, on a free port of the loopback interface."""

    def __init__(self) -> None:
        self._pages: dict[str, ServedPage] = {}
        self._users = 0
        self._lock = asyncio.Lock()
        self._stop: asyncio.Event | None = None
        self._serving: asyncio.Task[None] | None = None
        self.origin = ""

    def add(self, page: ServedPage) -> str:
        """Serve a page; gives its address, which ends in a slash."""
        token = secrets.token_urlsafe(12)
        self._pages[token] = page
        return f"{self.origin}/{token}/"

    def remove(self, url: str) -> None:
        self._pages.pop(url.rstrip("/").rpartition("/")[2], None)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[PageServer]:
        """The server while somebody uses it. Raises `EnvironmentDown` if it can't start."""
        async with self._lock:
            if self._users == 0:
                await self._start()
            self._users += 1
        try:
            yield self
        finally:
            async with self._lock:
                self._users -= 1
                if self._users == 0:
                    await self._end()

    async def _start(self) -> None:
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            listening.bind((HOST, 0))
        except OSError as error:
            listening.close()
            raise EnvironmentDown(f"no port to serve task pages on: {error}") from error
        self.origin = f"http://{HOST}:{listening.getsockname()[1]}"
        started, self._stop = asyncio.Event(), asyncio.Event()
        self._serving = asyncio.create_task(_serve(self._application(), listening, started, self._stop))
        waiting = asyncio.create_task(started.wait())
        await asyncio.wait(
            {waiting, self._serving}, timeout=START_SECONDS, return_when=asyncio.FIRST_COMPLETED
        )
        waiting.cancel()
        if not started.is_set():
            await self._end()
            raise EnvironmentDown(f"the task page server did not start within {START_SECONDS:.0f} s")

    async def _end(self) -> None:
        if self._stop is not None:
            self._stop.set()
        if self._serving is not None:
            with contextlib.suppress(Exception):
                await self._serving
        self._serving = self._stop = None
        self.origin = ""

    def _application(self) -> Starlette:
        from starlette.applications import Starlette
        from starlette.middleware import Middleware
        from starlette.middleware.trustedhost import TrustedHostMiddleware
        from starlette.routing import Mount, Route
        from starlette.staticfiles import StaticFiles

        return Starlette(
            routes=[
                Mount("/static", StaticFiles(directory=STATIC)),
                Route("/{token}/", self._page),
                Route("/{token}/submit", self._submit, methods=["GET", "POST"]),
                Route("/{token}/{path:path}", self._file),
            ],
            middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])],
        )

    async def _page(self, request: Request) -> Response:
        from starlette.responses import HTMLResponse, PlainTextResponse

        page = self._pages.get(request.path_params["token"])
        if page is None:
            return PlainTextResponse("No such task page.", 404)
        return HTMLResponse(page.html, headers=_UNCACHED)

    async def _submit(self, request: Request) -> Response:
        from starlette.responses import HTMLResponse, PlainTextResponse

        page = self._pages.get(request.path_params["token"])
        if page is None:
            return PlainTextResponse("No such task page.", 404)
        page.submitted = True
        return HTMLResponse(SUBMITTED_PAGE, headers=_UNCACHED)

    async def _file(self, request: Request) -> Response:
        from starlette.responses import FileResponse, PlainTextResponse

        page = self._pages.get(request.path_params["token"])
        path = page.file(request.path_params["path"]) if page else None
        if path is None:
            return PlainTextResponse("No such file in this task's folder.", 404)
        return FileResponse(path, headers=_NO_SOCKETS)


_NO_SOCKETS: Mapping[str, str] = {"content-security-policy": "connect-src http: https: data: blob:"}
"""Web sockets pass by every filter of requests, so pages and their workers may not open any."""

_UNCACHED: Mapping[str, str] = {"cache-control": "no-store", **_NO_SOCKETS}


async def _serve(
    application: Starlette, listening: socket.socket, started: asyncio.Event, stop: asyncio.Event
) -> None:
    import uvicorn

    class Server(uvicorn.Server):
        @contextlib.contextmanager
        def capture_signals(self) -> Generator[None]:
            """Signals belong to the program that serves, not to its page server."""
            yield

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            started.set()

        async def on_tick(self, counter: int) -> bool:
            return stop.is_set() or await super().on_tick(counter)

    config = uvicorn.Config(application, log_config=None, lifespan="off", timeout_graceful_shutdown=1)
    await Server(config).serve([listening])


_servers: WeakKeyDictionary[asyncio.AbstractEventLoop, PageServer] = WeakKeyDictionary()


def shared_server() -> PageServer:
    """The page server of the running event loop."""
    return _servers.setdefault(asyncio.get_running_loop(), PageServer())
