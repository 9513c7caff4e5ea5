"""Order history and account data."""

from __future__ import annotations

import json
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.demo.sites.passwords import password_digest
from webbench.benchmarks.demo.sites.shop import stock
from webbench.benchmarks.demo.sites.shop.checkout import COUNTRIES
from webbench.benchmarks.demo.sites.shop.layout import flash, show
from webbench.benchmarks.demo.sites.web import Visit, page

SHORTEST_PASSWORD = 10


def orders(visit: Visit) -> Response:
    listed = []
    for row in visit.database.execute("SELECT * FROM purchase ORDER BY number DESC").fetchall():
        items = [(stock.product(visit.database, line["product"]), line) for line in json.loads(row["lines"])]
        listed.append((row, items))
    return show(visit, "orders.html", orders=listed)


def account_page(visit: Visit) -> Response:
    row = visit.database.execute("SELECT * FROM account").fetchone()
    return show(visit, "account.html", account=row, countries=COUNTRIES)


def save(visit: Visit) -> Response:
    names = ("name", "email", "phone", "street", "postcode", "city", "country")
    values = {name: visit.field(name)[:200] for name in names}
    if not values["name"] or "@" not in values["email"]:
        flash(visit, "Name and e-mail address are needed.")
    else:
        visit.database.execute(
            "UPDATE account SET name=:name, email=:email, phone=:phone, street=:street, postcode=:postcode,"
            " city=:city, country=:country, newsletter=:newsletter",
            {**values, "newsletter": int(bool(visit.field("newsletter")))},
        )
        flash(visit, "Your details are saved.")
    return visit.redirect("/account")


def change_password(visit: Visit) -> Response:
    stored = visit.database.execute("SELECT password_sha256 FROM account").fetchone()["password_sha256"]
    new = visit.field("new")
    if password_digest(visit.field("current")) != stored:
        flash(visit, "The current password is not right.")
    elif len(new) < SHORTEST_PASSWORD:
        flash(visit, f"The new password needs at least {SHORTEST_PASSWORD} characters.")
    elif new != visit.field("repeat"):
        flash(visit, "The new passwords differ.")
    else:
        visit.database.execute("UPDATE account SET password_sha256 = ?", (password_digest(new),))
        flash(visit, "Your password is changed.")
    return visit.redirect("/account")


def routes() -> Sequence[BaseRoute]:
    return [
        page("shop", "/orders", orders),
        page("shop", "/account", account_page),
        page("shop", "/account/save", save, "POST"),
        page("shop", "/account/password", change_password, "POST"),
    ]
