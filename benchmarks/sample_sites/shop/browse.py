"""Home, catalogue, product pages, size guide, pictures."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.paging import pages_of
from webbench.benchmarks.sample_sites.shop import artwork
from webbench.benchmarks.sample_sites.shop.data import stock
from webbench.benchmarks.sample_sites.shop.data.dates import NOW
from webbench.benchmarks.sample_sites.shop.layout import flash, show, whole_number
from webbench.benchmarks.sample_sites.shop.visitor import customer, customer_id, for_customers
from webbench.benchmarks.sample_sites.web import Visit, page

FILTER_COLOURS = ("harbour", "pine", "rust", "mustard", "moss", "charcoal", "cream", "heather")
PER_PAGE = 24
REVIEWS_PER_PAGE = 10
SIZE_GUIDE = (
    ("XS", "82–88", "68–74", "60"),
    ("S", "89–95", "75–81", "61"),
    ("M", "96–102", "82–88", "62"),
    ("L", "103–109", "89–96", "63"),
    ("XL", "110–117", "97–105", "64"),
)
"""Size, chest, waist, sleeve in centimetres."""


def home(visit: Visit) -> Response:
    everything = stock.find(visit.database, stock.Filters())
    best = sorted(everything, key=lambda item: (-item.rating * item.reviews, item.name))[:8]
    heads = {item.category: item for item in reversed(everything)}
    return show(visit, "home.html", best=best, heads=heads)


def catalogue(visit: Visit) -> Response:
    filters = read_filters(visit)
    found = stock.find(visit.database, filters)
    if filters.text and not visit.query("page"):
        _remember_search(visit, filters.text, len(found))
    return show(
        visit,
        "catalogue.html",
        filters=filters,
        pages=pages_of(found, visit, PER_PAGE),
        makers=stock.makers(visit.database, filters.category),
        sorts=stock.SORTS,
        filter_colours=FILTER_COLOURS,
        search=filters.text,
        lowest=visit.query("min"),
        highest=visit.query("max"),
    )


def _remember_search(visit: Visit, text: str, results: int) -> None:
    visit.database.execute(
        "INSERT INTO search_term VALUES (?,?,1) ON CONFLICT DO UPDATE SET results = excluded.results,"
        " uses = uses + 1",
        (" ".join(text.casefold().split()), results),
    )


def read_filters(visit: Visit) -> stock.Filters:
    """The query string as filters; what makes no sense there is left out."""
    lowest, highest = (whole_number(visit.query(name), 0, 100_000) for name in ("min", "max"))
    category = visit.query("category")
    return stock.Filters(
        text=visit.query("q")[:200],
        category=category if category in stock.categories(visit.database) else "",
        makers=tuple(visit.request.query_params.getlist("maker")[:20]),
        stars=whole_number(visit.query("stars"), 1, 5),
        colours=tuple(c for c in visit.request.query_params.getlist("colour") if c in artwork.PALETTE),
        lowest=None if lowest is None else lowest * 100,
        highest=None if highest is None else highest * 100,
        in_stock=visit.query("stock") == "1",
        sort=visit.query("sort") if visit.query("sort") in stock.SORTS else "featured",
    )


def product_page(visit: Visit) -> Response:
    item = stock.product_on_sale(visit.database, visit.parameter("slug"))
    if item is None:
        return show(visit, "missing.html", status=404)
    related = stock.find(visit.database, stock.Filters(category=item.category))
    written = stock.reviews(visit.database, item.slug)
    known = customer(visit)
    return show(
        visit,
        "product.html",
        product=item,
        reviews=pages_of(written, visit, REVIEWS_PER_PAGE),
        counts=[(stars, sum(row["stars"] == stars for row in written)) for stars in range(5, 0, -1)],
        related=[other for other in related if other.slug != item.slug][:4],
        saved=_is_saved(visit, item.slug),
        nickname=known["name"].split()[0] if known else "",
    )


def _is_saved(visit: Visit, slug: str) -> bool:
    query = "SELECT 1 FROM wish WHERE customer = ? AND slug = ?"
    return visit.database.execute(query, (customer_id(visit), slug)).fetchone() is not None


def add_review(visit: Visit) -> Response:
    """A customer's review is published at once, a guest's waits for the staff."""
    item = stock.product_on_sale(visit.database, visit.parameter("slug"))
    if item is None:
        return show(visit, "missing.html", status=404)
    known = customer(visit)
    author = visit.field("nickname") or (known["name"].split()[0] if known else "")
    rating, title, body = whole_number(visit.field("stars"), 1, 5), visit.field("title"), visit.field("body")
    if rating is None or not title or not body or not author:
        flash(visit, "Your review needs a rating, a nickname, a title and a text.")
        return visit.redirect(f"/product/{item.slug}#reviews")
    visit.database.execute(
        "INSERT INTO review (slug, customer, author, stars, title, body, written, status, mine)"
        " VALUES (?,?,?,?,?,?,?,?,1)",
        (
            item.slug,
            known["id"] if known else 0,
            author[:60],
            rating,
            title[:200],
            body[:2000],
            f"{NOW:%Y-%m-%d}",
            "Approved" if known else "Pending",
        ),
    )
    flash(visit, f"Thank you, your review {'is published' if known else 'waits for approval'}.")
    return visit.redirect(f"/product/{item.slug}#reviews")


@for_customers
def toggle_wish(visit: Visit, known: sqlite3.Row) -> Response:
    item = stock.product(visit.database, visit.parameter("slug"))
    if item is None:
        return show(visit, "missing.html", status=404)
    removed = visit.database.execute(
        "DELETE FROM wish WHERE customer = ? AND slug = ?", (known["id"], item.slug)
    ).rowcount
    if not removed:
        visit.database.execute("INSERT INTO wish (customer, slug) VALUES (?,?)", (known["id"], item.slug))
    flash(visit, f"{item.name} {'removed from' if removed else 'saved to'} your wish list.")
    return visit.redirect("/wishlist" if visit.field("from") == "wishlist" else f"/product/{item.slug}")


@for_customers
def wishlist(visit: Visit, known: sqlite3.Row) -> Response:
    rows = visit.database.execute("SELECT slug FROM wish WHERE customer = ? ORDER BY id", (known["id"],))
    items = [stock.product_on_sale(visit.database, row["slug"]) for row in rows.fetchall()]
    return show(visit, "wishlist.html", items=[item for item in items if item is not None])


def size_guide(visit: Visit) -> Response:
    return show(visit, "size-guide.html", rows=SIZE_GUIDE)


def picture(visit: Visit) -> Response:
    try:
        svg = artwork.drawing(visit.parameter("kind"), visit.parameter("colour"))
    except KeyError:
        return Response("no such picture", status_code=404, media_type="text/plain")
    return Response(svg, media_type="image/svg+xml", headers={"cache-control": "max-age=3600"})


def choose_cookies(visit: Visit) -> Response:
    choice = visit.field("choice")
    if choice in ("all", "necessary"):
        stock.set_setting(visit.database, "cookies", choice)
    return Response(status_code=204)


def routes() -> Sequence[BaseRoute]:
    return [
        page("shop", "/", home),
        page("shop", "/products", catalogue),
        page("shop", "/product/{slug}", product_page),
        page("shop", "/product/{slug}/review", add_review, "POST"),
        page("shop", "/product/{slug}/wish", toggle_wish, "POST"),
        page("shop", "/wishlist", wishlist),
        page("shop", "/size-guide", size_guide),
        page("shop", "/picture/{kind}/{colour}.svg", picture),
        page("shop", "/cookies", choose_cookies, "POST"),
    ]
