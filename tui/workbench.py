"""The workbench: what all screens of a sitting share, whichever of them is in front."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from textual.dom import DOMNode

if TYPE_CHECKING:
    from webbench.core.settings.settings import Settings
    from webbench.tui.engine_link import EngineLink
    from webbench.tui.opening import Opening
    from webbench.tui.pictures.detect import Graphics


class Workbench(Protocol):
    """What screens see of the application."""

    opening: Opening
    settings: Settings
    graphics: Graphics
    recorded: list[str]
    """Episodes of this sitting, the latest last."""
    begun_runs: list[str]
    """Runs that were begun in this sitting, or gone on with."""

    @property
    def link(self) -> EngineLink:
        """The line to the engine."""
        ...


def workbench(node: DOMNode) -> Workbench:
    """The workbench that a screen or widget belongs to."""
    return cast("Workbench", node.app)


def annotator_of(node: DOMNode) -> str:
    """Who labels by the settings, "" where they name nobody, or a screen is shown without the workbench."""
    settings: Settings | None = getattr(node.app, "settings", None)
    return settings.annotator if settings is not None else ""
