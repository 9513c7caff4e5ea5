"""A reader's own pages: loans, holds, preferences."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.library import shelves
from webbench.benchmarks.sample_sites.library.layout import missing, show
from webbench.benchmarks.sample_sites.library.seed import branches
from webbench.benchmarks.sample_sites.web import Visit, page

NOTIFY = {"email": "E-mail", "text": "Text message", "letter": "Letter"}
LONGEST_NOTE = 400
RENEWED = "11 June 2026"


def overview(visit: Visit) -> Response:
    chosen = {name: shelves.setting(visit.database, name) for name in ("branch", "notify", "email")}
    return show(
        visit,
        "account.html",
        loans=shelves.loans(visit.database),
        chosen=chosen,
        branches=branches(),
        ways=NOTIFY,
        saved=visit.query("saved") == "1",
    )


def holds(visit: Visit) -> Response:
    found = [
        hold | {"where": (shelves.branch(hold["branch"]) or {})["name"], "way": NOTIFY[hold["notify"]]}
        for hold in shelves.holds(visit.database)
    ]
    return show(visit, "holds.html", holds=found, placed=visit.query("placed"))


def place_hold(visit: Visit) -> Response:
    found = shelves.item(visit.database, visit.parameter("slug"))
    if found is None:
        return missing(visit)
    branch, notify = visit.field("branch"), visit.field("notify")
    if shelves.branch(branch) is None or notify not in NOTIFY:
        return visit.redirect(f"/item/{found['slug']}/hold")
    note = visit.field("note")[:LONGEST_NOTE]
    placed = visit.database.execute(
        "INSERT INTO hold (item, branch, notify, note) VALUES (?,?,?,?)",
        (found["slug"], branch, notify, note),
    )
    return visit.redirect(f"/account/holds?placed={placed.lastrowid}")


def cancel_hold(visit: Visit) -> Response:
    number = visit.parameter("number")
    if number.isdecimal() and len(number) < 10:
        visit.database.execute("DELETE FROM hold WHERE number = ?", (int(number),))
    return visit.redirect("/account/holds")


def renew(visit: Visit) -> Response:
    slug = visit.parameter("slug")
    visit.database.execute("UPDATE loan SET due = ?, renewed = 1 WHERE item = ?", (RENEWED, slug))
    return visit.redirect(f"/account?renewed={slug}" if shelves.item(visit.database, slug) else "/account")


def save_preferences(visit: Visit) -> Response:
    if shelves.branch(visit.field("branch")) is not None:
        shelves.set_setting(visit.database, "branch", visit.field("branch"))
    if visit.field("notify") in NOTIFY:
        shelves.set_setting(visit.database, "notify", visit.field("notify"))
    if visit.field("email"):
        shelves.set_setting(visit.database, "email", visit.field("email")[:200])
    return visit.redirect("/account?saved=1")


def routes() -> Sequence[BaseRoute]:
    return [
        page("library", "/account", overview),
        page("library", "/account", save_preferences, "POST"),
        page("library", "/account/holds", holds),
        page("library", "/account/holds/{number}/cancel", cancel_hold, "POST"),
        page("library", "/account/loans/{slug}/renew", renew, "POST"),
    ]
