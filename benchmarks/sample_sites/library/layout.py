"""What every page of the library shows around its content, and what differs between its versions."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from webbench.benchmarks.sample_sites.library import shelves
from webbench.benchmarks.sample_sites.web import Visit


def second_version(visit: Visit) -> bool:
    """The site was rebuilt: the hold button moved, /branches became /locations, /hours is gone."""
    return shelves.setting(visit.database, "version") == "2"


def show(visit: Visit, template: str, status: int = 200, **context: Any) -> Response:
    """Render a template inside the library's frame."""
    second = second_version(visit)
    finder = f"{visit.base}/{'locations' if second else 'branches'}"
    shown = {"search": context.get("words", ""), "second_version": second, "finder": finder}
    return visit.render(template, status, **shown, **context)


def missing(visit: Visit) -> Response:
    return show(visit, "missing.html", status=404)
