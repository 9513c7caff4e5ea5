"""Price rules: a coupon code takes some per cent off for some customers, for some time."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.admin.customers import SEGMENTS
from webbench.benchmarks.sample_sites.admin.desk import of_row, show, tell
from webbench.benchmarks.sample_sites.admin.grid import Column, Filter, Grid, exactly
from webbench.benchmarks.sample_sites.shop.data.dates import NOW, is_day
from webbench.benchmarks.sample_sites.shop.layout import whole_number
from webbench.benchmarks.sample_sites.visits import for_members
from webbench.benchmarks.sample_sites.web import Visit, page
from webbench.core.json_types import JsonObject

STATES = ("Active", "Inactive")
AUDIENCES = ("Everybody", *SEGMENTS)
GRID = Grid(
    title="Price rules",
    query="SELECT id, name, code, percent, segment, starts, ends,"
    " CASE active WHEN 1 THEN 'Active' ELSE 'Inactive' END AS state FROM price_rule",
    columns=(
        Column("id", "ID", "number"),
        Column("name", "Rule"),
        Column("code", "Coupon code"),
        Column("percent", "Per cent off", "number"),
        Column("segment", "For"),
        Column("starts", "Starts", "day"),
        Column("ends", "Ends", "day"),
        Column("state", "Status", "status"),
    ),
    filters=(
        Filter("name", "Rule", "name LIKE ?"),
        Filter("code", "Coupon code", "code LIKE ?"),
        Filter("state", "Status", "state = ?", exactly, STATES),
    ),
    order="id",
    link="/promo/edit/id/{}/",
    new=("/promo/new/", "Add a rule"),
)
TEXTS = ("name", "code", "percent", "segment", "starts", "ends")


@for_members
def new(visit: Visit) -> Response:
    day = f"{NOW:%Y-%m-%d}"
    blank = {**dict.fromkeys(TEXTS, ""), "segment": "Everybody", "starts": day, "active": True}
    return _form(visit, 0, blank, "")


@of_row("SELECT * FROM price_rule WHERE id = ?")
def edit(visit: Visit, row: sqlite3.Row) -> Response:
    return _form(visit, row["id"], dict(row), "")


def _form(visit: Visit, number: int, values: JsonObject, problem: str) -> Response:
    status = 422 if problem else 200
    return show(
        visit, "rule.html", status, number=number, values=values, problem=problem, audiences=AUDIENCES
    )


@for_members
def save(visit: Visit) -> Response:
    number = whole_number(visit.parameter("number"), 0, 999_999) or 0
    values: JsonObject = {name: visit.field(name)[:100] for name in TEXTS}
    values |= {"code": values["code"].upper(), "active": int(bool(visit.field("active"))), "id": number}
    problem = _problem(visit, values)
    if problem:
        return _form(visit, number, values, problem)
    if number:
        visit.database.execute(
            "UPDATE price_rule SET name=:name, code=:code, percent=:percent, segment=:segment,"
            " starts=:starts, ends=:ends, active=:active WHERE id=:id",
            values,
        )
    else:
        visit.database.execute(
            "INSERT INTO price_rule (name, code, percent, segment, starts, ends, active)"
            " VALUES (:name, :code, :percent, :segment, :starts, :ends, :active)",
            values,
        )
    tell(visit, f"The rule {values['name']} is saved.")
    return visit.redirect("/promo/")


def _problem(visit: Visit, values: JsonObject) -> str:
    """What is wrong with the form, "" where nothing is."""
    if not values["name"]:
        return "A rule needs a name."
    if not re.fullmatch(r"[A-Z0-9]{3,20}", values["code"]):
        return "The coupon code has to be 3 to 20 letters and digits."
    if whole_number(values["percent"], 1, 90) is None:
        return "Per cent off has to be a whole number from 1 to 90."
    if values["segment"] not in AUDIENCES:
        return "Choose for whom the rule is."
    if not is_day(values["starts"]) or not is_day(values["ends"]) or values["starts"] > values["ends"]:
        return "Both days have to be written as 2026-05-14, the first one first."
    taken = visit.database.execute(
        "SELECT 1 FROM price_rule WHERE code = ? AND id <> ?", (values["code"], values["id"])
    ).fetchone()
    return "Another rule has this coupon code already." if taken else ""


def routes() -> Sequence[BaseRoute]:
    return [
        page("admin", "/promo/", for_members(GRID.page)),
        page("admin", "/promo/new/", new),
        page("admin", "/promo/edit/id/{number}/", edit),
        page("admin", "/promo/save/id/{number}/", save, "POST"),
    ]
