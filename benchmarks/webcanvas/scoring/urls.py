"""What an address gives to compare, and the two comparisons without a judge.

Functions of URL targets in the paper's table of evaluation functions. All of them percent-decode the page's
address and never the reference.
"""

from __future__ import annotations

from urllib.parse import parse_qs, unquote, urlparse

from webbench.core.errors import BadData
from webbench.core.json_types import Json


def whole_or_parameter(url: Json, key: Json) -> str | None:
    """The decoded address, or with a key the first value of that query parameter, decoded twice.

    None where the parameter is missing, blank, or the address can't be read. Without a key an address that
    is no text raises `BadData`.
    """
    if key:
        value = _parameter(url, key)
        return None if value is None else unquote(value)
    return unquote(_text(url))


def host_path_fragment(url: Json) -> str:
    """Decoded host, path and "#fragment": scheme and query are dropped. An unreadable address stays whole.

    No address (null, and whatever else is empty: false, 0, [], {}) reads as "". Raises `BadData` for
    anything else that is no text.
    """
    if not url:
        return ""
    try:
        parts = urlparse(_text(url))
    except ValueError:
        return unquote(_text(url))
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    return unquote(parts.netloc + parts.path + fragment)


def included_text(url: Json, key: Json) -> str | None:
    """What a reference is searched in: the parameter, or host, path and fragment."""
    return whole_or_parameter(url, key) if key else host_path_fragment(url)


def url_exact_match(url: Json, reference: Json, key: Json) -> int:
    """1 where the decoded address (or parameter) equals the reference, else 0."""
    found = whole_or_parameter(url, key)
    return int(found is not None and found == reference)


def url_include_match(url: Json, reference: Json, key: Json) -> int:
    """1 where the reference is a substring of `included_text`, else 0. Case counts."""
    found = included_text(url, key)
    if found is None:
        return 0
    if not isinstance(reference, str):
        raise BadData(f"the reference {reference!r} is no text, so nothing can include it")
    return int(reference in found)


def site_label(url: Json) -> str:
    """The site's short name: "target" of www.target.com, "new" of new.mta.info, "" without a dot.

    It is the text before the host's first dot, or between the first two where the host begins with "www".
    No address (null, and whatever else is empty) gives "". Raises `BadData` for one that can't be read.
    """
    if not url:
        return ""
    try:
        host = urlparse(_text(url)).netloc
    except ValueError as error:
        raise BadData(f"the address {url!r} can't be read: {error}") from error
    labels = host.split(".")
    if host.startswith("www"):
        return labels[1] if len(labels) > 2 else ""
    return labels[0] if len(labels) > 1 else ""


def _parameter(url: Json, key: Json) -> str | None:
    if not isinstance(url, str) or not isinstance(key, str):
        return None
    try:
        values = parse_qs(urlparse(url).query).get(key)
    except ValueError:
        return None
    return values[0] if values else None


def _text(url: Json) -> str:
    if not isinstance(url, str):
        raise BadData(f"the address {url!r} is no text")
    return url
