"""A post with its comments; writing, changing and removing comments; votes."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites import clock
from webbench.benchmarks.sample_sites.forum import posts
from webbench.benchmarks.sample_sites.forum.layout import forbidden, missing, show
from webbench.benchmarks.sample_sites.forum.listings import find_community
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.visits import back, for_members, notify, whole_number
from webbench.benchmarks.sample_sites.web import Visit, page

LONGEST_COMMENT = 10_000
CHOICES = {"1": 1, "-1": -1, "0": 0}
_COMMENTS = (
    "SELECT comment.*, comment.author IN (SELECT name FROM blocked WHERE account = :me) AS hidden,"
    " COALESCE((SELECT choice FROM vote WHERE account = :me AND kind = 'comment' AND item = comment.id), 0)"
    " AS choice FROM comment WHERE post = :post ORDER BY score DESC, id"
)


@dataclass
class Branch:
    """A comment and the replies to it."""

    comment: sqlite3.Row
    replies: list[Branch] = field(default_factory=list)


def post_page(visit: Visit) -> Response:
    post = _post(visit)
    if post is None:
        return missing(visit)
    return show(
        visit,
        "post.html",
        post=post,
        community=find_community(visit),
        branches=_branches(visit.database, post["id"], signed_in(visit)),
        path=posts.path_of(post),
    )


def comment_page(visit: Visit) -> Response:
    """One comment with its replies, to answer or change it."""
    post, comment = _post(visit), _comment(visit)
    if post is None or comment is None or comment["post"] != post["id"]:
        return missing(visit)
    branches = _branches(visit.database, post["id"], signed_in(visit))
    branch = next(found for found in _walk(branches) if found.comment["id"] == comment["id"])
    return show(
        visit,
        "comment.html",
        post=post,
        community=find_community(visit),
        branch=branch,
        mode=visit.query("mode"),
        path=posts.path_of(post),
    )


def _branches(database: sqlite3.Connection, post: int, me: str) -> list[Branch]:
    rows = database.execute(_COMMENTS, {"me": me, "post": post}).fetchall()
    branches = {row["id"]: Branch(row) for row in rows}
    top: list[Branch] = []
    for row in rows:
        above = branches.get(row["parent"])
        (above.replies if above else top).append(branches[row["id"]])
    return top


def _walk(branches: Sequence[Branch]) -> list[Branch]:
    return [found for branch in branches for found in (branch, *_walk(branch.replies))]


def add_comment(visit: Visit) -> Response:
    """A comment on the post, or a reply where the form names a parent."""
    post, body = _post(visit), visit.field("comment")[:LONGEST_COMMENT]
    if post is None:
        return missing(visit)
    parent = whole_number(visit.field("parent")) or None
    if not body:
        notify(visit, "A comment needs a text.")
        return visit.redirect(posts.path_of(post))
    if (
        parent
        and not visit.database.execute(
            "SELECT 1 FROM comment WHERE id = ? AND post = ?", (parent, post["id"])
        ).fetchone()
    ):
        return missing(visit)
    added = visit.database.execute(
        "INSERT INTO comment (post, parent, author, body, posted, score) VALUES (?,?,?,?,?,1)",
        (post["id"], parent, signed_in(visit), body, clock.tick(visit.database)),
    )
    visit.database.execute("UPDATE post SET comments = comments + 1 WHERE id = ?", (post["id"],))
    _record_vote(visit.database, signed_in(visit), "comment", added.lastrowid or 0, 1)
    return visit.redirect(f"{posts.path_of(post)}#comment-{added.lastrowid}")


def change_comment(visit: Visit) -> Response:
    """New text for a comment of one's own, or its removal; replies to it stay."""
    post, comment = _post(visit), _comment(visit)
    if post is None or comment is None or comment["post"] != post["id"] or comment["deleted"]:
        return missing(visit)
    if comment["author"] != signed_in(visit):
        return forbidden(visit, "Only who wrote a comment can change it.")
    body = visit.field("comment")[:LONGEST_COMMENT]
    if visit.field("action") == "delete":
        visit.database.execute("UPDATE comment SET deleted = 1, body = '' WHERE id = ?", (comment["id"],))
        visit.database.execute("UPDATE post SET comments = comments - 1 WHERE id = ?", (post["id"],))
        notify(visit, "The comment was deleted.")
    elif body:
        visit.database.execute(
            "UPDATE comment SET body = ?, edited = ? WHERE id = ?",
            (body, clock.tick(visit.database), comment["id"]),
        )
    else:
        notify(visit, "A comment needs a text.")
    return visit.redirect(f"{posts.path_of(post)}#comment-{comment['id']}")


def vote(visit: Visit) -> Response:
    """Votes on a post or a comment; the same choice again takes the vote back."""
    kind, choice = visit.parameter("kind"), CHOICES.get(visit.field("choice"))
    table = {"post": "post", "comment": "comment"}.get(kind)
    item = whole_number(visit.parameter("item"))
    query = f"SELECT score FROM {table} WHERE id = ?"  # noqa: S608 - only words of ours
    if choice is None or table is None or not visit.database.execute(query, (item,)).fetchone():
        return missing(visit)
    before = _voted(visit.database, signed_in(visit), kind, item)
    choice = 0 if choice == before else choice
    _record_vote(visit.database, signed_in(visit), kind, item, choice)
    visit.database.execute(
        f"UPDATE {table} SET score = score + ? WHERE id = ?",  # noqa: S608 - only words of ours
        (choice - before, item),
    )
    return back(visit)


def _voted(database: sqlite3.Connection, me: str, kind: str, item: int) -> int:
    row = database.execute(
        "SELECT choice FROM vote WHERE account = ? AND kind = ? AND item = ?", (me, kind, item)
    ).fetchone()
    return row["choice"] if row else 0


def _record_vote(database: sqlite3.Connection, me: str, kind: str, item: int, choice: int) -> None:
    database.execute("INSERT OR REPLACE INTO vote VALUES (?,?,?,?)", (me, kind, item, choice))


def _post(visit: Visit) -> sqlite3.Row | None:
    """The post that the address names, if it is in that community."""
    post = posts.one(visit.database, whole_number(visit.parameter("post")), signed_in(visit))
    same = post is not None and post["community"].lower() == visit.parameter("community").lower()
    return post if same else None


def _comment(visit: Visit) -> sqlite3.Row | None:
    found: sqlite3.Row | None = visit.database.execute(
        "SELECT * FROM comment WHERE id = ?", (whole_number(visit.parameter("comment")),)
    ).fetchone()
    return found


def routes() -> Sequence[BaseRoute]:
    post = "/f/{community}/{post}"
    return [
        page("forum", post + "/{slug}/comment", for_members(add_comment), "POST"),
        page("forum", post + "/{slug}/comment/{comment}", comment_page),
        page("forum", post + "/{slug}/comment/{comment}", for_members(change_comment), "POST"),
        page("forum", "/vote/{kind}/{item}", for_members(vote), "POST"),
        page("forum", post, post_page),
        page("forum", post + "/{slug}", post_page),
    ]
