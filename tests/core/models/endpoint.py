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
        """Text of the last message."""
        content = self.body["messages"][-1]["content"]
        parts = [content] if isinstance(content, str) else [part.get("text", "") for part in content]
        return "\n".join(filter(None, parts))

    @property
    def pictures(self) -> list[str]:
        """Addresses of the pictures in all messages."""
        contents = [message["content"] for message in self.body["messages"]]
        parts = [part for content in contents if isinstance(content, list) for part in content]
        return [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]


class Answer(NamedTuple):
    """One response: `send` writes the body itself, where it is given."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    kind: str = "application/json"
    length: int | None = None
    send: Callable[[Any, threading.Event], None] | None = None


def said(
    text: str,
    *,
    prompt_tokens: int = 100,
    completion_tokens: int = 7,
    finish: str = "stop",
    **message: Any,
) -> Answer:
    """A chat completion with this text, and whatever else its message shall hold."""
    written = {"role": "assistant", "content": text, **message}
    completion = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": finish, "message": written}],
        "usage": _usage(prompt_tokens, completion_tokens),
    }
    return Answer(body=json.dumps(completion).encode())


def called(name: str, **arguments: Any) -> Answer:
    """A chat completion that calls one tool and says nothing."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    calls = [{"id": "t1", "type": "function", "function": function}]
    return said("", finish="tool_calls", tool_calls=calls)


def streamed(*pieces: str | dict[str, Any], ends: bool = True, usage: bool = True) -> Answer:
    """The same as a stream: a text, or a whole delta, per event.

    Args:
        ends: the stream says that it is done.
    """
    events: list[Any] = [
        {"choices": [{"index": 0, "delta": {"content": piece} if isinstance(piece, str) else piece}]}
        for piece in pieces
    ]
    if ends:
        events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    if ends and usage:
        events.append({"choices": [], "usage": _usage(100, 7)})
    lines = [f"data: {json.dumps(event)}\n\n" for event in events] + (["data: [DONE]\n\n"] if ends else [])
    return Answer(body="".join(lines).encode(), kind="text/event-stream; charset=utf-8")


def _usage(prompt_tokens: int, completion_tokens: int) -> dict[str, int]:
    total = prompt_tokens + completion_tokens
    return {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "total_tokens": total,
    }


def refused(status: int, **headers: str) -> Answer:
    body = json.dumps({"error": {"message": f"refused with {status}", "type": "x"}}).encode()
    return Answer(status, body, tuple((name.replace("_", "-"), value) for name, value in headers.items()))


def drip(handler: Any, ended: threading.Event) -> None:
    """A body that goes on for ever, a blank at a time."""
    while not ended.wait(0.05):
        handler.wfile.write(b" ")
        handler.wfile.flush()


class Endpoint:
    """`script` holds the next answers; when one is left it is given again and again.

    `answers`, where it is set, gives the answer to each request in place of the script.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.script: list[Answer] = []
        self.answers: Callable[[Request], Answer] | None = None
        self.requests: list[Request] = []
        self.ended = threading.Event()

    def answer(self, request: Request) -> Answer:
        """The next answer."""
        if self.answers is not None:
            return self.answers(request)
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]


@contextmanager
def running_endpoint() -> Iterator[Endpoint]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            key = self.headers.get("Authorization", "").removeprefix("Bearer ")
            request = Request(time.monotonic(), self.path, key, body)
            endpoint.requests.append(request)
            answer = endpoint.answer(request)
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
