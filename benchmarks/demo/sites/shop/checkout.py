"""Checkout with validation, and the order that comes of it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.demo.sites.shop import stock
from webbench.benchmarks.demo.sites.shop.layout import show
from webbench.benchmarks.demo.sites.web import Visit, page
from webbench.core.json_types import JsonObject

COUNTRIES = ("Denmark", "Finland", "Germany", "Ireland", "Netherlands", "Norway", "Sweden", "United Kingdom")
TEXT_FIELDS = (
    "email", "name", "street", "postcode", "city", "country", "delivery", "payment", "card", "expiry", "cvc",
    "note",
)  # fmt: skip
REQUIRED = {
    "name": "Enter the name of the recipient",
    "street": "Enter street and number",
    "postcode": "Enter a postcode",
    "city": "Enter a city",
}


def form_page(visit: Visit) -> Response:
    return _form(visit, {**dict.fromkeys(TEXT_FIELDS, ""), "delivery": "standard", "payment": "card"}, {})


def _form(visit: Visit, values: JsonObject, errors: dict[str, str]) -> Response:
    lines = stock.cart(visit.database)
    if not lines:
        return visit.redirect("/cart")
    promo = stock.setting(visit.database, "promo")
    return show(
        visit,
        "checkout.html",
        status=422 if errors else 200,
        lines=lines,
        totals=stock.totals(lines, promo),
        delivery=stock.DELIVERY,
        countries=COUNTRIES,
        values=values,
        errors=errors,
    )


def place(visit: Visit) -> Response:
    values: JsonObject = {name: visit.field(name)[:500] for name in TEXT_FIELDS}
    values["gift_wrap"] = bool(visit.field("gift_wrap"))
    values["terms"] = bool(visit.field("terms"))
    errors = problems(values)
    if errors or not stock.cart(visit.database):
        return _form(visit, {**values, "card": "", "cvc": ""}, errors)
    card = re.sub(r"\D", "", values["card"]) if values["payment"] == "card" else ""
    number = stock.place_order(visit.database, {**values, "card_last4": card[-4:]})
    return visit.redirect(f"/order/{number}?thanks=1")


def problems(values: JsonObject) -> dict[str, str]:
    """Field → what is wrong with it, in the order of the form."""
    errors = {}
    if not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", values["email"]):
        errors["email"] = "Enter an e-mail address like name@example.com"
    errors |= {name: text for name, text in REQUIRED.items() if not values[name]}
    if values["country"] not in COUNTRIES:
        errors["country"] = "Choose a country"
    if values["delivery"] not in stock.DELIVERY:
        errors["delivery"] = "Choose a way of delivery"
    if values["payment"] not in ("card", "invoice"):
        errors["payment"] = "Choose a way to pay"
    if values["payment"] == "card":
        errors |= card_problems(values)
    if not values["terms"]:
        errors["terms"] = "Accept the terms of sale to place the order"
    return errors


def card_problems(values: JsonObject) -> dict[str, str]:
    errors = {}
    digits = re.sub(r"[\s-]", "", values["card"])
    if not re.fullmatch(r"[0-9]{13,19}", digits) or not passes_luhn(digits):
        errors["card"] = "Enter a valid card number"
    if not re.fullmatch(r"(0[1-9]|1[0-2])\s*/\s*[0-9]{2}", values["expiry"]):
        errors["expiry"] = "Enter month and year as MM/YY"
    if not re.fullmatch(r"[0-9]{3,4}", values["cvc"]):
        errors["cvc"] = "Enter the 3 digits on the back of the card"
    return errors


def passes_luhn(digits: str) -> bool:
    doubled = (int(d) * (1 + i % 2) for i, d in enumerate(reversed(digits)))
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0


def order_page(visit: Visit) -> Response:
    row = visit.database.execute(
        "SELECT * FROM purchase WHERE number = ?", (visit.parameter("number"),)
    ).fetchone()
    if row is None:
        return show(visit, "missing.html", status=404)
    lines = [(stock.product(visit.database, line["product"]), line) for line in json.loads(row["lines"])]
    thanks = visit.query("thanks") == "1"
    return show(visit, "order.html", order=row, lines=lines, thanks=thanks, delivery=stock.DELIVERY)


def routes() -> Sequence[BaseRoute]:
    return [
        page("shop", "/checkout", form_page),
        page("shop", "/checkout/place", place, "POST"),
        page("shop", "/order/{number}", order_page),
    ]
