"""Visits to sites with members: what is around every page, one-time notices, going back, strangers kept out.

A site that uses it has a `setting` table with a row "notice".
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from starlette.responses import Response

from webbench.benchmarks.sample_sites import clock
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.web import Handler, Visit


def notify(visit: Visit, message: str) -> None:
    """Shown once, on the next page."""
    visit.database.execute("UPDATE setting SET value = ? WHERE key = 'notice'", (message,))


def take_notice(visit: Visit) -> str:
    """The pending notice, which is then no longer pending."""
    notice = str(visit.database.execute("SELECT value FROM setting WHERE key = 'notice'").fetchone()["value"])
    if notice:
        notify(visit, "")
    return notice


def frame(visit: Visit) -> dict[str, Any]:
    """What templates show around every page's content; a pending notice is shown once."""
    at = clock.now(visit.database)
    return {
        "notice": take_notice(visit),
        "me": signed_in(visit),
        "here": here(visit),
        "ago": lambda moment: clock.ago(moment, at),
        "full": clock.full,
    }


def for_members(handler: Handler, sign_in: str = "/login") -> Handler:
    """The handler, for those who are signed in; others are sent to the path where one signs in."""

    def guarded(visit: Visit) -> Response:
        if signed_in(visit):
            return handler(visit)
        return visit.redirect(f"{sign_in}?next={quote(local_path(visit, visit.request.url.path), safe='')}")

    return guarded


def local_path(visit: Visit, path: str) -> str:
    """A path of this site without the part it is mounted at, "/" for any other."""
    inside = path.removeprefix(visit.base)
    return inside if path.startswith(visit.base) and inside.startswith("/") else "/"


def after_sign_in(visit: Visit, path: str) -> str:
    """Where to go on after signing in: only places of this site."""
    return local_path(visit, visit.base + path)


def back(visit: Visit) -> Response:
    """To the page of this site that the posted form came from."""
    return visit.redirect(local_path(visit, visit.field("from")))


def here(visit: Visit) -> str:
    """Path and query of the page, for `back`."""
    url = visit.request.url
    return f"{url.path}?{url.query}" if url.query else url.path


def whole_number(text: str) -> int:
    """What an address or a field says, 0 where it is no number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
