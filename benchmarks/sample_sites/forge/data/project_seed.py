"""One project's rows: files, commits, members, labels, milestones, issues, merge requests, to-dos."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence

from webbench.benchmarks.sample_sites.clock import NOW
from webbench.benchmarks.sample_sites.forge.data import schema
from webbench.benchmarks.sample_sites.forge.data.generated_work import (
    DAY,
    Issue,
    MergeRequest,
    Note,
    ProjectWriter,
)
from webbench.benchmarks.sample_sites.forge.data.revisions import add_commit
from webbench.benchmarks.sample_sites.forge.data.sources import files_of
from webbench.core.json_types import JsonObject

ROLES = (schema.MAINTAINER, schema.DEVELOPER, schema.DEVELOPER, schema.REPORTER, schema.GUEST)
OUTSIDERS = 14


class ProjectSeed:
    def __init__(
        self,
        database: sqlite3.Connection,
        project: JsonObject,
        staff: list[str],
        usernames: list[str],
        patterns: JsonObject,
    ) -> None:
        """
        Args:
            project: full_path, owner, path, name, description, language, topics, parts, stars, visibility.
            staff: who works on it, busiest first.
            usernames: everybody.
            patterns: the contents of phrases.json, files.json and languages.json.
        """
        self._database = database
        self._project = project
        self._staff = staff
        self._outsiders = random.Random(f"{project['full_path']} outsiders").sample(usernames, OUTSIDERS)
        self._patterns = patterns
        self._writer = ProjectWriter(project, staff, patterns["phrases"])
        self._number = 0

    def insert(self, made: JsonObject) -> None:
        """Everything generated, then the hand-written issues, merge requests, milestones and to-dos."""
        files = files_of(
            self._project,
            self._writer.versions,
            self._patterns["files"],
            self._patterns["languages"][self._project["language"]],
        )
        commits = list(self._writer.commits(files))
        self._number = self._insert_project(commits[0].at, commits[-1].at)
        self._database.executemany(
            "INSERT INTO file VALUES (?,?,?)",
            [(self._number, path, content) for path, content in files.items()],
        )
        for commit in commits:
            changes = [(*change, "") for change in commit.changes]
            add_commit(self._database, self._number, commit.author, commit.title, commit.at, changes)
        self._insert_members(commits[0].at)
        self._database.executemany(
            "INSERT INTO label VALUES (?,?,?,?)",
            [(self._number, *label) for label in self._patterns["phrases"]["labels"]],
        )
        milestones = self._insert_milestones(made.get("milestones", ()))
        issues = self._writer.issues(self._outsiders, milestones[:-1] or milestones)
        for iid, issue in enumerate([*issues, *map(_made_issue, made.get("issues", ()))], start=1):
            self._insert_issue(iid, issue)
        requests = self._writer.merge_requests(files, self._outsiders)
        written = map(_made_request, made.get("merge_requests", ()))
        for iid, request in enumerate([*requests, *written], start=1):
            self._insert_request(iid, request)
        self._insert_todos(made.get("todos", ()))

    def _insert_project(self, created: int, updated: int) -> int:
        added = self._database.execute(
            "INSERT INTO project (owner, path, name, description, topics, language, visibility, stars,"
            " created, updated, forked_from) VALUES (:owner, :path, :name, :description, :topics, :language,"
            " :visibility, :stars, :created, :updated, '')",
            {**self._project, "parts": None, "created": created, "updated": updated},
        )
        return added.lastrowid or 0

    def _insert_members(self, since: int) -> None:
        """The owner of a personal project, and staff beyond the group that owns it."""
        own = {
            row["person"]
            for row in self._database.execute(
                "SELECT person FROM team_member WHERE team = ?", (self._project["owner"],)
            )
        }
        if not own:
            self._add_member(self._project["owner"], schema.OWNER, since)
        others = [person for person in self._staff if person not in own and person != self._project["owner"]]
        for number, (person, role) in enumerate(zip(others, ROLES, strict=False)):
            self._add_member(person, role, since + 30 * (number + 1) * DAY)

    def _add_member(self, person: str, role: int, since: int) -> None:
        self._database.execute("INSERT INTO member VALUES (?,?,?,?,'')", (self._number, person, role, since))

    def _insert_milestones(self, made: Sequence[Sequence[str]]) -> list[str]:
        """Two generated ones, then the hand-written; returns the titles."""
        chance = random.Random(f"{self._project['full_path']} milestones")
        version = self._writer.versions[0]
        titles = [
            title.format(version=version)
            for title in chance.sample(self._patterns["phrases"]["milestones"], 2)
        ]
        rows = [
            (titles[0], f"Goals of {titles[0]}.", "2026-01-12", "2026-04-30", "closed"),
            (titles[1], f"Goals of {titles[1]}.", "2026-03-02", "2026-07-31", "active"),
            *((*milestone, "active") for milestone in made),
        ]
        for iid, row in enumerate(rows, start=1):
            self._database.execute(
                "INSERT INTO milestone (project, iid, title, description, start, due, state)"
                " VALUES (?,?,?,?,?,?,?)",
                (self._number, iid, *row),
            )
        return titles

    def _insert_issue(self, iid: int, issue: Issue) -> None:
        updated = max([issue.created, *(note.at for note in issue.notes)])
        added = self._database.execute(
            "INSERT INTO issue (project, iid, title, description, author, assignee, milestone, state,"
            " created, updated) VALUES (?,?,?,?,?,?,?,?,?,?)",
            (
                *(self._number, iid, issue.title, issue.description, issue.author, issue.assignee),
                *(issue.milestone, issue.state, issue.created, updated),
            ),
        )
        self._database.executemany(
            "INSERT INTO issue_label VALUES (?,?)", [(added.lastrowid, label) for label in issue.labels]
        )
        self._insert_notes("issue", added.lastrowid or 0, issue.notes)

    def _insert_request(self, iid: int, request: MergeRequest) -> None:
        updated = max([request.created, *(note.at for note in request.notes)])
        added = self._database.execute(
            "INSERT INTO merge_request (project, iid, title, description, author, reviewer, source, state,"
            " created, updated, path, content) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                *(self._number, iid, request.title, request.description, request.author, request.reviewer),
                *(request.source, request.state, request.created, updated, request.path, request.content),
            ),
        )
        self._insert_notes("merge_request", added.lastrowid or 0, request.notes)

    def _insert_notes(self, kind: str, item: int, notes: Sequence[Note]) -> None:
        self._database.executemany(
            "INSERT INTO note (kind, item, author, body, at) VALUES (?,?,?,?,?)",
            [(kind, item, note.author, note.body, note.at) for note in notes],
        )

    def _insert_todos(self, made: Sequence[Sequence[str]]) -> None:
        tables = {"issue": "issue", "merge_request": "merge_request"}
        for author, action, kind, title in made:
            item = self._database.execute(
                f"SELECT id, created FROM {tables[kind]} WHERE project = ? AND title = ?",  # noqa: S608 - only words of ours
                (self._number, title),
            ).fetchone()
            self._database.execute(
                "INSERT INTO todo (person, author, action, kind, item, at) VALUES ('mara',?,?,?,?,?)",
                (author, action, kind, item["id"], item["created"] + 3600),
            )


def _ago(hours: float) -> int:
    return NOW - round(hours * 3600)


def _made_notes(notes: Sequence[JsonObject]) -> list[Note]:
    return [Note(note["author"], note["body"], _ago(note["hours"])) for note in notes]


def _made_issue(made: JsonObject) -> Issue:
    return Issue(
        title=made["title"],
        description=made["description"],
        author=made["author"],
        created=_ago(made["hours"]),
        assignee=made.get("assignee", ""),
        milestone=made.get("milestone", ""),
        labels=made["labels"],
        notes=_made_notes(made["notes"]),
    )


def _made_request(made: JsonObject) -> MergeRequest:
    return MergeRequest(
        title=made["title"],
        description=made["description"],
        author=made["author"],
        created=_ago(made["hours"]),
        source=made["source"],
        path=made["path"],
        content=made["content"],
        reviewer=made["reviewer"],
        notes=_made_notes(made["notes"]),
    )
