"""What is on the forge when an episode starts."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path

from webbench.benchmarks.sample_sites.clock import NOW
from webbench.benchmarks.sample_sites.forge.data import schema
from webbench.benchmarks.sample_sites.forge.data.generated_work import DAY, username
from webbench.benchmarks.sample_sites.forge.data.project_seed import ProjectSeed
from webbench.benchmarks.sample_sites.passwords import password_digest
from webbench.core.json_types import Json, JsonObject

ACCOUNT = "mara"
PASSWORD = "anchor-tide-7"  # noqa: S105 - the invented account's
MEMBERSHIPS = {"opencove/static-quay": schema.DEVELOPER, "northlight/e-ink-timetable": schema.REPORTER}
"""Roles of the account in projects that aren't its own or its groups'."""

TEAM_ROLES = {"tidal": schema.MAINTAINER, "harbourpine": schema.DEVELOPER}
STARRED = ("opencove/pebble-tests", "owen.pryce/fern", "tidal/log-book")
TEAM_SIZE = 6


def build(database: sqlite3.Connection) -> None:
    """Create and fill every table."""
    database.executescript(schema.SCHEMA)
    people, made = _read("people"), _read("made")
    usernames = [username(name) for name in people["first"]]
    database.execute("BEGIN")
    database.executemany("INSERT INTO setting VALUES (?,?)", [("notice", ""), ("clock", str(NOW))])
    _insert_people(database, people)
    teams = {
        path: _insert_team(database, path, name, about, usernames) for path, name, about in people["groups"]
    }
    patterns = {name: _read(name) for name in ("phrases", "files", "languages")}
    for listed in _read("projects"):
        project = _project(listed)
        staff = _staff(project, teams, usernames)
        ProjectSeed(database, project, staff, usernames, patterns).insert(made.get(project["full_path"], {}))
    _insert_account(database)
    database.execute("COMMIT")


def _read(name: str) -> Json:
    return json.loads((Path(__file__).parents[1] / "seeds" / f"{name}.json").read_text("utf-8"))


def _project(listed: list[Json]) -> JsonObject:
    keys = ("full_path", "description", "language", "topics", "parts", "stars", "visibility")
    project: JsonObject = dict(zip(keys, listed, strict=True))
    project["owner"], _, project["path"] = project["full_path"].partition("/")
    project["name"] = project["path"]
    return project


def _insert_people(database: sqlite3.Connection, people: JsonObject) -> None:
    for name in people["first"]:
        chance, account = random.Random(name), username(name)
        job, location = chance.choice(people["jobs"]), chance.choice(people["locations"])
        database.execute(
            "INSERT INTO person VALUES (?,?,?,?,?,?,?,?,?,'')",
            (
                account,
                name,
                f"{account}@mail.example",
                f"{job} in {location}.",
                location,
                job,
                f"https://{account}.example" if chance.random() < 0.4 else "",
                chance.choice(people["statuses"]),
                NOW - chance.randint(720, 2200) * DAY,
            ),
        )
    database.execute(
        "INSERT INTO person VALUES (?,?,?,?,?,?,?,?,?,?)",
        (
            *(ACCOUNT, "Mara Lindqvist", "mara@lindqvist.example", "Boats, timetables, small programs."),
            *("Stockholm", "Product developer", "https://lindqvist.example", "", NOW - 1300 * DAY),
            password_digest(PASSWORD),
        ),
    )


def _insert_team(
    database: sqlite3.Connection, path: str, name: str, about: str, usernames: list[str]
) -> list[str]:
    """The group with its members; returns them, busiest first."""
    database.execute("INSERT INTO team VALUES (?,?,?,'public',?)", (path, name, about, NOW - 1200 * DAY))
    staff = random.Random(path).sample(usernames, TEAM_SIZE)
    roles = (
        schema.OWNER,
        schema.MAINTAINER,
        schema.DEVELOPER,
        schema.DEVELOPER,
        schema.REPORTER,
        schema.GUEST,
    )
    for number, (person, role) in enumerate(zip(staff, roles, strict=True)):
        since = NOW - (1150 - 90 * number) * DAY
        database.execute("INSERT INTO team_member VALUES (?,?,?,?)", (path, person, role, since))
    if path in TEAM_ROLES:
        since = NOW - 610 * DAY
        database.execute("INSERT INTO team_member VALUES (?,?,?,?)", (path, ACCOUNT, TEAM_ROLES[path], since))
    return staff


def _staff(project: JsonObject, teams: dict[str, list[str]], usernames: list[str]) -> list[str]:
    """Who works on a project, busiest first: its owner or group, and a few others."""
    first = teams.get(project["owner"], [project["owner"]])
    others = random.Random(f"{project['full_path']} staff").sample(usernames, 4)
    return list(dict.fromkeys([*first[:4], *others]))


def _insert_account(database: sqlite3.Connection) -> None:
    """What the account has beyond its own projects: roles elsewhere, stars."""
    for full_path, role in MEMBERSHIPS.items():
        number = _number(database, full_path)
        database.execute(
            "INSERT OR REPLACE INTO member VALUES (?,?,?,?,'')", (number, ACCOUNT, role, NOW - 200 * DAY)
        )
    for full_path in STARRED:
        database.execute("INSERT INTO star VALUES (?,?)", (ACCOUNT, _number(database, full_path)))


def _number(database: sqlite3.Connection, full_path: str) -> int:
    owner, _, path = full_path.partition("/")
    row = database.execute("SELECT id FROM project WHERE owner = ? AND path = ?", (owner, path)).fetchone()
    return int(row["id"])
