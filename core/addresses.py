"""Addresses of other machines, as they may be shown."""

from __future__ import annotations

from urllib.parse import urlsplit


def without_login(address: str) -> str:
    """Without name and password: neither a terminal nor a log is a place for them."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return address.rpartition("@")[2]
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
