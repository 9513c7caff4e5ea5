"""The rooms of the house: how full they are, how modules are named, and no circle of imports."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import takewhile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STOREYS = ("core", "benchmarks", "tui", "themes")
MOST_NOUNS = 12
"""Modules at core's root."""
MOST_MODULES = 15
"""Modules in any folder; more, and it has rooms."""
SHAPES = {
    "core": {"browser", "context", "devtools", "input", "page"},
    "benchmarks": {
        *("aggregate", "benchmark", "bundle", "data_sets", "dialect", "evaluate", "loopholes", "metrics"),
        *("offline", "oracle", "paper", "predictions", "rules", "soundness", "stage", "statistics", "tasks"),
        *("entrance", "layout", "pages", "people", "schema", "seed", "site"),
    },
    "tui": {"compare", "labelling", "runs", "trajectory"},
}
"""Names that several modules of a storey may have: what both browser drivers, all benchmarks or all sample
sites have; and what is a screen, its keys and its command at once."""
NAMED_BACK = {
    # a browser makes the environments that are worlds in it
    ("core.browser.browser_environment", "core.browser.launch"),
    # a context makes its pages, and is handed whole to what fills and reads its storage
    ("core.browser.selenium.page", "core.browser.selenium.context"),
    ("core.browser.selenium.storage_state", "core.browser.selenium.context"),
    # an episode gives the view of itself
    ("core.episode.agent_view", "core.episode.episode"),
}
"""Imports of a type alone, by the part that names the whole which imports it; both stand in one room."""
HOLD_STATEMENTS = (ast.stmt, ast.excepthandler, ast.match_case)
"""No import stands inside an expression."""


def modules() -> Counter[Path]:
    """How many modules each folder holds, `__init__.py` left out."""
    files = [file for storey in STOREYS for file in (ROOT / storey).rglob("*.py")]
    return Counter(file.parent.relative_to(ROOT) for file in files if file.name != "__init__.py")


def test_cores_root_holds_few_nouns() -> None:
    assert modules()[Path("core")] <= MOST_NOUNS


def test_no_folder_is_too_full() -> None:
    assert {str(folder): count for folder, count in modules().items() if count > MOST_MODULES} == {}


def test_a_name_stands_for_one_module() -> None:
    for storey in STOREYS:
        files = [file for file in (ROOT / storey).rglob("*.py") if file.name != "__init__.py"]
        names = Counter(file.stem for file in files)
        several = {name for name, count in names.items() if count > 1}
        assert several == SHAPES.get(storey, set()), storey


def test_modules_of_one_family_are_a_folder() -> None:
    for folder in modules():
        names = sorted(file.stem for file in (ROOT / folder).glob("*.py") if file.name != "__init__.py")
        families = Counter(name.partition("_")[0] for name in names)
        split = [name for name in names if "_" in name and families[name.partition("_")[0]] > 1]
        assert split == [], f"{folder}: one prefix is a folder"


def imports(*, types: bool = True) -> Mapping[str, set[str]]:
    """What each module imports of the house, in functions too, and with `types` for a type checker alone."""
    files = {module_name(file): file for storey in STOREYS for file in (ROOT / storey).rglob("*.py")}
    return {
        name: {
            found
            for one in imported(file, types=types)
            if (found := nearest_module(one, files)) not in ("", name)
        }
        for name, file in files.items()
    }


def module_name(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(("webbench", *(parts[:-1] if parts[-1] == "__init__" else parts)))


def nearest_module(name: str, known: Mapping[str, Path]) -> str:
    """The module that an imported name is, or stands in; "" for one of others."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name


def imported(file: Path, *, types: bool) -> Iterator[str]:
    waiting: list[ast.AST] = [ast.parse(file.read_text("utf-8"))]
    while waiting:
        node = waiting.pop()
        if not types and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports by a relative name"
            yield from (f"{node.module}.{one.name}" for one in node.names)
        waiting += (child for child in ast.iter_child_nodes(node) if isinstance(child, HOLD_STATEMENTS))


@pytest.fixture(scope="module")
def graph() -> Mapping[str, set[str]]:
    return imports()


def circle(graph: Mapping[str, set[str]]) -> list[str]:
    """Modules that import each other in this order, the first one again at the end; empty where none do."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize("storey", STOREYS)
def test_no_circle_of_modules(graph: Mapping[str, set[str]], storey: str) -> None:
    own = {name: set(found) for name, found in graph.items() if name.split(".")[1] == storey}
    for part, whole in NAMED_BACK:
        own.get(f"webbench.{part}", set()).discard(f"webbench.{whole}")
    assert circle(own) == []


def test_who_names_back_imports_a_type_alone(graph: Mapping[str, set[str]]) -> None:
    at_work = imports(types=False)
    for part, whole in NAMED_BACK:
        assert f"webbench.{whole}" in graph[f"webbench.{part}"], f"{part} needs no exception"
        assert f"webbench.{whole}" not in at_work[f"webbench.{part}"]


def test_no_circle_of_rooms(graph: Mapping[str, set[str]]) -> None:
    """Rooms of one folder, at every depth. Modules beside them may stand above some and below others; not in
    core's root, where each is a room of its own."""
    folders = {name.rpartition(".")[0] for name in graph}
    rooms: dict[str, dict[str, set[str]]] = {}
    for name, found in graph.items():
        for one in found:
            folder, here, there = parted(name, one)
            if here != there and (folder == "webbench.core" or {here, there} <= folders):
                inside = rooms.setdefault(folder, {})
                inside.setdefault(here, set()).add(there)
    assert {"webbench", "webbench.core", "webbench.core.browser", "webbench.tui.widgets"} <= set(rooms)
    assert {folder: names for folder, inside in rooms.items() if (names := circle(inside))} == {}


def parted(one: str, other: str) -> tuple[str, str, str]:
    """The deepest folder that holds two modules, and what in it each of them is or stands in."""
    both = zip(one.split("."), other.split("."), strict=False)
    depth = len(list(takewhile(lambda pair: pair[0] == pair[1], both)))
    return (
        ".".join(one.split(".")[:depth]),
        ".".join(one.split(".")[: depth + 1]),
        ".".join(other.split(".")[: depth + 1]),
    )


def test_a_circle_is_found() -> None:
    assert set(circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == {"a", "b", "c"}
    assert circle({"a": {"b"}, "b": set()}) == []
