"""What task data may ask a shop's own interface (Magento's REST): its latest order and latest reviews.

The questions are the closed list of `functions.py`; the answers are texts, as the published functions give
them. A token of the administrator is fetched once per shop and kept in memory only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from webbench.benchmarks.webarena.live.functions import (
    LATEST_ORDER_URL,
    LATEST_REVIEW_AUTHOR,
    LATEST_REVIEW_RATING,
    FunctionCall,
)
from webbench.core.errors import BadData, EnvironmentDown
from webbench.core.json_types import Json, JsonObject
from webbench.core.settings.site_settings import Account
from webbench.core.text import bounded_json

if TYPE_CHECKING:
    import httpx

TIMEOUT = 20.0
LARGEST_ANSWER = 4 * 1024 * 1024
TOKEN_PATH = "/rest/default/V1/integration/admin/token"  # noqa: S105 - an address
NEWEST_ORDER = {
    "searchCriteria[sortOrders][0][field]": "created_at",
    "searchCriteria[sortOrders][0][direction]": "DESC",
    "searchCriteria[pageSize]": "1",
}


class ShopApi:
    """Asks one shop.

    Args:
        address: of the shop, without a slash at the end.
        account: the administrator's.
        transport: in place of the network.
    """

    def __init__(
        self, address: str, account: Account, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self._address = address
        self._account = account
        self._transport = transport
        self._token = ""

    async def ask(self, call: FunctionCall) -> str:
        """Raises `EnvironmentDown` where the shop doesn't answer, `BadData` for another shape of answer."""
        if call.name == LATEST_ORDER_URL:
            return await self._latest_order_url()
        if call.name == LATEST_REVIEW_AUTHOR:
            return str((await self._latest_review(call)).get("nickname", ""))
        if call.name == LATEST_REVIEW_RATING:
            return _rating(await self._latest_review(call))
        raise BadData(f"{call.name} is no question to a shop")

    async def _latest_order_url(self) -> str:
        found = await self._get("/rest/V1/orders", NEWEST_ORDER)
        items = found.get("items") if isinstance(found, dict) else None
        if not isinstance(items, list) or not items or not isinstance(items[0], dict):
            raise BadData(f"the shop at {self._address} tells of no order")
        number = str(items[0].get("increment_id", "")).lstrip("0")
        if not number.isdigit():
            raise BadData(f"the shop at {self._address} gives its latest order no number")
        return f"{self._address}/sales/order/view/order_id/{number}/"

    async def _latest_review(self, call: FunctionCall) -> JsonObject:
        """The last one of the product; empty where there is none."""
        found = await self._get(f"/rest/V1/products/{quote(call.arguments[0], safe='')}/reviews", {})
        if not isinstance(found, list):
            raise BadData(f"the shop at {self._address} gives no list of reviews of {call.arguments[0]}")
        return found[-1] if found and isinstance(found[-1], dict) else {}

    async def _get(self, path: str, query: dict[str, str]) -> Json:
        if not self._token:
            about = {"username": self._account.user, "password": self._account.password}
            token = await self._request("POST", TOKEN_PATH, content=about)
            if not isinstance(token, str) or not token:
                raise BadData(f"the shop at {self._address} gives its administrator no token")
            self._token = token
        return await self._request("GET", path, query=query)

    async def _request(
        self, method: str, path: str, *, query: dict[str, str] | None = None, content: Json = None
    ) -> Json:
        """The decoded answer. No secret is in what an error says."""
        import httpx

        headers = {"authorization": f"Bearer {self._token}"} if self._token else {}
        where = f"{self._address}{path}"
        try:
            async with httpx.AsyncClient(timeout=TIMEOUT, transport=self._transport) as client:
                answer = await client.request(method, where, params=query, json=content, headers=headers)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise EnvironmentDown(f"{where} can't be asked: {str(error) or type(error).__name__}") from error
        if answer.status_code in (401, 403):
            raise EnvironmentDown(f"{where} refuses the shop's administrator", HOW_TO_SIGN_IN)
        if answer.status_code != 200 or len(answer.content) > LARGEST_ANSWER:
            raise EnvironmentDown(f"{where} answers {answer.status_code} with {len(answer.content):,} bytes")
        try:
            return bounded_json.decode(answer.content)
        except ValueError as error:
            raise BadData(f"{where} answers with something that is no JSON: {error}") from error


HOW_TO_SIGN_IN = "set accounts.webarena.SHOPPING_ADMIN.user and .password"


def _rating(review: JsonObject) -> str:
    """Its percentage; "" without a review. Raises `BadData` where it has none."""
    if not review:
        return ""
    ratings = review.get("ratings")
    first = ratings[0] if isinstance(ratings, list) and ratings else None
    if not isinstance(first, dict) or first.get("rating_name") != "Rating" or "percent" not in first:
        raise BadData('the latest review has no "Rating" with a percentage')
    return str(first["percent"])
