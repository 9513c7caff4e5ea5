"""A visitor without a browser: HTTP requests to one episode of the embedded server."""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import httpx

from webbench.benchmarks.sample_sites.server import running_server
from webbench.core.json_types import JsonObject

NO_AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""The server speaks plain HTTP; reading the machine's authorities would take longer than a test."""


class Visitor:
    def __init__(self, origin: str, token: str) -> None:
        self.base = f"{origin}/{token}"
        self.client = httpx.Client(follow_redirects=True, trust_env=False, verify=NO_AUTHORITIES)

    def get(self, path: str) -> httpx.Response:
        return self.client.get(self.base + path)

    def post(self, path: str, form: Mapping[str, str | Sequence[str]]) -> httpx.Response:
        return self.client.post(self.base + path, data=dict(form))


class Episode(Visitor):
    """A visitor who can also look behind the counter."""

    def __init__(self, start: JsonObject) -> None:
        self.server = running_server()
        self.world = self.server.open(start)
        super().__init__(self.server.origin, self.world.token)

    def state(self) -> JsonObject:
        return self.server.snapshot(self.world)


@contextmanager
def episode(start: JsonObject | None = None) -> Iterator[Episode]:
    opened = Episode(start or {})
    try:
        yield opened
    finally:
        opened.client.close()
        opened.server.close(opened.world)
