"""Part of a package is imported without its own code, which is run for who asks for more."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from webbench.core.scoring.metrics.part_of_package import stand_in

OWN = """
import sys
from large_one.part import small
ran = sys.ran = sys.ran + 1
large = small * 100
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package of one module; its own code counts how often it is run."""
    folder = tmp_path / "large_one"
    folder.mkdir()
    (folder / "__init__.py").write_text(OWN)
    (folder / "part.py").write_text("small = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "ran", 0, raising=False)
    for name in ("large_one", "large_one.part"):
        monkeypatch.setitem(sys.modules, name, None)
        del sys.modules[name]
    return "large_one"


def test_the_own_code_is_run_once_and_only_for_what_the_parts_lack(package: str) -> None:
    stand_in(package)
    part = import_module(f"{package}.part")
    whole = import_module(package)
    assert (part.small, whole.part, vars(sys)["ran"]) == (1, part, 0)
    assert not hasattr(whole, "__wrapped__")
    assert (vars(sys)["ran"], whole.large, whole.ran, whole.part) == (0, 100, 1, part)
    with pytest.raises(AttributeError, match="larger"):
        _ = whole.larger
    stand_in(package)
    assert (import_module(package), vars(sys)["ran"]) == (whole, 1)


def test_a_package_that_is_not_there_is_told_as_an_import_tells_it() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        stand_in("no_such_package")
