"""The shop as a site: seed, starting state, snapshot, routes."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from webbench.benchmarks.sample_sites.shop import till
from webbench.benchmarks.sample_sites.shop.data import seed, stock
from webbench.core.json_types import JsonObject

if TYPE_CHECKING:
    from starlette.routing import BaseRoute


class ShopSite:
    name = "shop"
    shares = ""
    account = str(seed.MARA)

    def build(self, database: sqlite3.Connection) -> None:
        seed.build(database)

    def prepare(self, database: sqlite3.Connection, start: JsonObject) -> None:
        """The seed as a task wants it.

        Args:
            start: cookies ("" = the banner asks, default "necessary"), cart (lines), visitor (id of the
                customer who is at home without signing in, default Mara; "" = nobody).
        """
        stock.set_setting(database, "visitor", start.get("visitor", self.account))
        stock.set_setting(database, "cookies", start.get("cookies", "necessary"))
        for line in start.get("cart", ()):
            size, quantity = line.get("size", ""), line.get("quantity", 1)
            till.add_to_cart(database, seed.MARA, line["product"], size, line["colour"], quantity)

    def snapshot(self, database: sqlite3.Connection) -> JsonObject:
        """Cart, new orders, account, wishes, own reviews; passwords as SHA-256, cards as four digits."""
        cart = _rows(database, "SELECT slug AS product, size, colour, quantity FROM cart_line ORDER BY id")
        orders = _rows(database, "SELECT * FROM purchase WHERE mine = 1 ORDER BY id")
        for order in orders:
            order["number"] = f"HP-{order['id']}"
            order["lines"] = _rows(
                database,
                "SELECT slug AS product, size, colour, quantity FROM purchase_line WHERE purchase = ?"
                " ORDER BY id",
                order["id"],
            )
        last = orders[-1] if orders else None
        return {
            "cart": cart,
            "orders": orders,
            "order": last,
            "basket": last["lines"] if last else cart,
            "account": _rows(database, "SELECT * FROM customer WHERE id = ?", seed.MARA)[0],
            "wishes": [row["slug"] for row in _rows(database, "SELECT slug FROM wish ORDER BY id")],
            "reviews": _rows(
                database, "SELECT slug AS product, stars, title, body FROM review WHERE mine = 1 ORDER BY id"
            ),
            "cookies": stock.setting(database, "cookies"),
            "promo": stock.setting(database, "promo"),
        }

    def routes(self) -> Sequence[BaseRoute]:
        from webbench.benchmarks.sample_sites.shop import (
            account,
            basket,
            browse,
            checkout,
            entrance,
            history,
            rest,
        )

        parts = (browse, basket, checkout, history, account, entrance, rest)
        return [route for part in parts for route in part.routes()]


def _rows(database: sqlite3.Connection, query: str, *values: object) -> list[JsonObject]:
    return [dict(row) for row in database.execute(query, values)]
