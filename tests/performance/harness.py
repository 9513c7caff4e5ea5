"""WebArena's harness itself, as published, over pages that we serve: how long its episodes take.

The package `libwebarena` is its code made installable. It wants other versions than ours, so it gets a
virtual environment of its own below `build/`, made at its first use.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from webbench.core.browser.starting.find_chromium import find_chromium

PLAYER = Path(__file__).with_name("harness_player.py")
FOLDER = Path(__file__).parents[2] / "build" / "webarena-harness"
HARNESS = "libwebarena==0.0.5"
NEEDS = ("gymnasium", "beartype==0.12.0", "numpy", "Pillow")
"""What its environment needs of what it asks for; the rest is for its agents and evaluators."""

SITES = ("REDDIT", "SHOPPING", "SHOPPING_ADMIN", "GITLAB", "WIKIPEDIA", "MAP", "HOMEPAGE")
"""It wants to know where these are before it does anything; no page of theirs is visited."""

ARGUMENTS = ("--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
"""Requests to other hosts fail at once, so that the harness doesn't wait for them."""


class HarnessMissing(Exception):
    """It can't be installed here; the text says why."""


def installed() -> Path:
    """A Python that has the harness. Raises `HarnessMissing`."""
    python = FOLDER / "bin" / "python"
    ready = FOLDER / "ready"
    if ready.exists():
        return python
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    steps = (
        [sys.executable, "-m", "venv", "--clear", str(FOLDER)],
        [*pip, f"playwright=={version('playwright')}", *NEEDS],
        [*pip, "--no-deps", HARNESS],
    )
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True)
        if done.returncode:
            raise HarnessMissing((done.stderr.strip() or done.stdout.strip()).splitlines()[-1])
    ready.touch()
    return python


async def play(python: Path, pages: Sequence[tuple[str, int]]) -> list[float]:
    """Seconds of an episode of so many steps at each address, in a new browser each, one after the other.

    Raises `RuntimeError` with the harness' last words where it fails.
    """
    asked = {"chromium": str(find_chromium()), "arguments": ARGUMENTS, "pages": pages}
    playing = await asyncio.create_subprocess_exec(
        python,
        "-W",
        "ignore",
        PLAYER,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **dict.fromkeys(SITES, "http://site.invalid")},
    )
    told, complained = await playing.communicate(json.dumps(asked).encode())
    if playing.returncode:
        last = complained.decode(errors="replace").strip().splitlines()[-1:]
        raise RuntimeError(f"WebArena's harness failed: {' '.join(last)}")
    return [json.loads(line)["seconds"] for line in told.splitlines()]
