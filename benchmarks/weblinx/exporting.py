"""Recorded episodes of any benchmark as WebLINX demonstrations, through `export --to weblinx`."""

from __future__ import annotations

from pathlib import Path

from webbench.benchmarks.weblinx.export import export_episode
from webbench.core.exports.contract import Source


class Demonstration:
    name = "weblinx"
    title = "a demonstration folder in WebLINX's published format"
    ending = ""
    several = False
    lacks = (
        "drags, uploads, answered dialogs and single keys, actions without effect, model input and output, "
        "and scores"
    )

    def write(self, source: Source, path: Path) -> None:
        for trajectory in source.trajectories():
            header = trajectory.header
            found = export_episode(source.store, source.store.root / header.run / header.episode, path)
            source.told.pictures += sum(state.screenshot is not None for state in found.states)
            for line in found.left_out:
                source.told.lose(f"{header.episode}: {line}")


def create() -> Demonstration:
    """The entry point."""
    return Demonstration()
