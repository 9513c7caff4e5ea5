"""Fixtures all tests share: one Chromium a session, a fresh context a test, pages on loopback."""

from __future__ import annotations

import gc
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, settings
from playwright.async_api import Browser as PlaywrightChromium

from tests.effort import THOROUGH
from tests.shared import need_shared
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.launch import Browser, launch
from webbench.core.browser.playwright.browser import PlaywrightBrowser

gc.set_threshold(100_000, 50, 100)
"""A seventh of the time of tests of screens went into looking for garbage among what stays until the end."""

settings.register_profile("any pace", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any pace")
"""How long an example takes, or to think of one, tells of the machine and who else works on it."""


def pytest_unconfigure() -> None:
    """Look for garbage once at the end: pytest does so five times, and most of what is there stays anyway."""
    gc.collect()
    gc.freeze()


BROWSER_FIXTURES = frozenset({"firefox", "chromium", "environment"})

Answer = tuple[int, dict[str, str], bytes]
Page = str | bytes | Answer | Callable[[str], Answer]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only `make thorough` runs.

    Tests that share the session's browser run in the session's event loop, where it lives.
    """
    if not THOROUGH:
        left_out = [item for item in items if item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    for item in items:
        if BROWSER_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(scope="session", autouse=True)
def state_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where tests remember things, away from what a person's library remembers; fixtures of modules, too."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("state")
        patch.setenv("XDG_STATE_HOME", str(folder))
        yield folder


@pytest.fixture(autouse=True)
def own_state(state_folders: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of its own for each test: nobody was ever there before, so the library begins anew."""
    folder = state_folders / secrets.token_hex(4)
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared data; a test that needs it is skipped without it, but fails in CI."""
    return need_shared()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """One browser for all tests; whoever kills it gets a new one by its next context."""
    async with launch() as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def playwright_chromium(chromium: Browser) -> PlaywrightChromium:
    """The same browser by Playwright's own door; to start another costs more than most tests of a page."""
    running = await chromium.connected()
    assert isinstance(running, PlaywrightBrowser)
    return running.browser


@pytest_asyncio.fixture(loop_scope="session")
async def environment(chromium: Browser) -> AsyncIterator[BrowserEnvironment]:
    """A world of its own in the shared browser; call `reset` first."""
    world = chromium.environment()
    yield world
    await world.close()


class Site:
    """A small site on loopback; `pages` maps paths to HTML, bytes, whole answers or functions of the URL.

    The same pages are served under two origins, so that frames of the second are cross-process.
    """

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.asked: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                page = site.pages.get(urlsplit(self.path).path, (404, {}, b"not here"))
                status, headers, body = as_answer(page, self.path)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("content-length", 0)))
                self.do_GET()

            def log_message(self, format: str, *args: object) -> None:
                """Requests are not printed."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return self._server.server_port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def other_origin(self) -> str:
        return f"http://localhost:{self.port}/"

    def __call__(self, html: Page, path: str = "/") -> str:
        """Serve this at the path; gives its URL."""
        self.pages[path] = html
        return self.url.rstrip("/") + path

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def as_answer(page: Page, url: str) -> Answer:
    if callable(page):
        return page(url)
    if isinstance(page, tuple):
        return page
    body = page.encode() if isinstance(page, str) else page
    return 200, {"content-type": "text/html; charset=utf-8"}, body


@pytest.fixture
def serve() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()
