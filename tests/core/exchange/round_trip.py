"""Into a store and out of it again, as the commands do, and what the shared data's README counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from webbench.core.exchange.export_format import Exported, find_exporter
from webbench.core.exchange.exporting import export
from webbench.core.exchange.import_format import find_format
from webbench.core.exchange.importing import Imported, bring_in
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory

_COUNTED = re.compile(r"^- `([^`]+)`: (.*)$", re.MULTILINE)


def brought_in(format: str, path: Path, store: Store) -> tuple[list[Imported], list[Trajectory]]:
    """What became of the places, and the records that came of it in their order."""
    told = list(bring_in(path, [find_format(format)], store))
    return told, [store.load(folder) for folder in folders(store)]


def folders(store: Store) -> list[Path]:
    found = store.root.glob("*/*/episode.json")
    return sorted((file.parent for file in found), key=lambda folder: folder.stat().st_mtime_ns)


def written(format: str, store: Store, trajectories: list[Trajectory], path: Path) -> Exported:
    places = [store.root / one.header.run / one.header.episode for one in trajectories]
    return export(store, places, find_exporter(format), path)


def counted_in_readme(shared: Path, folder: str) -> Iterator[tuple[Path, str]]:
    """Each file of a folder of `formats-2026` with what the README counts in it."""
    root = shared / "data" / "formats-2026"
    text = (root / "README.md").read_text()
    section = text.partition(f"\n## {folder}/")[2].partition("\n## ")[0]
    for name, told in _COUNTED.findall(section.partition("### Counts")[2]):
        yield root / folder / name, told


def number_in(told: str, name: str) -> float:
    """The figure that stands after a name: `number_in("steps 6 (user 1)", "steps")` is 6."""
    found = re.search(rf"(?<!\w){re.escape(name)} (-?[0-9.e-]*[0-9])", told)
    return float(found[1]) if found else 0.0
