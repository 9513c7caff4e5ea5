"""Recorded network events, and the one that a task expects, in a form in which they can be compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec

from webbench.benchmarks.webarena.verified.canonical_urls import (
    Address,
    read_address,
    same_address,
    same_base,
    with_placeholders,
)
from webbench.benchmarks.webarena.verified.compare import Difference, differences
from webbench.benchmarks.webarena.verified.har import is_asset
from webbench.benchmarks.webarena.verified.json_paths import found_at, is_path
from webbench.benchmarks.webarena.verified.values.results_schema import read_item
from webbench.benchmarks.webarena.verified.values.typed_values import read_value
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject

_BODIES = ("headers", "post_data", "response_content", "response_cookies")
_REFERER = "referer"


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One request and its answer, as `har.read_har` gives them."""

    method: str
    url: str
    status: int
    headers: dict[str, str] = {}
    post_data: JsonObject | None = None
    response_content: JsonObject | None = None
    cookies: dict[str, str] = {}

    @property
    def opens_page(self) -> bool:
        """A person or a script had the browser open an address."""
        accept = self.headers.get("accept", "").lower()
        if self.method != "GET":
            return False
        if "sec-fetch-user" not in self.headers:
            return accept.startswith("text/html")
        fetched = tuple(self.headers.get(f"sec-fetch-{part}") for part in ("dest", "mode", "user"))
        return fetched == ("document", "navigate", "?1") and "text/html" in accept


def read_events(evidence: Json) -> tuple[Event, ...]:
    """Raises `BadData` for another shape."""
    try:
        events = msgspec.convert(evidence, tuple[Event, ...])
    except msgspec.ValidationError as error:
        raise BadData(f"the recorded events have another shape: {error}") from error
    return tuple(event for event in events if not is_asset(event.url))


