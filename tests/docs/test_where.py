"""`docs/where.md` names file and symbol of each behaviour and a test that proves it: all are there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

REPOSITORY = Path(__file__).parents[2]
FEWEST = 48
ROW = re.compile(r"^\| (?P<behaviour>[^|]+) \| `(?P<where>[^`|]+)` \| `(?P<proof>[^`|]+)` \|$", re.MULTILINE)
REFERENCE = re.compile(r"`((?:core|benchmarks|tui|themes|tests|examples)/[\w./-]+\.py)(?:::([\w.]+))?`")
READMES = sorted((REPOSITORY / "benchmarks").rglob("README.md"))
PROSE = [*sorted((REPOSITORY / "docs").glob("*.md")), REPOSITORY / "CONTRIBUTING.md", *READMES]
NEARBY = re.compile(r"`([\w-]+(?:/[\w.-]+)*\.py)`")
"""A file as a README of a folder names it: from that folder, or alone where no other has its name."""


class Line(NamedTuple):
    behaviour: str
    where: str
    proof: str


LINES = [Line(*found) for found in ROW.findall((REPOSITORY / "docs" / "where.md").read_text("utf-8"))]


@cache
def symbols(path: str) -> frozenset[str]:
    """What a module defines: classes, functions, names; methods and fields as `Class.name`."""
    return frozenset(_defined(ast.parse((REPOSITORY / path).read_text("utf-8")).body, ""))


def _defined(body: list[ast.stmt], before: str) -> list[str]:
    found = []
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append(before + node.name)
        elif isinstance(node, ast.ClassDef):
            found += [before + node.name, *_defined(node.body, f"{before}{node.name}.")]
        elif isinstance(node, ast.Assign):
            found += [before + target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.append(before + node.target.id)
    return found


def test_enough_behaviours_are_listed_and_none_twice() -> None:
    assert len(LINES) >= FEWEST
    assert len({line.behaviour for line in LINES}) == len(LINES)
    rows = (REPOSITORY / "docs" / "where.md").read_text("utf-8").count("\n| ")
    headings = (REPOSITORY / "docs" / "where.md").read_text("utf-8").count("\n| behaviour ")
    assert rows - headings == len(LINES), "a row is not of the form that is checked"


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.behaviour)
def test_the_symbol_is_defined_there_and_a_test_proves_it(line: Line) -> None:
    path, _, symbol = line.where.partition("::")
    assert symbol
    assert symbol in symbols(path)
    test, _, name = line.proof.partition("::")
    assert test.startswith("tests/")
    assert name.rpartition(".")[2].startswith("test_")
    assert name in symbols(test)


@pytest.mark.parametrize("document", PROSE, ids=lambda document: str(document.relative_to(REPOSITORY)))
def test_files_and_symbols_that_the_docs_name_are_there(document: Path) -> None:
    added = set(re.findall(r"^\*\*`([^`]+)`\*\*$", document.read_text("utf-8"), re.MULTILINE))
    for path, symbol in REFERENCE.findall(document.read_text("utf-8")):
        if path in added and not (REPOSITORY / path).exists():
            continue
        assert (REPOSITORY / path).is_file(), path
        assert not symbol or symbol in symbols(path), f"{path}::{symbol}"


@pytest.mark.parametrize("readme", READMES, ids=lambda readme: str(readme.relative_to(REPOSITORY)))
def test_files_that_a_benchmark_s_readme_names_are_there(readme: Path) -> None:
    named = set(NEARBY.findall(readme.read_text("utf-8")))
    assert {name for name in named if not _is_there(name, readme.parent)} == set()


def _is_there(name: str, folder: Path) -> bool:
    if (folder / name).is_file() or (REPOSITORY / name).is_file():
        return True
    places = (REPOSITORY / "benchmarks", REPOSITORY / "tests")
    return len([file for place in places for file in place.rglob(Path(name).name)]) == 1
