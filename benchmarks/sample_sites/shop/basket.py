"""The cart: add, change, remove, empty, promotion code."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.shop import till
from webbench.benchmarks.sample_sites.shop.data import stock
from webbench.benchmarks.sample_sites.shop.layout import flash, show, whole_number
from webbench.benchmarks.sample_sites.shop.visitor import customer_id
from webbench.benchmarks.sample_sites.web import Visit, page


def add(visit: Visit) -> Response:
    item = stock.product_on_sale(visit.database, visit.field("product"))
    if item is None:
        return show(visit, "missing.html", status=404)
    size, colour = visit.field("size"), visit.field("colour") or item.colours[0]
    quantity = whole_number(visit.field("quantity"), 1, till.MOST_OF_ONE)
    if item.stock == 0:
        flash(visit, f"{item.name} is sold out.")
    elif item.sizes and size not in item.sizes:
        flash(visit, "Please choose a size first.")
    elif quantity is None or colour not in item.colours:
        flash(visit, f"Please choose a quantity between 1 and {till.MOST_OF_ONE}.")
    else:
        size = size if item.sizes else ""
        till.add_to_cart(visit.database, customer_id(visit), item.slug, size, colour, quantity)
        flash(visit, f"added:{item.name}")
    return visit.redirect(f"/product/{item.slug}")


def cart_page(visit: Visit) -> Response:
    customer = customer_id(visit)
    lines = till.cart(visit.database, customer)
    promo = stock.setting(visit.database, "promo")
    percent = till.per_cent(visit.database, promo, till.segment_of(visit.database, customer)) or 0
    return show(visit, "cart.html", lines=lines, totals=till.totals(lines, percent), promo=promo)


def change(visit: Visit) -> Response:
    quantity = whole_number(visit.field("quantity"), 0, till.MOST_OF_ONE)
    line = whole_number(visit.field("line"), 0, 999_999)
    if quantity is None:
        flash(visit, f"Please choose a quantity between 0 and {till.MOST_OF_ONE}.")
    elif quantity == 0:
        _remove(visit, line)
    else:
        visit.database.execute(
            "UPDATE cart_line SET quantity = ? WHERE id = ? AND customer = ?",
            (quantity, line, customer_id(visit)),
        )
    return visit.redirect("/cart")


def remove(visit: Visit) -> Response:
    _remove(visit, whole_number(visit.field("line"), 0, 999_999))
    return visit.redirect("/cart")


def _remove(visit: Visit, line: int | None) -> None:
    visit.database.execute("DELETE FROM cart_line WHERE id = ? AND customer = ?", (line, customer_id(visit)))


def empty(visit: Visit) -> Response:
    visit.database.execute("DELETE FROM cart_line WHERE customer = ?", (customer_id(visit),))
    flash(visit, "Your cart is empty now.")
    return visit.redirect("/cart")


def use_promo(visit: Visit) -> Response:
    code = visit.field("code").upper()
    percent = till.per_cent(visit.database, code, till.segment_of(visit.database, customer_id(visit)))
    if percent is not None:
        stock.set_setting(visit.database, "promo", code)
        flash(visit, f"Code {code}: {percent} % off.")
    else:
        flash(visit, "We don't know that code.")
    return visit.redirect("/cart")


def routes() -> Sequence[BaseRoute]:
    return [
        page("shop", "/cart", cart_page),
        page("shop", "/cart/add", add, "POST"),
        page("shop", "/cart/change", change, "POST"),
        page("shop", "/cart/remove", remove, "POST"),
        page("shop", "/cart/empty", empty, "POST"),
        page("shop", "/cart/promo", use_promo, "POST"),
    ]
