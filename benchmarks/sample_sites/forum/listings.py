"""Front page, community pages, search."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites import clock
from webbench.benchmarks.sample_sites.forum import posts
from webbench.benchmarks.sample_sites.forum.layout import missing, show
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.visits import whole_number
from webbench.benchmarks.sample_sites.web import Visit, page
from webbench.core.json_types import JsonObject

LONGEST_SEARCH = 200
MOST_WORDS = 8


def front(visit: Visit) -> Response:
    """Subscribed communities of who is signed in, all of them for strangers."""
    mine = posts.subscriptions(visit.database, signed_in(visit))
    return _front(visit, mine, "Your communities" if mine else "All communities", "/")


def everything(visit: Visit) -> Response:
    return _front(visit, (), "All communities", "/all")


def _front(visit: Visit, communities: tuple[str, ...], heading: str, path: str) -> Response:
    wanted = read_wanted(visit, communities=communities)
    biggest = visit.database.execute(
        "SELECT name, subscribers FROM community ORDER BY subscribers DESC LIMIT 8"
    ).fetchall()
    return show(visit, "front.html", heading=heading, biggest=biggest, **listing(visit, wanted, path))


def community_page(visit: Visit) -> Response:
    community = find_community(visit)
    if community is None:
        return missing(visit)
    wanted = read_wanted(visit, communities=(community["name"],))
    mine = posts.subscriptions(visit.database, signed_in(visit))
    return show(
        visit,
        "community.html",
        community=community,
        subscribed=community["name"].lower() in {name.lower() for name in mine},
        **listing(visit, wanted, f"/f/{community['name']}"),
    )


def search(visit: Visit) -> Response:
    text = visit.query("q")[:LONGEST_SEARCH]
    words = tuple(text.split()[:MOST_WORDS])
    communities: list[sqlite3.Row] = []
    if words:
        communities = [
            row
            for row in visit.database.execute("SELECT * FROM community ORDER BY name").fetchall()
            if all(word.lower() in f"{row['name']} {row['title']}".lower() for word in words)
        ]
    wanted = read_wanted(visit, words=words, default="top")
    found = listing(visit, wanted, f"/search?q={text}") if words else {}
    return show(visit, "search.html", search=text, communities=communities, **found)


def read_wanted(
    visit: Visit,
    *,
    communities: tuple[str, ...] = (),
    author: str = "",
    words: tuple[str, ...] = (),
    default: str = "hot",
) -> posts.Wanted:
    """The address's sort, time span and page; what makes no sense there is left out."""
    sort, span = visit.query("sort"), visit.query("t")
    seconds = posts.SPANS[span][1] if span in posts.SPANS else None
    return posts.Wanted(
        me=signed_in(visit),
        communities=communities,
        author=author,
        words=words,
        since=clock.now(visit.database) - seconds if seconds else 0,
        sort=sort if sort in posts.SORTS else default,
        page=max(1, whole_number(visit.query("p"))),
    )


def listing(visit: Visit, wanted: posts.Wanted, path: str) -> JsonObject:
    """What listing.html needs; `path` is the list's address within the site."""
    return {
        "found": posts.find(visit.database, wanted),
        "wanted": wanted,
        "sorts": posts.SORTS,
        "spans": posts.SPANS,
        "span": visit.query("t") if visit.query("t") in posts.SPANS else "",
        "list_path": path,
    }


def find_community(visit: Visit) -> sqlite3.Row | None:
    """The community that the address names, in whatever case."""
    found: sqlite3.Row | None = visit.database.execute(
        "SELECT * FROM community WHERE name = ?", (visit.parameter("community"),)
    ).fetchone()
    return found


def routes() -> Sequence[BaseRoute]:
    return [
        page("forum", "/", front),
        page("forum", "/all", everything),
        page("forum", "/search", search),
        page("forum", "/f/{community}", community_page),
    ]
