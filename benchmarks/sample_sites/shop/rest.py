"""The few REST endpoints of the shop that WebArena's functions call, with their public paths and fields.

A token is asked for with the name and password of the staff, and sent along as "Bearer".
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.passwords import password_digest
from webbench.benchmarks.sample_sites.sessions import known_token, new_token
from webbench.benchmarks.sample_sites.shop.layout import whole_number
from webbench.benchmarks.sample_sites.web import Visit, page
from webbench.core.json_types import JsonObject

STATES = {"Pending": "new", "Cancelled": "canceled", "Delivered": "complete"}
"""Status of an order → its state in the interface; "processing" for all others."""

ORDER_FIELDS = {
    "created_at": "placed", "entity_id": "id", "increment_id": "id", "customer_email": "email",
    "status": "status", "grand_total": "total", "customer_id": "customer",
}  # fmt: skip
CONDITIONS = {"eq": "=", "neq": "<>", "gt": ">", "gteq": ">=", "lt": "<", "lteq": "<=", "like": "LIKE"}
LARGEST_PAGE = 300


def token(visit: Visit) -> Response:
    try:
        given = json.loads(visit.body)
        name, password = str(given["username"]), str(given["password"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return _refused(400, "The body has to be an object with username and password.")
    row = visit.database.execute(
        "SELECT 1 FROM staff WHERE name = ? AND password_sha256 = ?", (name, password_digest(password))
    ).fetchone()
    if row is None:
        return _refused(401, "The account sign-in was incorrect. Please try again.")
    return JSONResponse(new_token(visit, name))


def orders(visit: Visit) -> Response:
    """Orders by `searchCriteria`: filters, sort orders, page size, current page."""
    if not known_token(visit):
        return _refused(401, "The consumer isn't authorized to access this resource.")
    where, values = _filters(visit)
    size = whole_number(visit.query("searchCriteria[pageSize]"), 1, LARGEST_PAGE) or 20
    number = whole_number(visit.query("searchCriteria[currentPage]"), 1, 99_999) or 1
    count = visit.database.execute(f"SELECT COUNT(*) AS n FROM purchase WHERE {where}", values)  # noqa: S608 - only words of ours
    rows = visit.database.execute(
        f"SELECT * FROM purchase WHERE {where} ORDER BY {_order(visit)} LIMIT ? OFFSET ?",  # noqa: S608 - only words of ours
        (*values, size, (number - 1) * size),
    )
    total = count.fetchone()["n"]
    return JSONResponse({"items": [_order_object(dict(row)) for row in rows], "total_count": total})


def _filters(visit: Visit) -> tuple[str, list[str]]:
    """Groups are joined by AND, as the interface does; one filter of each group is read."""
    where, values = ["1"], []
    pattern = re.compile(r"searchCriteria\[filter_?[gG]roups\]\[(\d+)\]\[filters\]\[(\d+)\]\[field\]")
    for key, field in visit.request.query_params.items():
        if not pattern.fullmatch(key) or field not in ORDER_FIELDS:
            continue
        prefix = key.removesuffix("[field]")
        named = visit.query(f"{prefix}[condition_type]") or visit.query(f"{prefix}[conditionType]") or "eq"
        where.append(f"{ORDER_FIELDS[field]} {CONDITIONS.get(named, '=')} ?")
        values.append(visit.query(f"{prefix}[value]"))
    return " AND ".join(where), values


def _order(visit: Visit) -> str:
    column = ORDER_FIELDS.get(visit.query("searchCriteria[sortOrders][0][field]"), "id")
    named = visit.query("searchCriteria[sortOrders][0][direction]").upper()
    direction = "DESC" if named == "DESC" else "ASC"
    return f"{column} {direction}, id {direction}"


def _order_object(row: JsonObject) -> JsonObject:
    return {
        "entity_id": row["id"],
        "increment_id": f"{row['id']:09}",
        "created_at": row["placed"],
        "status": row["status"].lower().replace(" ", "_"),
        "state": STATES.get(row["status"], "processing"),
        "customer_id": row["customer"],
        "customer_email": row["email"],
        "grand_total": row["total"] / 100,
        "total_paid": 0 if row["status"] == "Cancelled" else row["total"] / 100,
        "discount_amount": -row["discount"] / 100,
        "coupon_code": row["promo"],
    }


def reviews(visit: Visit) -> Response:
    """The approved reviews of a product, oldest first."""
    if not known_token(visit):
        return _refused(401, "The consumer isn't authorized to access this resource.")
    rows = visit.database.execute(
        "SELECT review.*, product.sku FROM review JOIN product USING (slug) WHERE sku = ?"
        " AND status = 'Approved' ORDER BY written, review.id",
        (visit.parameter("sku"),),
    )
    return JSONResponse([_review_object(dict(row)) for row in rows])


def _review_object(row: JsonObject) -> JsonObject:
    rating = {"rating_name": "Rating", "percent": row["stars"] * 20, "value": row["stars"]}
    return {
        "id": row["id"],
        "title": row["title"],
        "detail": row["body"],
        "nickname": row["author"],
        "ratings": [rating],
        "review_entity": "product",
        "review_status": 1,
        "created_at": row["written"],
        "entity_pk_value": row["sku"],
    }


def _refused(status: int, message: str) -> Response:
    return JSONResponse({"message": message}, status_code=status)


def routes() -> Sequence[BaseRoute]:
    return [
        page("shop", "/rest/default/V1/integration/admin/token", token, "POST"),
        page("shop", "/rest/V1/integration/admin/token", token, "POST"),
        page("shop", "/rest/V1/orders", orders),
        page("shop", "/rest/V1/products/{sku}/reviews", reviews),
    ]
