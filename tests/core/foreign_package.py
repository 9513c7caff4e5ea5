"""A package of somebody else's, as an installer leaves it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from webbench.core.dialects.dialect import find_dialect
from webbench.core.plugins import entry_points


@contextmanager
def installed_package(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    source: str,
    entry_points: str,
    name: str = "third-party",
    version: str = "1.2",
) -> Iterator[None]:
    """A distribution beside ours whose one module, `third_party_agent`, holds `source`."""
    (folder / "third_party_agent.py").write_text(source)
    with announced_package(folder, monkeypatch, entry_points, name, version):
        yield
    sys.modules.pop("third_party_agent", None)


@contextmanager
def announced_package(
    folder: Path, monkeypatch: pytest.MonkeyPatch, entry_points: str, name: str, version: str
) -> Iterator[None]:
    """A distribution whose metadata lie in this folder, where its modules may be, too."""
    metadata = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (metadata / "entry_points.txt").write_text(entry_points)
    monkeypatch.syspath_prepend(str(folder))
    _forget()
    try:
        yield
    finally:
        monkeypatch.undo()
        _forget()


def _forget() -> None:
    entry_points.installed.cache_clear()
    find_dialect.cache_clear()
