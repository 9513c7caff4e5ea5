"""The pages that the referee looks at: bundled, MiniWoB++, TurkingBench's, a manual's, and made at random."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from tests.performance.bundled_pages import Page, bundled
from tests.performance.hostile_layouts import layout
from tests.performance.pages import FUNCTIONS, PAGES, TASKS, page_file, task_page

LAYOUTS = 200
MANUAL = (
    "index.html", "search.html", "genindex-A.html", "py-modindex.html", "library/index.html",
    "tutorial/classes.html", "library/itertools.html", "c-api/typeobj.html", "whatsnew/3.11.html",
    "glossary.html", "download.html",
)  # fmt: skip


def layouts(seeds: range = range(LAYOUTS)) -> Iterator[Page]:
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            yield _written(Path(folder), f"layout {seed}", layout(seed))


def miniwob() -> Iterator[Page]:
    found = find_spec("miniwob")
    if found is None or found.origin is None:
        print("MiniWoB++: its package is not on this machine")
        return
    for path in sorted((Path(found.origin).parent / "html" / "miniwob").glob("*.html")):
        yield path.stem, path.as_uri(), None


def turkingbench() -> Iterator[Page]:
    if not TASKS.is_dir():
        print("TurkingBench: its tasks are not on this machine")
        return
    with tempfile.TemporaryDirectory() as folder:
        for task in sorted(path.name for path in TASKS.iterdir() if (path / "template.html").exists()):
            yield _written(Path(folder), task, task_page(task))


def manual() -> Iterator[Page]:
    """Pages of Python's manual that the machine has, of several kinds."""
    if not FUNCTIONS:
        return
    folder = FUNCTIONS[-1].parents[1]
    for name in MANUAL:
        yield name, folder.joinpath(name).as_uri(), None


def measured() -> Iterator[Page]:
    """The pages that observations are measured on."""
    with tempfile.TemporaryDirectory() as folder:
        for name in PAGES:
            path = page_file(name, Path(folder))
            if path is not None:
                yield name, path.as_uri(), None


def _written(folder: Path, name: str, text: str) -> Page:
    path = folder / f"{len(list(folder.iterdir()))}.html"
    path.write_text(text, encoding="utf-8")
    return name, path.as_uri(), None


GROUPS: dict[str, Callable[[], Iterator[Page]]] = {
    "layouts": layouts,
    "bundled": bundled,
    "miniwob": miniwob,
    "turkingbench": turkingbench,
    "manual": manual,
    "measured": measured,
}
"""Each group of pages by its name; one whose pages this machine lacks is empty."""
