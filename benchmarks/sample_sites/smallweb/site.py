"""The hosts of the small web, as routes of the embedded server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Host, Mount, Route, Router
from starlette.staticfiles import StaticFiles

from webbench.benchmarks.sample_sites.smallweb.pages import (
    HOSTS,
    NAMES,
    SEARCH,
    SITE,
    address,
    every_page,
    rendered_body,
)
from webbench.benchmarks.sample_sites.smallweb.search import PER_PAGE, find
from webbench.benchmarks.sample_sites.web import templates

HOST_NAMES = tuple(f"{host}.localhost" for host in HOSTS)
LONGEST_QUERY = 300


def routes() -> list[BaseRoute]:
    """One route per host name; each host also serves the style sheet of all."""
    static = Mount("/static", StaticFiles(directory=Path(__file__).parent / "static"))
    engine = Router([static, Route("/", _search), Route("/{path:path}", _missing)])
    site = Router([static, Route("/{path:path}", _page)])
    return [Host(f"{host}.localhost", engine if host == SEARCH else site, name=host) for host in HOSTS]


async def _page(request: Request) -> Response:
    host, path = _host(request), "/" + request.path_params["path"].rstrip("/")
    page = every_page().get((host, path))
    if page is None:
        return await _missing(request)
    return _rendered("page.html", request, page=page, body=rendered_body(page, request.url.port))


async def _missing(request: Request) -> Response:
    return _rendered("missing.html", request, status=404)


async def _search(request: Request) -> Response:
    """The form; with `q` what is found, six to a page."""
    query = request.query_params.get("q", "")[:LONGEST_QUERY].strip()
    if not query:
        return _rendered("search.html", request, names=NAMES)
    asked = request.query_params.get("page", "1")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 4 else 1
    found = find(query, number)
    more = found.total > number * PER_PAGE
    return _rendered("results.html", request, query=query, found=found, number=number, more=more, names=NAMES)


def _host(request: Request) -> str:
    return (request.url.hostname or "").removesuffix(".localhost")


def _rendered(template: str, request: Request, status: int = 200, **context: Any) -> Response:
    host, port = _host(request), request.url.port
    html = (
        templates(SITE)
        .get_template(template)
        .render(
            host=host,
            name=NAMES.get(host, "Lantern"),
            at=lambda to, path: address(to, path, port),
            **context,
        )
    )
    return HTMLResponse(html, status_code=status)
