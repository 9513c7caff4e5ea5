"""A demonstration's form, form.json: {"annotator", "description", "tasks", "shortcode", ...}."""

from __future__ import annotations

from pathlib import Path

import msgspec

from webbench.benchmarks.weblinx.turns.files import json_of
from webbench.core.errors import BadData
from webbench.core.json_types import Json

FORM = "form.json"
_LONGEST = 1000


class About(msgspec.Struct, frozen=True):
    """What the annotators wrote of their demonstration, and under which kinds of task they put it.

    Attributes:
        uses_ai: whether AI tools were used (`uses_ai_generated_output`); None where the form doesn't tell.
    """

    description: str = ""
    tasks: tuple[str, ...] = ()
    uses_ai: bool | None = None


def about(folder: Path) -> About:
    """Empty for a form that is missing or can't be used: it is for people who choose, no score needs it."""
    path = folder / FORM
    try:
        form = json_of(path) if path.is_file() else {}
    except (BadData, OSError):
        return About()
    if not isinstance(form, dict):
        return About()
    told = form.get("uses_ai_generated_output")
    return About(
        _text(form.get("description")), _texts(form.get("tasks")), told if isinstance(told, bool) else None
    )


def _text(value: Json) -> str:
    return value[:_LONGEST] if isinstance(value, str) else ""


def _texts(value: Json) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else [value]
    return tuple(filter(None, map(_text, listed[:20])))
