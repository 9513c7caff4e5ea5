"""The closed list of functions that task data may name ("func:..."), read without executing anything."""

from __future__ import annotations

import ast

import msgspec

from webbench.core.errors import BadData

PREFIX = "func"
LAST_URL = "__last_url__"
PAGE = "__page__"

REDDIT_POST_URL = "reddit_get_post_url"
GITLAB_ROLE = "gitlab_get_project_memeber_role"
LATEST_ORDER_URL = "shopping_get_latest_order_url"
LATEST_REVIEW_AUTHOR = "shopping_get_sku_latest_review_author"
LATEST_REVIEW_RATING = "shopping_get_sku_latest_review_rating"

_ARGUMENTS = {
    REDDIT_POST_URL: 1,
    GITLAB_ROLE: 2,
    LATEST_ORDER_URL: 0,
    LATEST_REVIEW_AUTHOR: 1,
    LATEST_REVIEW_RATING: 1,
}
_LONGEST = 500


class FunctionCall(msgspec.Struct, frozen=True):
    """A call with text arguments; `__page__` stands for the page."""

    name: str
    arguments: tuple[str, ...]


def parse_call(text: str) -> FunctionCall:
    """The call of a text such as "func:reddit_get_post_url('__last_url__')".

    Raises `BadData` for anything but a listed function with the right number of texts.
    """
    _, _, source = text.partition(":")
    try:
        call = ast.parse(source.strip()[:_LONGEST], mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _unknown(text) from error
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.keywords:
        raise _unknown(text)
    arguments = [_argument(node) for node in call.args]
    if len(arguments) != _ARGUMENTS.get(call.func.id) or None in arguments:
        raise _unknown(text)
    return FunctionCall(call.func.id, tuple(argument or "" for argument in arguments))


def _argument(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name) and node.id == PAGE:
        return PAGE
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _unknown(text: str) -> BadData:
    shown = text if len(text) <= 80 else text[:79] + "…"
    return BadData(f'"{shown}" calls no known function', f"known are {', '.join(_ARGUMENTS)}")