class ExpectedEvent:
    """What a task expects of an event, ready to be held against recorded ones.

    Raises `BadData` where the task can't be read.
    """

    def __init__(self, config: JsonObject, bases: Mapping[str, str]) -> None:
        wanted = config.get("expected")
        if not isinstance(wanted, dict) or not urls_of(wanted.get("url")):
            raise BadData("the task expects no address")
        self._config, self._bases = config, bases
        self.method = str(wanted.get("http_method") or "GET")
        self._urls = [
            self._filtered(_with_query(_expected_address(url), wanted.get("query_params")))
            for url in urls_of(wanted["url"])
        ]
        headers = wanted.get("headers") or {}
        named = {name.lower(): value for name, value in headers.items()}
        self._referers = [
            self._filtered(_expected_address(url)) for url in urls_of(named.pop(_REFERER, None))
        ]
        bodies = {part: wanted[part] for part in _BODIES[1:] if wanted.get(part)}
        self._bodies = bodies | ({"headers": named} if named else {})
        status = wanted.get("response_status", 200)
        self.parts: JsonObject = {"http_method": self.method, "response_status": status}
        for part, values in self._bodies.items():
            self.parts[part] = self._read(part, values, strict=True)

    @property
    def shown(self) -> JsonObject:
        """For the reader of a score."""
        url: JsonObject = {"url": [address.shown for address in self._urls]}
        referer = {_REFERER: [address.shown for address in self._referers]} if self._referers else {}
        return url | referer | self.parts

    def is_about(self, event: Event) -> bool:
        """Method, address and, where both are there, referer are those expected, parameters aside."""
        referer = event.headers.get(_REFERER, "")
        return (
            event.method.lower() == self.method.lower()
            and self._meets(event.url, self._urls, same_base)
            and (not self._referers or not referer or self._meets(referer, self._referers, same_base))
        )

    def given(self, event: Event) -> JsonObject:
        """The parts of an event that are expected."""
        bodies = {
            "headers": event.headers,
            "post_data": self._kept(event.post_data or {}),
            "response_content": event.response_content or {},
            "response_cookies": event.cookies,
        }
        read: JsonObject = {"http_method": event.method, "response_status": event.status}
        for part, wanted in self._bodies.items():
            picked = {key: _picked(bodies[part], key.strip()) for key in wanted}
            read[part] = self._read(part, picked, strict=False)
        return read

    def differences(self, event: Event) -> list[Difference]:
        """Empty where the event is the expected one."""
        found = []
        for name, url, wanted in (
            ("url", event.url, self._urls),
            ("headers.referer", event.headers.get(_REFERER, ""), self._referers),
        ):
            if wanted and not self._meets(url, wanted, same_address):
                told = f"Expected {' or '.join(one.base for one in wanted)}, got {url or 'none'}"
                found.append(Difference(f"network_event.{name}_mismatch", (told,)))
        return found + differences(self.parts, self.given(event), "network_event", more_keys=True)

    def _meets(self, url: str, wanted: Sequence[Address], same: Callable[[Address, Address], bool]) -> bool:
        base64_parts = bool(self._config.get("decode_base64_query"))
        try:
            read = read_address(with_placeholders(url, self._bases), base64_parts=base64_parts)
        except ValueError:
            return False
        address = self._filtered(read)
        return any(same(one, address) for one in wanted)

    def _filtered(self, address: Address) -> Address:
        """Without ignored parameters, and with those that have a format in one form."""
        ignored = self._config.get("ignored_query_params") or ()
        patterns = self._config.get("ignored_query_params_patterns") or ()
        schemas = (self._config.get("query_params_schema") or {}).get("properties") or {}
        kept = (
            (key, tuple(_in_format(value, schemas.get(key) or {}) for value in values))
            for key, values in address.query
            if key not in ignored and not any(_found(pattern, key) for pattern in patterns)
        )
        return Address(address.base, tuple(kept))

    def _kept(self, data: JsonObject) -> JsonObject:
        patterns = self._config.get("ignored_post_data_params_patterns") or ()
        return {key: one for key, one in data.items() if not any(_found(p, key) for p in patterns)}

    def _read(self, part: str, values: JsonObject, *, strict: bool) -> JsonObject:
        """Body fields by their schema, else as text; response contents as they are."""
        if part == "response_content":
            return values
        schemas = (self._config.get("post_data_schema") or {}).get("properties") or {}
        known = schemas if part == "post_data" else {}
        return {key: self._field(value, known.get(key), strict) for key, value in values.items()}

    def _field(self, value: Json, schema: JsonObject | None, strict: bool) -> Json:
        """Without a schema a list of one item is a list, and a longer one that is expected alternatives."""
        if schema is None and isinstance(value, dict) and not strict:
            return value
        if schema is None and isinstance(value, list) and (len(value) == 1 or not strict):
            return [self._field(item, None, strict) for item in value]
        return read_item(value, schema or {}, self._located, strict=strict)

    def _located(self, text: str) -> str:
        return with_placeholders(text, self._bases)


def urls_of(value: Json) -> list[str]:
    """One address or a list of alternatives, as a list."""
    listed = value if isinstance(value, list) else [value]
    return [url for url in listed if isinstance(url, str) and url]


def _expected_address(url: str) -> Address:
    try:
        return read_address(url)
    except ValueError as error:
        raise BadData(f"the expected address {url!r} can't be read: {error}") from None


def _with_query(address: Address, query: Json) -> Address:
    """Expected parameters that stand beside the address take the place of its own."""
    if not isinstance(query, dict):
        return address
    listed = [(key, values if isinstance(values, list) else [values]) for key, values in query.items()]
    folded = [
        (key, tuple(sorted(str(value or "").lower().strip() for value in values))) for key, values in listed
    ]
    return Address(address.base, tuple(sorted(folded)))


def _picked(data: JsonObject, key: str) -> Json:
    return found_at(data, key) if is_path(key) else data.get(key)


def _found(pattern: str, key: str) -> bool:
    try:
        return re.search(pattern, key, re.IGNORECASE) is not None
    except re.error:
        return False


def _in_format(value: Json, schema: JsonObject) -> Json:
    """A parameter in the form its schema gives it, as text; it stays where it can't be read."""
    kind = (schema.get("items") or schema).get("format")
    if kind is None:
        return value
    try:
        return str(read_value(value, kind).shown)
    except BadData:
        return value
