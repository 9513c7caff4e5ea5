"""What the shop has: products, the ways to narrow them down, and what customers wrote about them.

Money is in cents throughout.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass

SORTS = {
    "featured": ("Featured", "position"),
    "price-up": ("Price: low to high", "cents, name"),
    "price-down": ("Price: high to low", "cents DESC, name"),
    "rating": ("Customer rating", "rating DESC, reviews DESC, name"),
    "reviews": ("Most reviewed", "reviews DESC, name"),
    "name": ("Name", "name"),
}

PRODUCTS = """
SELECT product.*, COALESCE(rating, 0) AS rating, COALESCE(reviews, 0) AS reviews
FROM product LEFT JOIN (
  SELECT slug, AVG(stars) AS rating, COUNT(*) AS reviews FROM review WHERE status = 'Approved' GROUP BY slug
) AS opinion ON opinion.slug = product.slug
"""

TEXT = "(product.name || ' ' || category || ' ' || maker || ' ' || blurb || ' ' || material || ' ' || kind)"


@dataclass(frozen=True)
class Product:
    sku: str
    slug: str
    name: str
    category: str
    maker: str
    kind: str
    cents: int
    colours: list[str]
    sizes: list[str]
    stock: int
    blurb: str
    material: str
    care: str
    weight: str
    enabled: int
    rating: float
    reviews: int


@dataclass(frozen=True)
class Filters:
    """What a visitor narrows the catalogue down to; empty or None means no limit."""

    text: str = ""
    category: str = ""
    makers: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    lowest: int | None = None
    highest: int | None = None
    stars: int | None = None
    """The least that the average rating may be."""
    in_stock: bool = False
    sort: str = "featured"


def find(database: sqlite3.Connection, filters: Filters) -> list[Product]:
    """What is on sale and fits."""
    where, values = _conditions(filters)
    order = SORTS.get(filters.sort, SORTS["featured"])[1]
    query = f"{PRODUCTS} WHERE {' AND '.join(where)} ORDER BY {order}"
    return [_product(row) for row in database.execute(query, values)]


def _conditions(filters: Filters) -> tuple[list[str], list[object]]:
    where: list[str] = ["enabled = 1"]
    values: list[object] = []
    for word in filters.text.split():
        where.append(f"{TEXT} LIKE ?")
        values.append(f"%{word}%")
    bounds = (
        ("category = ?", filters.category or None),
        ("cents >= ?", filters.lowest),
        ("cents <= ?", filters.highest),
        ("rating >= ?", filters.stars),
        ("stock > ?", 0 if filters.in_stock else None),
    )
    for condition, value in bounds:
        if value is not None:
            where.append(condition)
            values.append(value)
    if filters.makers:
        where.append(f"maker IN ({','.join('?' * len(filters.makers))})")
        values += filters.makers
    if filters.colours:
        where.append("(" + " OR ".join(["colours LIKE ?"] * len(filters.colours)) + ")")
        values += [f'%"{colour}"%' for colour in filters.colours]
    return where, values


def product(database: sqlite3.Connection, slug: str) -> Product | None:
    """The product, also where it is no longer on sale."""
    row = database.execute(f"{PRODUCTS} WHERE product.slug = ?", (slug,)).fetchone()
    return _product(row) if row else None


def product_on_sale(database: sqlite3.Connection, slug: str) -> Product | None:
    found = product(database, slug)
    return found if found and found.enabled else None


def _product(row: sqlite3.Row) -> Product:
    values = {key: row[key] for key in row.keys() if key != "position"}  # noqa: SIM118 - a row is iterated by its values
    return Product(**{**values, "colours": json.loads(row["colours"]), "sizes": json.loads(row["sizes"])})


def reviews(database: sqlite3.Connection, slug: str) -> list[sqlite3.Row]:
    """The approved ones, newest first."""
    return database.execute(
        "SELECT * FROM review WHERE slug = ? AND status = 'Approved' ORDER BY written DESC, id DESC", (slug,)
    ).fetchall()


def categories(database: sqlite3.Connection) -> list[str]:
    rows = database.execute(
        "SELECT category FROM product WHERE enabled = 1 GROUP BY category ORDER BY MIN(position)"
    )
    return [row["category"] for row in rows]


def makers(database: sqlite3.Connection, category: str = "") -> list[str]:
    """Makers of what is on sale, in one category or in all."""
    rows = database.execute(
        "SELECT DISTINCT maker FROM product WHERE enabled = 1 AND ? IN ('', category) ORDER BY maker",
        (category,),
    )
    return [row["maker"] for row in rows]


def setting(database: sqlite3.Connection, key: str) -> str:
    row = database.execute("SELECT value FROM setting WHERE key = ?", (key,)).fetchone()
    return str(row["value"]) if row else ""


def set_setting(database: sqlite3.Connection, key: str, value: str) -> None:
    database.execute("INSERT OR REPLACE INTO setting VALUES (?,?)", (key, value))
