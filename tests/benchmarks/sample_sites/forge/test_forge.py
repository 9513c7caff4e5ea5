"""The forge's pages and state, over HTTP."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.benchmarks.demo.sites import Episode, episode
from webbench.benchmarks.sample_sites.clock import day, written_date
from webbench.benchmarks.sample_sites.forge.data import seed

FERRY = "/forge/mara/ferry-times"
MAP = "/forge/tidal/harbour-map"
HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7 * 7 }}'


@pytest.fixture
def visitor() -> Iterator[Episode]:
    with episode() as opened:
        yield opened


@pytest.fixture
def member(visitor: Episode) -> Episode:
    visitor.post("/forge/users/sign_in", {"username": seed.ACCOUNT, "password": seed.PASSWORD})
    return visitor


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/explore?sort=nothing&page=99", "/groups", "/groups/new", "/tidal", "/mara", "/-/profile"),
        *("/groups/tidal/-/group_members", "/users/mara/starred", "/projects/new", "/dashboard/todos"),
        *("/search?search=100%25_&scope=issues", "/search?search=a&scope=people", "/search"),
        *("/dashboard/issues?assignee_username=mara", "/dashboard/merge_requests?reviewer_username=mara"),
    ],
)
def test_pages_open(member: Episode, path: str) -> None:
    assert member.get("/forge" + path).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        *("", "/edit", "/-/tree/main", "/-/tree/main/docs", "/-/blob/main/README.md", "/-/new/main"),
        *("/-/edit/main/docs/guide.md", "/-/commits/main/docs", "/-/commits/main?author=mara"),
        *("/-/graphs/main", "/-/labels", "/-/milestones", "/-/milestones/1", "/-/milestones/new"),
        *("/-/issues?label_name=bug&assignee_username=None&search=%25&state=all", "/-/issues/new"),
        *("/-/issues/1", "/-/issues/1/edit", "/-/merge_requests?state=all", "/-/merge_requests/1/diffs"),
        *("/-/merge_requests/1", "/-/project_members", "/-/forks/new"),
    ],
)
def test_pages_of_a_project_open(member: Episode, path: str) -> None:
    assert member.get(FERRY + path).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        *("/nobody", "/mara/nothing", "/mara/ferry-times/-/issues/9999", "/mara/ferry-times/-/issues/²"),
        *("/mara/ferry-times/-/blob/main/none", "/mara/ferry-times/-/tree/main/none"),
        *("/mara/ferry-times/-/commit/0", "/mara/reading-list", "/harbourpine/storefront"),
    ],
)
def test_what_is_not_there_or_hidden_is_missing(visitor: Episode, path: str) -> None:
    assert visitor.get("/forge" + path).status_code == 404


def test_the_seed_has_thousands_of_rows_and_is_always_the_same(visitor: Episode) -> None:
    counted = {
        table: visitor.world.databases["forge"].execute(f"SELECT COUNT(*) AS n FROM {table}").fetchone()["n"]
        for table in ("project", "file", "revision", "issue", "merge_request", "note")
    }
    assert counted == {
        "project": 36,
        "file": 645,
        "revision": 2773,
        "issue": 901,
        "merge_request": 274,
        "note": 2317,
    }
    assert "42c564a1" in visitor.get(MAP).text


def test_strangers_have_to_sign_in_to_write(visitor: Episode) -> None:
    asked = visitor.get(FERRY + "/-/issues/new")
    assert str(asked.url).endswith("/users/sign_in?next=%2Fmara%2Fferry-times%2F-%2Fissues%2Fnew")
    form = {"username": "jonas.ek", "password": "", "next": "/"}
    assert visitor.post("/forge/users/sign_in", form).status_code == 422


def test_roles_decide_what_may_be_done(member: Episode) -> None:
    assert member.get("/forge/opencove/moor/edit").status_code == 403
    assert member.post("/forge/opencove/static-quay/-/project_members", {}).status_code == 403
    assert "Invite" not in member.get("/forge/opencove/static-quay/-/project_members").text
    assert member.get("/forge/opencove/static-quay/-/new/main").status_code == 200
    assert member.get("/forge/northlight/e-ink-timetable/-/new/main").status_code == 403


def test_members_are_invited_changed_and_removed(member: Episode) -> None:
    page = member.post(
        FERRY + "/-/project_members", {"usernames": "aiko.mori, @owen.pryce", "role": "30"}
    ).text
    assert role_on(page, "aiko.mori") == role_on(page, "owen.pryce") == "Developer"
    page = member.post(FERRY + "/-/project_members/aiko.mori", {"role": "10", "action": "change"}).text
    assert role_on(page, "aiko.mori") == "Guest"
    page = member.post(FERRY + "/-/project_members/aiko.mori", {"action": "remove"}).text
    assert role_on(page, "aiko.mori") == ""
    for form in ({"usernames": "nobody", "role": "30"}, {"usernames": "aiko.mori", "role": "50"}):
        assert role_on(member.post(FERRY + "/-/project_members", form).text, "aiko.mori") == ""
    page = member.post(FERRY + "/-/project_members/mara", {"role": "10", "action": "change"}).text
    assert role_on(page, "mara") == "Owner"


def role_on(page: str, username: str) -> str:
    """The role as WebArena's helper finds it: by the place of the account among the accounts."""
    accounts = re.findall(r'<span class="gl-avatar-labeled-sublabel muted">@([^<]*)</span>', page)
    roles = re.findall(r'class="col-max-role"><span>([^<]*)</span>', page)
    assert len(accounts) == len(roles)
    return roles[accounts.index(username)] if username in accounts else ""


