"""What a live episode exchanged with the sites, as the evidence that the verified edition is scored by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from webbench.benchmarks.webarena.verified.har import FORM, JSON, MULTIPART, Body, is_asset, parsed_body
from webbench.core.environment import Body as SentBody
from webbench.core.environment import Exchange
from webbench.core.json_types import Json, JsonObject
from webbench.core.task import Task

_KINDS = (FORM, JSON, MULTIPART)


def events_of(exchanges: Sequence[Exchange], task: Task) -> list[JsonObject]:
    """In the form of `har.read_har`. Of cookies, which may sign somebody in, only those the task looks at."""
    kept = set(cookies_wanted(task))
    return [_event(one, kept) for one in exchanges if not is_asset(one.url)]


def _event(exchange: Exchange, cookies: set[str]) -> JsonObject:
    return {
        "method": exchange.method,
        "url": exchange.url,
        "status": exchange.status,
        "headers": exchange.headers,
        "post_data": _parsed(exchange.sent),
        "response_content": _parsed(exchange.content),
        "cookies": {name: unquote(value) for name, value in exchange.cookies.items() if name in cookies},
    }


def _parsed(body: SentBody) -> JsonObject | None:
    known = any(kind in body.kind for kind in _KINDS)
    return parsed_body(Body(mime_type=body.kind, text=body.text)) if known else None


def cookies_wanted(task: Task) -> Iterator[str]:
    """Names of the cookies that the task's evaluators look at."""
    configs: Json = task.gold.get("eval")
    for config in configs if isinstance(configs, list) else ():
        expected = config.get("expected") if isinstance(config, dict) else None
        cookies = expected.get("response_cookies") if isinstance(expected, dict) else None
        yield from map(str, cookies if isinstance(cookies, dict) else ())
