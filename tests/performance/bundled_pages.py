"""Every kind of page of the bundled sites: of each route of an application the first page that one comes to.

One goes from link to link from the first page on, signed in as the account that the site has for episodes.
Pages of one route are made by one template, so the hundreds of products, posts and issues are left out.
"""

from __future__ import annotations

import html
import re
import urllib.request
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from urllib.parse import urldefrag, urljoin, urlsplit

from starlette.routing import BaseRoute, Match

from webbench.benchmarks.sample_sites.known_sites import every_site
from webbench.benchmarks.sample_sites.server import DemoServer
from webbench.benchmarks.sample_sites.sessions import storage_state
from webbench.benchmarks.sample_sites.smallweb.pages import address, every_page
from webbench.benchmarks.sample_sites.world import Site, World
from webbench.core.json_types import JsonObject

MOST_OF_A_ROUTE = 4
"""Pages of one route whose links are followed."""

Page = tuple[str, str, JsonObject | None]
"""Its name, its address, and the logins that it is opened with."""


def bundled() -> Iterator[Page]:
    """Every page of the small web, and each kind of page of the other sample sites."""
    server = DemoServer(every_site())
    server.start()
    try:
        port = int(server.origin.rpartition(":")[2])
        for host, path in every_page():
            yield f"{host}{path}", address(host, path, port), None
        world = server.open({})
        for site in every_site():
            yield from _pages_of(server, world, site)
    finally:
        server.stop()


def _pages_of(server: DemoServer, world: World, site: Site) -> Iterator[Page]:
    logins = storage_state(world, server.origin, {site.name: site.account})
    cookie = "; ".join(f"{one['name']}={one['value']}" for one in logins["cookies"])
    start = f"{server.origin}{world.base(site.name)}/"
    routes, found = site.routes(), Counter[int]()
    waiting, known = deque([start]), {start}
    while waiting:
        here = waiting.popleft()
        number = _route(routes, f"/{here.removeprefix(start)}")
        if found[number] >= MOST_OF_A_ROUTE:
            continue
        text = _text(here, cookie)
        if text is None:
            continue
        found[number] += 1
        if found[number] == 1:
            yield f"{site.name}/{here.removeprefix(start)}", here, logins
        for link in re.findall(r'href="([^"#]+)', text):
            there = urldefrag(urljoin(here, html.unescape(link))).url
            if there.startswith(start) and there not in known:
                known.add(there)
                waiting.append(there)


def _route(routes: Sequence[BaseRoute], path: str) -> int:
    """Number of the route that answers, -1 for none."""
    scope = {"type": "http", "method": "GET", "path": urlsplit(path).path, "headers": []}
    matches = (number for number, route in enumerate(routes) if route.matches(dict(scope))[0] is Match.FULL)
    return next(matches, -1)


def _text(url: str, cookie: str) -> str | None:
    """None of what is no page."""
    request = urllib.request.Request(url, headers={"Cookie": cookie})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            if "html" not in answer.headers.get("content-type", ""):
                return None
            text: str = answer.read().decode(errors="replace")
            return text
    except OSError:
        return None
