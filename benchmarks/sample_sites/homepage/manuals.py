"""Manuals of the other sites: pages with links, and a search over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.articles import shelf
from webbench.benchmarks.sample_sites.web import Visit, page

SITE = "homepage"
FOLDER = Path(__file__).parent / "handbooks"
TITLES = {
    "shop": "Harbour & Pine: help for customers",
    "admin": "Back office: handbook for staff",
    "forum": "Breakwater: how the forum works",
    "forge": "Slipway: user guide",
}
"""Site → the title of its manual, in the order in which they are listed."""
LONGEST_QUESTION = 200


def contents(visit: Visit) -> Response:
    listed = [(site, title, tuple(shelf(FOLDER / site).articles.values())) for site, title in TITLES.items()]
    return visit.render("manuals.html", search="", manuals=listed)


def manual_page(visit: Visit) -> Response:
    site = visit.parameter("site")
    found = shelf(FOLDER / site).called(visit.parameter("title")) if site in TITLES else None
    if found is None:
        return visit.render("missing.html", status=404, search="")
    return visit.render("manual.html", search="", site=site, manual=TITLES[site], article=found)


def search(visit: Visit) -> Response:
    asked = visit.query("q")[:LONGEST_QUESTION]
    hits = [(site, title, hit) for site, title in TITLES.items() for hit in shelf(FOLDER / site).found(asked)]
    return visit.render("manual-search.html", search=asked, hits=hits)


def routes() -> Sequence[BaseRoute]:
    return [
        page(SITE, "/manuals/", contents),
        page(SITE, "/manuals/search", search),
        page(SITE, "/manuals/{site}/{title}", manual_page),
    ]
