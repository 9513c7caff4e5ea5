"""The forum's tables and what is in them when an episode starts."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from webbench.benchmarks.sample_sites.clock import NOW
from webbench.benchmarks.sample_sites.forum.generated_posts import Comment, Post, Writer
from webbench.benchmarks.sample_sites.forum.texts import slug_of
from webbench.benchmarks.sample_sites.passwords import password_digest
from webbench.core.json_types import Json, JsonObject

SCHEMA = """
CREATE TABLE account (
  name TEXT PRIMARY KEY COLLATE NOCASE, email TEXT, bio TEXT, joined INTEGER, password_sha256 TEXT);
CREATE TABLE community (
  name TEXT PRIMARY KEY COLLATE NOCASE, title TEXT, description TEXT, sidebar TEXT, owner TEXT,
  created INTEGER, subscribers INTEGER);
CREATE TABLE subscription (account TEXT, community TEXT COLLATE NOCASE, UNIQUE (account, community));
CREATE TABLE post (
  id INTEGER PRIMARY KEY, community TEXT COLLATE NOCASE, author TEXT COLLATE NOCASE, title TEXT, slug TEXT,
  link TEXT, body TEXT, posted INTEGER, score INTEGER, comments INTEGER DEFAULT 0, edited INTEGER DEFAULT 0);
CREATE INDEX post_by_community ON post (community);
CREATE TABLE comment (
  id INTEGER PRIMARY KEY, post INTEGER, parent INTEGER, author TEXT COLLATE NOCASE, body TEXT,
  posted INTEGER, score INTEGER, edited INTEGER DEFAULT 0, deleted INTEGER DEFAULT 0);
CREATE INDEX comment_by_post ON comment (post);
CREATE TABLE vote (account TEXT, kind TEXT, item INTEGER, choice INTEGER, UNIQUE (account, kind, item));
CREATE TABLE blocked (account TEXT, name TEXT COLLATE NOCASE, UNIQUE (account, name));
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT);
"""

ACCOUNT = "mara_l"
PASSWORD = "anchor-tide-7"  # noqa: S105 - the invented account's
SUBSCRIPTIONS = ("books", "coffee", "BuiltToLast", "sailing", "opensource")
FIRST_GENERATED = 40001
COMMUNITY_AGE_DAYS = 1500


def build(database: sqlite3.Connection) -> None:
    """Create and fill every table."""
    database.executescript(SCHEMA)
    communities = _read("communities")
    writer = Writer(_read("phrases"))
    database.execute("BEGIN")
    for number, community in enumerate(communities):
        _insert_community(database, community, number, writer.accounts)
    _insert_accounts(database, writer)
    written = [post for community in communities for post in writer.posts(community)]
    written.sort(key=lambda post: (post.posted, post.title))
    for number, post in enumerate(written, start=FIRST_GENERATED):
        _insert_post(database, number, post)
    for thread in _read("threads"):
        _insert_post(database, thread["id"], _thread(thread))
    database.executemany(
        "INSERT INTO subscription VALUES (?,?)", [(ACCOUNT, community) for community in SUBSCRIPTIONS]
    )
    database.executemany("INSERT INTO setting VALUES (?,?)", [("notice", ""), ("clock", str(NOW))])
    database.execute("COMMIT")


def _read(name: str) -> Json:
    return json.loads((Path(__file__).parent / "seeds" / f"{name}.json").read_text("utf-8"))


def _insert_community(
    database: sqlite3.Connection, community: JsonObject, number: int, accounts: Sequence[str]
) -> None:
    created = NOW - (COMMUNITY_AGE_DAYS - 37 * number) * 86400
    database.execute(
        "INSERT INTO community VALUES (?,?,?,?,?,?,?)",
        (
            *(community[key] for key in ("name", "title", "description", "sidebar")),
            accounts[number * 7 % len(accounts)],
            created,
            340 + number * 911 % 5000,
        ),
    )


def _insert_accounts(database: sqlite3.Connection, writer: Writer) -> None:
    rows = [
        (name, f"{name.replace('_', '.')}@post.example", writer.bio(name), writer.joined(name), "")
        for name in writer.accounts
    ]
    mine = (ACCOUNT, "mara@lindqvist.example", "Stockholm. Boats, books, strong coffee.", NOW - 900 * 86400)
    database.executemany("INSERT INTO account VALUES (?,?,?,?,?)", rows)
    database.execute("INSERT INTO account VALUES (?,?,?,?,?)", (*mine, password_digest(PASSWORD)))


def _insert_post(database: sqlite3.Connection, number: int, post: Post) -> None:
    database.execute(
        "INSERT INTO post (id, community, author, title, slug, link, body, posted, score, comments)"
        " VALUES (?,?,?,?,?,?,?,?,?,?)",
        (
            number,
            post.community,
            post.author,
            post.title,
            slug_of(post.title),
            post.link,
            post.body,
            post.posted,
            post.score,
            sum(1 for _ in _all(post.comments)),
        ),
    )
    for comment in post.comments:
        _insert_comment(database, number, None, comment)


def _all(comments: Sequence[Comment]) -> list[Comment]:
    return [found for comment in comments for found in (comment, *_all(comment.replies))]


def _insert_comment(database: sqlite3.Connection, post: int, parent: int | None, comment: Comment) -> None:
    added = database.execute(
        "INSERT INTO comment (post, parent, author, body, posted, score) VALUES (?,?,?,?,?,?)",
        (post, parent, comment.author, comment.body, comment.posted, comment.score),
    )
    for reply in comment.replies:
        _insert_comment(database, post, added.lastrowid, reply)


def _thread(thread: JsonObject) -> Post:
    """A thread of threads.json; `hours` says how long ago it was posted."""
    return Post(
        community=thread["community"],
        author=thread["author"],
        title=thread["title"],
        link=thread.get("link", ""),
        body=thread.get("body", ""),
        posted=_ago(thread["hours"]),
        score=thread["score"],
        comments=[_thread_comment(comment) for comment in thread.get("comments", ())],
    )


def _thread_comment(comment: JsonObject) -> Comment:
    return Comment(
        author=comment["author"],
        body=comment["body"],
        posted=_ago(comment["hours"]),
        score=comment["score"],
        replies=[_thread_comment(reply) for reply in comment.get("replies", ())],
    )


def _ago(hours: float) -> int:
    return NOW - round(hours * 3600)
