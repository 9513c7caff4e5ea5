"""The list of communities; making, changing and subscribing to one."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites import clock
from webbench.benchmarks.sample_sites.forum import posts
from webbench.benchmarks.sample_sites.forum.layout import forbidden, missing, show
from webbench.benchmarks.sample_sites.forum.listings import find_community
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.visits import back, for_members, notify
from webbench.benchmarks.sample_sites.web import Visit, page

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{2,24}")
RESERVED = {"submit", "all", "search"}
ORDERS = {"name": "name COLLATE NOCASE", "subscribers": "subscribers DESC", "posts": "posts DESC"}
FIELDS = {"title": 100, "description": 300, "sidebar": 1500}
"""What a community says about itself → longest text."""


def overview(visit: Visit) -> Response:
    order = visit.query("by") if visit.query("by") in ORDERS else "name"
    listed = visit.database.execute(
        "SELECT community.*, (SELECT COUNT(*) FROM post WHERE community = community.name) AS posts"  # noqa: S608 - only words of ours
        f" FROM community ORDER BY {ORDERS[order]}"
    ).fetchall()
    mine = posts.subscriptions(visit.database, signed_in(visit))
    return show(visit, "communities.html", communities=listed, mine=mine, order=order, orders=ORDERS)


def create_page(visit: Visit) -> Response:
    return _form(visit, {"name": "", **dict.fromkeys(FIELDS, "")}, {}, new=True)


def create(visit: Visit) -> Response:
    values = _values(visit)
    errors = problems(visit.database, values)
    if errors:
        return _form(visit, values, errors, new=True)
    me, name = signed_in(visit), values["name"]
    visit.database.execute(
        "INSERT INTO community VALUES (:name,:title,:description,:sidebar,:owner,:created,1)",
        {**values, "owner": me, "created": clock.tick(visit.database)},
    )
    visit.database.execute("INSERT INTO subscription VALUES (?,?)", (me, name))
    return visit.redirect(f"/f/{name}")


def edit_page(visit: Visit) -> Response:
    community = _mine(visit)
    if isinstance(community, Response):
        return community
    return _form(visit, {key: community[key] for key in ("name", *FIELDS)}, {}, new=False)


def edit(visit: Visit) -> Response:
    community = _mine(visit)
    if isinstance(community, Response):
        return community
    values = {**_values(visit), "name": community["name"]}
    errors = _empty(values)
    if errors:
        return _form(visit, values, errors, new=False)
    visit.database.execute(
        "UPDATE community SET title=:title, description=:description, sidebar=:sidebar WHERE name=:name",
        values,
    )
    notify(visit, "The community was changed.")
    return visit.redirect(f"/f/{community['name']}")


def _form(visit: Visit, values: dict[str, str], errors: dict[str, str], *, new: bool) -> Response:
    return show(
        visit, "edit-community.html", status=422 if errors else 200, values=values, errors=errors, new=new
    )


def _values(visit: Visit) -> dict[str, str]:
    return {
        "name": visit.field("name"),
        **{key: visit.field(key)[:longest] for key, longest in FIELDS.items()},
    }


def problems(database: sqlite3.Connection, values: dict[str, str]) -> dict[str, str]:
    """What is wrong with a new community, by field."""
    wrong = _empty(values)
    if not _NAME.fullmatch(values["name"]) or values["name"].lower() in RESERVED:
        wrong["name"] = "A name has 3 to 25 letters, digits and underscores, and begins with a letter."
    elif database.execute("SELECT 1 FROM community WHERE name = ?", (values["name"],)).fetchone():
        wrong["name"] = "There is a community with this name."
    return wrong


def _empty(values: dict[str, str]) -> dict[str, str]:
    return {key: "This can't be empty." for key in ("title", "description") if not values[key]}


def _mine(visit: Visit) -> sqlite3.Row | Response:
    """The community that the address names, or why it can't be changed."""
    community = find_community(visit)
    if community is None:
        return missing(visit)
    if community["owner"] != signed_in(visit):
        return forbidden(visit, "Only the owner of a community can change it.")
    return community


def subscribe(visit: Visit) -> Response:
    """Subscribes, or ends the subscription that there is."""
    community = find_community(visit)
    if community is None:
        return missing(visit)
    key = (signed_in(visit), community["name"])
    ended = visit.database.execute(
        "DELETE FROM subscription WHERE account = ? AND community = ?", key
    ).rowcount
    if not ended:
        visit.database.execute("INSERT INTO subscription VALUES (?,?)", key)
    visit.database.execute(
        "UPDATE community SET subscribers = subscribers + ? WHERE name = ?",
        (-1 if ended else 1, community["name"]),
    )
    return back(visit)


def routes() -> Sequence[BaseRoute]:
    return [
        page("forum", "/communities", overview),
        page("forum", "/communities/new", for_members(create_page)),
        page("forum", "/communities/new", for_members(create), "POST"),
        page("forum", "/f/{community}/edit", for_members(edit_page)),
        page("forum", "/f/{community}/edit", for_members(edit), "POST"),
        page("forum", "/f/{community}/subscribe", for_members(subscribe), "POST"),
    ]