def test_an_issue_is_opened_changed_discussed_and_closed(member: Episode) -> None:
    form = {
        "title": HOSTILE,
        "description": "`code` and\n\n- one\n- [x](javascript:alert(1))",
        "assignee": "mara",
        "milestone": "Summer timetable",
        "label": ["bug", "no such label"],
        "due": "2026-06-01",
    }
    page = member.post(FERRY + "/-/issues/new", form)
    assert "<script>" not in page.text
    assert 'href="javascript:' not in page.text
    assert "<code>code</code>" in page.text
    assert "Jun 1, 2026" in page.text
    path = str(page.url).removeprefix(member.base)
    page = member.post(f"{path}/edit", {**form, "title": "Plain", "label": "feature", "due": ""})
    told = re.findall(r"</span> ([a-z][^<]*) <time", page.text)
    assert told == [
        "changed the title to “Plain”",
        "removed the due date",
        "added the label feature",
        "removed the label bug",
    ]
    page = member.post(f"{path}/notes", {"note": "done", "action": "state"})
    assert "Reopen issue" in page.text
    assert "Plain" not in member.get(FERRY + "/-/issues").text
    assert "Plain" in member.get(FERRY + "/-/issues?state=closed").text


@pytest.mark.parametrize(("field", "value"), [("title", ""), ("title", "x" * 256), ("due", "tomorrow")])
def test_issues_are_refused(member: Episode, field: str, value: str) -> None:
    form = {"title": "fine", "description": "", "due": "", field: value}
    assert member.post(FERRY + "/-/issues/new", form).status_code == 422


def test_guests_of_a_project_open_issues_without_triage(member: Episode) -> None:
    form = {"title": "Question", "description": "", "assignee": "owen.pryce", "label": "bug"}
    page = member.post("/forge/owen.pryce/fern/-/issues/new", form).text
    assert re.search(r'block assignee"><h3>Assignee</h3><p><span class="muted">None', page)
    assert "Assign to me" not in page


def test_filters_combine(member: Episode) -> None:
    page = member.get(MAP + "/-/issues?label_name=bug&assignee_username=mara&state=opened").text
    assert re.findall(r'<h2><a href="[^"]*">([^<]*)', page) == ["Depth contours overlap at small scales"]


def test_a_merge_request_is_approved_and_merged_into_the_files(member: Episode) -> None:
    listed = member.get(FERRY + "/-/merge_requests").text
    number = re.findall(r"merge_requests/(\d+)\">Read the stop list", listed)[0]
    request = f"{FERRY}/-/merge_requests/{number}"
    assert '<span class="plus">+- Sandholm' in member.get(request + "/diffs").text
    assert "Approved by Mara Lindqvist" in member.post(request + "/approve", {}).text
    assert "No approvals yet" in member.post(request + "/approve", {}).text
    assert "merged into main" in member.post(request + "/merge", {}).text
    assert "Sandholm" in member.get(FERRY + "/-/raw/main/docs/stops.md").text
    assert "Only an open merge request" in member.post(request + "/merge", {}).text
    member.post(request + "/assign", {"assignee": "mara", "reviewer": "nobody"})
    assert "@mara" in re.findall(r'block assignee">.*', member.get(request).text)[0]


