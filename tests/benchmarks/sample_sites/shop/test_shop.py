"""The shop's pages and state, over HTTP."""

from __future__ import annotations

import re

import pytest

from tests.benchmarks.demo.sites import Episode, episode
from webbench.benchmarks.sample_sites.shop.artwork import drawing
from webbench.benchmarks.sample_sites.shop.checkout import passes_luhn, problems
from webbench.benchmarks.sample_sites.shop.data.stock import Filters, find

ADDRESS = {
    "name": "Ruth Okafor",
    "email": "ruth@okafor.example",
    "street": "Strandvej 40",
    "postcode": "2900",
    "city": "Hellerup",
    "country": "Denmark",
    "delivery": "express",
    "payment": "card",
    "card": "4242 4242 4242 4242",
    "expiry": "08/29",
    "cvc": "118",
    "terms": "1",
}
HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7 * 7 }}'


def put_in_cart(visitor: Episode, product: str, colour: str, quantity: str = "1", size: str = "") -> None:
    visitor.post("/shop/cart/add", {"product": product, "colour": colour, "quantity": quantity, "size": size})


@pytest.mark.parametrize(
    "path",
    ["/", "/products", "/cart", "/orders", "/order/HP-2389", "/account", "/wishlist", "/size-guide"],
)
def test_pages_open(path: str) -> None:
    with episode() as visitor:
        assert visitor.get("/shop" + path).status_code == 200


@pytest.mark.thorough
def test_every_product_has_page_and_pictures() -> None:
    with episode() as visitor:
        products = find(visitor.world.databases["shop"], Filters())
        pages = [visitor.get(f"/shop/product/{product.slug}") for product in products]
    assert len(products) == 300
    assert {page.status_code for page in pages} == {200}
    looks = {(product.kind, colour) for product in products for colour in product.colours}
    assert all(drawing(kind, colour).startswith("<svg") for kind, colour in looks)


def test_pictures_are_served_and_unknown_ones_missing() -> None:
    with episode() as visitor:
        picture = visitor.get("/shop/picture/kettle/rust.svg")
        assert picture.headers["content-type"].startswith("image/svg+xml")
        for path in ("kettle/pink", "nothing/rust", "..%5Ckettle/rust"):
            assert visitor.get(f"/shop/picture/{path}.svg").status_code == 404


def test_filters_combine() -> None:
    with episode() as visitor:
        page = visitor.get("/shop/products?category=Home&min=80&max=100&colour=pine&sort=price-down&stock=1")
        assert re.findall(r"<h3><a [^>]*>([^<]*)", page.text) == ["Islet Table Lamp"]


@pytest.mark.parametrize(
    "query",
    [
        "min=-5&max=abc",
        "min=" + "9" * 4000,
        "sort=nothing",
        "category=%00",
        "colour=javascript:",
        "q=%25%27%22",
    ],
)
def test_senseless_filters_do_no_harm(query: str) -> None:
    with episode() as visitor:
        assert visitor.get(f"/shop/products?{query}").status_code == 200


def test_order_goes_through_and_empties_the_cart() -> None:
    with episode() as visitor:
        put_in_cart(visitor, "bothy-wool-blanket", "heather", "2")
        page = visitor.post("/shop/checkout/place", {**ADDRESS, "gift_wrap": "1"})
        shop = visitor.state()["shop"]
    assert "Thank you, Ruth Okafor" in page.text
    assert shop["cart"] == []
    assert shop["order"]["number"] == "HP-2602"
    assert shop["order"]["total"] == 2 * 9800 + 1290 + 350
    assert shop["order"]["card_last4"] == "4242"
    assert "4242 4242" not in repr(shop)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("card", "4242 4242 4242 4241"),
        ("card", "12"),
        ("expiry", "13/29"),
        ("cvc", "1"),
        ("email", "nobody"),
        ("country", "Atlantis"),
        ("delivery", "owl"),
        ("terms", ""),
        ("city", "   "),
    ],
)
def test_checkout_refuses(field: str, value: str) -> None:
    with episode() as visitor:
        put_in_cart(visitor, "spruce-candle", "pine")
        page = visitor.post("/shop/checkout/place", {**ADDRESS, field: value})
        assert page.status_code == 422
        assert "Please check 1 field" in page.text
        assert visitor.state()["shop"]["orders"] == []


