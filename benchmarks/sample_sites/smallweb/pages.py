"""The pages of the small web: one file each, `pages/<host>/<path>.html`.

A file begins with lines `title: …` and `about: …`; after a blank line follows the body, a template in
which `at(host, path)` is the address of another page.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from webbench.benchmarks.sample_sites.web import templates

FOLDER = Path(__file__).parent / "pages"
SITE = "smallweb"
SEARCH = "search"
NAMES = {
    "ferry": "Orle River Ferries",
    "rail": "Orle Valley Railway",
    "museum": "Marlhaven Town Museum",
    "bakery": "Pell & Daughters",
    "club": "Marlhaven Rowing Club",
    "herald": "The Marlhaven Herald",
}
"""Host, without `.localhost` → whose it is."""
HOSTS = (SEARCH, *NAMES)


class Page(NamedTuple):
    host: str
    path: str
    """As in its address: "/" or "/fares"."""
    title: str
    about: str
    body: str
    """Template of the body."""


@cache
def every_page() -> Mapping[tuple[str, str], Page]:
    """All pages by host and path; read once per process."""
    found = [_read(host, file) for host in NAMES for file in sorted((FOLDER / host).rglob("*.html"))]
    return {(page.host, page.path): page for page in found}


def _read(host: str, file: Path) -> Page:
    head, _, body = file.read_text("utf-8").partition("\n\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    name = file.relative_to(FOLDER / host).with_suffix("").as_posix()
    path = "/" if name == "index" else f"/{name}"
    return Page(host, path, fields["title"], fields["about"], body)


def address(host: str, path: str, port: int | None) -> str:
    """Of a page; Chromium itself resolves every name below `localhost` to loopback."""
    return f"http://{host}.localhost{f':{port}' if port else ''}{path}"


def rendered_body(page: Page, port: int | None) -> str:
    """The body as HTML, its links leading to hosts on this port."""
    template = templates(SITE).from_string(page.body)
    return template.render(at=lambda host, path: address(host, path, port))
