"""The shop's back office, over HTTP: it works on the shop's own database."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from tests.benchmarks.demo.sites import Episode, episode
from webbench.benchmarks.sample_sites.admin.desk import cents_of

PAGES = (
    "/",
    "/sales/order/",
    "/sales/order/view/order_id/2598/",
    "/catalog/product/",
    "/catalog/product/new/",
    "/catalog/product/edit/id/31/",
    "/customer/",
    "/customer/edit/id/1/",
    "/review/",
    "/review/edit/id/3405/",
    "/promo/",
    "/promo/new/",
    "/promo/edit/id/1/",
    "/reports/sales/",
    "/reports/bestsellers/",
    "/reports/coupons/",
    "/reports/search-terms/",
)
RULE = {
    "name": "Test", "code": "test50", "percent": "50", "segment": "Everybody", "starts": "2026-05-01",
    "ends": "2026-05-31", "active": "1",
}  # fmt: skip


@pytest.fixture
def staff() -> Iterator[Episode]:
    with episode() as visitor:
        visitor.post("/admin/login", {"username": "admin", "password": "admin1234"})
        yield visitor


def rows(page: httpx.Response) -> list[list[str]]:
    """The cells of the first table's body, without markup."""
    body = page.text.partition("<tbody>")[2].partition("</tbody>")[0]
    found = [
        re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL) for row in re.findall(r"<tr>(.*?)</tr>", body)
    ]
    return [[re.sub(r"<[^>]*>", "", cell).strip() for cell in row] for row in found]


def test_every_page_opens_for_staff_and_for_nobody_else(staff: Episode) -> None:
    for path in PAGES:
        assert staff.get("/admin" + path).status_code == 200, path
    staff.post("/admin/logout", {})
    for path in PAGES:
        assert "<h1>Back office</h1>" in staff.get("/admin" + path).text, path


def test_a_customer_is_no_staff() -> None:
    with episode() as visitor:
        page = visitor.post(
            "/admin/login", {"username": "mara@lindqvist.example", "password": "anchor-tide-7"}
        )
        assert page.status_code == 422
        assert "Dashboard" not in visitor.get("/admin/").text


def test_the_list_of_orders_is_filtered_and_sorted(staff: Episode) -> None:
    found = rows(
        staff.get("/admin/sales/order/?country=Norway&status=Cancelled&from=2026-01-01&sort=total&dir=desc")
    )
    assert found
    assert {row[3] for row in found} == {"Norway"}
    assert {row[4] for row in found} == {"Cancelled"}
    totals = [cents_of(row[6]) or 0 for row in found]
    assert totals == sorted(totals, reverse=True)
    assert [row[0] for row in rows(staff.get("/admin/sales/order/?number=HP-2598"))] == ["HP-2598"]


@pytest.mark.parametrize(
    "query", ["sort=1;DROP", "from=yesterday", "least=a", "page=-1", "status=%27", "number=" + "9" * 300]
)
def test_senseless_questions_do_no_harm(staff: Episode, query: str) -> None:
    assert staff.get(f"/admin/sales/order/?{query}").status_code == 200


def test_an_order_is_shipped_then_delivered_and_never_cancelled_after(staff: Episode) -> None:
    one = "/admin/sales/order/view/order_id/2598/"
    assert "needs a tracking number" in staff.post(one + "ship", {}).text
    assert "is on its way" in staff.post(one + "ship", {"tracking": "NP1"}).text
    assert "can&#39;t be cancelled" in staff.post(one + "cancel", {}).text
    staff.post(one + "deliver", {})
    staff.post(one + "comment", {"comment": "Rang the bell."})
    page = staff.get("/shop/sales/order/view/order_id/2598/").text
    assert "Delivered" in page
    assert "Tracking number NP1" in page
    assert "Rang the bell." in page


