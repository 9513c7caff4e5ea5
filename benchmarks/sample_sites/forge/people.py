"""Signing in and out, profiles, stars, one's own status and biography."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.forge.access import SIGN_IN, members_only
from webbench.benchmarks.sample_sites.forge.groups import group_page
from webbench.benchmarks.sample_sites.forge.layout import missing, show
from webbench.benchmarks.sample_sites.forge.overview import find_projects
from webbench.benchmarks.sample_sites.sessions import signed_in
from webbench.benchmarks.sample_sites.sign_in_form import SignInForm
from webbench.benchmarks.sample_sites.visits import notify
from webbench.benchmarks.sample_sites.web import Visit, page

FIELDS = {"name": 100, "status": 100, "bio": 500, "location": 100, "job": 100, "website": 200}
"""What people say about themselves → longest text."""


def find_person(database: sqlite3.Connection, username: str) -> sqlite3.Row | None:
    found: sqlite3.Row | None = database.execute(
        "SELECT * FROM person WHERE username = ?", (username,)
    ).fetchone()
    return found


sign_in_form = SignInForm(
    site="forge",
    path=SIGN_IN,
    way_out="/users/sign_out",
    template="sign-in.html",
    show=show,
    find=find_person,
    key="username",
    wrong="Invalid username or password.",
    left=SIGN_IN,
)


def owner_page(visit: Visit) -> Response:
    """A person's profile, or a group."""
    person = find_person(visit.database, visit.parameter("owner"))
    if person is None:
        return group_page(visit, visit.parameter("owner"))
    condition = "project.owner = :name"
    return _profile(visit, person, "Personal projects", condition, person["username"])


def starred(visit: Visit) -> Response:
    person = find_person(visit.database, visit.parameter("owner"))
    if person is None:
        return missing(visit)
    condition = "project.id IN (SELECT project FROM star WHERE person = :name)"
    return _profile(visit, person, "Starred projects", condition, person["username"])


def _profile(visit: Visit, person: sqlite3.Row, tab: str, condition: str, name: str) -> Response:
    found = find_projects(visit, condition, "latest_activity_desc", name)
    counts = visit.database.execute(
        "SELECT (SELECT COUNT(*) FROM revision WHERE author = :name) AS commits,"
        " (SELECT COUNT(*) FROM issue WHERE author = :name) AS issues",
        {"name": name},
    ).fetchone()
    return show(visit, "person.html", person=person, tab=tab, found=found, counts=counts)


def profile_settings(visit: Visit) -> Response:
    return show(visit, "profile-settings.html", person=find_person(visit.database, signed_in(visit)))


def save_profile(visit: Visit) -> Response:
    values = {name: visit.field(name)[:longest] for name, longest in FIELDS.items()}
    if not values["name"]:
        notify(visit, "A profile needs a name; nothing was changed.")
    elif values["website"] and not values["website"].startswith(("http://", "https://")):
        notify(visit, "A website starts with http:// or https://; nothing was changed.")
    else:
        visit.database.execute(
            "UPDATE person SET name=:name, status=:status, bio=:bio, location=:location, job=:job,"
            " website=:website WHERE username=:username",
            {**values, "username": signed_in(visit)},
        )
        notify(visit, "Profile was successfully updated.")
    return visit.redirect("/-/profile")


def routes() -> Sequence[BaseRoute]:
    return [
        *sign_in_form.routes(),
        page("forge", "/users/{owner}/starred", starred),
        page("forge", "/-/profile", members_only(profile_settings)),
        page("forge", "/-/profile", members_only(save_profile), "POST"),
        page("forge", "/{owner}", owner_page),
    ]
