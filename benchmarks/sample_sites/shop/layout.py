"""What every page of the shop shows around its content, and how it writes money and stars."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from webbench.benchmarks.sample_sites.shop.data import stock
from webbench.benchmarks.sample_sites.shop.data.dates import day
from webbench.benchmarks.sample_sites.shop.visitor import GUEST, customer
from webbench.benchmarks.sample_sites.web import Visit


def show(visit: Visit, template: str, status: int = 200, **context: Any) -> Response:
    """Render a template inside the shop's frame; a pending message is shown once."""
    flash = stock.setting(visit.database, "flash")
    if flash:
        stock.set_setting(visit.database, "flash", "")
    known = customer(visit)
    counted = visit.database.execute(
        "SELECT COALESCE(SUM(quantity), 0) AS n FROM cart_line WHERE customer = ?",
        (known["id"] if known else GUEST,),
    )
    return visit.render(
        template,
        status,
        flash=flash,
        customer=known,
        cart_quantity=counted.fetchone()["n"],
        categories=stock.categories(visit.database),
        cookies=stock.setting(visit.database, "cookies"),
        money=money,
        stars=stars,
        day=day,
        search=context.pop("search", ""),
        **context,
    )


def flash(visit: Visit, message: str) -> None:
    stock.set_setting(visit.database, "flash", message)


def money(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02}"


def stars(rating: float) -> str:
    full = round(rating)
    return "★" * full + "☆" * (5 - full)


def whole_number(text: str, lowest: int, highest: int) -> int | None:
    """The number a field holds, None when it is none or out of range."""
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        return None
    return int(text) if lowest <= int(text) <= highest else None