def product_form(page: str) -> dict[str, str | list[str]]:
    """The product form as it stands on the page."""
    form: dict[str, str | list[str]] = dict(
        re.findall(r'<input id="(\w+)" name="\w+" type="text" value="([^"]*)"', page)
    )
    chosen = re.findall(r'<select id="(\w+)".*?<option selected>([^<]*)', page)
    form |= {name: option.replace("&amp;", "&") for name, option in chosen}
    form["colours"] = re.findall(r'name="colours" value="(\w+)" checked', page)
    return form


def test_a_changed_product_changes_in_the_shop(staff: Episode) -> None:
    form = product_form(staff.get("/admin/catalog/product/edit/id/31/").text)
    save = "/admin/catalog/product/save/id/31/"
    assert "is saved" in staff.post(save, {**form, "price": "72.5", "enabled": "1"}).text
    assert "$72.50" in staff.get("/shop/product/fyr-storm-lantern").text
    for wrong in ({"price": "-1"}, {"price": "1e3"}, {"stock": "many"}, {"sku": "KI-1001"}, {"colours": []}):
        assert staff.post(save, {**form, **wrong}).status_code == 422, wrong
    staff.post(save, form)
    assert staff.get("/shop/product/fyr-storm-lantern").status_code == 404
    assert "Fyr Storm Lantern" in staff.get("/shop/sales/order/view/order_id/2471/").text


def test_an_approved_review_appears_and_a_deleted_one_is_gone(staff: Episode) -> None:
    assert "sideways rain" not in staff.get("/shop/product/two-night-tent").text
    staff.post("/admin/review/save/id/3404/", {"status": "Approved"})
    assert "sideways rain" in staff.get("/shop/product/two-night-tent").text
    staff.post("/admin/review/delete/id/3404/", {})
    assert "sideways rain" not in staff.get("/shop/product/two-night-tent").text
    assert staff.get("/admin/review/edit/id/3404/").status_code == 404


def test_a_price_rule_works_in_the_cart_while_it_lasts(staff: Episode) -> None:
    staff.post("/shop/cart/add", {"product": "two-night-tent", "colour": "pine", "quantity": "1"})
    assert "is saved" in staff.post("/admin/promo/save/id/0/", RULE).text
    assert "$164.50" in staff.post("/shop/cart/promo", {"code": "TEST50"}).text
    number = re.findall(r"/promo/edit/id/(\d+)/", staff.get("/admin/promo/?code=TEST50").text)[0]
    staff.post(f"/admin/promo/save/id/{number}/", {**RULE, "ends": "2026-05-13"})
    assert "$164.50" not in staff.get("/shop/cart").text
    assert "know that code" in staff.post("/shop/cart/promo", {"code": "TEST50"}).text
    for wrong in ({"percent": "0"}, {"ends": "2026-04-01"}, {"code": "A B"}, {"segment": "All"}):
        assert staff.post("/admin/promo/save/id/0/", {**RULE, "code": "OTHER", **wrong}).status_code == 422


def test_reports_agree_with_each_other(staff: Episode) -> None:
    months = rows(staff.get("/admin/reports/sales/?from=2025-01-01&to=2025-12-31&period=Month"))
    year = rows(staff.get("/admin/reports/sales/?from=2025-01-01&to=2025-12-31&period=Year"))
    assert len(months) == 12
    assert sum(int(row[1]) for row in months) == int(year[0][1])
    assert sum(cents_of(row[4]) or 0 for row in months) == cents_of(year[0][4])
    best = rows(staff.get("/admin/reports/bestsellers/?from=2025-12-01&to=2025-12-31"))
    sold = [int(row[4]) for row in best]
    assert sold == sorted(sold, reverse=True)


def test_searches_are_counted(staff: Episode) -> None:
    for _ in range(3):
        staff.get("/shop/products?q=Barnacle+Scraper")
    assert rows(staff.get("/admin/reports/search-terms/?query=barnacle")) == [["barnacle scraper", "0", "3"]]


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("12.50", 1250),
        ("$1,200", 120000),
        ("12.5", 1250),
        (".5", 50),
        ("12.555", None),
        ("-1", None),
        ("", None),
    ],
)
def test_amounts(text: str, cents: int | None) -> None:
    assert cents_of(text) == cents
