"""Episodes that look like real ones."""

from __future__ import annotations

import io
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from webbench.core.observation import AccessibilityNode, Observation, Screenshot
from webbench.core.store.records.recorder import Recorder
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step

Begin = Callable[..., Recorder]


@pytest.fixture
def begin() -> Begin:
    """Start an episode, in a run of its own unless one is named."""

    def begin(store: Store, *, run: str = "", name: str = "cart", order: int = 0) -> Recorder:
        run = run or store.start_run("shop", "oracle", 2, ("cart#0", "cart#1"))
        task = Task(benchmark="shop", name=name, instance=0, intent="Put tea into the cart")
        header = EpisodeHeader(run="", episode="", task=task, actor="oracle", dialect="json", order=order)
        return store.recorder(run, header)

    return begin


@pytest.fixture
def step() -> Callable[[int], Step]:
    return lambda index: Step(index=index, at="2026-01-01T00:00:00.000+00:00", text=f"click [{index}]")


@pytest.fixture
def page() -> Callable[..., Observation]:
    """A page of 400 links, of which one differs between steps."""

    def page(step: int, *more: AccessibilityNode) -> Observation:
        links = tuple(
            AccessibilityNode(
                id=n, role="link", name=f"Product {n}" + (f" ({step})" if n == 7 else ""), depth=1
            )
            for n in range(1, 401)
        )
        return Observation(url="http://127.0.0.1/shop", title="Shop", nodes=links + more)

    return page


@pytest.fixture
def picture() -> Screenshot:
    encoded = io.BytesIO()
    Image.linear_gradient("L").resize((320, 200)).convert("RGB").save(encoded, "PNG", compress_level=1)
    return Screenshot(encoded.getvalue(), "png", 320, 200, 1.0)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Mount a file system of a given size; skipped where that is not allowed."""
    mounted: list[Path] = []

    def mount(size: str) -> Path:
        folder = tmp_path / f"disk{len(mounted)}"
        folder.mkdir()
        if os.geteuid() != 0:
            pytest.skip("mounting a small file system needs root")
        made = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True, text=True
        )
        if made.returncode != 0:
            pytest.skip(f"no tmpfs can be mounted here: {made.stderr.strip()}")
        mounted.append(folder)
        return folder

    yield mount
    for folder in mounted:
        subprocess.run(["umount", "-l", folder], check=True)
