"""Signing in, signing out, and the first page."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.demo.sites.admin.desk import show
from webbench.benchmarks.demo.sites.admin.reports import bestsellers_between
from webbench.benchmarks.demo.sites.passwords import password_digest
from webbench.benchmarks.demo.sites.sessions import sign_in, sign_out
from webbench.benchmarks.demo.sites.visits import after_sign_in, for_members
from webbench.benchmarks.demo.sites.web import Visit, page


def login_page(visit: Visit) -> Response:
    return show(visit, "login.html", next=visit.query("next"), problem="")


def login(visit: Visit) -> Response:
    name, after = visit.field("username"), visit.field("next")
    row = visit.database.execute(
        "SELECT 1 FROM staff WHERE name = ? AND password_sha256 = ?",
        (name, password_digest(visit.field("password"))),
    ).fetchone()
    if row is None:
        return show(visit, "login.html", 422, next=after, problem="User name or password is not right.")
    return sign_in(visit, visit.redirect(after_sign_in(visit, after or "/")), name)


def logout(visit: Visit) -> Response:
    return sign_out(visit, visit.redirect("/login"))


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
        page("admin", "/login", login_page),
        page("admin", "/login", login, "POST"),
        page("admin", "/logout", logout, "POST"),
    ]
