"""The customer's own pages: details, password, address book, newsletter, reviews."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.passwords import password_digest
from webbench.benchmarks.sample_sites.shop.checkout import COUNTRIES
from webbench.benchmarks.sample_sites.shop.entrance import SHORTEST_PASSWORD
from webbench.benchmarks.sample_sites.shop.layout import flash, show, whole_number
from webbench.benchmarks.sample_sites.shop.visitor import for_customers
from webbench.benchmarks.sample_sites.web import Visit, page

ADDRESS = ("name", "street", "postcode", "city", "country", "phone")


@for_customers
def account_page(visit: Visit, customer: sqlite3.Row) -> Response:
    return show(visit, "account.html", account=customer, countries=COUNTRIES)


@for_customers
def save(visit: Visit, customer: sqlite3.Row) -> Response:
    names = ("name", "email", "phone", "street", "postcode", "city", "country")
    values = {name: visit.field(name)[:200] for name in names}
    if not values["name"] or "@" not in values["email"]:
        flash(visit, "Name and e-mail address are needed.")
    elif _taken(visit, values["email"], customer["id"]):
        flash(visit, "There is another account with this e-mail address.")
    else:
        visit.database.execute(
            "UPDATE customer SET name=:name, email=:email, phone=:phone, street=:street, postcode=:postcode,"
            " city=:city, country=:country, newsletter=:newsletter WHERE id=:id",
            {**values, "newsletter": int(bool(visit.field("newsletter"))), "id": customer["id"]},
        )
        flash(visit, "Your details are saved.")
    return visit.redirect("/account")


def _taken(visit: Visit, email: str, customer: int) -> bool:
    query = "SELECT 1 FROM customer WHERE email = ? AND id <> ?"
    return visit.database.execute(query, (email, customer)).fetchone() is not None


@for_customers
def change_password(visit: Visit, customer: sqlite3.Row) -> Response:
    new = visit.field("new")
    if password_digest(visit.field("current")) != customer["password_sha256"]:
        flash(visit, "The current password is not right.")
    elif len(new) < SHORTEST_PASSWORD:
        flash(visit, f"The new password needs at least {SHORTEST_PASSWORD} characters.")
    elif new != visit.field("repeat"):
        flash(visit, "The new passwords differ.")
    else:
        visit.database.execute(
            "UPDATE customer SET password_sha256 = ? WHERE id = ?", (password_digest(new), customer["id"])
        )
        flash(visit, "Your password is changed.")
    return visit.redirect("/account")


@for_customers
def newsletter_page(visit: Visit, customer: sqlite3.Row) -> Response:
    return show(visit, "newsletter.html", account=customer)


@for_customers
def save_newsletter(visit: Visit, customer: sqlite3.Row) -> Response:
    wanted = bool(visit.field("newsletter"))
    visit.database.execute("UPDATE customer SET newsletter = ? WHERE id = ?", (int(wanted), customer["id"]))
    flash(visit, "You get the harbour letter." if wanted else "You don't get the harbour letter any more.")
    return visit.redirect("/account/newsletter")


@for_customers
def addresses(visit: Visit, customer: sqlite3.Row) -> Response:
    return show(visit, "addresses.html", account=customer, addresses=address_book(visit, customer["id"]))


def address_book(visit: Visit, customer: int) -> list[sqlite3.Row]:
    query = "SELECT * FROM address WHERE customer = ? ORDER BY id"
    return visit.database.execute(query, (customer,)).fetchall()


def _address(visit: Visit, customer: int) -> sqlite3.Row | None:
    row: sqlite3.Row | None = visit.database.execute(
        "SELECT * FROM address WHERE id = ? AND customer = ?",
        (whole_number(visit.parameter("number"), 1, 999_999), customer),
    ).fetchone()
    return row


@for_customers
def new_address(visit: Visit, customer: sqlite3.Row) -> Response:
    values = dict.fromkeys(ADDRESS, "") | {"name": customer["name"]}
    return show(visit, "address.html", values=values, number="", countries=COUNTRIES, errors={})


@for_customers
def edit_address(visit: Visit, customer: sqlite3.Row) -> Response:
    row = _address(visit, customer["id"])
    if row is None:
        return show(visit, "missing.html", status=404)
    return show(visit, "address.html", values=row, number=row["id"], countries=COUNTRIES, errors={})


@for_customers
def save_address(visit: Visit, customer: sqlite3.Row) -> Response:
    values = {name: visit.field(name)[:200] for name in ADDRESS}
    number = whole_number(visit.field("address"), 1, 999_999)
    errors = {name: "Needed" for name in ADDRESS[:4] if not values[name]}
    if values["country"] not in COUNTRIES:
        errors["country"] = "Choose a country"
    if errors:
        return show(
            visit, "address.html", 422, values=values, number=number or "", countries=COUNTRIES, errors=errors
        )
    row = {**values, "customer": customer["id"], "id": number}
    if number is None:
        visit.database.execute(
            "INSERT INTO address (customer, name, street, postcode, city, country, phone)"
            " VALUES (:customer, :name, :street, :postcode, :city, :country, :phone)",
            row,
        )
    else:
        visit.database.execute(
            "UPDATE address SET name=:name, street=:street, postcode=:postcode, city=:city,"
            " country=:country, phone=:phone WHERE id=:id AND customer=:customer",
            row,
        )
    flash(visit, "The address is saved.")
    return visit.redirect("/account/addresses")


@for_customers
def delete_address(visit: Visit, customer: sqlite3.Row) -> Response:
    row = _address(visit, customer["id"])
    if row is not None:
        visit.database.execute("DELETE FROM address WHERE id = ?", (row["id"],))
        flash(visit, "The address is deleted.")
    return visit.redirect("/account/addresses")


@for_customers
def own_reviews(visit: Visit, customer: sqlite3.Row) -> Response:
    rows = visit.database.execute(
        "SELECT review.*, product.name FROM review JOIN product USING (slug) WHERE customer = ?"
        " ORDER BY written DESC, review.id DESC",
        (customer["id"],),
    ).fetchall()
    return show(visit, "own-reviews.html", reviews=rows)


def routes() -> Sequence[BaseRoute]:
    return [
        page("shop", "/account", account_page),
        page("shop", "/account/save", save, "POST"),
        page("shop", "/account/password", change_password, "POST"),
        page("shop", "/account/newsletter", newsletter_page),
        page("shop", "/account/newsletter", save_newsletter, "POST"),
        page("shop", "/account/addresses", addresses),
        page("shop", "/account/addresses/new", new_address),
        page("shop", "/account/addresses/save", save_address, "POST"),
        page("shop", "/account/addresses/{number}", edit_address),
        page("shop", "/account/addresses/{number}/delete", delete_address, "POST"),
        page("shop", "/account/reviews", own_reviews),
    ]
