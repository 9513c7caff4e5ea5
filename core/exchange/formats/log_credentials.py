"""Credentials in a network log, taken out of it: what may sign somebody in, known by the name that it stands
under.

Headers that hold credentials go, cookies lose their values. Of addresses, headers, forms and JSON the values
whose names say password, token, secret and the like are hidden. What stands in other text, such as a page or
a script, has no name to be known by, and stays.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Sequence
from urllib.parse import parse_qsl, urlencode

from webbench.core.environment import CREDENTIALS
from webbench.core.json_types import Json, JsonObject
from webbench.core.text import bounded_json
from webbench.core.text.addresses import HIDDEN, without_secrets

FORM, JSON = "application/x-www-form-urlencoded", "application/json"
_HEADERS = frozenset({*CREDENTIALS, "set-cookie"})
_NAMED = re.compile(
    r"pass(?:word|wd|phrase|code)|pwd|secret|token(?!s)|credential|(?:api|access|private|auth)[-_]?key"
    r"|signature|session[-_]?id|jwt|(?:^|[-_\[])(?:auth|authorization|sig|otp|pin|sid)\]?$",
    re.IGNORECASE,
)
_PART = re.compile(r'(name="([^"\r\n]{1,200})"\r?\n\r?\n)([^\r\n]+)')
"""A field of a multipart form."""


def conceal(entries: Sequence[JsonObject], pages: Sequence[JsonObject], *, ours: bool) -> int:
    """Take credentials out of a log's entries and pages, in place; how many values that were.

    Args:
        ours: the log is an export of a record, out of which they were kept: its cookies are those that scores
            rest on, and headers alone are looked at.
    """
    found = _Concealing()
    for entry in entries:
        for side in (entry.get("request"), entry.get("response")):
            if isinstance(side, dict):
                found.take_headers(side)
                if not ours:
                    found.take_cookies(side)
    for one in () if ours else (*entries, *pages):
        one.update(found.hidden_fields(one))
    return found.count


class _Concealing:
    """What was taken, counted."""

    def __init__(self) -> None:
        self.count = 0

    def take_headers(self, side: JsonObject) -> None:
        """Headers as a list of names with values, or as an object; what is neither stays."""
        headers = side.get("headers")
        if isinstance(headers, list):
            kept: Json = [one for one in headers if _header_name(one) not in _HEADERS]
        elif isinstance(headers, dict):
            kept = {name: one for name, one in headers.items() if name.lower() not in _HEADERS}
        else:
            return
        side["headers"] = kept
        self.count += len(headers) - len(kept)

    def take_cookies(self, side: JsonObject) -> None:
        """The values of cookies, as a list or an object."""
        cookies = side.get("cookies")
        if isinstance(cookies, dict):
            self.count += sum(bool(value) for value in cookies.values())
            side["cookies"] = dict.fromkeys(cookies, "")
        for cookie in cookies if isinstance(cookies, list) else ():
            if isinstance(cookie, dict) and cookie.get("value"):
                cookie["value"] = ""
                self.count += 1

    def hidden_fields(self, fields: JsonObject, *, named: bool = False) -> JsonObject:
        """The object with what may sign in hidden; `named`: it stands under a name that says so."""
        kind, name = fields.get("mimeType"), fields.get("name")
        pair = "value" if isinstance(name, str) and _NAMED.search(name) else ""
        found: JsonObject = {}
        for key, value in fields.items():
            if key in ("text", "data") and isinstance(value, str) and value:
                packed = key == "text" and fields.get("encoding") == "base64"
                found[key] = self._packed(value, kind) if packed else self._body(value, kind)
            else:
                found[key] = self._hidden(value, named=named or key == pair or bool(_NAMED.search(key)))
        return found

    def _hidden(self, value: Json, *, named: bool) -> Json:
        if isinstance(value, dict):
            return self.hidden_fields(value, named=named)
        if isinstance(value, list):
            return [self._hidden(one, named=named) for one in value]
        if named and not isinstance(value, bool) and value not in (None, "", HIDDEN):
            self.count += 1
            return HIDDEN
        return self._address(value) if isinstance(value, str) else value

    def _address(self, text: str) -> str:
        shown = without_secrets(text)
        self.count += shown != text
        return shown

    def _body(self, text: str, kind: Json) -> str:
        """A form or JSON field by field; of any other text the addresses in it."""
        before = self.count
        if isinstance(kind, str) and FORM in kind:
            pairs = parse_qsl(text, keep_blank_values=True)
            shown = [(name, self._hidden(value, named=bool(_NAMED.search(name)))) for name, value in pairs]
            return urlencode(shown) if self.count > before else text
        if text.lstrip()[:1] in ("{", "["):
            try:
                found = self._hidden(bounded_json.decode(text), named=False)
            except (ValueError, RecursionError):
                return self._address(text)
            return json.dumps(found) if self.count > before else text
        return self._address(_PART.sub(self._part, text))

    def _part(self, field: re.Match[str]) -> str:
        if not _NAMED.search(field[2]):
            return field[0]
        self.count += 1
        return field[1] + HIDDEN

    def _packed(self, text: str, kind: Json) -> str:
        """A body in base64 is packed anew where anything in it was hidden."""
        before = self.count
        try:
            shown = self._body(base64.b64decode(text, validate=True).decode(), kind)
        except ValueError:
            return text
        return base64.b64encode(shown.encode()).decode() if self.count > before else text


def _header_name(header: Json) -> str:
    name = header.get("name") if isinstance(header, dict) else None
    return name.lower() if isinstance(name, str) else ""
