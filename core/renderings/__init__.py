"""Observations as text: the formats that agents of the field read. Pure functions, nothing is fetched."""

from __future__ import annotations

from collections.abc import Callable

from webbench.core.errors import UsageError
from webbench.core.observation import Observation
from webbench.core.renderings.browsergym import browsergym_text
from webbench.core.renderings.observation_json import as_json as _as_json
from webbench.core.renderings.webarena import webarena_text

__all__ = ["FORMATS", "browsergym_text", "render", "webarena_text"]

FORMATS: dict[str, Callable[[Observation, bool], str]] = {
    "webarena": lambda observation, viewport_only: webarena_text(observation, viewport_only=viewport_only),
    "browsergym": lambda observation, viewport_only: browsergym_text(
        observation, viewport_only=viewport_only
    ),
    "json": lambda observation, viewport_only: _as_json(observation, viewport_only=viewport_only),
    "webarena-acted-on": lambda observation, viewport_only: webarena_text(
        observation, viewport_only=viewport_only, acted_on=True
    ),
    "browsergym-acted-on": lambda observation, viewport_only: browsergym_text(
        observation, viewport_only=viewport_only, acted_on=True
    ),
}


def render(observation: Observation, format: str, *, viewport_only: bool = False) -> str:
    """An observation in a named format; raises `UsageError` for a name that is none."""
    try:
        rendering = FORMATS[format]
    except KeyError:
        raise UsageError(f"no rendering {format!r}", f"there are {', '.join(FORMATS)}") from None
    return rendering(observation, viewport_only)
