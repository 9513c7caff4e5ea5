"""What every page of the forum shows around its content, and who is looking at it."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from starlette.responses import Response

from webbench.benchmarks.demo.sites.forum import clock
from webbench.benchmarks.demo.sites.forum.texts import paragraphs
from webbench.benchmarks.demo.sites.sessions import signed_in
from webbench.benchmarks.demo.sites.web import Handler, Visit


def show(visit: Visit, template: str, status: int = 200, **context: Any) -> Response:
    """Render a template inside the forum's frame; a pending notice is shown once."""
    notice = visit.database.execute("SELECT value FROM setting WHERE key = 'notice'").fetchone()["value"]
    if notice:
        notify(visit, "")
    at = clock.now(visit.database)
    return visit.render(
        template,
        status,
        notice=notice,
        me=signed_in(visit),
        here=visit.request.url.path + (f"?{visit.request.url.query}" if visit.request.url.query else ""),
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


def notify(visit: Visit, message: str) -> None:
    """Shown once, on the next page."""
    visit.database.execute("UPDATE setting SET value = ? WHERE key = 'notice'", (message,))


def for_members(handler: Handler) -> Handler:
    """The handler, for those who are signed in; others are sent to sign in first."""

    def guarded(visit: Visit) -> Response:
        if signed_in(visit):
            return handler(visit)
        return visit.redirect(f"/login?next={quote(local_path(visit, visit.request.url.path), safe='')}")

    return guarded


def local_path(visit: Visit, path: str) -> str:
    """A path of this site without the part it is mounted at, "/" for any other."""
    inside = path.removeprefix(visit.base)
    return inside if path.startswith(visit.base) and inside.startswith("/") else "/"


def back(visit: Visit) -> Response:
    """To the page of this site that the posted form came from."""
    return visit.redirect(local_path(visit, visit.field("from")))
