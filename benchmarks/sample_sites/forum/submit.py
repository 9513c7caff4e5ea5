"""Writing, changing and removing posts."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites import clock
from webbench.benchmarks.sample_sites.forum import posts
from webbench.benchmarks.sample_sites.forum.layout import forbidden, missing, show
from webbench.benchmarks.sample_sites.forum.texts import slug_of
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.visits import for_members, notify, whole_number
from webbench.benchmarks.sample_sites.web import Visit, page

LONGEST_TITLE = 300
LONGEST_BODY = 25_000
LONGEST_LINK = 2000


def form_page(visit: Visit) -> Response:
    """The empty form; the address may name the community."""
    values = {"community": visit.query("community"), "title": "", "url": "", "body": ""}
    return _form(visit, values, {})


def _form(visit: Visit, values: dict[str, str], errors: dict[str, str]) -> Response:
    communities = visit.database.execute("SELECT name FROM community ORDER BY name COLLATE NOCASE").fetchall()
    return show(
        visit,
        "submit.html",
        status=422 if errors else 200,
        values=values,
        errors=errors,
        communities=[row["name"] for row in communities],
    )


def submit(visit: Visit) -> Response:
    values = {name: visit.field(name) for name in ("community", "title", "url", "body")}
    errors = problems(visit.database, values)
    if errors:
        return _form(visit, values, errors)
    title = values["title"]
    community = visit.database.execute(
        "SELECT name FROM community WHERE name = ?", (values["community"],)
    ).fetchone()["name"]
    added = visit.database.execute(
        "INSERT INTO post (community, author, title, slug, link, body, posted, score)"
        " VALUES (?,?,?,?,?,?,?,1)",
        (
            community,
            signed_in(visit),
            title,
            slug_of(title),
            values["url"],
            values["body"],
            clock.tick(visit.database),
        ),
    )
    visit.database.execute("INSERT INTO vote VALUES (?,'post',?,1)", (signed_in(visit), added.lastrowid))
    return visit.redirect(f"/f/{community}/{added.lastrowid}/{slug_of(title)}")


def problems(database: sqlite3.Connection, values: dict[str, str]) -> dict[str, str]:
    """What is wrong with a new post, by field."""
    wrong = {}
    if not database.execute("SELECT 1 FROM community WHERE name = ?", (values["community"],)).fetchone():
        wrong["community"] = "Choose a community."
    if not values["title"] or len(values["title"]) > LONGEST_TITLE:
        wrong["title"] = f"A title has between 1 and {LONGEST_TITLE} characters."
    if values["url"] and not values["url"].startswith(("http://", "https://")):
        wrong["url"] = "An address starts with http:// or https://."
    if len(values["url"]) > LONGEST_LINK:
        wrong["url"] = f"An address has at most {LONGEST_LINK} characters."
    if len(values["body"]) > LONGEST_BODY:
        wrong["body"] = f"A text has at most {LONGEST_BODY} characters."
    return wrong


def edit_page(visit: Visit) -> Response:
    post = _mine(visit)
    return post if isinstance(post, Response) else show(visit, "edit-post.html", post=post)


def edit(visit: Visit) -> Response:
    post = _mine(visit)
    if isinstance(post, Response):
        return post
    if visit.field("action") == "delete":
        visit.database.execute("DELETE FROM post WHERE id = ?", (post["id"],))
        visit.database.execute("DELETE FROM comment WHERE post = ?", (post["id"],))
        notify(visit, "The post was deleted.")
        return visit.redirect(f"/f/{post['community']}")
    visit.database.execute(
        "UPDATE post SET body = ?, edited = ? WHERE id = ?",
        (visit.field("body")[:LONGEST_BODY], clock.tick(visit.database), post["id"]),
    )
    notify(visit, "The post was changed.")
    return visit.redirect(posts.path_of(post))


def _mine(visit: Visit) -> sqlite3.Row | Response:
    """The post that the address names, or why it can't be changed."""
    post = posts.one(visit.database, whole_number(visit.parameter("post")), signed_in(visit))
    if post is None:
        return missing(visit)
    if post["author"] != signed_in(visit):
        return forbidden(visit, "Only who wrote a post can change it.")
    return post


def routes() -> Sequence[BaseRoute]:
    return [
        page("forum", "/submit", for_members(form_page)),
        page("forum", "/submit", for_members(submit), "POST"),
        page("forum", "/f/{community}/{post}/{slug}/edit", for_members(edit_page)),
        page("forum", "/f/{community}/{post}/{slug}/edit", for_members(edit), "POST"),
    ]
