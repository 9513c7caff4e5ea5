"""The shop's tables and what is in them when an episode starts."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path

from webbench.benchmarks.demo.sites.passwords import password_digest
from webbench.core.json_types import JsonObject

SCHEMA = """
CREATE TABLE product (
  position INTEGER PRIMARY KEY, slug TEXT UNIQUE, name TEXT, category TEXT, kind TEXT, cents INTEGER,
  colours TEXT, sizes TEXT, stock INTEGER, blurb TEXT, material TEXT, care TEXT, weight TEXT);
CREATE TABLE review (
  id INTEGER PRIMARY KEY, slug TEXT, author TEXT, stars INTEGER, title TEXT, body TEXT, written TEXT,
  mine INTEGER DEFAULT 0);
CREATE TABLE account (
  name TEXT, email TEXT, phone TEXT, street TEXT, postcode TEXT, city TEXT, country TEXT,
  newsletter INTEGER, password_sha256 TEXT);
CREATE TABLE cart_line (
  id INTEGER PRIMARY KEY, slug TEXT, size TEXT, colour TEXT, quantity INTEGER, UNIQUE (slug, size, colour));
CREATE TABLE wish (id INTEGER PRIMARY KEY, slug TEXT UNIQUE);
CREATE TABLE purchase (
  number TEXT PRIMARY KEY, placed TEXT, status TEXT, lines TEXT, goods INTEGER, discount INTEGER,
  delivery_cents INTEGER, total INTEGER, delivery TEXT, payment TEXT, card_last4 TEXT, name TEXT, email TEXT,
  street TEXT, postcode TEXT, city TEXT, country TEXT, gift_wrap INTEGER, note TEXT, mine INTEGER DEFAULT 1);
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT);
"""

ACCOUNT = (
    "Mara Lindqvist", "mara@lindqvist.example", "+46 70 555 01 20", "Varvsgatan 8", "117 29", "Stockholm",
    "Sweden", 1,
)  # fmt: skip
PASSWORD = "anchor-tide-7"  # noqa: S105

AUTHORS = (
    *("Ines", "Jonas", "Aiko", "Pádraig", "Lucía", "Tomasz", "Freya", "Samir"),
    *("Greta", "Owen", "Noor", "Elias", "Hanna", "Mateo", "Ruth", "Kofi"),
)
DATES = ["3 May 2026", "21 April 2026", "9 April 2026", "30 March 2026", "12 March 2026", "18 January 2026"]
OPINIONS: dict[int, list[tuple[str, str]]] = {
    5: [
        ("Exactly right", "Arrived in two days, and it looks even better than in the picture."),
        ("Would buy again", "Bought one for myself, then another for my sister. Solid work."),
        ("Made to last", "You notice the quality the moment you pick it up."),
        ("Daily companion", "I use it every single day and it hasn't changed a bit."),
    ],
    4: [
        ("Very good", "Lovely thing. One star less because the parcel was rather big for it."),
        ("Nearly perfect", "The colour is a little darker than on my screen, but I like it."),
        ("Good value", "Does what it promises. I wish there were more colours."),
    ],
    3: [
        ("It's fine", "Nice, but I had expected it to be slightly larger for the price."),
        ("Mixed feelings", "Well made, yet it took three weeks until it came."),
    ],
    2: [("Not for me", "It's pretty, but it didn't fit what I had in mind. Return was easy.")],
}

PAST_ORDERS = (
    ("HP-2019", "2 November 2025", "Delivered", [("fisherman-sweater", "M", "harbour", 1),
                                                 ("deck-socks-two-pairs", "39-41", "fog", 2)]),
    ("HP-2027", "17 December 2025", "Delivered", [("spruce-candle", "", "pine", 3),
                                                  ("map-of-small-harbours", "", "harbour", 1)]),
    ("HP-2041", "8 March 2026", "Delivered", [("harbour-flask-0-75-l", "", "pine", 1),
                                              ("ember-camp-mug", "", "rust", 4)]),
    ("HP-2048", "6 May 2026", "On its way", [("long-table-serving-board", "", "birch", 1)]),
)  # fmt: skip


def build(database: sqlite3.Connection) -> None:
    """Create and fill every table."""
    database.executescript(SCHEMA)
    products = json.loads((Path(__file__).parent / "catalogue.json").read_text("utf-8"))
    for product in products:
        _insert_product(database, product)
        _insert_reviews(database, product["slug"])
    database.execute("INSERT INTO account VALUES (?,?,?,?,?,?,?,?,?)", (*ACCOUNT, password_digest(PASSWORD)))
    prices = {product["slug"]: product["cents"] for product in products}
    for number, placed, status, lines in PAST_ORDERS:
        _insert_past_order(database, number, placed, status, lines, prices)
    database.executemany("INSERT INTO setting VALUES (?,?)", [("cookies", ""), ("promo", ""), ("flash", "")])


def _insert_product(database: sqlite3.Connection, product: JsonObject) -> None:
    row = {**product, "colours": json.dumps(product["colours"]), "sizes": json.dumps(product["sizes"])}
    database.execute(
        "INSERT INTO product (slug, name, category, kind, cents, colours, sizes, stock, blurb, material,"
        " care, weight) VALUES (:slug, :name, :category, :kind, :cents, :colours, :sizes, :stock, :blurb,"
        " :material, :care, :weight)",
        row,
    )


def _insert_reviews(database: sqlite3.Connection, slug: str) -> None:
    """Between two and five opinions, always the same ones for a product."""
    chance = random.Random(slug)
    authors = chance.sample(AUTHORS, 5)
    for author in authors[: chance.randint(2, 5)]:
        stars = chance.choices((5, 4, 3, 2), weights=(5, 4, 2, 1))[0]
        title, body = chance.choice(OPINIONS[stars])
        database.execute(
            "INSERT INTO review (slug, author, stars, title, body, written) VALUES (?,?,?,?,?,?)",
            (slug, author, stars, title, body, chance.choice(DATES)),
        )


def _insert_past_order(
    database: sqlite3.Connection,
    number: str,
    placed: str,
    status: str,
    lines: list[tuple[str, str, str, int]],
    prices: dict[str, int],
) -> None:
    goods = sum(prices[slug] * quantity for slug, _, _, quantity in lines)
    listed = [dict(zip(("product", "size", "colour", "quantity"), line, strict=True)) for line in lines]
    name, email, _, street, postcode, city, country, _ = ACCOUNT
    database.execute(
        "INSERT INTO purchase VALUES (?,?,?,?,?,0,490,?,'standard','card','4242',?,?,?,?,?,?,0,'',0)",
        (
            number,
            placed,
            status,
            json.dumps(listed),
            goods,
            goods + 490,
            name,
            email,
            street,
            postcode,
            city,
            country,
        ),
    )
