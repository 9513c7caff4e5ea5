"""Which hosts an episode's pages may reach."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from webbench.core.errors import BadData

_HOST = re.compile(r"([a-z0-9_-][a-z0-9._-]*|\[[0-9a-f:.]+\])(:\d+)?")


class AllowedHosts:
    """Patterns: "shop.test" is that host, "*.shop.test" what lies below it, "shop.test:8080" one port of it.

    IPv6 addresses stand in brackets where a port follows. The hosts of `urls` are allowed besides.

    Raises `BadData` for a pattern of another form, which no host could match.
    """

    def __init__(self, patterns: Iterable[str], urls: Iterable[str] = ()) -> None:
        self.patterns = tuple(_read(pattern) for pattern in patterns if pattern.strip())
        self._own = {place for url in urls for place in _places(url)[1:]}

    @property
    def rules(self) -> tuple[str, ...]:
        """The same, as `EnvironmentSetup.only_hosts`; a task's addresses add no rule of another form."""
        return (*self.patterns, *sorted(filter(_HOST.fullmatch, self._own)))

    def allow(self, url: str) -> bool:
        places = _places(url)
        return any(place in self._own for place in places) or any(
            _matches(pattern, place) for pattern in self.patterns for place in places
        )


def _read(pattern: str) -> str:
    plain = _plain(pattern)
    if not _HOST.fullmatch(plain.removeprefix("*.")):
        raise BadData(
            f'"{pattern.strip()[:80]}" names no host that may be reached',
            "write shop.test, *.shop.test, shop.test:8080 or [::1]:8080",
        )
    return plain


def _matches(pattern: str, place: str) -> bool:
    return place.endswith(pattern[1:]) if pattern.startswith("*.") else place == pattern


def _places(url: str) -> tuple[str, ...]:
    """The host, and the host with its port."""
    try:
        parts = urlsplit(url)
        host, port = _plain(parts.hostname or ""), parts.port
    except ValueError:
        return ()
    port = port or {"http": 80, "ws": 80, "https": 443, "wss": 443}.get(parts.scheme, 0)
    return (host, f"{host}:{port}") if host else ()


def _plain(host: str) -> str:
    """As addresses of requests have it: in small ASCII letters, IPv6 in brackets."""
    host = host.strip().rstrip(".").lower()
    if host.count(":") > 1 and not host.startswith("["):
        return f"[{host}]"
    with contextlib.suppress(UnicodeError):
        return host if host.isascii() else host.encode("idna").decode("ascii")
    return host
