"""Every benchmark's folder has the same shape, and its README answers the same questions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from webbench.core.benchmark.bundle import bundles_of
from webbench.core.datasets.data_family import data_families
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import BENCHMARKS, DATA

FOLDERS = Path(__file__).parents[2] / "benchmarks"
FAMILIES = ("assistantbench", "turkingbench", "webarena", "webcanvas", "weblinx")
FILES = (
    *("__init__.py", "README.md", "benchmark.py", "tasks.py", "stage.py"),
    *("data_sets.py", "data_sets.json", "loopholes.json"),
    *("scoring/evaluate.py", "scoring/offline.py", "scoring/loopholes.py"),
)
HEADINGS = ("Data", "Score", "Pitfalls", "Files")
"""In this order; others may stand between them."""


def readme(name: str) -> str:
    return (FOLDERS / name / "README.md").read_text("utf-8")


def section(text: str, heading: str) -> str:
    found = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else ""


@pytest.mark.parametrize("name", FAMILIES)
def test_the_folder_has_the_usual_files(name: str) -> None:
    assert [file for file in FILES if not (FOLDERS / name / file).is_file()] == []
    assert {name} <= set(entry_points.load(BENCHMARKS)) & set(entry_points.load(DATA))


@pytest.mark.parametrize("name", FAMILIES)
def test_the_readme_says_what_whence_how_and_what_to_beware_of(name: str) -> None:
    text = readme(name)
    title, _, what = text.partition("\n\n")
    assert title.startswith("# ")
    assert "Paper: " in what.partition("\n## ")[0]
    assert "Upstream" in what.partition("\n## ")[0]
    at = [text.find(f"\n## {heading}\n") for heading in HEADINGS]
    assert -1 not in at, dict(zip(HEADINGS, at, strict=True))
    assert at == sorted(at)
    assert all(section(text, heading) for heading in HEADINGS)
    assert "| licence |" in section(text, "Data").partition("\n")[0]
    assert section(text, "Pitfalls").startswith("- ")


@pytest.mark.parametrize("name", FAMILIES)
def test_the_readme_names_every_data_set(name: str) -> None:
    data = section(readme(name), "Data")
    (family,) = (one for one in data_families() if one.benchmark == name)
    named = [f"webbench-tui data get {data_set.name}" for data_set in family.known()]
    named += [bundle.name for bundle in bundles_of(name)]
    assert [one for one in named if f"`{one}`" not in data] == []


@pytest.mark.parametrize("name", FAMILIES)
def test_files_that_the_readme_lists_are_there(name: str) -> None:
    listed = re.findall(r"`([\w./]+?)/?`", section(readme(name), "Files"))
    assert [one for one in listed if not (FOLDERS / name / one).exists()] == []
