"""Signing in, signing out, and the first page."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.admin.desk import show
from webbench.benchmarks.sample_sites.admin.reports import bestsellers_between
from webbench.benchmarks.sample_sites.sign_in_form import SignInForm
from webbench.benchmarks.sample_sites.visits import for_members
from webbench.benchmarks.sample_sites.web import Visit, page


def find_staff(database: sqlite3.Connection, name: str) -> sqlite3.Row | None:
    found: sqlite3.Row | None = database.execute("SELECT * FROM staff WHERE name = ?", (name,)).fetchone()
    return found


sign_in_form = SignInForm(
    site="admin",
    path="/login",
    way_out="/logout",
    template="login.html",
    show=show,
    find=find_staff,
    key="name",
    wrong="User name or password is not right.",
    left="/login",
)


@for_members
def dashboard(visit: Visit) -> Response:
    database = visit.database
    sums = database.execute(
        "SELECT COUNT(*) AS orders, SUM(total) AS revenue FROM purchase WHERE status <> 'Cancelled'"
    ).fetchone()
    waiting = database.execute("SELECT COUNT(*) AS n FROM review WHERE status = 'Pending'").fetchone()
    return show(
        visit,
        "dashboard.html",
        sums=sums,
        waiting=waiting["n"],
        last_orders=database.execute("SELECT * FROM purchase ORDER BY id DESC LIMIT 6").fetchall(),
        terms=database.execute("SELECT * FROM search_term ORDER BY uses DESC, query LIMIT 6").fetchall(),
        best=bestsellers_between(database, "", "")[:6],
    )


def routes() -> Sequence[BaseRoute]:
    return [
        page("admin", "/", dashboard),
        *sign_in_form.routes(),
    ]
