"""Home, search, items, branches, opening hours. What version 2 changed: see `layout`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.library import reader, shelves
from webbench.benchmarks.sample_sites.library.layout import missing, second_version, show
from webbench.benchmarks.sample_sites.library.seed import branches
from webbench.benchmarks.sample_sites.web import Visit, page

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def home(visit: Visit) -> Response:
    return show(visit, "home.html", new=shelves.find(visit.database, "", {}, "newest")[:6])


def search(visit: Visit) -> Response:
    only = {name: visit.query(name) for name in ("kind", "language", "branch", "available")}
    sort = visit.query("sort") if visit.query("sort") in shelves.SORTS else "relevance"
    words = visit.query("q")[:200]
    found = shelves.find(visit.database, words, only, sort)
    return show(
        visit,
        "search.html",
        words=words,
        only=only,
        sort=sort,
        sorts=tuple(shelves.SORTS),
        kinds=shelves.KINDS,
        languages=shelves.languages(visit.database),
        branches=branches(),
        found=[(item, sum(not copy["due"] for copy in _copies(visit, item))) for item in found],
    )


def item_page(visit: Visit) -> Response:
    found = shelves.item(visit.database, visit.parameter("slug"))
    if found is None:
        return missing(visit)
    return show(visit, "item.html", item=found, copies=[_with_branch(copy) for copy in _copies(visit, found)])


def hold_form(visit: Visit) -> Response:
    found = shelves.item(visit.database, visit.parameter("slug"))
    if found is None:
        return missing(visit)
    chosen = {name: shelves.setting(visit.database, name) for name in ("branch", "notify")}
    return show(visit, "hold.html", item=found, branches=branches(), chosen=chosen)


def branch_finder(visit: Visit) -> Response:
    if not _is_finder(visit):
        return missing(visit)
    postcode = visit.query("postcode")[:20]
    return show(
        visit,
        "branches.html",
        postcode=postcode,
        found=shelves.nearest_branches(postcode),
        branches=branches(),
    )


def branch_page(visit: Visit) -> Response:
    found = shelves.branch(visit.parameter("slug")) if _is_finder(visit) else None
    if found is None:
        return missing(visit)
    mine = shelves.setting(visit.database, "branch") == found["slug"]
    return show(visit, "branch.html", branch=found, hours=zip(DAYS, found["hours"], strict=True), mine=mine)


def hours(visit: Visit) -> Response:
    """Version 2 has no page of its own for them any more."""
    if second_version(visit):
        return missing(visit)
    day = visit.query("day").title()
    number = DAYS.index(day) if day in DAYS else None
    return show(visit, "hours.html", days=DAYS, day=number, branches=branches())


def choose_branch(visit: Visit) -> Response:
    found = shelves.branch(visit.parameter("slug"))
    if found is None:
        return missing(visit)
    shelves.set_setting(visit.database, "branch", found["slug"])
    return visit.redirect(f"/account?branch={found['slug']}")


def _is_finder(visit: Visit) -> bool:
    """Whether this version has its branches at the address that was asked for."""
    name = visit.request.url.path.removeprefix(visit.base).split("/")[1]
    return bool(name == ("locations" if second_version(visit) else "branches"))


def _copies(visit: Visit, item: dict[str, Any]) -> list[dict[str, Any]]:
    return shelves.copies(visit.database, item["slug"])


def _with_branch(copy: dict[str, Any]) -> dict[str, Any]:
    return copy | {"where": (shelves.branch(copy["branch"]) or {})["name"]}


def routes() -> Sequence[BaseRoute]:
    finder = [
        route
        for name in ("branches", "locations")
        for route in (
            page("library", f"/{name}", branch_finder),
            page("library", f"/{name}/{{slug}}", branch_page),
            page("library", f"/{name}/{{slug}}/mine", choose_branch, "POST"),
        )
    ]
    return [
        page("library", "/", home),
        page("library", "/search", search),
        page("library", "/item/{slug}", item_page),
        page("library", "/item/{slug}/hold", hold_form),
        page("library", "/item/{slug}/hold", reader.place_hold, "POST"),
        *finder,
        page("library", "/hours", hours),
        *reader.routes(),
    ]
