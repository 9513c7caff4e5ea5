"""Checkout with validation, and the order that comes of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.shop import till
from webbench.benchmarks.sample_sites.shop.data import stock
from webbench.benchmarks.sample_sites.shop.layout import show, whole_number
from webbench.benchmarks.sample_sites.shop.visitor import customer, customer_id
from webbench.benchmarks.sample_sites.web import Visit, page
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
    """The form; with `?address=0` the account's address stands in it, with another number one of the book."""
    values: JsonObject = dict.fromkeys(TEXT_FIELDS, "")
    return _form(visit, {**values, "delivery": "standard", "payment": "card", **_known(visit)}, {})


def _known(visit: Visit) -> JsonObject:
    known, number = customer(visit), whole_number(visit.query("address"), 0, 999_999)
    if known is None or number is None:
        return {}
    row = (
        known
        if number == 0
        else visit.database.execute(
            "SELECT * FROM address WHERE id = ? AND customer = ?", (number, known["id"])
        ).fetchone()
    )
    names = ("name", "street", "postcode", "city", "country")
    return {"email": known["email"], **{name: row[name] for name in names}} if row else {}


def _form(visit: Visit, values: JsonObject, errors: dict[str, str]) -> Response:
    buyer = customer_id(visit)
    lines = till.cart(visit.database, buyer)
    if not lines:
        return visit.redirect("/cart")
    code = stock.setting(visit.database, "promo")
    percent = till.per_cent(visit.database, code, till.segment_of(visit.database, buyer)) or 0
    return show(
        visit,
        "checkout.html",
        status=422 if errors else 200,
        lines=lines,
        totals=till.totals(lines, percent),
        delivery=till.DELIVERY,
        countries=COUNTRIES,
        addresses=visit.database.execute("SELECT * FROM address WHERE customer = ?", (buyer,)).fetchall(),
        values=values,
        errors=errors,
    )


def place(visit: Visit) -> Response:
    values: JsonObject = {name: visit.field(name)[:500] for name in TEXT_FIELDS}
    values["gift_wrap"] = bool(visit.field("gift_wrap"))
    values["terms"] = bool(visit.field("terms"))
    errors = problems(values)
    if errors or not till.cart(visit.database, customer_id(visit)):
        return _form(visit, {**values, "card": "", "cvc": ""}, errors)
    card = re.sub(r"\D", "", values["card"]) if values["payment"] == "card" else ""
    number = till.place_order(visit.database, customer_id(visit), {**values, "card_last4": card[-4:]})
    return visit.redirect(f"/sales/order/view/order_id/{number}/?thanks=1")


def problems(values: JsonObject) -> dict[str, str]:
    """Field → what is wrong with it, in the order of the form."""
    errors = {}
    if not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", values["email"]):
        errors["email"] = "Enter an e-mail address like name@example.com"
    errors |= {name: text for name, text in REQUIRED.items() if not values[name]}
    if values["country"] not in COUNTRIES:
        errors["country"] = "Choose a country"
    if values["delivery"] not in till.DELIVERY:
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


def routes() -> Sequence[BaseRoute]:
    return [
        page("shop", "/checkout", form_page),
        page("shop", "/checkout/place", place, "POST"),
    ]
