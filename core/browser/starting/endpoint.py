"""Addresses of browsers that run elsewhere; the name and key that they may carry are never told."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from webbench.core.errors import EnvironmentDown
from webbench.core.text.addresses import without_secrets

SCHEMES = ("http", "https", "ws", "wss")
SHORTEST = 3
"""Characters of a key that, told by itself, is not taken for a word."""


def login_of(address: str) -> tuple[str, str]:
    """Name and key, each "" where the address carries none."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "", ""
    return unquote(parts.username or ""), unquote(parts.password or "")


def checked(address: str) -> str:
    """The address without a slash at its end. Raises `EnvironmentDown` where it is none."""
    try:
        parts = urlsplit(address)
        fits = parts.scheme in SCHEMES and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        fits = False
    if not fits:
        raise EnvironmentDown(
            f"browser.endpoint is no address: {without_secrets(address)}", "write http://HOST:PORT"
        )
    return address.rstrip("/")


def hushed(text: str, address: str) -> str:
    """What a library said about an address, without the name and the key."""
    userinfo = address.partition("://")[2].partition("/")[0].rpartition("@")[0]
    told = without_secrets(text.replace(f"{userinfo}@", "") if userinfo else text)
    key = login_of(address)[1]
    return told.replace(key, "…") if len(key) > SHORTEST else told
