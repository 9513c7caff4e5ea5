"""The forum's pages and state, over HTTP."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.benchmarks.demo.sites import Episode, episode
from webbench.benchmarks.sample_sites.clock import NOW, ago
from webbench.benchmarks.sample_sites.forum import seed
from webbench.benchmarks.sample_sites.forum.layout import paragraphs
from webbench.benchmarks.sample_sites.forum.texts import slug_of

LIST = "/forum/f/books/71001/a-winter-reading-list-for-people-who-live-by-the-water"
HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7 * 7 }}'


@pytest.fixture
def visitor() -> Iterator[Episode]:
    with episode() as opened:
        yield opened


@pytest.fixture
def member(visitor: Episode) -> Episode:
    visitor.post("/forum/login", {"username": seed.ACCOUNT, "password": seed.PASSWORD})
    return visitor


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/all?sort=new&p=3",
        "/all?sort=nothing&t=never&p=" + "9" * 5000,
        "/f/BOOKS?sort=top&t=week",
        "/search?q=100%25+_+%27",
        "/search",
        "/communities?by=posts",
        "/user/quiet_heron",
        "/user/quiet_heron/comments?p=900",
        "/settings",
        "/submit?community=books",
        "/f/books/71001",
    ],
)
def test_pages_open(member: Episode, path: str) -> None:
    assert member.get("/forum" + path).status_code == 200


@pytest.mark.parametrize(
    "path", ["/f/nowhere", "/f/coffee/71001/moved", "/f/books/0/x", "/f/books/²/x", "/user/nobody_here"]
)
def test_what_is_not_there_is_missing(visitor: Episode, path: str) -> None:
    assert visitor.get("/forum" + path).status_code == 404


def test_the_seed_has_thousands_of_rows_and_is_always_the_same(visitor: Episode) -> None:
    counted = [
        visitor.world.databases["forum"].execute(f"SELECT COUNT(*) AS n FROM {table}").fetchone()["n"]
        for table in ("community", "account", "post", "comment")
    ]
    assert counted == [20, 325, 1290, 5890]
    newest = visitor.get("/forum/f/books?sort=new").text
    assert re.findall(r"/forum/f/books/(\d+)/", newest)[0] == "41278"


def test_strangers_read_but_have_to_sign_in_to_write(visitor: Episode) -> None:
    assert "Write a comment" not in visitor.get(LIST).text
    asked = visitor.get("/forum/submit")
    assert str(asked.url).endswith("/login?next=%2Fsubmit")
    visitor.post(LIST + "/comment", {"comment": "unsigned"})
    assert visitor.state()["forum"]["comments"][-1]["body"] != "unsigned"


def test_signing_in_goes_on_within_the_site_only(visitor: Episode) -> None:
    form = {"username": seed.ACCOUNT, "password": "wrong", "next": "/settings"}
    assert visitor.post("/forum/login", form).status_code == 422
    entered = visitor.post("/forum/login", {**form, "password": seed.PASSWORD})
    assert str(entered.url).endswith("/forum/settings")
    away = visitor.post("/forum/login", {**form, "password": seed.PASSWORD, "next": "//elsewhere.example"})
    assert str(away.url).startswith(visitor.base + "/forum/")
    visitor.post("/forum/logout", {})
    assert "/login" in str(visitor.get("/forum/settings").url)


def test_nobody_signs_in_to_accounts_without_password(visitor: Episode) -> None:
    assert visitor.post("/forum/login", {"username": "quiet_heron", "password": ""}).status_code == 422


def test_a_post_is_published_at_the_top_of_new(member: Episode) -> None:
    form = {"community": "coffee", "title": "A kettle for two, please?", "url": "", "body": "One\n\nTwo"}
    page = member.post("/forum/submit", form)
    assert re.search(r"/f/coffee/\d+/a-kettle-for-two-please$", str(page.url))
    assert '<div class="submission__body"><p>One</p><p>Two</p></div>' in page.text
    listed = member.get("/forum/f/coffee?sort=new").text
    assert listed.index("A kettle for two") < listed.index("submission__info")


@pytest.mark.parametrize(
    ("field", "value"),
    [("title", " "), ("title", "x" * 301), ("url", "javascript:alert(1)"), ("community", "nowhere")],
)
def test_posts_are_refused(member: Episode, field: str, value: str) -> None:
    form = {"community": "coffee", "title": "fine", "url": "", "body": ""}
    assert member.post("/forum/submit", {**form, field: value}).status_code == 422
    assert len(member.state()["forum"]["posts"]) == 1


def test_comments_nest_change_and_go(member: Episode) -> None:
    page = member.post(LIST + "/comment", {"comment": HOSTILE})
    assert "<script>alert" not in page.text
    assert "8 comments" in page.text
    number = max(int(found) for found in re.findall(r"comment-(\d+)", page.text))
    member.post(f"{LIST}/comment", {"comment": "a reply", "parent": str(number)})
    member.post(f"{LIST}/comment/{number}", {"comment": "better", "action": "save"})
    assert [(row["body"], row["parent"]) for row in member.state()["forum"]["comments"][-2:]] == [
        ("better", None),
        ("a reply", number),
    ]
    page = member.post(f"{LIST}/comment/{number}", {"action": "delete"})
    assert "[deleted]" in page.text
    assert "a reply" in page.text


def test_only_the_author_changes_what_was_written(member: Episode) -> None:
    assert member.get(LIST + "/edit").status_code == 403
    first = re.search(r'id="comment-(\d+)"', member.get(LIST).text)
    assert first is not None
    assert member.post(f"{LIST}/comment/{first[1]}", {"action": "delete"}).status_code == 403
    assert member.get("/forum/f/books/edit").status_code == 403


def test_the_same_vote_twice_is_taken_back(member: Episode) -> None:
    form = {"choice": "-1", "from": LIST}
    assert 'class="vote vote--user-downvoted"' in member.post("/forum/vote/post/71001", form).text
    assert '<span class="vote__net-score">211</span>' in member.get(LIST).text
    assert 'class="vote"' in member.post("/forum/vote/post/71001", form).text
    for kind, item, choice in (("post", "71001", "5"), ("post", "1", "1"), ("account", "1", "1")):
        assert member.post(f"/forum/vote/{kind}/{item}", {"choice": choice}).status_code == 404


def test_a_community_is_made_changed_and_left(member: Episode) -> None:
    form = {"name": "Lighthouses", "title": "Lights", "description": "Towers & lamps", "sidebar": "Be bright"}
    assert member.post("/forum/communities/new", {**form, "name": "a b"}).status_code == 422
    assert member.post("/forum/communities/new", {**form, "name": "BOOKS"}).status_code == 422
    assert "Unsubscribe" in member.post("/forum/communities/new", form).text
    member.post("/forum/f/Lighthouses/edit", {**form, "sidebar": "Changed"})
    assert "Changed" in member.get("/forum/f/lighthouses").text
    member.post("/forum/f/Lighthouses/subscribe", {})
    assert {"community": "Lighthouses"} not in member.state()["forum"]["subscriptions"]


def test_blocking_hides_posts_and_comments(member: Episode) -> None:
    member.post("/forum/user/quiet_heron/block", {})
    assert "You blocked quiet_heron." in member.get(LIST).text
    found = member.get("/forum/search?q=quiet").text
    assert "/user/quiet_heron" not in found
    assert member.post("/forum/user/mara_l/block", {}).status_code == 404


def test_settings_change_the_profile(member: Episode) -> None:
    member.post("/forum/settings", {"email": "m@new.example", "biography": HOSTILE})
    page = member.get("/forum/user/mara_l").text
    assert "user-bio__biography" in page
    assert "<script>" not in page
    member.post("/forum/settings", {"email": "nothing", "biography": ""})
    assert member.state()["forum"]["account"]["email"] == "m@new.example"


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Crème brûlée, isn't it?", "creme-brulee-isnt-it"),
        ("???", "-"),
        ("word " * 40, "word-" * 11 + "word"),
        ("x" * 300, "x" * 60),
    ],
)
def test_slugs(title: str, slug: str) -> None:
    assert slug_of(title) == slug


def test_addresses_in_texts_become_links() -> None:
    assert paragraphs("see http://a.example/b?c=1.\n\n\nend") == [
        [("see ", ""), ("http://a.example/b?c=1", "http://a.example/b?c=1"), (".", "")],
        [("end", "")],
    ]


@pytest.mark.parametrize(
    ("seconds", "told"), [(0, "just now"), (60, "1 minute ago"), (86400 * 13, "1 week ago")]
)
def test_ages(seconds: int, told: str) -> None:
    assert ago(NOW - seconds, NOW) == told
