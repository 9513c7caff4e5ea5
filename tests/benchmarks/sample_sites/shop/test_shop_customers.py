"""The shop's accounts, order history and interface for programs, over HTTP."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from tests.benchmarks.demo.sites import Episode, episode
from webbench.benchmarks.sample_sites.shop import till
from webbench.benchmarks.sample_sites.shop.data import stock
from webbench.benchmarks.sample_sites.shop.data.crowd import FIRST_ORDER, LAST_ORDER

MARA = {"email": "mara@lindqvist.example", "password": "anchor-tide-7"}
TO = {
    "name": "Ida Moen", "email": "ida@moen.example", "street": "Kai 3", "postcode": "5003", "city": "Bergen",
    "country": "Norway", "delivery": "standard", "payment": "invoice", "terms": "1",
}  # fmt: skip
BLANK_SHOP = {"shop": {"visitor": ""}}


@pytest.fixture
def guest() -> Iterator[Episode]:
    with episode(BLANK_SHOP) as visitor:
        yield visitor


def names(page: httpx.Response) -> list[str]:
    return re.findall(r"<h3><a [^>]*>([^<]*)", page.text)


@pytest.mark.parametrize("path", ["/orders", "/account", "/wishlist", "/account/addresses"])
def test_strangers_are_sent_to_sign_in_and_then_back(guest: Episode, path: str) -> None:
    door = guest.get("/shop" + path)
    assert "<h1>Sign in</h1>" in door.text
    wanted = re.search(r'name="next" value="([^"]*)"', door.text)
    assert wanted is not None
    inside = guest.post("/shop/login", {**MARA, "next": wanted[1]})
    assert inside.url.path.endswith(path)
    assert "Sign out" in inside.text
    guest.post("/shop/logout", {})
    assert "<h1>Sign in</h1>" in guest.get("/shop" + path).text


def test_a_wrong_password_opens_nothing(guest: Episode) -> None:
    page = guest.post("/shop/login", {**MARA, "password": "anchor-tide-8"})
    assert page.status_code == 422
    assert "is not right" in page.text
    assert "session" not in guest.client.cookies


@pytest.mark.parametrize("next_page", ["//elsewhere.example/", "https://elsewhere.example/", "/\\elsewhere"])
def test_signing_in_never_leads_elsewhere(guest: Episode, next_page: str) -> None:
    page = guest.client.post(
        guest.base + "/shop/login", data={**MARA, "next": next_page}, follow_redirects=False
    )
    assert page.headers["location"].startswith(f"/{guest.world.token}/shop/")


def test_a_session_is_worth_nothing_in_another_episode(guest: Episode) -> None:
    guest.post("/shop/login", MARA)
    key = guest.client.cookies["session"]
    with episode(BLANK_SHOP) as other:
        answer = other.client.get(other.base + "/shop/account", headers={"cookie": f"session={key}"})
    assert "<h1>Sign in</h1>" in answer.text


def test_the_guest_cart_comes_along_when_signing_in(guest: Episode) -> None:
    guest.post("/shop/cart/add", {"product": "spruce-candle", "colour": "pine", "quantity": "2"})
    guest.post("/shop/login", MARA)
    assert "Spruce Candle" in guest.get("/shop/cart").text
    assert [line.quantity for line in till.cart(guest.world.databases["shop"], 1)] == [2]


def test_a_new_account_can_order_and_sees_only_its_own_orders(guest: Episode) -> None:
    form = {
        "name": "Ida Moen",
        "email": "ida@moen.example",
        "password": "fjord-and-salt",
        "repeat": "fjord-and-salt",
    }
    assert "Your account" in guest.post("/shop/register", form).text
    assert "already" in guest.post("/shop/register", form).text
    guest.post("/shop/cart/add", {"product": "spruce-candle", "colour": "pine", "quantity": "1"})
    placed = guest.post("/shop/checkout/place", TO)
    assert placed.url.path.endswith(f"/sales/order/view/order_id/{LAST_ORDER + 1}/")
    assert re.findall(r"HP-\d+</a>", guest.get("/shop/orders").text) == [f"HP-{LAST_ORDER + 1}</a>"]
    assert guest.get("/shop/order/HP-2598").status_code == 404


def test_reordering_leaves_out_what_is_gone(guest: Episode) -> None:
    guest.post("/shop/login", MARA)
    guest.world.databases["shop"].execute("UPDATE product SET enabled = 0 WHERE slug = 'ember-camp-mug'")
    page = guest.post("/shop/order/2389/reorder", {})
    assert "No longer to be had: Ember Camp Mug." in page.text
    assert "Harbour Flask" in page.text


def test_cancelling_puts_the_goods_back_once(guest: Episode) -> None:
    database = guest.world.databases["shop"]
    guest.post("/shop/login", MARA)
    before = stock.product(database, "salt-heather-candle")
    guest.post("/shop/order/2598/cancel", {})
    page = guest.post("/shop/order/2598/cancel", {})
    after = stock.product(database, "salt-heather-candle")
    assert before is not None
    assert after is not None
    assert after.stock == before.stock + 2
    assert "can&#39;t be cancelled any more" in page.text


def test_addresses_are_added_changed_and_deleted(guest: Episode) -> None:
    guest.post("/shop/login", MARA)
    assert guest.post("/shop/account/addresses/save", {**TO, "city": ""}).status_code == 422
    assert "Kai 3" in guest.post("/shop/account/addresses/save", TO).text
    changed = guest.post("/shop/account/addresses/save", {**TO, "address": "3", "street": "Kai 4"})
    assert "Kai 4" in changed.text
    assert "Kai 3" not in changed.text
    assert "Kai 4" not in guest.post("/shop/account/addresses/3/delete", {}).text


def test_filters_by_maker_and_rating_and_pages(guest: Episode) -> None:
    found = stock.find(
        guest.world.databases["shop"], stock.Filters(category="Travel", makers=("Kelpie",), stars=4)
    )
    shown = names(guest.get("/shop/products?category=Travel&maker=Kelpie&stars=4"))
    assert shown == [item.name for item in found]
    assert 0 < len(shown) < 8
    pages = [names(guest.get(f"/shop/products?page={number}")) for number in range(1, 15)]
    assert len({name for page in pages for name in page}) == 300
    assert pages[13] == pages[12]
    assert guest.get("/shop/products?page=999999999999").status_code == 200


def test_a_guest_review_waits_and_a_customers_is_published(guest: Episode) -> None:
    form = {"stars": "2", "nickname": "Nn", "title": "Dull", "body": "It is dull."}
    assert "waits for approval" in guest.post("/shop/product/spruce-candle/review", form).text
    assert "It is dull." not in guest.get("/shop/product/spruce-candle").text
    guest.post("/shop/login", MARA)
    assert "It is dull." in guest.post("/shop/product/spruce-candle/review", form).text
    assert "Dull" in guest.get("/shop/account/reviews").text


def rest(visitor: Episode, path: str, token: str) -> httpx.Response:
    return visitor.client.get(visitor.base + "/shop" + path, headers={"authorization": f"Bearer {token}"})


def test_the_interface_tells_programs_of_orders_and_reviews(guest: Episode) -> None:
    door = guest.base + "/shop/rest/default/V1/integration/admin/token"
    assert guest.client.post(door, json={"username": "admin", "password": "x"}).status_code == 401
    assert guest.client.post(door, content=b"[1]").status_code == 400
    token = guest.client.post(door, json={"username": "admin", "password": "admin1234"}).json()
    newest = (
        "/rest/V1/orders?searchCriteria[sortOrders][0][field]=created_at"
        "&searchCriteria[sortOrders][0][direction]=DESC&searchCriteria[pageSize]=1"
    )
    mine = (
        "&searchCriteria[filter_groups][0][filters][0][field]=customer_email"
        f"&searchCriteria[filter_groups][0][filters][0][value]={MARA['email']}"
    )
    assert rest(guest, newest, "nothing").status_code == 401
    answer = rest(guest, newest, token).json()
    assert [order["increment_id"] for order in answer["items"]] == [f"{LAST_ORDER:09}"]
    assert answer["total_count"] == LAST_ORDER - FIRST_ORDER + 1
    assert rest(guest, newest + mine, token).json()["items"][0]["increment_id"] == "000002598"
    reviews = rest(guest, "/rest/V1/products/KI-1001/reviews", token).json()
    assert (reviews[-1]["nickname"], reviews[-1]["ratings"][0]["percent"]) == ("Odile", 80)
    assert rest(guest, "/rest/V1/products/none/reviews", token).json() == []


def test_the_seed_is_consistent(guest: Episode) -> None:
    database = guest.world.databases["shop"]
    rows = database.execute(
        "SELECT purchase_line.*, product.colours, product.sizes FROM purchase_line LEFT JOIN product"
        " USING (slug)"
    ).fetchall()
    assert all(f'"{row["colour"]}"' in row["colours"] for row in rows)
    assert all(f'"{row["size"]}"' in row["sizes"] for row in rows if row["size"])
    sums = database.execute(
        "SELECT COUNT(*) FROM purchase WHERE goods <> (SELECT SUM(cents * quantity) FROM purchase_line"
        " WHERE purchase = purchase.id) OR total <> goods - discount + delivery_cents"
    ).fetchone()
    assert sums[0] == 0
    moments = [row[0] for row in database.execute("SELECT substr(placed, 1, 10) FROM purchase ORDER BY id")]
    assert moments == sorted(moments)
