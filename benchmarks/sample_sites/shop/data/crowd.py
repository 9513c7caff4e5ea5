"""The generated part of the shop: makers' products, what people think of them, customers and their orders.

Everything comes from `words.json` and one seeded source of chance per kind of row.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

from webbench.benchmarks.sample_sites.shop.artwork import PALETTE
from webbench.benchmarks.sample_sites.shop.data.dates import NOW
from webbench.benchmarks.sample_sites.shop.till import DELIVERY, FREE_DELIVERY_FROM
from webbench.core.json_types import JsonObject

CUSTOMERS = 400
FIRST_ORDER, LAST_ORDER = 1001, 2601
FIRST_DAY = date(2025, 1, 2)
DAYS_PER_ORDER = 0.31
MAKERS_PER_PRODUCT = 5

Review = tuple[str, str, int, str, str, str, str]
Line = tuple[str, str, str, int]
"""Slug, size, colour, quantity."""


class Crowd:
    """Rows for the shop's tables."""

    @cached_property
    def _word_lists(self) -> dict[str, Any]:
        words: dict[str, Any] = json.loads((Path(__file__).parent / "words.json").read_text("utf-8"))
        return words

    def products(self) -> list[JsonObject]:
        chance = Random("products")
        made: list[JsonObject] = []
        makers = list(self._word_lists["makers"].items())
        for department, kinds in self._word_lists["departments"].items():
            for number, (noun, kind, cents) in enumerate(kinds):
                for turn in range(MAKERS_PER_PRODUCT):
                    maker, factor = makers[(number * 3 + turn) % len(makers)]
                    price = round(cents * factor * chance.uniform(0.94, 1.06) / 50) * 50
                    made.append(self._product(chance, department, f"{maker} {noun}", kind, price, len(made)))
                    made[-1]["maker"] = maker
        return made

    def _product(
        self, chance: Random, department: str, name: str, kind: str, cents: int, number: int
    ) -> JsonObject:
        colours = chance.sample(list(PALETTE), chance.randint(1, 3))
        return {
            "sku": f"{department[:2].upper()}-{2000 + number}",
            "slug": slug(name),
            "name": name,
            "category": department,
            "maker": "",
            "kind": kind,
            "cents": cents,
            "colours": json.dumps(colours),
            "sizes": json.dumps(self._word_lists["sized"].get(kind, [])),
            "stock": chance.choice((0, 3, 7, 12, 18, 25, 31, 44, 60, 75, 90, 120, 160)),
            "blurb": chance.choice(self._word_lists["blurbs"]),
            "material": self._word_lists["materials"][kind],
            "care": chance.choice(self._word_lists["cares"]),
            "weight": f"{chance.randint(8, 190) * 10} g",
        }

    def reviews(self, products: Sequence[JsonObject]) -> list[Review]:
        """Between two and twenty opinions on each; a few still wait for approval."""
        written: list[Review] = []
        for product in products:
            chance = Random(f"reviews {product['slug']}")
            taste = chance.choice(((6, 3, 1, 0, 0), (5, 4, 2, 1, 0), (4, 4, 3, 1, 1), (2, 3, 3, 2, 2)))
            for _ in range(chance.randint(2, 20)):
                stars = chance.choices((5, 4, 3, 2, 1), weights=taste)[0]
                title, body = chance.choice(self._word_lists["opinions"][str(stars)])
                remark = chance.choice(self._word_lists["remarks"])
                written.append(
                    (
                        product["slug"],
                        chance.choice(self._word_lists["first"]),
                        stars,
                        title,
                        f"{body} {remark}",
                        (NOW.date() - timedelta(days=chance.randint(9, 500))).isoformat(),
                        "Approved" if chance.random() > 0.012 else "Pending",
                    )
                )
        return written

    def customers(self, first: int) -> list[tuple[object, ...]]:
        """Rows of the table `customer`; nobody can sign in as one of them."""
        chance = Random("customers")
        names = [f"{one} {other}" for one in self._word_lists["first"] for other in self._word_lists["last"]]
        rows: list[tuple[object, ...]] = []
        for number, name in enumerate(chance.sample(names, CUSTOMERS), start=first):
            country = chance.choice(list(self._word_lists["places"]))
            postcode, city = chance.choice(self._word_lists["places"][country])
            rows.append(
                (
                    number,
                    name,
                    f"{slug(name).replace('-', '.')}@mail{number % 7}.example",
                    f"+{chance.randint(30, 49)} {chance.randint(100, 999)} 555 {chance.randint(1000, 9999)}",
                    f"{chance.randint(1, 180)} {chance.choice(self._word_lists['streets'])}",
                    postcode,
                    city,
                    country,
                    chance.randint(0, 1),
                    "",
                    (NOW.date() - timedelta(days=chance.randint(20, 1200))).isoformat(),
                    chance.choices(("General", "Wholesale", "Members"), weights=(16, 1, 4))[0],
                )
            )
        return rows

    def orders(self, products: Sequence[JsonObject], taken: Sequence[int]) -> list[JsonObject]:
        """One for every number that isn't taken; some products sell far better than others."""
        chance = Random("orders")
        ranked = chance.sample(list(products), len(products))
        weights = list(accumulate(1 / (rank + 4) for rank in range(len(ranked))))
        prices = {product["slug"]: product["cents"] for product in products}
        made = []
        for number in range(FIRST_ORDER, LAST_ORDER + 1):
            if number in taken:
                continue
            chosen = chance.choices(ranked, cum_weights=weights, k=chance.choice((1, 1, 1, 2, 2, 3, 4)))
            lines = {product["slug"]: _line(chance, product) for product in chosen}
            customer = 2 + min(chance.randrange(CUSTOMERS), chance.randrange(CUSTOMERS))
            status = _status(chance, number)
            made.append(self.order_of(number, customer, status, list(lines.values()), prices))
        return made

    def order_of(
        self, number: int, customer: int, status: str, lines: Sequence[Line], prices: dict[str, int]
    ) -> JsonObject:
        """A row of `purchase` with its `lines`; Mara's are standard deliveries paid by card."""
        chance = Random(number)
        plain = customer == 1
        goods = sum(prices[line[0]] * line[3] for line in lines)
        promo = "" if plain or chance.random() > 0.12 else "TIDE10"
        discount = goods // 10 if promo else 0
        delivery = "standard" if plain else chance.choices(tuple(DELIVERY), weights=(7, 2, 1))[0]
        free = delivery == "standard" and goods - discount >= FREE_DELIVERY_FROM
        delivery_cents = 0 if free else DELIVERY[delivery][2]
        payment = "card" if plain else chance.choice(("card", "card", "invoice"))
        sent = status in ("Delivered", "On its way")
        return {
            "id": number,
            "customer": customer,
            "placed": f"{_moment(chance, number):%Y-%m-%d %H:%M:%S}",
            "status": status,
            "goods": goods,
            "discount": discount,
            "promo": promo,
            "delivery_cents": delivery_cents,
            "total": goods - discount + delivery_cents,
            "delivery": delivery,
            "payment": payment,
            "card_last4": ("4242" if plain else f"{chance.randrange(10_000):04}") * (payment == "card"),
            "tracking": f"NP{chance.randrange(10**9):09}" if sent and delivery != "pickup" else "",
            "lines": [(*line, prices[line[0]]) for line in lines],
        }

    def search_terms(self, products: Sequence[JsonObject]) -> list[tuple[str, int, int]]:
        chance = Random("searches")
        uses = sorted((chance.randint(3, 240) for _ in self._word_lists["searches"]), reverse=True)
        texts = [" ".join(str(product[key]) for key in SEARCHED).casefold() for product in products]
        return [
            (query, sum(all(word in text for word in query.split()) for text in texts), count)
            for query, count in zip(self._word_lists["searches"], uses, strict=True)
        ]


