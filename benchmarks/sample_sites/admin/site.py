"""The back office as a site: it has no data of its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from webbench.benchmarks.sample_sites.shop.data.seed import STAFF
from webbench.core.json_types import JsonObject

if TYPE_CHECKING:
    from starlette.routing import BaseRoute


class AdminSite:
    name = "admin"
    shares = "shop"
    account = STAFF[0]

    def build(self, database: sqlite3.Connection) -> None:
        """The shop builds what it works on."""

    def prepare(self, database: sqlite3.Connection, start: JsonObject) -> None:
        """The shop prepares what it works on."""

    def snapshot(self, database: sqlite3.Connection) -> JsonObject:  # noqa: ARG002 - of the contract
        """Nothing that the shop's doesn't hold."""
        return {}

    def routes(self) -> Sequence[BaseRoute]:
        from webbench.benchmarks.sample_sites.admin import (
            customers,
            entrance,
            orders,
            price_rules,
            products,
            reports,
            reviews,
        )

        parts = (entrance, orders, products, customers, reviews, reports, price_rules)
        return [route for part in parts for route in part.routes()]
