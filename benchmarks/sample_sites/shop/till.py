"""The way from the cart to an order: lines, sums, promotion codes, orders. Money is in cents throughout."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from webbench.benchmarks.sample_sites.shop.data import stock
from webbench.benchmarks.sample_sites.shop.data.dates import NOW
from webbench.core.json_types import JsonObject

DELIVERY = {
    "standard": ("Standard delivery", "3–5 working days", 490),
    "express": ("Express delivery", "next working day", 1290),
    "pickup": ("Pick up at the harbour store", "ready in 2 hours", 0),
}
"""Key → label, when, price."""

FREE_DELIVERY_FROM = 15000
GIFT_WRAP = 350
CANCELLABLE = ("Pending", "Being packed")
MOST_OF_ONE = 20


@dataclass(frozen=True)
class CartLine:
    id: int
    product: stock.Product
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


def add_to_cart(
    database: sqlite3.Connection, customer: int, slug: str, size: str, colour: str, quantity: int
) -> None:
    """Put some into the cart, at most `MOST_OF_ONE` of a kind; customer 0 is the guest."""
    database.execute(
        "INSERT INTO cart_line (customer, slug, size, colour, quantity) VALUES (?,?,?,?,?)"
        " ON CONFLICT DO UPDATE SET quantity = MIN(quantity + excluded.quantity, ?)",
        (customer, slug, size, colour, quantity, MOST_OF_ONE),
    )


def cart(database: sqlite3.Connection, customer: int) -> list[CartLine]:
    rows = database.execute("SELECT * FROM cart_line WHERE customer = ? ORDER BY id", (customer,)).fetchall()
    lines = []
    for row in rows:
        item = stock.product_on_sale(database, row["slug"])
        if item is not None:
            lines.append(CartLine(row["id"], item, row["size"], row["colour"], row["quantity"]))
    return lines


def per_cent(database: sqlite3.Connection, code: str, segment: str = "General") -> int | None:
    """What a promotion code takes off, None where it isn't valid today or not for these customers."""
    row = database.execute(
        "SELECT percent FROM price_rule WHERE code = ? AND active = 1 AND ? BETWEEN starts AND ends"
        " AND segment IN ('Everybody', ?)",
        (code, NOW.date().isoformat(), segment),
    ).fetchone()
    return int(row["percent"]) if row and code else None


def totals(
    lines: Sequence[CartLine], percent: int, delivery: str = "standard", gift_wrap: bool = False
) -> Totals:
    """Standard delivery is free from `FREE_DELIVERY_FROM` on; a discount rounds down to the cent."""
    goods = sum(line.cents for line in lines)
    discount = goods * percent // 100
    price = DELIVERY[delivery][2]
    if delivery == "standard" and goods - discount >= FREE_DELIVERY_FROM:
        price = 0
    return Totals(goods, discount, price if lines else 0, GIFT_WRAP if gift_wrap else 0)


def place_order(database: sqlite3.Connection, customer: int, delivery_to: JsonObject) -> int:
    """Turn the cart into an order and empty it; returns the order's number.

    `delivery_to` holds delivery, payment, card_last4, name, email, street, postcode, city, country,
    gift_wrap, note.
    """
    lines = cart(database, customer)
    promo = stock.setting(database, "promo")
    percent = per_cent(database, promo, segment_of(database, customer)) or 0
    sums = totals(lines, percent, delivery_to["delivery"], delivery_to["gift_wrap"])
    number = int(database.execute("SELECT MAX(id) + 1 AS number FROM purchase").fetchone()["number"])
    row = {
        **delivery_to,
        "id": number,
        "customer": customer,
        "placed": f"{NOW:%Y-%m-%d %H:%M:%S}",
        "goods": sums.goods,
        "discount": sums.discount,
        "promo": promo if sums.discount else "",
        "delivery_cents": sums.delivery,
        "total": sums.total,
    }
    database.execute(
        "INSERT INTO purchase VALUES (:id, :customer, :placed, 'Pending', :goods, :discount, :promo,"
        " :delivery_cents, :total, :delivery, :payment, :card_last4, :name, :email, :street, :postcode,"
        " :city, :country, :gift_wrap, :note, '', 1)",
        row,
    )
    for line in lines:
        database.execute(
            "INSERT INTO purchase_line (purchase, slug, size, colour, quantity, cents) VALUES (?,?,?,?,?,?)",
            (number, line.product.slug, line.size, line.colour, line.quantity, line.product.cents),
        )
        database.execute(
            "UPDATE product SET stock = MAX(stock - ?, 0) WHERE slug = ?", (line.quantity, line.product.slug)
        )
    record(database, number, "Pending", "Order placed.", "customer")
    database.execute("DELETE FROM cart_line WHERE customer = ?", (customer,))
    stock.set_setting(database, "promo", "")
    return number


def segment_of(database: sqlite3.Connection, customer: int) -> str:
    row = database.execute("SELECT segment FROM customer WHERE id = ?", (customer,)).fetchone()
    return str(row["segment"]) if row else "General"


def record(database: sqlite3.Connection, order: int, status: str, comment: str, author: str) -> None:
    """Write into the order's history; `author` is "customer" or the staff's name."""
    database.execute(
        "INSERT INTO purchase_event (purchase, at, status, comment, author) VALUES (?,?,?,?,?)",
        (order, f"{NOW:%Y-%m-%d %H:%M:%S}", status, comment, author),
    )


def set_status(database: sqlite3.Connection, order: int, status: str, comment: str, author: str) -> None:
    """Move an order on, or cancel it, which puts the goods back on the shelf."""
    database.execute("UPDATE purchase SET status = ? WHERE id = ?", (status, order))
    if status == "Cancelled":
        database.execute(
            "UPDATE product SET stock = stock + COALESCE((SELECT SUM(quantity) FROM purchase_line"
            " WHERE purchase = ? AND purchase_line.slug = product.slug), 0)",
            (order,),
        )
    record(database, order, status, comment, author)


def lines_of(database: sqlite3.Connection, order: int) -> list[sqlite3.Row]:
    """An order's lines with the name, SKU and kind of their product."""
    return database.execute(
        "SELECT purchase_line.*, name, kind, sku, enabled FROM purchase_line"
        " JOIN product ON product.slug = purchase_line.slug WHERE purchase = ? ORDER BY purchase_line.id",
        (order,),
    ).fetchall()
