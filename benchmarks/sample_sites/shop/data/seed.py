"""What is in the shop when an episode starts: what tasks are about by hand, the crowd around it generated.

Generation is seeded, so every build gives the same rows.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from webbench.benchmarks.sample_sites.passwords import password_digest
from webbench.benchmarks.sample_sites.shop.data.crowd import Crowd, Review
from webbench.benchmarks.sample_sites.shop.data.schema import SCHEMA
from webbench.core.json_types import JsonObject

HERE = Path(__file__).parents[1]
MARA = 1
"""The customer whose account the tasks use."""

MARAS_ACCOUNT = (
    "Mara Lindqvist", "mara@lindqvist.example", "+46 70 555 01 20", "Varvsgatan 8", "117 29", "Stockholm",
    "Sweden", 1,
)  # fmt: skip
PASSWORD = "anchor-tide-7"  # noqa: S105 - the invented account's
STAFF = ("admin", "admin1234")
"""Name and password of the back office: the ones that WebArena's own set-up publishes for its shop."""

ADDRESS_BOOK = (
    ("Mara Lindqvist", "Skeppsbron 21", "111 30", "Stockholm", "Sweden", "+46 8 555 01 77"),
    ("Ruth Okafor", "Strandvej 40", "2900", "Hellerup", "Denmark", "+45 33 55 01 42"),
)

MARAS_ORDERS = (
    (1047, "Delivered", [("larder-jar-1-l", "", "sky", 4)]),
    (1184, "Delivered", [("rove-canvas-backpack", "", "pine", 1), ("brass-ballpoint", "", "brass", 1)]),
    (1263, "Cancelled", [("two-night-tent", "", "pine", 1)]),
    (1377, "Delivered", [("galley-linen-towel", "", "moss", 3), ("spindle-vase", "", "fog", 1)]),
    (1492, "Delivered", [("meadow-picnic-blanket", "", "rust", 1), ("sunday-net-bag", "", "cream", 2)]),
    (1598, "Delivered", [("trail-flask-0-5-l", "", "sky", 2)]),
    (1712, "Delivered", [("loft-cushion", "", "pine", 2), ("islet-table-lamp", "", "sand", 1)]),
    (1850, "Delivered", [("watch-cap", "", "charcoal", 1), ("cabin-socks", "36-38", "sky", 2)]),
    (1982, "Delivered", [("fisherman-sweater", "M", "harbour", 1),
                         ("deck-socks-two-pairs", "39-41", "fog", 2)]),
    (2127, "Delivered", [("spruce-candle", "", "pine", 3), ("map-of-small-harbours", "", "harbour", 1)]),
    (2240, "Delivered", [("almanac-day-planner", "", "pine", 1),
                         ("carpenters-pencil-trio", "", "rust", 2)]),
    (2316, "Delivered", [("bothy-wool-blanket", "", "heather", 1)]),
    (2389, "Delivered", [("harbour-flask-0-75-l", "", "pine", 1), ("ember-camp-mug", "", "rust", 4)]),
    (2471, "Delivered", [("fyr-storm-lantern", "", "rust", 1)]),
    (2476, "Cancelled", [("fyr-storm-lantern", "", "rust", 2)]),
    (2579, "On its way", [("long-table-serving-board", "", "birch", 1)]),
    (2598, "Pending", [("spindle-vase", "", "fog", 1), ("salt-heather-candle", "", "heather", 2)]),
)  # fmt: skip
"""Number, status and lines; its day follows from the number."""

SENT_TO_SANDHOLM = (
    (1982, "Ottilie Lindqvist", "Church Street 14"),
    (2316, "Ottilie Lindqvist", "Rope Walk 12"),
    (2508, "Rania Castell", "Lighthouse Road 3"),
    (2568, "Felix Lindgren", "Fern Hill 21"),
    (2594, "Edda Maier", "Museum Lane 4"),
    (2595, "Anouk Solberg", "School Lane 9"),
)
"""Orders that go to somebody in the town that the map shows: number, name, street."""

RULES = (
    ("Spring tide", "TIDE10", 10, "Everybody", "2026-01-01", "2026-12-31", 1),
    ("First order", "FIRSTMATE", 15, "Everybody", "2025-01-01", "2026-12-31", 1),
    ("Shops and studios", "QUAYSIDE", 20, "Wholesale", "2025-01-01", "2026-12-31", 1),
    ("Midwinter", "LANTERN25", 25, "Everybody", "2025-12-01", "2026-01-06", 0),
)


