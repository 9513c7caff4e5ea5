"""An ordinary browser window to work in: only where there is a display to show it on."""

from __future__ import annotations

import os
from collections.abc import Mapping

from webbench.core.errors import EnvironmentDown
from webbench.core.people.studies.study import FREE_BROWSER, Study

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")


def needs_window(study: Study) -> bool:
    return study.dialect == FREE_BROWSER


def require_display(study: Study, environment: Mapping[str, str] = os.environ) -> None:
    """Raises `EnvironmentDown` where the study needs a window and there is nowhere to show it."""
    if needs_window(study) and not any(environment.get(name) for name in DISPLAYS):
        raise EnvironmentDown(
            f"The study {study.name} is done in a browser window, and there is no display for one",
            "work on it at a desktop, or log in with `ssh -X`; "
            'with dialect = "agent" a study needs no display',
        )
