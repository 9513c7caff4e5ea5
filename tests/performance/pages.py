"""The five pages that observations are measured on."""

from __future__ import annotations

import csv
import html
import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("WEBBENCH_SHARED", Path(__file__).resolve().parents[2].parent / "shared"))
TASKS = SHARED / "data" / "turkingbench" / "tasks"
TASK_PAGES = {
    "small": "Formalize sentence",
    "medium": "Goal feasibility",
    "large": "Ethical rule-of-thumb quality",
}
FUNCTIONS = sorted(Path("/usr/share/doc").glob("python3*/html/library/functions.html"))
PAGES = (*TASK_PAGES, "functions", "synthetic")


def synthetic(rows: int = 5000) -> str:
    """A page with two links and one text field per row, 15,000 interactive elements in all."""
    body = "".join(
        f'<div class="row"><a href="/product/{row}">Product {row}</a>'
        f' <a href="/review/{row}">Reviews of {row}</a>'
        f' <input name="quantity{row}" aria-label="Quantity {row}" value="{row % 7}"></div>'
        for row in range(rows)
    )
    return f"<!doctype html><title>Fifteen thousand controls</title><main>{body}</main>"


def task_page(task: str) -> str:
    """A TurkingBench template filled with the first row of its batch."""
    folder = TASKS / task
    page = (folder / "template.html").read_text(encoding="utf-8")
    with (folder / "batch.csv").open(newline="", encoding="utf-8") as file:
        row = next(csv.DictReader(file))
    for column, value in row.items():
        page = page.replace("${" + str(column) + "}", html.escape(value or ""))
    return page


def page_file(name: str, folder: Path) -> Path | None:
    """The named page as a file, written to `folder` where it must be made; None if its source is absent."""
    if name == "functions":
        return FUNCTIONS[-1] if FUNCTIONS else None
    if name != "synthetic" and not TASKS.is_dir():
        return None
    text = synthetic() if name == "synthetic" else task_page(TASK_PAGES[name])
    path = folder / f"{name}.html"
    path.write_text(text, encoding="utf-8")
    return path


def required_page(name: str, folder: Path) -> Path:
    """The same for a test: skips where the source is absent, but fails on the build machine."""
    path = page_file(name, folder)
    if path is None:
        reason = f"the source of the page {name} is not on this machine"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return path
