"""Opening a recorded episode over another screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual.screen import Screen

if TYPE_CHECKING:
    from webbench.tui.app import WorkbenchApp


def open_trajectory(
    screen: Screen[Any], episode: Path, step: int | None = None, among: Sequence[Path] = ()
) -> None:
    """Show an episode's folder, at the step with this index; `among` are its neighbours to turn over to."""
    from webbench.tui.screens.trajectory import TrajectoryScreen

    opening = replace(cast("WorkbenchApp", screen.app).opening, store=episode.parent.parent)
    screen.app.push_screen(TrajectoryScreen(opening, episode, step, among=among))
