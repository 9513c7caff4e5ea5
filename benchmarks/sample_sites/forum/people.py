"""Signing in and out, profiles, account settings, blocking."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.forum.layout import missing, show
from webbench.benchmarks.sample_sites.forum.listings import listing, read_wanted
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.sign_in_form import SignInForm
from webbench.benchmarks.sample_sites.visits import back, for_members, notify, whole_number
from webbench.benchmarks.sample_sites.web import Visit, page
from webbench.core.json_types import JsonObject

COMMENTS_PER_PAGE = 25
LONGEST_BIO = 1000
LONGEST_EMAIL = 200


def profile(visit: Visit) -> Response:
    """What somebody posted."""
    account = _account(visit.database, visit.parameter("name"))
    if account is None:
        return missing(visit)
    wanted = read_wanted(visit, author=account["name"], default="new")
    return show(
        visit,
        "user.html",
        tab="posts",
        **_about(visit, account),
        **listing(visit, wanted, f"/user/{account['name']}"),
    )


def profile_comments(visit: Visit) -> Response:
    """What somebody commented, newest first."""
    account = _account(visit.database, visit.parameter("name"))
    if account is None:
        return missing(visit)
    number = max(1, whole_number(visit.query("p")))
    rows = visit.database.execute(
        "SELECT comment.*, post.title, post.community, post.slug FROM comment JOIN post ON post.id = post"
        " WHERE comment.author = ? AND deleted = 0 ORDER BY comment.posted DESC LIMIT ? OFFSET ?",
        (account["name"], COMMENTS_PER_PAGE + 1, (number - 1) * COMMENTS_PER_PAGE),
    ).fetchall()
    return show(
        visit,
        "user-comments.html",
        tab="comments",
        comments=rows[:COMMENTS_PER_PAGE],
        number=number,
        more=len(rows) > COMMENTS_PER_PAGE,
        **_about(visit, account),
    )


def _about(visit: Visit, account: sqlite3.Row) -> JsonObject:
    counts = visit.database.execute(
        "SELECT (SELECT COUNT(*) FROM post WHERE author = :name) AS posts,"
        " (SELECT COUNT(*) FROM comment WHERE author = :name AND deleted = 0) AS comments",
        {"name": account["name"]},
    ).fetchone()
    key = (signed_in(visit), account["name"])
    query = "SELECT 1 FROM blocked WHERE account = ? AND name = ?"
    return {
        "account": account,
        "counts": counts,
        "blocked": visit.database.execute(query, key).fetchone() is not None,
    }


def settings(visit: Visit) -> Response:
    blocked = visit.database.execute(
        "SELECT name FROM blocked WHERE account = ? ORDER BY name", (signed_in(visit),)
    ).fetchall()
    return show(visit, "settings.html", account=_account(visit.database, signed_in(visit)), blocked=blocked)


def save_settings(visit: Visit) -> Response:
    email, bio = visit.field("email")[:LONGEST_EMAIL], visit.field("biography")[:LONGEST_BIO]
    if "@" not in email:
        notify(visit, "That is no e-mail address; nothing was changed.")
        return visit.redirect("/settings")
    visit.database.execute(
        "UPDATE account SET email = ?, bio = ? WHERE name = ?", (email, bio, signed_in(visit))
    )
    notify(visit, "Your settings were saved.")
    return visit.redirect("/settings")


def block(visit: Visit) -> Response:
    """Hides what somebody writes, or shows it again."""
    account = _account(visit.database, visit.parameter("name"))
    if account is None or account["name"] == signed_in(visit):
        return missing(visit)
    key = (signed_in(visit), account["name"])
    if not visit.database.execute("DELETE FROM blocked WHERE account = ? AND name = ?", key).rowcount:
        visit.database.execute("INSERT INTO blocked VALUES (?,?)", key)
    return back(visit)


def _account(database: sqlite3.Connection, name: str) -> sqlite3.Row | None:
    found: sqlite3.Row | None = database.execute("SELECT * FROM account WHERE name = ?", (name,)).fetchone()
    return found


sign_in_form = SignInForm(
    site="forum",
    path="/login",
    way_out="/logout",
    template="login.html",
    show=show,
    find=_account,
    key="name",
    wrong="That name and password don't belong together.",
    left="/",
)


def routes() -> Sequence[BaseRoute]:
    return [
        *sign_in_form.routes(),
        page("forum", "/settings", for_members(settings)),
        page("forum", "/settings", for_members(save_settings), "POST"),
        page("forum", "/user/{name}", profile),
        page("forum", "/user/{name}/comments", profile_comments),
        page("forum", "/user/{name}/block", for_members(block), "POST"),
    ]
