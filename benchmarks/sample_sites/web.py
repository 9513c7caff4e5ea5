"""What every page needs: its episode's state, the posted form, templates, redirects."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from webbench.benchmarks.sample_sites.world import World

if TYPE_CHECKING:
    from jinja2 import Environment

HERE = Path(__file__).parent
MAX_FORM_BYTES = 1_000_000

Form = Mapping[str, list[str]]


@dataclass
class Visit:
    """One request: who asks (the episode), for what, with which body."""

    site: str
    world: World
    request: Request
    body: bytes = b""

    @cached_property
    def form(self) -> Form:
        """The body as a form: what was posted under each name."""
        return parse_qs(self.body.decode("utf-8", "replace"), keep_blank_values=True)

    @property
    def base(self) -> str:
        """Path under which the site is mounted for this episode."""
        return self.world.base(self.site)

    @property
    def database(self) -> sqlite3.Connection:
        return self.world.databases[self.site]

    def field(self, name: str) -> str:
        """A posted value without surrounding blanks, "" when absent."""
        return self.form.get(name, [""])[-1].strip()

    def query(self, name: str) -> str:
        return self.request.query_params.get(name, "").strip()

    def parameter(self, name: str) -> str:
        return str(self.request.path_params[name])

    def render(self, template: str, status: int = 200, **context: Any) -> Response:
        page = templates(self.site).get_template(template)
        html = page.render(base=self.base, static=f"/static/{self.site}", visit=self, **context)
        return HTMLResponse(html, status_code=status)

    def redirect(self, path: str) -> Response:
        return RedirectResponse(self.base + path, status_code=303)


Handler = Callable[[Visit], Response]


@cache
def templates(site: str) -> Environment:
    """The site's own templates, and those that sites share; every value is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader([HERE / site / "templates", HERE / "templates"]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page(site: str, path: str, handler: Handler, *methods: str) -> Route:
    """A route whose handler sees the state of the episode named in the URL, alone."""

    async def endpoint(request: Request) -> Response:
        world: World | None = request.app.state.worlds.get(request.path_params["token"])
        if world is None or site not in world.databases:
            return gone()
        body = await read_body(request) if request.method == "POST" else b""
        if body is None:
            return HTMLResponse("<h1>The form is too large</h1>", status_code=413)
        with world.lock:
            return handler(Visit(site, world, request, body))

    return Route(path, endpoint, methods=list(methods) or ["GET"])


async def read_body(request: Request) -> bytes | None:
    """None when it is larger than `MAX_FORM_BYTES`."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_FORM_BYTES:
            return None
    return bytes(body)


def gone() -> Response:
    return HTMLResponse(
        "<!doctype html><html lang=en><title>Episode over</title><h1>This episode is over</h1>"
        "<p>Its sites were reset. Start the task again.</p></html>",
        status_code=404,
    )
