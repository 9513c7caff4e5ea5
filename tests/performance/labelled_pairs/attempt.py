"""What a pair is made of: two attempts, each named by its file in the shared data."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.importing import bring_in
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, Trajectory

PAIRS = Path(__file__).with_name("pairs.json")
TRAJECTORIES = Path("data", "trajectories")
FOLDERS = {
    "wonderbread": "wonderbread-human-sops",
    "open-operator": "open-operator-evals",
    "agentlab": "agentlab",
    "webarena-render": "webarena-native",
    "webarena-traces": "webarena-successful",
    "adp": "adp-standardized/go-browse-wa",
    "who-and-when": "who-and-when",
    "miniwob": "miniwob-human-demos",
}
"""Where the formats lie that hold several free attempts at one task."""


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One side of a pair. Labels count steps as the imported record does: 0 is the start."""

    format: str
    path: str
    """Of the file or folder that was imported, below the shared folder."""
    number: int
    """Which of the file's episodes, from 1."""
    actor: str
    steps: int
    """Number of the last step."""
    digest: str
    """Of all steps as they were sent. Another one means that labels no longer fit the record."""


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    pair: int
    source: str
    task: str
    split: Literal["dev", "held"]
    a: Attempt
    b: Attempt


def chosen_pairs(path: Path = PAIRS) -> list[Pair]:
    """The pairs as they were chosen and labelled, or as a file has them that `draw` wrote."""
    return msgspec.json.decode(path.read_bytes(), type=list[Pair])


def attempts_in(
    store: Store, shared: Path, formats: Iterable[str] = FOLDERS
) -> Iterator[tuple[Attempt, Trajectory]]:
    """What formats hold, once it is imported into the store; in the order of files and numbers."""
    shared = shared.resolve()
    for name in formats:
        list(bring_in(shared / TRAJECTORIES / FOLDERS[name], known_formats(), store, only=name))
    found = [
        (attempt_of(trajectory, shared), trajectory)
        for episode in store.episodes()
        if (trajectory := store.load(store.root / episode.run / episode.episode)).steps
    ]
    yield from sorted(found, key=lambda one: (one[0].format, one[0].path, one[0].number))


def attempt_of(trajectory: Trajectory, shared: Path) -> Attempt:
    imported = trajectory.header.settings["imported"]
    assert isinstance(imported, dict)
    return Attempt(
        format=str(imported["format"]),
        path=Path(str(imported["from"])).relative_to(shared).as_posix(),
        number=int(str(imported["number"])),
        actor=trajectory.header.actor,
        steps=trajectory.steps[-1].index,
        digest=digest(trajectory.steps),
    )


def digest(steps: tuple[Step, ...]) -> str:
    sent = "\n".join(f"{step.index} {step.text}" for step in steps)
    return hashlib.sha256(sent.encode()).hexdigest()[:16]
