"""Products: the list, changing one, adding one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.admin.desk import cents_of, of_row, show, tell
from webbench.benchmarks.sample_sites.admin.grid import Column, Filter, Grid, amount, exactly, number
from webbench.benchmarks.sample_sites.shop.artwork import PALETTE
from webbench.benchmarks.sample_sites.shop.data import stock
from webbench.benchmarks.sample_sites.shop.data.crowd import slug
from webbench.benchmarks.sample_sites.shop.layout import whole_number
from webbench.benchmarks.sample_sites.visits import for_members
from webbench.benchmarks.sample_sites.web import Visit, page
from webbench.core.json_types import JsonObject

STATES = ("Enabled", "Disabled")
GRID = Grid(
    title="Products",
    query="SELECT position AS id, name, sku, category, maker, cents, stock,"
    " CASE enabled WHEN 1 THEN 'Enabled' ELSE 'Disabled' END AS state FROM product",
    columns=(
        Column("id", "ID", "number"),
        Column("name", "Name"),
        Column("sku", "SKU"),
        Column("category", "Department"),
        Column("maker", "Maker"),
        Column("cents", "Price", "money"),
        Column("stock", "Stock", "number"),
        Column("state", "Status", "status"),
    ),
    filters=(
        Filter("name", "Name", "name LIKE ?"),
        Filter("sku", "SKU", "sku LIKE ?"),
        Filter("category", "Department", "category LIKE ?"),
        Filter("maker", "Maker", "maker LIKE ?"),
        Filter("least", "Price from", "cents >= ?", amount),
        Filter("most", "Price to", "cents <= ?", amount),
        Filter("stock", "Stock at most", "stock <= ?", number),
        Filter("state", "Status", "state = ?", exactly, STATES),
    ),
    order="id",
    link="/catalog/product/edit/id/{}/",
    new=("/catalog/product/new/", "Add a product"),
)
TEXTS = ("name", "sku", "category", "maker", "kind", "blurb", "material", "care", "weight")
NEEDED = {"name": "name", "sku": "SKU", "category": "department", "kind": "picture"}


@of_row("SELECT * FROM product WHERE position = ?")
def edit(visit: Visit, row: sqlite3.Row) -> Response:
    values = {
        **{name: row[name] for name in TEXTS},
        "price": f"{row['cents'] / 100:.2f}",
        "stock": str(row["stock"]),
        "enabled": bool(row["enabled"]),
        "colours": json.loads(row["colours"]),
        "sizes": ", ".join(json.loads(row["sizes"])),
    }
    return _form(visit, row["position"], values, "")


@for_members
def new(visit: Visit) -> Response:
    blank: JsonObject = dict.fromkeys((*TEXTS, "price", "stock", "sizes"), "")
    return _form(visit, 0, {**blank, "enabled": True, "colours": []}, "")


def _form(visit: Visit, number: int, values: JsonObject, problem: str) -> Response:
    return show(
        visit,
        "product.html",
        422 if problem else 200,
        number=number,
        values=values,
        problem=problem,
        departments=stock.categories(visit.database),
        makers=stock.makers(visit.database),
        kinds=_kinds(visit.database),
        palette=tuple(PALETTE),
    )


def _kinds(database: sqlite3.Connection) -> list[str]:
    return [row["kind"] for row in database.execute("SELECT DISTINCT kind FROM product ORDER BY kind")]


@for_members
def save(visit: Visit) -> Response:
    number = whole_number(visit.parameter("number"), 0, 999_999) or 0
    values: JsonObject = {name: visit.field(name)[:400] for name in (*TEXTS, "price", "stock", "sizes")}
    values["enabled"] = bool(visit.field("enabled"))
    values["colours"] = [colour for colour in visit.form.get("colours", []) if colour in PALETTE]
    problem = _problem(visit, values, number)
    if problem:
        return _form(visit, number, values, problem)
    row = {
        **values,
        "position": number,
        "slug": slug(values["name"]),
        "cents": cents_of(values["price"]),
        "enabled": int(values["enabled"]),
        "colours": json.dumps(values["colours"]),
        "sizes": json.dumps([size.strip() for size in values["sizes"].split(",") if size.strip()]),
    }
    number = _write(visit.database, row, number)
    tell(visit, f"The product {values['name']} is saved.")
    return visit.redirect(f"/catalog/product/edit/id/{number}/")


def _problem(visit: Visit, values: JsonObject, number: int) -> str:
    """What is wrong with the form, "" where nothing is."""
    for name, label in NEEDED.items():
        if not values[name]:
            return f"A product needs a {label}."
    if not cents_of(values["price"]):
        return "The price has to be an amount such as 24.50."
    if whole_number(values["stock"], 0, 999_999) is None:
        return "The stock has to be a whole number."
    if not values["colours"]:
        return "Choose at least one colour."
    if values["kind"] not in _kinds(visit.database):
        return "Choose one of the pictures."
    taken = visit.database.execute(
        "SELECT 1 FROM product WHERE (sku = ? OR slug = ?) AND position <> ?",
        (values["sku"], slug(values["name"]), number),
    ).fetchone()
    return "Another product has this SKU or name already." if taken else ""


def _write(database: sqlite3.Connection, row: JsonObject, number: int) -> int:
    """Add the product, or change the one of this number, whose address stays."""
    if number:
        database.execute(
            "UPDATE product SET sku=:sku, name=:name, category=:category, maker=:maker, kind=:kind,"
            " cents=:cents, colours=:colours, sizes=:sizes, stock=:stock, blurb=:blurb, material=:material,"
            " care=:care, weight=:weight, enabled=:enabled WHERE position=:position",
            row,
        )
        return number
    cursor = database.execute(
        "INSERT INTO product (sku, slug, name, category, maker, kind, cents, colours, sizes, stock, blurb,"
        " material, care, weight, enabled) VALUES (:sku, :slug, :name, :category, :maker, :kind, :cents,"
        " :colours, :sizes, :stock, :blurb, :material, :care, :weight, :enabled)",
        row,
    )
    return int(cursor.lastrowid or 0)


def routes() -> Sequence[BaseRoute]:
    return [
        page("admin", "/catalog/product/", for_members(GRID.page)),
        page("admin", "/catalog/product/new/", new),
        page("admin", "/catalog/product/edit/id/{number}/", edit),
        page("admin", "/catalog/product/save/id/{number}/", save, "POST"),
    ]
