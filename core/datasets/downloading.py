"""Downloading a file from its official source: streamed, bounded, and hashed on the way."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from webbench.core.errors import BadData, EnvironmentDown
from webbench.core.settings.proxies import proxies_checked

if TYPE_CHECKING:
    import ssl

    import httpx

Progress = Callable[[int, int], None]
"""Called with bytes so far and bytes in all (0 = not known)."""

STALLED = 30.0
"""Seconds without a byte after which a download is given up."""
MOST_REDIRECTS = 5
_PIECE = 256 * 1024


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """One file to download; `size` 0 and `sha256` "" where they are not known."""

    url: str
    size: int = 0
    sha256: str = ""
    limit: int


def open_client(stalled: float = STALLED) -> httpx.Client:
    """Raises `EnvironmentDown` for proxies and certificates that can't be used."""
    import httpx

    with proxies_checked():
        return httpx.Client(
            verify=_certificates(),
            timeout=httpx.Timeout(stalled, connect=min(stalled, 10.0)),
            follow_redirects=True,
            max_redirects=MOST_REDIRECTS,
            headers={"Accept-Encoding": "identity", "User-Agent": "webbench-tui"},
        )


@cache
def _certificates() -> ssl.SSLContext:
    """Read once: it takes longer than a small download."""
    import httpx

    return httpx.create_ssl_context()


def download(client: httpx.Client, wanted: Wanted, target: Path, progress: Progress) -> None:
    """Write a file to `target`, which is incomplete until this returns.

    Raises:
        EnvironmentDown: the source can't be reached, has no such file, or broke off.
        BadData: what came is larger than it may be, or has not the published bytes.
    """
    import httpx

    try:
        with client.stream("GET", wanted.url) as response:
            _check_answer(wanted, response)
            size, digest = _write(wanted, response, target, progress)
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        host = urlsplit(wanted.url).hostname
        raise EnvironmentDown(f"{host} can't be reached; is there a network? ({error})") from error
    except httpx.TimeoutException as error:
        raise EnvironmentDown(f"{wanted.url} stopped answering") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        reason = str(error) or type(error).__name__
        raise EnvironmentDown(f"{wanted.url} can't be downloaded: {reason}") from error
    except OSError as error:
        raise EnvironmentDown(f"{target.parent} can't be written: {error.strerror or error}") from error
    if wanted.size and size != wanted.size:
        raise EnvironmentDown(f"{wanted.url} gave {size:,} bytes, published are {wanted.size:,}")
    if wanted.sha256 and digest != wanted.sha256:
        raise BadData(
            f"{wanted.url} gave other bytes than were published: its SHA-256 is {digest}, "
            f"expected is {wanted.sha256}"
        )


def _check_answer(wanted: Wanted, response: httpx.Response) -> None:
    if urlsplit(wanted.url).scheme == "https" and response.url.scheme != "https":
        raise BadData(f"{wanted.url} leads to an address that is not encrypted: {response.url}")
    if response.status_code in (401, 403):
        raise EnvironmentDown(f"{wanted.url} asks for a login (HTTP {response.status_code})")
    if response.status_code != 200:
        raise EnvironmentDown(f"{wanted.url} answers with HTTP {response.status_code}")
    announced = response.headers.get("content-length", "")
    if announced.isascii() and announced.isdigit() and int(announced) > wanted.limit:
        raise _too_large(wanted)


def _write(wanted: Wanted, response: httpx.Response, target: Path, progress: Progress) -> tuple[int, str]:
    """Bytes written, and their SHA-256."""
    size, digest = 0, hashlib.sha256()
    announced = response.headers.get("content-length", "")
    expected = wanted.size or (int(announced) if announced.isascii() and announced.isdigit() else 0)
    with target.open("wb") as file:
        for piece in response.iter_bytes(_PIECE):
            size += len(piece)
            if size > wanted.limit:
                raise _too_large(wanted)
            digest.update(piece)
            file.write(piece)
            progress(size, expected)
    return size, digest.hexdigest()


def _too_large(wanted: Wanted) -> BadData:
    return BadData(f"{wanted.url} is larger than the {wanted.limit:,} bytes it may have")
