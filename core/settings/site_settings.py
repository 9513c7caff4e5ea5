"""What the settings say about a benchmark's sites: where they are, who signs in, how they are reset.

Entries are named BENCHMARK.SITE; case and whether "." or "_" stands between words don't matter, so that
an environment variable (WEBBENCH_SITES_WEBARENA_SHOPPING) names the same entry as a settings file.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from webbench.core.errors import BadData
from webbench.core.settings.load_settings import load_settings
from webbench.core.settings.settings import Settings


class Account(msgspec.Struct, frozen=True):
    """Who signs in on a site."""

    user: str
    password: str


class SiteSettings:
    """The entries of one benchmark."""

    def __init__(self, benchmark: str, settings: Settings | None = None) -> None:
        self._benchmark = benchmark
        settings = settings or load_settings()
        self._sites = _flat(settings.sites)
        self._accounts = _flat(settings.accounts)
        self._reset = _flat(settings.reset)

    def address(self, site: str) -> str:
        """Without a slash at the end; "" where none is set."""
        return self._sites.get(self._key(site), "").rstrip("/")

    def account(self, site: str) -> Account | None:
        """None where no user is set. Raises `BadData` where the password is missing or can't be read."""
        key = self._key(site)
        user = self._accounts.get(f"{key}_USER", "")
        if not user:
            return None
        password = self._accounts.get(f"{key}_PASSWORD", "") or self._from_file(key)
        if not password:
            name = f"accounts.{self._benchmark}.{site}"
            raise BadData(f"{name}.user has no password", f"set {name}.password or {name}.password_file")
        return Account(user, password)

    def reset_command(self, site: str) -> str:
        """The command as it is written; "" where none is set."""
        return self._reset.get(self._key(site), "")

    def _key(self, site: str) -> str:
        return _plain(f"{self._benchmark}_{site}")

    def _from_file(self, key: str) -> str:
        named = self._accounts.get(f"{key}_PASSWORD_FILE", "")
        if not named:
            return ""
        return _password_in(named)


def file_passwords(accounts: Mapping[str, str]) -> list[str]:
    """The passwords in the files that entries of accounts name.

    One that can't be read gives none: whoever signs in with it is told.
    """
    found = []
    for name, file in _flat(accounts).items():
        if name.endswith("PASSWORD_FILE"):
            with contextlib.suppress(BadData):
                found.append(_password_in(file))
    return found


def _password_in(file: str) -> str:
    """Raises `BadData`."""
    try:
        return Path(file).expanduser().read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadData(f"the password file {file} can't be read: {error}") from error


def setting_of(table: str, benchmark: str, site: str) -> str:
    """How the entry of a site is written in a settings file: "sites.webarena.SHOPPING"."""
    return f"{table}.{benchmark}.{site}"


def variable_of(table: str, benchmark: str, site: str) -> str:
    """The environment variable of the same entry."""
    return f"WEBBENCH_{_plain(setting_of(table, benchmark, site))}"


def _flat(table: Mapping[str, str]) -> dict[str, str]:
    return {_plain(name): value for name, value in table.items() if value}


def _plain(name: str) -> str:
    return name.replace(".", "_").upper()
