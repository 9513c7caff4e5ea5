"""Secrets are replaced before anything is written: known ones, typed ones, and what patterns match.

A secret is looked for in every spelling that a record can hold it in: as it is, escaped for HTML,
JSON or a call, and encoded for a URL.
"""

from __future__ import annotations

import enum
import html
import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Literal, TypeVar, get_origin
from urllib.parse import quote, quote_plus

import msgspec

from webbench.core.errors import BadData
from webbench.core.settings.settings import Settings, is_secret
from webbench.core.settings.site_settings import file_passwords
from webbench.core.text.addresses import secrets_in

MARKER = "‹redacted›"

SHORTEST = 4
"""Characters; a shorter secret is replaced only where it was typed, or a record would be unreadable."""

_KEPT = frozenset({"run", "episode", "resumed_from", "schema_version"})

T = TypeVar("T")


class Redaction:
    """Replaces secrets and pattern matches in text and in whole records.

    Args:
        patterns: regular expressions; each match is replaced whole.
        secrets: texts known beforehand, such as the credentials of sites.

    Raises `BadData` for a pattern that is no regular expression.
    """

    def __init__(self, patterns: Iterable[str] = (), secrets: Iterable[str] = ()) -> None:
        self._patterns = tuple(_compiled(pattern) for pattern in patterns)
        self._secrets: set[str] = set()
        self._known: re.Pattern[str] | None = None
        self.learn(secrets)

    def copy(self) -> Redaction:
        """The same rules; what the copy learns stays with the copy."""
        other = Redaction(secrets=self._secrets)
        other._patterns = self._patterns
        return other

    @property
    def active(self) -> bool:
        return self._known is not None or bool(self._patterns)

    def learn(self, secrets: Iterable[str]) -> None:
        """Replace these from now on."""
        new = {secret for secret in secrets if len(secret) >= SHORTEST and MARKER not in secret}
        if not new <= self._secrets:
            self._secrets |= new
            spellings = {spelling for secret in self._secrets for spelling in _spellings(secret)}
            self._known = re.compile("|".join(map(re.escape, sorted(spellings, key=len, reverse=True))))

    def secret_bytes(self) -> tuple[bytes, ...]:
        """The secrets themselves, longest first, for files that are copied."""
        ordered = sorted(self._secrets, key=len, reverse=True)
        return tuple(secret.encode("utf-8", "surrogatepass") for secret in ordered)

    def text(self, text: str) -> str:
        if self._known is not None:
            text = self._known.sub(MARKER, text)
        for pattern in self._patterns:
            text = pattern.sub(MARKER, text)
        return text

    def record(self, value: T) -> T:
        """The same record with its free text redacted; names, tags and closed choices are kept.

        Raises `BadData` for one that is nested too deeply to look through.
        """
        try:
            redacted: T = self._walk(value) if self.active else value
        except RecursionError:
            raise BadData("a record is nested too deeply to be looked through for secrets") from None
        return redacted

    def _walk(self, value: Any) -> Any:
        if isinstance(value, str):
            return value if isinstance(value, enum.Enum) else self.text(value)
        if isinstance(value, msgspec.Struct):
            return self._struct(value)
        if isinstance(value, dict):
            return {self._walk(key): self._walk(item) for key, item in value.items()}
        if isinstance(value, tuple | list):
            return type(value)(self._walk(item) for item in value)
        return value

    def _struct(self, value: msgspec.Struct) -> msgspec.Struct:
        changes = {}
        for field in _free_fields(type(value)):
            before = getattr(value, field)
            after = self._walk(before) if before else before
            if after is not before and after != before:
                changes[field] = after
        return msgspec.structs.replace(value, **changes) if changes else value


@lru_cache(maxsize=256)
def _free_fields(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """Fields that may hold foreign text: not names of records, not closed choices, not numbers."""
    return tuple(
        field.name
        for field in msgspec.structs.fields(kind)
        if field.name not in _KEPT
        and get_origin(field.type) is not Literal
        and field.type not in (int, float, bool)
    )


def _spellings(secret: str) -> Iterator[str]:
    yield secret
    yield html.escape(secret)
    yield html.escape(secret, quote=False)
    yield html.escape(secret).replace("&#x27;", "&#39;")
    yield quote(secret, errors="surrogatepass")
    yield quote(secret, safe="", errors="surrogatepass")
    yield quote_plus(secret, errors="surrogatepass")
    for ascii_only in (True, False):
        once = json.dumps(secret, ensure_ascii=ascii_only)[1:-1]
        yield once
        yield json.dumps(once, ensure_ascii=ascii_only)[1:-1]
    yield repr(secret)[1:-1]
    yield re.sub(r"([\\'\"\[\]])", r"\\\1", secret)


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise BadData(
            f"the redaction pattern {pattern!r} is no regular expression: {error}",
            "mend it in the setting `redact`",
        ) from error
    if compiled.match(""):
        raise BadData(
            f"the redaction pattern {pattern!r} matches everywhere, even nothing",
            "mend it in the setting `redact`",
        )
    return compiled


def configured_redaction(settings: Settings) -> Redaction:
    """What no record may hold by the settings. Raises `BadData` for a pattern that is none."""
    written = [value for key, value in settings.accounts.items() if is_secret(key)]
    addresses = (
        *(settings.browser.endpoint, settings.model.url, settings.judge.url),
        *(settings.search_engine, settings.search_api),
        *settings.sites.values(),
    )
    within = [secret for address in addresses for secret in secrets_in(address)]
    return Redaction(settings.redact, [*written, *file_passwords(settings.accounts), *within])
