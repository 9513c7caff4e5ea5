"""The pages that the referee of clicks looks at: bundled, MiniWoB++, TurkingBench's, and made at random."""

from __future__ import annotations

import html
import re
import tempfile
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urljoin

from tests.performance.hostile_layouts import layout
from tests.performance.pages import TASKS, task_page
from webbench.benchmarks.sample_sites.every import SITES, every_site
from webbench.benchmarks.sample_sites.server import DemoServer
from webbench.benchmarks.sample_sites.smallweb.pages import address, every_page

LAYOUTS = 200
MOST_LINKS = 12
Page = tuple[str, str]
"""Its name and its address."""


def groups() -> Iterator[tuple[str, Iterator[Page]]]:
    """Each group of pages that this machine has, and its pages."""
    yield f"{LAYOUTS} layouts", layouts(range(LAYOUTS))
    yield "bundled pages", bundled()
    yield "MiniWoB++", miniwob()
    yield "TurkingBench", turkingbench()


def layouts(seeds: range) -> Iterator[Page]:
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            yield _written(Path(folder), f"layout {seed}", layout(seed))


def bundled() -> Iterator[Page]:
    """Every page of the small web, and of each other sample site the first one and those that it links to."""
    server = DemoServer(every_site())
    server.start()
    try:
        world = server.open({})
        port = int(server.origin.rpartition(":")[2])
        for host, path in every_page():
            yield f"{host}{path}", address(host, path, port)
        for site in SITES:
            start = f"{server.origin}/{world.token}/{site}/"
            with urllib.request.urlopen(start, timeout=10) as answer:
                links = re.findall(r'href="([^"#]+)', answer.read().decode())
            there = dict.fromkeys(urljoin(start, html.unescape(link)) for link in links)
            yield site, start
            for link in [one for one in there if one.startswith(start) and one != start][:MOST_LINKS]:
                yield link.removeprefix(server.origin), link
    finally:
        server.stop()


def miniwob() -> Iterator[Page]:
    found = find_spec("miniwob")
    if found is None or found.origin is None:
        print("MiniWoB++: its package is not on this machine")
        return
    for path in sorted((Path(found.origin).parent / "html" / "miniwob").glob("*.html")):
        yield path.stem, path.as_uri()


def turkingbench() -> Iterator[Page]:
    if not TASKS.is_dir():
        print("TurkingBench: its tasks are not on this machine")
        return
    with tempfile.TemporaryDirectory() as folder:
        for task in sorted(path.name for path in TASKS.iterdir() if (path / "template.html").exists()):
            yield _written(Path(folder), task, task_page(task))


def _written(folder: Path, name: str, text: str) -> Page:
    path = folder / f"{len(list(folder.iterdir()))}.html"
    path.write_text(text, encoding="utf-8")
    return name, path.as_uri()