def test_invoice_needs_no_card() -> None:
    assert problems({**ADDRESS, "payment": "invoice", "card": "", "expiry": "", "cvc": ""}) == {}


def test_luhn() -> None:
    assert passes_luhn("4242424242424242")
    assert not passes_luhn("4242424242424243")


def test_promotion_and_free_delivery() -> None:
    with episode() as visitor:
        put_in_cart(visitor, "two-night-tent", "pine")
        page = visitor.post("/shop/cart/promo", {"code": "tide10"})
        assert "$32.90" in page.text
        assert "$296.10" in page.text
        assert "We don&#39;t know that code." in visitor.post("/shop/cart/promo", {"code": "FREE"}).text


@pytest.mark.parametrize("quantity", ["0", "-1", "21", "1e3", "٣", "", "9" * 500])
def test_impossible_quantities_add_nothing(quantity: str) -> None:
    with episode() as visitor:
        put_in_cart(visitor, "spruce-candle", "pine", quantity)
        assert visitor.state()["shop"]["cart"] == []


def test_sold_out_and_sizeless_add_nothing() -> None:
    with episode() as visitor:
        put_in_cart(visitor, "shetland-crew-sweater", "moss", size="M")
        put_in_cart(visitor, "fisherman-sweater", "harbour")
        assert visitor.state()["shop"]["cart"] == []


def test_wrong_current_password_changes_nothing() -> None:
    with episode() as visitor:
        before = visitor.state()["shop"]["account"]["password_sha256"]
        form = {"current": "wrong", "new": "lantern-quay-42", "repeat": "lantern-quay-42"}
        page = visitor.post("/shop/account/password", form)
        assert "current password is not right" in page.text
        assert visitor.state()["shop"]["account"]["password_sha256"] == before


def test_hostile_input_is_shown_as_text() -> None:
    with episode() as visitor:
        put_in_cart(visitor, "spruce-candle", "pine")
        pages = [
            visitor.get(f"/shop/products?q={HOSTILE}&min=1"),
            visitor.post(
                "/shop/product/spruce-candle/review", {"stars": "1", "title": HOSTILE, "body": HOSTILE}
            ),
            visitor.post("/shop/account/save", {"name": HOSTILE, "email": f"a@b{HOSTILE}"}),
            visitor.post("/shop/checkout/place", {**ADDRESS, "name": HOSTILE, "note": HOSTILE, "card": "1"}),
            visitor.post("/shop/checkout/place", {**ADDRESS, "name": HOSTILE, "note": HOSTILE}),
        ]
    for page in pages:
        assert "&lt;script&gt;alert(1)" in page.text
        assert "<script>alert" not in page.text
        assert "<img src=x" not in page.text
        assert "{{ 7 * 7 }}" in page.text


def test_nothing_may_load_from_elsewhere() -> None:
    with episode() as visitor:
        for path in ("/shop/", "/annotation/", "/annotation/job/picture-labels/0"):
            page = visitor.get(path)
            assert page.headers["content-security-policy"].startswith("default-src 'self'")
            assert not re.findall(r'(?:src|href|action)="(?:https?:)?//', page.text)


def test_foreign_host_names_are_refused() -> None:
    with episode() as visitor:
        page = visitor.client.get(visitor.base + "/shop/", headers={"host": "shop.example"})
        assert page.status_code == 400


def test_an_ended_episode_says_so() -> None:
    with episode() as visitor:
        base = visitor.base
    with episode() as other:
        page = other.client.get(base + "/shop/")
    assert page.status_code == 404
    assert "This episode is over" in page.text


def test_huge_form_is_refused() -> None:
    with episode() as visitor:
        assert visitor.post("/shop/account/save", {"name": "x" * 1_200_000}).status_code == 413
