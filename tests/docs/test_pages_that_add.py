"""The pages that say how to add something are followed to the letter, and what they add works."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import webbench
from tests.docs import following
from tests.effort import THOROUGH

DOCS = following.REPOSITORY / "docs"
PAGES = sorted(page.name for page in (*DOCS.glob("add-a*.md"), DOCS / "plug-ins.md"))
STOREYS = ("core/", "benchmarks/", "tui/", "themes/", "tests/")
"""A file there is a part of the product, which may import what is private."""
DOOR = {"webbench", "webbench.gym"}


def files_of_plug_ins() -> Iterator[tuple[str, str]]:
    """What the pages and the example package have people write outside the product: place, Python."""
    for page in PAGES:
        for block in following.blocks(page):
            if block.language == "python" and not block.file.startswith(STOREYS):
                yield f"{page}: {block.file}", block.text
    for file in sorted((following.REPOSITORY / "examples").rglob("*.py")):
        yield str(file.relative_to(following.REPOSITORY)), file.read_text("utf-8")


def private_imports(source: str, public: set[str]) -> list[str]:
    """Modules of the product that Python imports although they are neither the door nor public."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "webbench":
            found += [f"webbench.{alias.name}" for alias in node.names if alias.name not in webbench.__all__]
        elif isinstance(node, ast.ImportFrom):
            found.append(node.module or "")
    ours = (name for name in found if name.split(".")[0] == "webbench")
    return [name for name in ours if name not in DOOR | public]


def test_plug_ins_import_only_what_is_public() -> None:
    contracts = (DOCS / "reference" / "contracts.md").read_text("utf-8")
    public = set(re.findall(r"^\.\. automodule:: ([\w.]+)$", contracts, re.MULTILINE))
    files = dict(files_of_plug_ins())
    assert len(files) > len(PAGES)
    private = {name: private_imports(source, public) for name, source in files.items()}
    assert {name: found for name, found in private.items() if found} == {}


def test_a_private_import_is_found() -> None:
    source = "import webbench as wb\nfrom webbench import tasks, nothing\nimport webbench.core.task, os"
    assert private_imports(source, set()) == ["webbench.nothing", "webbench.core.task"]
    assert private_imports(source, {"webbench.core.task"}) == ["webbench.nothing"]


@pytest.mark.browser
def test_add_a_verb(tmp_path: Path) -> None:
    page = "add-a-verb.md"
    following.copied(page, tmp_path)
    following.write(page, tmp_path)
    assert following.follow(page, tmp_path) == ["pytest tests/core/browser/acting/test_hold.py"]


def test_a_place_that_is_not_there_is_told() -> None:
    with pytest.raises(ValueError, match="stands 0 times"):
        following.patched("a\nb\n", " b\n+c\n c\n")
    assert following.patched("a\nb\n", " b\n+c\n@@\n-a\n") == "b\nc\n"


@pytest.mark.parametrize(
    ("page", "ran"),
    [
        pytest.param("add-a-benchmark.md", 5, marks=pytest.mark.thorough),
        ("add-a-format.md", 3),
        pytest.param("add-an-agent.md", 3, marks=pytest.mark.thorough),
    ],
)
@pytest.mark.browser
def test_what_a_plug_in_brings(tmp_path: Path, page: str, ran: int) -> None:
    following.write(page, tmp_path)
    following.announced(tmp_path)
    slow = "-" if THOROUGH else "webbench-tui plugins check"
    checked = any(line.startswith(slow) for line, _ in following.commands(page))
    assert len(following.follow(page, tmp_path, without=slow)) == ran - checked
