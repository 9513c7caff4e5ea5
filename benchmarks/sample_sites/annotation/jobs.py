"""Annotation jobs: what is asked of each picture or text, in which fields."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from webbench.core.json_types import JsonObject


@cache
def jobs() -> dict[str, JsonObject]:
    """The job descriptions by name, as they stand in `jobs.json`."""
    listed = json.loads((Path(__file__).parent / "jobs.json").read_text("utf-8"))
    return {job["name"]: job for job in listed}
