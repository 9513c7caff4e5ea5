"""What tasks on the forum and the forge give as right is what their seeds hold."""

from __future__ import annotations

import json
import sqlite3

import pytest

from webbench.benchmarks.webarena.bundle.bundle import HERE
from webbench.core.json_types import Json, JsonObject

TASKS = {
    task["task_id"]: task
    for name in ("forum", "forge", "several-sites")
    for task in json.loads((HERE / "tasks" / f"{name}.json").read_text("utf-8"))
}


def column(database: sqlite3.Connection, query: str, *values: str | int) -> list[Json]:
    return [row[0] for row in database.execute(query, values)]


def answers(task: int) -> Json:
    """What the answer has to be, or to include."""
    (wanted,) = TASKS[task]["eval"]["reference_answers"].values()
    return wanted


def slots(task: int) -> JsonObject:
    found: JsonObject = TASKS[task]["instantiation_dict"]
    return found


@pytest.mark.parametrize("task", [10101, 10102])
def test_commenters_are_counted(forum: sqlite3.Connection, task: int) -> None:
    query = (
        "SELECT COUNT(DISTINCT comment.author) FROM comment JOIN post ON post.id = comment.post"
        " WHERE title = ?"
    )
    assert column(forum, query, slots(task)["title"]) == [int(answers(task))]


@pytest.mark.parametrize("task", [10103, 10104])
def test_recommenders_are_those_who_name_the_grinder(forum: sqlite3.Connection, task: int) -> None:
    query = "SELECT author FROM comment WHERE post = 71002 AND body LIKE ? ORDER BY id"
    assert column(forum, query, f"%{slots(task)['product']}%") == answers(task)


def test_most_commented_posts_have_no_equals(forum: sqlite3.Connection) -> None:
    rows = forum.execute(
        "SELECT title, comments FROM post WHERE community = ? ORDER BY comments DESC LIMIT 4",
        (slots(10105)["forum"],),
    ).fetchall()
    assert [row["title"] for row in rows[:3]] == answers(10105)
    assert len({row["comments"] for row in rows}) == 4


@pytest.mark.parametrize(("task", "post"), [(10107, 71005), (10111, 71009)])
def test_newest_posts(forum: sqlite3.Connection, task: int, post: int) -> None:
    newest = "SELECT id FROM post WHERE community = ? ORDER BY posted DESC LIMIT 1"
    assert column(forum, newest, slots(task)["forum"]) == [post]
    assert f"/{post}" in json.dumps(TASKS[task]["eval"])


def test_disliked_comments_are_of_those_to_be_blocked(forum: sqlite3.Connection) -> None:
    found = column(forum, "SELECT author FROM comment WHERE post = 71008 AND score < 0 ORDER BY author")
    assert found == TASKS[10115]["eval"]["program_html"][0]["required_contents"]["must_include"]


def commits(forge: sqlite3.Connection, project: str) -> list[sqlite3.Row]:
    """Contributors of a project by name, most commits first."""
    return forge.execute(
        "SELECT person.name, COUNT(*) AS commits FROM revision JOIN project ON project.id = revision.project"
        " JOIN person ON username = author WHERE owner || '/' || path = ?"
        " GROUP BY author ORDER BY commits DESC",
        (project,),
    ).fetchall()


@pytest.mark.parametrize("task", [10131, 10132])
def test_commits_are_counted(forge: sqlite3.Connection, task: int) -> None:
    made = {row["name"]: row["commits"] for row in commits(forge, slots(task)["project"])}
    assert made[slots(task)["person"]] == int(answers(task))


def test_busiest_contributors_have_no_equals(forge: sqlite3.Connection) -> None:
    rows = commits(forge, slots(10133)["project"])[:4]
    assert [row["name"] for row in rows[:3]] == answers(10133)
    assert len({row["commits"] for row in rows}) == 4


def test_most_starred_projects(forge: sqlite3.Connection) -> None:
    starred = column(forge, "SELECT owner || '/' || path FROM project ORDER BY stars DESC LIMIT 3")
    assert starred == TASKS[10143]["eval"]["program_html"][0]["required_contents"]["must_include"]


def test_one_review_is_asked_for(forge: sqlite3.Connection) -> None:
    query = (
        "SELECT iid FROM merge_request WHERE reviewer = 'mara' AND author = 'ines.duarte'"
        " AND state = 'opened'"
    )
    assert column(forge, query) == [6]


def test_filters_find_issues(forge: sqlite3.Connection) -> None:
    query = (
        "SELECT COUNT(*) FROM issue JOIN issue_label ON issue = issue.id JOIN project ON project.id = project"
        " WHERE owner || '/' || path = ? AND label = ? AND state = 'opened'"
    )
    assert column(forge, query, "tidal/harbour-map", "regression")[0] > 1
    assert column(forge, f"{query} AND assignee = ''", "mara/ferry-times", "help wanted")[0] > 1


@pytest.mark.parametrize("task", [10161, 10162])
def test_descriptions_are_those_of_the_projects(forge: sqlite3.Connection, task: int) -> None:
    query = "SELECT description FROM project WHERE owner || '/' || path = ?"
    wanted = TASKS[task]["eval"]["program_html"][1]["required_contents"]["must_include"]
    assert wanted == [slots(task)["project"], *column(forge, query, slots(task)["project"])]
