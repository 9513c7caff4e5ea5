"""What every page of the forum shows around its content, and who is looking at it."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from webbench.benchmarks.sample_sites import clock
from webbench.benchmarks.sample_sites.prose import paragraphs
from webbench.benchmarks.sample_sites.visits import frame
from webbench.benchmarks.sample_sites.web import Visit


def show(visit: Visit, template: str, status: int = 200, **context: Any) -> Response:
    """Render a template inside the forum's frame; a pending notice is shown once."""
    return visit.render(
        template,
        status,
        month=clock.month,
        paragraphs=paragraphs,
        search=context.pop("search", ""),
        **frame(visit),
        **context,
    )


def missing(visit: Visit) -> Response:
    return show(visit, "missing.html", status=404)


def forbidden(visit: Visit, why: str) -> Response:
    return show(visit, "forbidden.html", status=403, why=why)
