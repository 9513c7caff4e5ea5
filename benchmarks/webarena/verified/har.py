"""Reading a recorded HAR file into the few fields that scoring needs.

Only these fields are decoded. Bodies that no check can look at (pages, styles, pictures) are passed over, and
so are the headers that hold credentials.
"""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from webbench.core.environment import CREDENTIALS
from webbench.core.errors import BadData
from webbench.core.json_types import JsonObject
from webbench.core.text import bounded_json

LARGEST_FILE = 512 * 1024 * 1024
LARGEST_BODY = 2_000_000
MOST_ENTRIES = 200_000
FORM, JSON, MULTIPART = "application/x-www-form-urlencoded", "application/json", "multipart/form-data"
ASSETS = (".css", ".js", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".ico", ".webp", ".woff", ".woff2", ".ttf")

_KIND = re.compile(rb'"mimeType"\s*:\s*"([^"]*)"')


class _Pair(msgspec.Struct):
    name: str
    value: str = ""


class Body(msgspec.Struct, rename="camel"):
    mime_type: str = ""
    text: str = ""


class _Request(msgspec.Struct, rename="camel"):
    method: str
    url: str
    headers: list[_Pair] = []
    post_data: Body | None = None


class _Response(msgspec.Struct):
    status: int
    cookies: list[_Pair] = []
    content: msgspec.Raw = msgspec.Raw(b"{}")


class _Entry(msgspec.Struct):
    request: _Request
    response: _Response


class _Log(msgspec.Struct):
    entries: list[_Entry]


class _Har(msgspec.Struct):
    log: _Log


def read_har(path: Path) -> list[JsonObject]:
    """The network events of a HAR file in order, without styles, scripts, fonts and pictures.

    Returns: [{"method", "url", "status", "headers": {lower-case name: value}, "post_data": object or None,
    "response_content": object or None, "cookies": {name: decoded value}}]

    Raises `BadData` where there is no readable HAR file.
    """
    try:
        content = _bytes_of(path)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise BadData(f"{path} can't be read: {reason}") from error
    return _events(content, path)


def _bytes_of(path: Path) -> bytes:
    """Of a regular file alone: a pipe would be waited for, and a device never ends."""
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):
        raise BadData(f"{path} is no regular file")
    content = b""
    if about.st_size <= LARGEST_FILE:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    if max(about.st_size, len(content)) > LARGEST_FILE:
        raise BadData(f"{path} is larger than {LARGEST_FILE // 1024**2} MiB")
    return content


def _events(content: bytes, path: Path) -> list[JsonObject]:
    try:
        entries = msgspec.json.decode(content, type=_Har).log.entries
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadData(f"{path} is no HAR file: {error}") from error
    if len(entries) > MOST_ENTRIES:
        raise BadData(f"{path} holds {len(entries):,} events; at most {MOST_ENTRIES:,} are read")
    return [_event(entry) for entry in entries if not is_asset(entry.request.url)]


def without_credentials(content: bytes, where: str) -> bytes:
    """A HAR file without headers that hold credentials and without the values of cookies.

    Raises `BadData` where it is no HAR file; `where` names it.
    """
    try:
        har = bounded_json.decode(content.removeprefix(b"\xef\xbb\xbf"))
        for entry in har["log"]["entries"]:
            for side in (entry["request"], entry["response"]):
                side["headers"] = [one for one in side["headers"] if not _is_credential(one)]
                side["cookies"] = [one | {"value": ""} for one in side["cookies"]]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise BadData(f"{where} is no whole HAR file: {error}") from error
    return msgspec.json.encode(har)


def _is_credential(header: JsonObject) -> bool:
    return str(header["name"]).lower() in (*CREDENTIALS, "set-cookie")


def is_asset(url: str) -> bool:
    """Styles, scripts, fonts and pictures, which no check looks at."""
    try:
        return urlsplit(url).path.endswith(ASSETS)
    except ValueError:
        return True


def _event(entry: _Entry) -> JsonObject:
    request, response = entry.request, entry.response
    return {
        "method": request.method,
        "url": request.url,
        "status": response.status,
        "headers": {
            header.name.lower(): header.value
            for header in request.headers
            if header.name.lower() not in CREDENTIALS
        },
        "post_data": parsed_body(request.post_data),
        "response_content": parsed_body(_content(response.content)),
        "cookies": {cookie.name: unquote(cookie.value) for cookie in response.cookies},
    }


def _content(raw: msgspec.Raw) -> Body | None:
    """Of a JSON response alone; everything else is never looked at."""
    text = bytes(raw)
    kind = _KIND.search(text) if len(text) < LARGEST_BODY else None
    return msgspec.json.decode(text, type=Body) if kind and JSON.encode() in kind[1] else None


def parsed_body(body: Body | None) -> JsonObject | None:
    """The fields of a form or a JSON object; None for anything else."""
    if body is None or not body.text or len(body.text) > LARGEST_BODY:
        return None
    if FORM in body.mime_type:
        return {key: values[0] for key, values in parse_qs(body.text, keep_blank_values=True).items()}
    if JSON in body.mime_type:
        try:
            decoded = bounded_json.decode(body.text)
        except (json.JSONDecodeError, ValueError):
            return None
        return decoded if isinstance(decoded, dict) else None
    boundary = re.search(r"boundary=([^;\s]+)", body.mime_type) if MULTIPART in body.mime_type else None
    return dict(_form_parts(body.text, boundary[1].strip('"'))) if boundary else None


def _form_parts(text: str, boundary: str) -> Iterator[tuple[str, str]]:
    for part in text.split(f"--{boundary}"):
        head, blank, body = part.strip().replace("\r\n", "\n").partition("\n\n")
        name = re.search(r'^content-disposition:.*?\bname="([^"]+)"', head, re.IGNORECASE | re.MULTILINE)
        if name and (blank or head):
            yield name[1], body.rstrip("\n")
