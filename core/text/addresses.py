"""Addresses of other machines, as they may be shown."""

from __future__ import annotations

import re
from urllib.parse import unquote_plus, urlsplit

HIDDEN = "(hidden)"
"""In place of a secret."""

_LOGIN = re.compile(r"(?<=://)[^/?#\s\"'@]+@")
_NAMES = (
    r"[\w.%\[\]-]*(?:key|token|secret|password|passwd|pwd|signature|credential|session_?id|jwt|otp|verifier"
    r"|samlresponse)(?:\]|%5D)?|sig|auth|code|sid|pass|ticket|id_token_hint"
)
_PARAMETER = re.compile(rf"(?<=[?&;#])({_NAMES})=([^&;#\s\"']+)", re.IGNORECASE)


def without_login(address: str) -> str:
    """Without name and password: neither a terminal nor a log is a place for them."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return address.rpartition("@")[2]
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def without_secrets(text: str) -> str:
    """A text with the addresses in it as they may be shown: no login, and no value of `key=` or the like."""
    return _PARAMETER.sub(rf"\1={HIDDEN}", _LOGIN.sub("", text))


def secrets_in(address: str) -> list[str]:
    """The password and the values of such parameters, as they are written in an address."""
    try:
        parts = urlsplit(address)
        password = parts.password or ""
    except ValueError:
        return []
    written = [password, *(value for _, value in _PARAMETER.findall(address))]
    return [secret for one in written if one for secret in dict.fromkeys((one, unquote_plus(one)))]
