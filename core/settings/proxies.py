"""Proxies and certificates that the environment names, and what is wrong with them in plain words.

A client of httpx reads these variables when it is opened, and refuses bad ones in words of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from webbench.core.errors import EnvironmentDown

PROXIES = ("ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR")


@contextmanager
def proxies_checked() -> Iterator[None]:
    """Around the opening of a client: raises `EnvironmentDown`, which names the variables to look at.

    Their values aren't told, because a proxy's address may hold a password. What fails for another reason,
    such as a header that can't be sent, is raised as it is.
    """
    import httpx

    try:
        yield
    except (ImportError, OSError, ValueError, httpx.InvalidURL) as error:
        fault = _fault()
        if fault is None:
            raise
        raise fault from error


def _fault() -> EnvironmentDown | None:
    """Why no client can be opened here, not even one that has nothing of its own; None where one can."""
    import httpx

    try:
        httpx.Client().close()
    except ImportError:
        return EnvironmentDown(
            f"{_set(PROXIES)} names a SOCKS proxy, for which a package is missing",
            'run `pip install "httpx[socks]"`, or name an http:// proxy',
        )
    except OSError:
        return EnvironmentDown(
            f"{_set(CERTIFICATES)} names no certificates that can be read",
            "name a PEM file that is there, or unset it",
        )
    except (ValueError, httpx.InvalidURL):
        return EnvironmentDown(
            f"{_set(PROXIES)} names no proxy that can be used",
            "write http://HOST:PORT, or unset it; NO_PROXY takes hosts with commas between",
        )
    return None


def _set(names: tuple[str, ...]) -> str:
    """Those of the variables that are set, in whichever letters."""
    found = [name for name in os.environ if name.upper() in names and os.environ[name]]
    return " or ".join(sorted(found)) or "the environment"
