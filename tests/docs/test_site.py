"""The docs build as a site without a warning, every page is in its contents, and nothing asks the network."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

import webbench

REPOSITORY = Path(__file__).parents[2]
DOCS = REPOSITORY / "docs"
BUILD = DOCS / "site" / "build.py"
LONGEST_README = 250


@pytest.fixture(scope="module")
def build() -> ModuleType:
    """The script as a module; its neighbour is found as when the script runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BUILD.parent))
        spec = importlib.util.spec_from_file_location("docs_site_build", BUILD)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


def test_the_readme_is_short_and_leads_to_every_job() -> None:
    lines = (REPOSITORY / "README.md").read_text("utf-8").splitlines()
    assert len(lines) <= LONGEST_README
    linked = set(re.findall(r"\]\(docs/([\w-]+)\.md\)", "\n".join(lines)))
    jobs = {page.stem for page in DOCS.glob("*.md")}
    assert jobs - linked == set()


def test_the_contents_list_every_page(build: ModuleType, tmp_path: Path) -> None:
    build.collect(tmp_path)
    pages = {str(file.relative_to(tmp_path).with_suffix("")) for file in tmp_path.rglob("*.md")}
    listed = [page for pages_of_one in build.CONTENTS.values() for page in pages_of_one]
    assert len(listed) == len(set(listed))
    assert set(listed) | {"index"} == pages


def test_the_picture_of_the_rooms_has_all_of_them() -> None:
    """Where it hasn't: `python docs/site/rooms.py` draws it anew."""
    drawn = set(
        re.findall(r'font-size="13" font-weight="bold">(\w+)<', (DOCS / "rooms.svg").read_text("utf-8"))
    )
    there = {
        init.parent.name
        for storey in ("tui", "benchmarks", "core")
        for init in (REPOSITORY / storey).glob("*/__init__.py")
    }
    assert drawn == {*there, "nouns"}


@pytest.mark.parametrize(
    "kind",
    [
        *(webbench.EpisodeRow, webbench.StepRow, webbench.CheckRow, webbench.LabelRow),
        *(webbench.EpisodeSummary, webbench.RunSummary, webbench.EpisodeResult),
    ],
)
def test_every_column_is_described(build: ModuleType, kind: type[msgspec.Struct]) -> None:
    told = build.python_reference.described(kind)
    assert set(told) == set(kind.__struct_fields__)
    assert all(len(text) > 8 and text.endswith((".", ")")) for text in told.values()), told


def test_the_reference_of_python_has_a_row_for_each_column(build: ModuleType) -> None:
    page = build.python_reference.page()
    assert "| `value` | Float64 | the score as it was given" in page
    rows = sum(len(kind.__struct_fields__) for kind in build.python_reference.TABLES.values())
    assert len(re.findall(r"^\| `\w+` \| \w+ \| .+ \|$", page, re.MULTILINE)) == rows


def test_a_link_to_nothing_ends_the_build(build: ModuleType) -> None:
    with pytest.raises(build.BrokenLink, match=r"docs/x\.md links to nowhere\.md"):
        build._linked("see [it](nowhere.md)", "docs/x.md", "x.md")
    assert (
        build._linked("[a](../README.md#five-minutes)", "docs/x.md", "x.md") == "[a](index.md#five-minutes)"
    )
    assert build._linked("[w](../core/task.py)", "docs/x.md", "x.md") == "w (`core/task.py`)"


@pytest.mark.thorough
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(BUILD), str(tmp_path / "site")], capture_output=True, text=True, timeout=170
    )
    assert done.returncode == 0, done.stderr
    index = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "Step through web-agent benchmark tasks" in index
    searched = (tmp_path / "site" / "searchindex.js").read_text("utf-8")
    assert searched.startswith("Search.setIndex(")
    assert "human-baselines" in searched
    reference = (tmp_path / "site" / "reference" / "commands.html").read_text("utf-8")
    assert "--limit-run-cost" in reference
