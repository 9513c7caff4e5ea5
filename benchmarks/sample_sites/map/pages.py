"""The map's pages: what is in sight, search, a place, directions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.map import town as town_file
from webbench.benchmarks.sample_sites.map.directions import ENGINES, Way, distance, way
from webbench.benchmarks.sample_sites.map.town import Place
from webbench.benchmarks.sample_sites.map.view import (
    CLOSEST,
    FIRST_ZOOM,
    MIDDLE,
    WIDEST,
    View,
    around,
    drawing,
)
from webbench.benchmarks.sample_sites.visits import whole_number
from webbench.benchmarks.sample_sites.web import Visit, page

SITE = "map"
LONGEST_QUESTION = 200
MOST_IN_SIGHT = 40
_VIEW = ("zoom", "east", "north")
"""Parts of an address that say which part of the map is shown."""
PANS = (("North", 0, 1), ("East", 1, 0), ("South", 0, -1), ("West", -1, 0))


def overview(visit: Visit) -> Response:
    view = asked_view(visit)
    shown = [place for place in view.places if place.kind != "address"]
    return show(visit, "overview.html", view, in_sight=shown[:MOST_IN_SIGHT], total=len(shown))


def search(visit: Visit) -> Response:
    asked = visit.query("query")[:LONGEST_QUESTION]
    hits = town_file.found(asked)
    view = around([place.at for place in hits]) if hits else asked_view(visit)
    return show(visit, "search.html", view, hits, search=asked, hits=hits)


def place_page(visit: Visit) -> Response:
    place = town_file.town().places.get(visit.parameter("slug"))
    if place is None:
        return show(visit, "missing.html", asked_view(visit), status=404)
    return show(visit, "place.html", asked_view(visit, around([place.at])), [place], place=place)


def directions(visit: Visit) -> Response:
    """With nothing to start from the form alone; a text that means no single place is asked for again."""
    named = {name: visit.query(name)[:LONGEST_QUESTION] for name in ("route_from", "route_to")}
    engine = visit.query("engine") if visit.query("engine") in ENGINES else "car"
    ends = {name: town_file.meant(text) for name, text in named.items()}
    choices = {
        name: list(town_file.found(text))[:10] for name, text in named.items() if text and ends[name] is None
    }
    start, end = ends["route_from"], ends["route_to"]
    found = way(start, end, engine) if start and end else None
    marked = [place for place in ends.values() if place]
    fitting = around([*found.line]) if found else around([place.at for place in marked]) if marked else None
    return show(
        visit,
        "directions.html",
        asked_view(visit, fitting),
        marked,
        found,
        named=named,
        ends=ends,
        choices=choices,
        engine=engine,
        distance=distance,
    )


def asked_view(visit: Visit, fitting: View | None = None) -> View:
    """The view of the address, else the fitting one, else the whole town."""
    zoom = whole_number(visit.query("zoom"))
    if not WIDEST <= zoom <= CLOSEST:
        return fitting or View(FIRST_ZOOM, MIDDLE)
    east, north = whole_number(visit.query("east")), whole_number(visit.query("north"))
    return View(zoom, (float(east), float(north))).moved(0, 0)


def show(
    visit: Visit,
    template: str,
    view: View,
    marked: Sequence[Place] = (),
    found: Way | None = None,
    status: int = 200,
    **context: Any,
) -> Response:
    """A page beside the map; its controls lead to the same page with another view."""
    asked = visit.request.query_params.multi_items()
    rest = urlencode([item for item in asked if item[0] not in _VIEW])
    start = f"{visit.request.url.path}?{rest}{'&' if rest else ''}"
    moves = [(name, view.moved(east, north)) for name, east, north in PANS]
    zooms = [("Zoom in", view.closer(1)), ("Zoom out", view.closer(-1))]
    controls = [(name, start + other.query()) for name, other in (*zooms, *moves)]
    return visit.render(
        template,
        status,
        controls=controls,
        view=view,
        map=drawing(view, marked, found),
        engines=ENGINES,
        way=found,
        **({"search": ""} | context),
    )


def routes() -> Sequence[BaseRoute]:
    return [
        page(SITE, "/", overview),
        page(SITE, "/search", search),
        page(SITE, "/place/{slug}", place_page),
        page(SITE, "/directions", directions),
    ]