def test_files_are_made_and_changed_by_commits(member: Episode) -> None:
    form = {"path": "docs/new/links.md", "content": "one\r\ntwo", "message": "Add links"}
    member.post(FERRY + "/-/new/main", form)
    assert member.get(FERRY + "/-/raw/main/docs/new/links.md").text == "one\ntwo\n"
    member.post(FERRY + "/-/edit/main/docs/new/links.md", {"content": "two\n", "message": "Drop one"})
    commits = member.get(FERRY + "/-/commits/main/docs/new").text
    assert "Drop one" in commits
    shown = member.get(FERRY + "/-/commit/" + re.findall(r"/-/commit/(\w+)", commits)[0]).text
    assert '<span class="minus">-one' in shown


@pytest.mark.parametrize(
    "path", ["", "docs", "docs/guide.md/x", "../up.md", "/etc/passwd", "a//b", "x" * 300]
)
def test_impossible_paths_are_refused(member: Episode, path: str) -> None:
    assert member.post(FERRY + "/-/new/main", {"path": path, "content": ""}).status_code == 422


def test_projects_are_made_forked_starred_and_set_up(member: Episode) -> None:
    form = {"name": "Tide Clock", "owner": "mara", "description": "Ticks.", "visibility": "internal"}
    page = member.post("/forge/projects/new", {**form, "readme": "1"})
    assert str(page.url).endswith("/mara/tide-clock")
    assert member.post("/forge/projects/new", form).status_code == 422
    assert member.post("/forge/projects/new", {**form, "name": "x", "owner": "opencove"}).status_code == 422
    page = member.post("/forge/owen.pryce/fern/-/forks/new", {"visibility": "private"})
    assert "Forked from" in page.text
    assert member.get("/forge/mara/fern/-/commits/main/docs").status_code == 200
    starred = member.post(MAP + "/-/star", {"from": member.base + MAP})
    assert "1,288 stars" in starred.text or "1,288 stars" in member.get(MAP).text
    assert "tidal/harbour-map" in member.get("/forge/users/mara/starred").text
    member.post(FERRY + "/edit", {"name": "Ferries", "description": "New", "visibility": "private"})
    assert 'title="Private' in member.get(FERRY).text
    member.client.cookies.clear()
    assert member.get(FERRY).status_code == 404


def test_milestones_have_dates(member: Episode) -> None:
    form = {"title": "Autumn", "description": "", "start": "2026-09-01", "due": "2026-11-30"}
    page = member.post(FERRY + "/-/milestones/new", form).text
    assert "Sep 1, 2026" in page
    assert "Nov 30, 2026" in page
    for wrong in ({"due": "2026-08-01"}, {"start": "soon"}, {"title": ""}):
        assert member.post(FERRY + "/-/milestones/new", {**form, **wrong}).status_code == 422


def test_profile_status_and_todos(member: Episode) -> None:
    member.post("/forge/-/profile", {"name": "Mara L", "status": HOSTILE, "website": "https://m.example"})
    page = member.get("/forge/mara").text
    assert 'class="cover-status"' in page
    assert "<script>" not in page
    member.post("/forge/-/profile", {"name": "Mara L", "website": "javascript:alert(1)"})
    assert member.state()["forge"]["person"]["website"] == "https://m.example"
    todos = member.get("/forge/dashboard/todos").text
    assert todos.count("Mark as done") == 4
    number = re.findall(r"/dashboard/todos/(\d+)", todos)[0]
    member.post(f"/forge/dashboard/todos/{number}", {"from": member.base})
    assert member.get("/forge/dashboard/todos").text.count("Mark as done") == 3


def test_groups_are_made_and_filled(member: Episode) -> None:
    form = {"name": "Night Crew", "path": "", "description": "", "visibility": "private"}
    assert str(member.post("/forge/groups/new", form).url).endswith("/night-crew")
    assert member.post("/forge/groups/new", {**form, "path": "tidal"}).status_code == 422
    assert member.post("/forge/groups/new", {**form, "path": "explore"}).status_code == 422
    page = member.post(
        "/forge/groups/night-crew/-/group_members", {"usernames": "aiko.mori", "role": "40"}
    ).text
    assert role_on(page, "aiko.mori") == "Maintainer"
    assert member.post("/forge/groups/tidal/-/group_members", {}).status_code == 403


def test_dates() -> None:
    assert day(0) == "Jan 1, 1970"
    assert written_date("2026-12-31") == "Dec 31, 2026"
    assert written_date("31.12.2026") == ""
