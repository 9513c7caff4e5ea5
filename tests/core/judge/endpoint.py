"""An endpoint on loopback that speaks the chat completions protocol, and misbehaves as it is told."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Request(NamedTuple):
    at: float
    path: str
    key: str
    body: Any

    @property
    def prompt(self) -> str:
        return str(self.body["messages"][-1]["content"])


class Answer(NamedTuple):
    """One response: `send` writes the body itself, where it is given."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    kind: str = "application/json"
    length: int | None = None
    send: Callable[[Any, threading.Event], None] | None = None


def said(text: str, *, prompt_tokens: int = 100, completion_tokens: int = 7) -> Answer:
    """A chat completion with this text."""
    completion = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "total_tokens": prompt_tokens + completion_tokens,
        },
    }
    return Answer(body=json.dumps(completion).encode())


def refused(status: int, **headers: str) -> Answer:
    body = json.dumps({"error": {"message": f"refused with {status}", "type": "x"}}).encode()
    return Answer(status, body, tuple((name.replace("_", "-"), value) for name, value in headers.items()))


def drip(handler: Any, ended: threading.Event) -> None:
    """A body that goes on for ever, a blank at a time."""
    while not ended.wait(0.05):
        handler.wfile.write(b" ")
        handler.wfile.flush()


class Endpoint:
    """`script` holds the next answers; when one is left it is given again and again."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.script: list[Answer] = []
        self.requests: list[Request] = []
        self.ended = threading.Event()


@contextmanager
def running_endpoint() -> Iterator[Endpoint]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            key = self.headers.get("Authorization", "").removeprefix("Bearer ")
            endpoint.requests.append(Request(time.monotonic(), self.path, key, body))
            answer = endpoint.script.pop(0) if len(endpoint.script) > 1 else endpoint.script[0]
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.kind)
            if answer.send is None:
                self.send_header("Content-Length", str(answer.length or len(answer.body)))
            for name, value in answer.headers:
                self.send_header(name, value)
            self.end_headers()
            try:
                self.wfile.write(answer.body)
                if answer.send is not None:
                    answer.send(self, endpoint.ended)
            except OSError:
                return

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    endpoint = Endpoint(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.ended.set()
        server.shutdown()
        server.server_close()
