"""Signing in and out, and opening an account."""

from __future__ import annotations

import re
from collections.abc import Sequence

from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.passwords import password_digest
from webbench.benchmarks.sample_sites.sessions import sign_in, sign_out
from webbench.benchmarks.sample_sites.shop.data import stock
from webbench.benchmarks.sample_sites.shop.data.dates import NOW
from webbench.benchmarks.sample_sites.shop.layout import flash, show
from webbench.benchmarks.sample_sites.shop.visitor import GUEST
from webbench.benchmarks.sample_sites.visits import after_sign_in
from webbench.benchmarks.sample_sites.web import Visit, page

SHORTEST_PASSWORD = 10
EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


def login_page(visit: Visit) -> Response:
    return show(visit, "login.html", next=visit.query("next"), email="", problem="")


def login(visit: Visit) -> Response:
    email, after = visit.field("email"), visit.field("next")
    row = visit.database.execute(
        "SELECT id FROM customer WHERE email = ? AND password_sha256 = ?",
        (email, password_digest(visit.field("password"))),
    ).fetchone()
    if row is None:
        problem = "E-mail address or password is not right."
        return show(visit, "login.html", 422, next=after, email=email, problem=problem)
    return _welcome(visit, int(row["id"]), after)


def _welcome(visit: Visit, customer: int, after: str) -> Response:
    """Sign in; what the guest had put into the cart comes along."""
    visit.database.execute(
        "UPDATE OR IGNORE cart_line SET customer = ? WHERE customer = ?", (customer, GUEST)
    )
    visit.database.execute("DELETE FROM cart_line WHERE customer = ?", (GUEST,))
    return sign_in(visit, visit.redirect(after_sign_in(visit, after or "/account")), str(customer))


def logout(visit: Visit) -> Response:
    stock.set_setting(visit.database, "visitor", "")
    flash(visit, "You are signed out.")
    return sign_out(visit, RedirectResponse(f"{visit.base}/", status_code=303))


def register_page(visit: Visit) -> Response:
    return show(visit, "register.html", values={"name": "", "email": ""}, problem="")


def register(visit: Visit) -> Response:
    name, email, password = visit.field("name")[:200], visit.field("email")[:200], visit.field("password")
    problem = _problem(visit, name, email, password)
    if problem:
        return show(visit, "register.html", 422, values={"name": name, "email": email}, problem=problem)
    cursor = visit.database.execute(
        "INSERT INTO customer (name, email, phone, street, postcode, city, country, newsletter,"
        " password_sha256, joined) VALUES (?,?,'','','','','',?,?,?)",
        (name, email, int(bool(visit.field("newsletter"))), password_digest(password), f"{NOW:%Y-%m-%d}"),
    )
    flash(visit, "Welcome! Your account is open.")
    return _welcome(visit, int(cursor.lastrowid or 0), "/account")


def _problem(visit: Visit, name: str, email: str, password: str) -> str:
    if not name or not EMAIL.fullmatch(email):
        return "Name and e-mail address are needed."
    if len(password) < SHORTEST_PASSWORD:
        return f"The password needs at least {SHORTEST_PASSWORD} characters."
    if password != visit.field("repeat"):
        return "The passwords differ."
    taken = visit.database.execute("SELECT 1 FROM customer WHERE email = ?", (email,)).fetchone()
    return "There is an account with this e-mail address already." if taken else ""


def routes() -> Sequence[BaseRoute]:
    return [
        page("shop", "/login", login_page),
        page("shop", "/login", login, "POST"),
        page("shop", "/logout", logout, "POST"),
        page("shop", "/register", register_page),
        page("shop", "/register", register, "POST"),
    ]