def build(database: sqlite3.Connection) -> None:
    """Create and fill every table."""
    database.executescript(SCHEMA)
    database.execute("BEGIN")
    crowd = Crowd()
    products = [*_catalogue(), *crowd.products()]
    database.executemany(_insert("product", products[0]), products)
    reviews: list[Review] = sorted([*crowd.reviews(products), *_reviews()], key=_day_written)
    database.executemany(
        "INSERT INTO review (slug, author, stars, title, body, written, status) VALUES (?,?,?,?,?,?,?)",
        reviews,
    )
    _insert_customers(database, crowd)
    orders = crowd.orders(products, [order[0] for order in MARAS_ORDERS])
    prices = {product["slug"]: product["cents"] for product in products}
    orders += [crowd.order_of(number, MARA, status, lines, prices) for number, status, lines in MARAS_ORDERS]
    _insert_orders(database, orders)
    database.executemany(
        "INSERT INTO price_rule (name, code, percent, segment, starts, ends, active) VALUES (?,?,?,?,?,?,?)",
        RULES,
    )
    database.executemany("INSERT INTO search_term VALUES (?,?,?)", crowd.search_terms(products))
    database.execute("INSERT INTO staff VALUES (?,?)", (STAFF[0], password_digest(STAFF[1])))
    settings = dict.fromkeys(("cookies", "promo", "flash", "visitor"), "")
    database.executemany("INSERT INTO setting VALUES (?,?)", settings.items())
    database.execute("COMMIT")


def _catalogue() -> list[JsonObject]:
    """The products that were written by hand."""
    listed = json.loads((HERE / "catalogue.json").read_text("utf-8"))
    return [
        {
            **product,
            "sku": f"{product['category'][:2].upper()}-{1000 + number}",
            "maker": "Harbour & Pine",
            "colours": json.dumps(product["colours"]),
            "sizes": json.dumps(product["sizes"]),
        }
        for number, product in enumerate(listed, start=1)
    ]


def _reviews() -> list[Review]:
    """The ones that were written by hand."""
    return [tuple(row) for row in json.loads((HERE / "reviews.json").read_text("utf-8"))]


def _day_written(review: Review) -> tuple[str, str]:
    return review[5], review[0]


def _insert(table: str, row: JsonObject) -> str:
    return f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join(f':{name}' for name in row)})"  # noqa: S608 - only words of ours


def _insert_customers(database: sqlite3.Connection, crowd: Crowd) -> None:
    mara = (MARA, *MARAS_ACCOUNT, password_digest(PASSWORD), "2024-11-18", "General")
    database.executemany(
        "INSERT INTO customer VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", [mara, *crowd.customers(first=MARA + 1)]
    )
    database.executemany(
        "INSERT INTO address (customer, name, street, postcode, city, country, phone) VALUES (1,?,?,?,?,?,?)",
        ADDRESS_BOOK,
    )


def _insert_orders(database: sqlite3.Connection, orders: list[JsonObject]) -> None:
    """Orders with their lines; name and address are those of the customer."""
    database.executemany(
        "INSERT INTO purchase SELECT :id, id, :placed, :status, :goods, :discount, :promo, :delivery_cents,"
        " :total, :delivery, :payment, :card_last4, name, email, street, postcode, city, country, 0, '',"
        " :tracking, 0 FROM customer WHERE id = :customer",
        orders,
    )
    lines = [(order["id"], *line) for order in sorted(orders, key=_number) for line in order["lines"]]
    database.executemany(
        "INSERT INTO purchase_line (purchase, slug, size, colour, quantity, cents) VALUES (?,?,?,?,?,?)",
        lines,
    )
    database.executemany(
        "UPDATE purchase SET name = ?2, street = ?3, postcode = '452 30', city = 'Sandholm',"
        " country = 'Sweden' WHERE id = ?1",
        SENT_TO_SANDHOLM,
    )
    events = [
        (order["id"], order["placed"], "Pending", "Order placed.", "customer")
        for order in sorted(orders, key=_number)
    ]
    database.executemany(
        "INSERT INTO purchase_event (purchase, at, status, comment, author) VALUES (?,?,?,?,?)", events
    )


def _number(order: JsonObject) -> int:
    return int(order["id"])
