"""The front page, articles, the list of all, and search results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.articles import shelf
from webbench.benchmarks.sample_sites.paging import pages_of
from webbench.benchmarks.sample_sites.web import Visit, page

SITE = "encyclopaedia"
ARTICLES = Path(__file__).parent / "articles"
OF_THE_DAY = "Sandholm"
LONGEST_QUESTION = 200
PER_PAGE = 10


def front(visit: Visit) -> Response:
    found = shelf(ARTICLES)
    return visit.render(
        "front.html", search="", article=found.articles[OF_THE_DAY], count=len(found.articles)
    )


def article(visit: Visit) -> Response:
    """The article of a title; another name, or another way to write it, leads to it and says so."""
    asked = visit.parameter("title")
    found = shelf(ARTICLES).called(asked)
    if found is None:
        name = asked.replace("_", " ")[:LONGEST_QUESTION]
        return visit.render("missing.html", status=404, search=name)
    if asked != found.slug:
        return visit.redirect(f"/wiki/{quote(found.slug)}?from={quote(asked, safe='')}")
    came_by = shelf(ARTICLES).called(visit.query("from"))
    shown = visit.query("from").replace("_", " ") if came_by is found else ""
    return visit.render("article.html", search="", article=found, redirected=shown)


def every_article(visit: Visit) -> Response:
    return visit.render("all.html", search="", articles=shelf(ARTICLES).articles.values())


def search(visit: Visit) -> Response:
    asked = visit.query("q")[:LONGEST_QUESTION]
    found = pages_of(shelf(ARTICLES).found(asked), visit, PER_PAGE)
    return visit.render("search.html", search=asked, found=found)


def routes() -> Sequence[BaseRoute]:
    return [
        page(SITE, "/", front),
        page(SITE, "/wiki/{title}", article),
        page(SITE, "/all", every_article),
        page(SITE, "/search", search),
    ]
