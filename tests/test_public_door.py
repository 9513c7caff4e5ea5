"""`import webbench`: cheap, typed, and every name of it there."""

from __future__ import annotations

import ast
import inspect
import pydoc
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import webbench as wb

SLOW = ("numpy", "pandas", "pyarrow", "playwright", "selenium", "pyautogui", "scipy", "textual")
"""None of these comes with the door."""

PROGRAM = f"""
import sys
import webbench
print([name for name in {SLOW!r} if name in sys.modules])
print([name for name in sys.modules if name.startswith("webbench.")])
"""


def test_the_import_brings_nothing_else() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["[]", "[]"]


def test_the_tables_of_names_agree() -> None:
    """What type checkers see is what is loaded."""
    tree = ast.parse(Path(str(wb.__file__)).read_text())
    checked = next(node for node in tree.body if isinstance(node, ast.If))
    typed = {
        (alias.asname or alias.name): node.module
        for node in checked.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(typed) == sorted(wb.__all__) == wb.__all__
    places = dict(wb._PLACE_OF)
    assert {name: typed[name] for name in places} == places
    assert set(typed) - set(places) == {"actions", "benchmark", "benchmarks"}


@pytest.mark.parametrize("name", wb.__all__)
def test_a_name_is_there_and_its_help_shows_how_it_is_used(name: str) -> None:
    found = getattr(wb, name)
    assert name in dir(wb)
    if name == "Action":  # a union, which has no docstring of its own; `actions` tells of its types
        return
    told = pydoc.plain(pydoc.render_doc(found))
    example = re.search(r"^[ |]*Example:\n([ |]+(?:>>>|\.\.\.) .*\n|[ |]+\S.*\n)+", told, re.MULTILINE)
    assert example
    if callable(found) and not inspect.isclass(found):
        assert f"wb.{name}(" in example[0]


def test_each_type_of_action_is_reached_from_the_door() -> None:
    for kind in get_args(wb.Action):
        assert getattr(wb.actions, kind.__name__) is kind
        assert re.match(r"[A-Z].*\.$", inspect.getdoc(kind) or "", re.DOTALL), kind
        assert kind.__doc__ != wb.actions.ActionBase.__doc__
    assert wb.actions.Type(text="mug") != wb.actions.Stop(answer="mug")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'taks'"):
        wb.taks  # type: ignore[attr-defined]  # noqa: B018 - the look-up is what is tested


def test_the_folder_of_benchmarks_can_be_called() -> None:
    import webbench.benchmarks.demo  # makes the folder an attribute of the package

    assert "demo" in [one.name for one in wb.benchmarks()]
    assert webbench.benchmarks.demo.__name__ == "webbench.benchmarks.demo"
