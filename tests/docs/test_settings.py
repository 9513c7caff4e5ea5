"""Settings and variables that the docs name are declared."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from webbench.core.settings.settings import declarations

REPOSITORY = Path(__file__).parents[2]
DOCUMENTS = [
    REPOSITORY / "README.md",
    *sorted(REPOSITORY.glob("docs/**/*.md")),
    *sorted(REPOSITORY.glob("benchmarks/**/README.md")),
]
NAMES = {one.name for one in declarations()}
TABLES = {name for name in NAMES if "." not in name}
GROUPS = {name.partition(".")[0] for name in NAMES if "." in name}
"""First words of settings such as `guard.hosts`."""
VARIABLES = {one.variable for one in declarations()}
FILES = ("py", "md", "toml", "json", "jsonl", "css", "js")


def code() -> str:
    """All that the program's own variables, which are no settings, can stand in."""
    places = (REPOSITORY / "core").rglob("*.py")
    return "".join(file.read_text("utf-8") for file in places) + (
        REPOSITORY / "tests" / "effort.py"
    ).read_text("utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: str(file.relative_to(REPOSITORY)))
def test_variables_and_settings_are_declared(document: Path) -> None:
    text = document.read_text("utf-8")
    named = set(re.findall(r"\bWEBBENCH_[A-Z][A-Z_]*[A-Z]\b", text))
    of_tables = {
        name for name in named if any(one.endswith("_") and name.startswith(one) for one in VARIABLES)
    }
    rest = named - VARIABLES - of_tables
    assert {name for name in rest if f'"{name}"' not in code()} == set()
    dotted = {name for name in re.findall(r"`([a-z]+\.[a-z_]+)`", text) if not name.endswith(FILES)}
    assert {name for name in dotted if name.partition(".")[0] in GROUPS - TABLES} - NAMES == set()
