"""What the shop is asked over its own interface, and what becomes of odd answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from webbench.benchmarks.webarena.live.functions import parse_call
from webbench.benchmarks.webarena.live.shop_api import ShopApi
from webbench.core.errors import BadData, EnvironmentDown, WebbenchError
from webbench.core.settings.site_settings import Account

ORDER = "func:shopping_get_latest_order_url()"
AUTHOR = "func:shopping_get_sku_latest_review_author('KI/1')"
RATING = "func:shopping_get_sku_latest_review_rating('KI/1')"
REVIEW = {"nickname": "Ann", "ratings": [{"rating_name": "Rating", "percent": 80}]}

asked: list[httpx.Request] = []


def shop(answer: Any, status: int = 200, token: Any = "t0ken") -> ShopApi:
    asked.clear()

    def handle(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        if request.url.path.endswith("/token"):
            return httpx.Response(200, json=token)
        content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        return httpx.Response(status, content=content)

    return ShopApi("http://s.example", Account("admin", "s3cret"), httpx.MockTransport(handle))


@pytest.mark.parametrize(
    ("question", "answer", "found"),
    [
        (
            ORDER,
            {"items": [{"increment_id": "000000189"}]},
            "http://s.example/sales/order/view/order_id/189/",
        ),
        (AUTHOR, [{"nickname": "Bob"}, REVIEW], "Ann"),
        (RATING, [REVIEW], "80"),
        (AUTHOR, [], ""),
        (RATING, [], ""),
    ],
)
async def test_what_is_asked_and_answered(question: str, answer: Any, found: str) -> None:
    api = shop(answer)
    assert await api.ask(parse_call(question)) == found
    assert await api.ask(parse_call(question)) == found
    assert [request.method for request in asked] == ["POST", "GET", "GET"]
    assert json.loads(asked[0].content) == {"username": "admin", "password": "s3cret"}
    assert asked[1].headers["authorization"] == "Bearer t0ken"
    if question == ORDER:
        assert asked[1].url.params["searchCriteria[sortOrders][0][direction]"] == "DESC"
    else:
        assert asked[1].url.raw_path == b"/rest/V1/products/KI%2F1/reviews"


@pytest.mark.parametrize(
    ("make", "question", "kind", "told"),
    [
        (lambda: shop({}, 401), ORDER, EnvironmentDown, "refuses the shop's administrator"),
        (lambda: shop({}, 500), ORDER, EnvironmentDown, "answers 500"),
        (lambda: shop(b"<html>"), ORDER, BadData, "no JSON"),
        (lambda: shop({"items": []}), ORDER, BadData, "tells of no order"),
        (lambda: shop({"items": [{"increment_id": "../x"}]}), ORDER, BadData, "no number"),
        (lambda: shop({"message": "?"}), AUTHOR, BadData, "no list of reviews"),
        (lambda: shop([{"ratings": [{"rating_name": "Quality"}]}]), RATING, BadData, 'no "Rating"'),
        (lambda: shop([], token=7), AUTHOR, BadData, "no token"),
    ],
)
async def test_odd_answers_are_told(
    make: Callable[[], ShopApi], question: str, kind: type[WebbenchError], told: str
) -> None:
    with pytest.raises(kind, match=told) as failure:
        await make().ask(parse_call(question))
    assert "s3cret" not in str(failure.value)


async def test_a_shop_that_is_down_is_told() -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("connection refused", request=request)

    api = ShopApi("http://s.example", Account("admin", "s3cret"), httpx.MockTransport(refuse))
    with pytest.raises(EnvironmentDown, match="can't be asked: connection refused"):
        await api.ask(parse_call(ORDER))
