"""Every name of the public door says what it is in whole sentences, and every module has a docstring."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import webbench

REPOSITORY = Path(__file__).parents[2]
RULES = "D100,D104,D300,D419"
"""Of pydocstyle: every module and package has a docstring, in three double quotes, that isn't empty."""


def documented() -> Iterator[tuple[str, str]]:
    """Public names and the public methods that their classes define, with their docstrings."""
    for name in webbench.__all__:
        found = getattr(webbench, name)
        if not (inspect.isclass(found) or callable(found)):
            continue
        yield name, inspect.getdoc(found) or ""
        if not inspect.isclass(found) or not found.__module__.startswith("webbench.core.api"):
            continue
        for method, value in vars(found).items():
            if not method.startswith("_") and (callable(value) or isinstance(value, property)):
                yield f"{name}.{method}", inspect.getdoc(value) or ""


@pytest.mark.parametrize(("name", "text"), list(documented()), ids=lambda one: one if "\n" not in one else "")
def test_it_has_a_docstring_of_whole_sentences(name: str, text: str) -> None:
    first = text.partition("\n\n")[0].strip()
    assert first, name
    assert first[0].isupper() or not first[0].isalpha(), first
    assert first.endswith((".", ":", "?")), first


def test_every_module_says_what_it_is() -> None:
    places = ["core", "benchmarks", "tui", "themes", "docs", "src/webbench/__init__.py"]
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--select",
        RULES,
        "--output-format",
        "concise",
        *places,
    ]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
