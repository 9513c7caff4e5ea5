"""Two sites on loopback that Chromium keeps in two processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import NamedTuple


class Sites(NamedTuple):
    """Origins of the two sites and the pages (path -> HTML) that both of them serve."""

    first: str
    second: str
    pages: dict[str, str]


@contextmanager
def two_sites() -> Iterator[Sites]:
    pages: dict[str, str] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = pages.get(self.path)
            body = (page or "").encode()
            self.send_response(404 if page is None else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        port = server.server_address[1]
        yield Sites(f"http://127.0.0.1:{port}", f"http://localhost:{port}", pages)
    finally:
        server.shutdown()
        server.server_close()
