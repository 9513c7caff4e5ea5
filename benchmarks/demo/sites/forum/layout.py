"""What every page of the forum shows around its content, and who is looking at it."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from webbench.benchmarks.demo.sites import clock
from webbench.benchmarks.demo.sites.prose import paragraphs
from webbench.benchmarks.demo.sites.sessions import signed_in
from webbench.benchmarks.demo.sites.visits import here, take_notice
from webbench.benchmarks.demo.sites.web import Visit


def show(visit: Visit, template: str, status: int = 200, **context: Any) -> Response:
    """Render a template inside the forum's frame; a pending notice is shown once."""
    at = clock.now(visit.database)
    return visit.render(
        template,
        status,
        notice=take_notice(visit),
        me=signed_in(visit),
        here=here(visit),
        ago=lambda moment: clock.ago(moment, at),
        full=clock.full,
        month=clock.month,
        paragraphs=paragraphs,
        search=context.pop("search", ""),
        **context,
    )


def missing(visit: Visit) -> Response:
    return show(visit, "missing.html", status=404)


def forbidden(visit: Visit, why: str) -> Response:
    return show(visit, "forbidden.html", status=403, why=why)
