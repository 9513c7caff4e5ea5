"""Who signs in on each site: the configured account, else the one that comes with the published images."""

from __future__ import annotations

import contextlib

from webbench.benchmarks.webarena.sites import NAME
from webbench.core.errors import BadData
from webbench.core.settings.site_settings import Account, SiteSettings

PUBLISHED_ACCOUNTS = {
    "SHOPPING": Account("emma.lopez@gmail.com", "Password.123"),
    "SHOPPING_ADMIN": Account("admin", "admin1234"),
    "REDDIT": Account("MarvelsGrantMan136", "test1234"),
    "GITLAB": Account("byteblaze", "hello1234"),
}
"""The accounts of WebArena's own site images, which its set-up publishes; the tasks speak of them."""


def account_of(site: str) -> Account:
    """Raises `BadData` where the settings name a user without a password; `KeyError` for other sites."""
    return SiteSettings(NAME).account(site) or PUBLISHED_ACCOUNTS[site]


def passwords_in_use() -> list[str]:
    """Of every site's account; one that is configured without a password has none to be kept from records."""
    found = []
    for site in PUBLISHED_ACCOUNTS:
        with contextlib.suppress(BadData):
            found.append(account_of(site).password)
    return found