SEARCHED = ("name", "category", "maker", "blurb", "material", "kind")
"""Columns of a product that a search looks into."""


def slug(name: str) -> str:
    """A name as part of an address: "Kids' Beanie" → "kids-beanie"."""
    plain = name.replace("ö", "o").replace("ä", "a").replace("'", "").casefold()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def _line(chance: Random, product: JsonObject) -> Line:
    sizes = json.loads(product["sizes"])
    size = chance.choice(sizes) if sizes else ""
    return (
        product["slug"],
        size,
        chance.choice(json.loads(product["colours"])),
        chance.choice((1, 1, 1, 2, 3)),
    )


def _moment(chance: Random, number: int) -> datetime:
    day = FIRST_DAY + timedelta(days=int((number - FIRST_ORDER) * DAYS_PER_ORDER))
    return datetime(day.year, day.month, day.day, chance.randint(7, 21), chance.randint(0, 59))  # noqa: DTZ001 - a calendar without time zones


def _status(chance: Random, number: int) -> str:
    if chance.random() < 0.06:
        return "Cancelled"
    age = (LAST_ORDER - number) * DAYS_PER_ORDER
    if age < 2:
        return "Pending"
    if age < 5:
        return "Being packed"
    return "On its way" if age < 12 else "Delivered"
