"""Reading and changing the shop's database: products, cart, orders. Money is in cents throughout."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass

from webbench.core.json_types import JsonObject

DELIVERY = {
    "standard": ("Standard delivery", "3–5 working days", 490),
    "express": ("Express delivery", "next working day", 1290),
    "pickup": ("Pick up at the harbour store", "ready in 2 hours", 0),
}
"""Key → label, when, price."""

FREE_DELIVERY_FROM = 15000
GIFT_WRAP = 350
PROMO = {"TIDE10": 10, "FIRSTMATE": 15}
"""Code → per cent off the goods."""

SORTS = {
    "featured": ("Featured", "position"),
    "price-up": ("Price: low to high", "cents, name"),
    "price-down": ("Price: high to low", "cents DESC, name"),
    "rating": ("Customer rating", "rating DESC, reviews DESC, name"),
    "name": ("Name", "name"),
}

PRODUCTS = """
SELECT product.*, COALESCE(AVG(review.stars), 0) AS rating, COUNT(review.id) AS reviews
FROM product LEFT JOIN review ON review.slug = product.slug
"""


@dataclass(frozen=True)
class Product:
    slug: str
    name: str
    category: str
    kind: str
    cents: int
    colours: list[str]
    sizes: list[str]
    stock: int
    blurb: str
    material: str
    care: str
    weight: str
    rating: float
    reviews: int


@dataclass(frozen=True)
class Filters:
    """What a visitor narrows the catalogue down to; empty or None means no limit."""

    text: str = ""
    category: str = ""
    colours: tuple[str, ...] = ()
    lowest: int | None = None
    highest: int | None = None
    in_stock: bool = False
    sort: str = "featured"


@dataclass(frozen=True)
class CartLine:
    id: int
    product: Product
    size: str
    colour: str
    quantity: int

    @property
    def cents(self) -> int:
        return self.product.cents * self.quantity


@dataclass(frozen=True)
class Totals:
    goods: int
    discount: int
    delivery: int
    gift_wrap: int

    @property
    def total(self) -> int:
        return self.goods - self.discount + self.delivery + self.gift_wrap


def find(database: sqlite3.Connection, filters: Filters) -> list[Product]:
    where, values = ["1"], []
    for word in filters.text.split():
        where.append(
            "(product.name || ' ' || category || ' ' || blurb || ' ' || material || ' ' || kind) LIKE ?"
        )
        values.append(f"%{word}%")
    if filters.category:
        where.append("category = ?")
        values.append(filters.category)
    if filters.lowest is not None:
        where.append(f"cents >= {int(filters.lowest)}")
    if filters.highest is not None:
        where.append(f"cents <= {int(filters.highest)}")
    if filters.in_stock:
        where.append("stock > 0")
    order = SORTS.get(filters.sort, SORTS["featured"])[1]
    query = f"{PRODUCTS} WHERE {' AND '.join(where)} GROUP BY product.slug ORDER BY {order}"
    found = [_product(row) for row in database.execute(query, values)]
    return [item for item in found if not filters.colours or set(filters.colours) & set(item.colours)]


def product(database: sqlite3.Connection, slug: str) -> Product | None:
    query = f"{PRODUCTS} WHERE product.slug = ? GROUP BY product.slug"
    row = database.execute(query, (slug,)).fetchone()
    return _product(row) if row else None


def _product(row: sqlite3.Row) -> Product:
    values = {key: row[key] for key in row.keys() if key != "position"}  # noqa: SIM118
    return Product(**{**values, "colours": json.loads(row["colours"]), "sizes": json.loads(row["sizes"])})


def reviews(database: sqlite3.Connection, slug: str) -> list[sqlite3.Row]:
    return database.execute("SELECT * FROM review WHERE slug = ? ORDER BY mine DESC, id", (slug,)).fetchall()


def categories(database: sqlite3.Connection) -> list[str]:
    rows = database.execute("SELECT category FROM product GROUP BY category ORDER BY MIN(position)")
    return [row["category"] for row in rows]


def add_to_cart(database: sqlite3.Connection, slug: str, size: str, colour: str, quantity: int) -> None:
    database.execute(
        "INSERT INTO cart_line (slug, size, colour, quantity) VALUES (?,?,?,?)"
        " ON CONFLICT DO UPDATE SET quantity = quantity + excluded.quantity",
        (slug, size, colour, quantity),
    )


def cart(database: sqlite3.Connection) -> list[CartLine]:
    lines = []
    for row in database.execute("SELECT * FROM cart_line ORDER BY id").fetchall():
        item = product(database, row["slug"])
        if item is not None:
            lines.append(CartLine(row["id"], item, row["size"], row["colour"], row["quantity"]))
    return lines


def totals(lines: list[CartLine], promo: str, delivery: str = "standard", gift_wrap: bool = False) -> Totals:
    """Standard delivery is free from `FREE_DELIVERY_FROM` on; a discount rounds down to the cent."""
    goods = sum(line.cents for line in lines)
    discount = goods * PROMO.get(promo, 0) // 100
    price = DELIVERY[delivery][2]
    if delivery == "standard" and goods - discount >= FREE_DELIVERY_FROM:
        price = 0
    return Totals(goods, discount, price if lines else 0, GIFT_WRAP if gift_wrap else 0)


def setting(database: sqlite3.Connection, key: str) -> str:
    row = database.execute("SELECT value FROM setting WHERE key = ?", (key,)).fetchone()
    return str(row["value"]) if row else ""


def set_setting(database: sqlite3.Connection, key: str, value: str) -> None:
    database.execute("INSERT OR REPLACE INTO setting VALUES (?,?)", (key, value))


def place_order(database: sqlite3.Connection, delivery_to: JsonObject) -> str:
    """Turn the cart into an order and empty it; returns the order's number.

    `delivery_to` holds delivery, payment, card_last4, name, email, street, postcode, city, country,
    gift_wrap, note.
    """
    lines = cart(database)
    sums = totals(lines, setting(database, "promo"), delivery_to["delivery"], delivery_to["gift_wrap"])
    last = database.execute("SELECT MAX(number) AS number FROM purchase").fetchone()["number"]
    number = f"HP-{int(last.removeprefix('HP-')) + 1}"
    listed = [
        {"product": line.product.slug, "size": line.size, "colour": line.colour, "quantity": line.quantity}
        for line in lines
    ]
    database.execute(
        "INSERT INTO purchase VALUES (:number, '14 May 2026', 'Being packed', :lines, :goods, :discount,"
        " :delivery_cents, :total, :delivery, :payment, :card_last4, :name, :email, :street, :postcode,"
        " :city, :country, :gift_wrap, :note, 1)",
        {
            **delivery_to,
            "number": number,
            "lines": json.dumps(listed),
            "goods": sums.goods,
            "discount": sums.discount,
            "delivery_cents": sums.delivery,
            "total": sums.total,
        },
    )
    database.execute("DELETE FROM cart_line")
    set_setting(database, "promo", "")
    return number
