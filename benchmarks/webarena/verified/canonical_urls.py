"""Addresses in a common form: placeholders for sites, decoded parts, sorted parameters."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from webbench.benchmarks.webarena.verified.values.normalised_text import is_pattern
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject

LONGEST = 20_000
_SEGMENT = re.compile(r"[A-Za-z0-9_-]{4,}={0,2}")
_GIT = re.compile(r"(?:ssh://)?([^@/\s]+)@[^:/\s]+(?::\d+(?=/)|:|)/?(.*)", re.IGNORECASE)
_PORTS = {"http": ":80", "https": ":443"}


class Address(msgspec.Struct, frozen=True):
    """Base (scheme, host, path, fragment) and first values of parameters; or a pattern for the base."""

    base: str
    query: tuple[tuple[str, tuple[Json, ...]], ...] = ()

    @property
    def shown(self) -> JsonObject:
        return {"base_url": self.base, "query_params": {key: list(values) for key, values in self.query}}


def site_bases(sites: Json) -> dict[str, str]:
    """Addresses by placeholder, longest first, without a slash at the end. Raises `BadData`."""
    listed = sites or {}
    if not isinstance(listed, dict) or not all(isinstance(one, str) and one for one in listed.values()):
        raise BadData('"sites" is no object of placeholder and address')
    bases = {name: address.rstrip("/") for name, address in listed.items()}
    return dict(sorted(bases.items(), key=lambda item: -len(item[1])))


def with_placeholders(url: str, bases: Mapping[str, str]) -> str:
    """The address with a site's own address replaced by its placeholder."""
    for name, base in bases.items():
        if url == base or url.startswith((f"{base}/", f"{base}?", f"{base}#")):
            return name + url[len(base) :]
    return url


def read_address(value: Json, *, base64_parts: bool = False) -> Address:
    """Raises ValueError for an empty address or one that can't be read."""
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST:
        raise ValueError("no address")
    text = value.strip()
    if is_pattern(text):
        return Address(text.rstrip("/"))
    git = _GIT.fullmatch(text)
    if git is not None and (text.lower().startswith("ssh://") or "://" not in text):
        return Address(f"{git[1].lower()}@__SSH_HOST__:{git[2].lower()}")
    parts = urlsplit(text)
    path, queries = _without_base64(parts.path) if base64_parts else (parts.path, [])
    query = parameters("&".join([*queries, *([parts.query] if parts.query else [])]))
    scheme = parts.scheme.lower()
    host = parts.netloc.lower().removesuffix(_PORTS.get(scheme, "\n"))
    base = (f"{scheme}://{host}" if parts.netloc else f"{scheme}:" if scheme else "") + unquote(path)
    fragment = f"#{unquote(parts.fragment)}" if parts.fragment else ""
    return Address(base.rstrip("/") + fragment, query)


def parameters(text: str) -> tuple[tuple[str, tuple[Json, ...]], ...]:
    """Decoded, values in lower case and sorted; blank ones are kept."""
    read = parse_qs(text.strip(), keep_blank_values=True)
    return tuple(
        sorted(
            (unquote(key), tuple(sorted(unquote(one).lower().strip() for one in values)))
            for key, values in read.items()
        )
    )


def same_base(left: Address, right: Address) -> bool:
    """Equal without case and slash at the end, or one a pattern that the other begins with."""
    for pattern, text in ((left.base, right.base), (right.base, left.base)):
        if is_pattern(pattern):
            try:
                return re.match(pattern, text) is not None
            except re.error as error:
                raise BadData(f"the pattern {pattern} is invalid: {error}") from None
    return left.base.lower().rstrip("/") == right.base.lower().rstrip("/")


def same_address(left: Address, right: Address) -> bool:
    """The same base and the same parameters; a missing parameter and a blank one are alike."""
    if not same_base(left, right):
        return False
    wanted, given = dict(left.query), dict(right.query)
    return all(
        _same_parameter(_first(wanted, key), _first(given, key)) for key in wanted.keys() | given.keys()
    )


def _first(query: Mapping[str, tuple[Json, ...]], key: str) -> str:
    values = query.get(key) or ("",)
    return str(values[0] or "")


def _same_parameter(wanted: str, given: str) -> bool:
    if not is_pattern(wanted):
        return wanted == given
    try:
        return re.match(wanted, given) is not None
    except re.error as error:
        raise BadData(f"the pattern {wanted} is invalid: {error}") from None


def _without_base64(path: str) -> tuple[str, list[str]]:
    """The path without segments that hold a query in base64, and those queries."""
    kept, queries = [], []
    for segment in path.split("/"):
        query = _decoded_query(segment)
        if query:
            queries.append(query)
        elif segment:
            kept.append(segment)
    if not queries:
        return path, []
    cleaned = "/".join(kept)
    return ("/" if path.startswith("/") else "") + cleaned, queries


def _decoded_query(segment: str) -> str:
    if not _SEGMENT.fullmatch(segment):
        return ""
    try:
        decoded = base64.urlsafe_b64decode(segment + "=" * (-len(segment) % 4)).decode()
    except (binascii.Error, ValueError):
        return ""
    return unquote(decoded).strip().lstrip("?&") if "=" in decoded else ""
