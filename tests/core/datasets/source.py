"""An official source on loopback that behaves as sources do: well, badly, or not at all."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

Manner = Callable[[BaseHTTPRequestHandler], None]


class Source:
    """Paths with the manner in which each is answered; `released` ends those that stall."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.manners: dict[str, Manner] = {}
        self.asked: list[str] = []
        self.released = Event()

    def gives(self, path: str, body: bytes, **headers: str) -> str:
        """Serve these bytes; gives their address."""

        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(200)
            for name, value in {"content-length": str(len(body)), **headers}.items():
                handler.send_header(name.replace("_", "-"), value)
            handler.end_headers()
            handler.wfile.write(body)

        return self.does(path, answer)

    def does(self, path: str, manner: Manner) -> str:
        self.manners[path] = manner
        return self.url + path

    def stalls(self, path: str) -> str:
        """Promises a hundred bytes, gives four, and says no more."""

        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(200)
            handler.send_header("content-length", "100")
            handler.end_headers()
            handler.wfile.write(b"some")
            handler.wfile.flush()
            self.released.wait(20)

        return self.does(path, answer)

    def leads(self, path: str, to: str) -> str:
        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(302)
            handler.send_header("location", to)
            handler.send_header("content-length", "0")
            handler.end_headers()

        return self.does(path, answer)

    def refuses(self, path: str, status: int) -> str:
        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.send_error(status)

        return self.does(path, answer)


@contextmanager
def open_source() -> Iterator[Source]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            source.asked.append(self.path)
            path = self.path.partition("?")[0]
            source.manners.get(path, lambda handler: handler.send_error(404))(self)

        def log_message(self, format: str, *args: object) -> None:
            """Requests are not printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    source = Source(f"http://127.0.0.1:{server.server_port}")
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield source
    finally:
        source.released.set()
        server.shutdown()
        server.server_close()


def archive(*members: tuple[str, bytes] | tarfile.TarInfo) -> bytes:
    """A .tar.gz of files, and of members of any other kind."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as made:
        for member in members:
            if isinstance(member, tarfile.TarInfo):
                made.addfile(member)
                continue
            information = tarfile.TarInfo(member[0])
            information.size = len(member[1])
            made.addfile(information, io.BytesIO(member[1]))
    return packed.getvalue()
