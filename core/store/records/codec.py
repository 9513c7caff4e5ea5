"""JSON of records: one line each, ASCII where the text holds lone surrogates, versions checked."""

from __future__ import annotations

import json
from threading import Lock
from typing import Any, TypeVar

import msgspec

from webbench.core.errors import BadData

T = TypeVar("T")


_decoders: dict[Any, msgspec.json.Decoder[Any]] = {}
_making = Lock()
"""One thread at a time makes a decoder, as `read_fields` says."""


class _Version(msgspec.Struct):
    schema_version: int = 1


def encode(value: Any) -> bytes:
    """Compact JSON without line breaks. Text that is no valid UTF-8 (lone surrogates) is escaped."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value), separators=(",", ":"), ensure_ascii=True).encode()


def decode(data: bytes, type: type[T]) -> T:
    """The inverse of `encode`. Raises `msgspec.DecodeError` or `msgspec.ValidationError`."""
    try:
        return _decoder(type).decode(data)
    except RecursionError:
        raise msgspec.DecodeError("it is nested too deeply") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        if b"\\u" not in data:
            raise _decode_error(error) from error
        return _decode_slowly(data, type)


def _decoder(type: type[T]) -> msgspec.json.Decoder[T]:
    if type not in _decoders:
        with _making:
            _decoders.setdefault(type, msgspec.json.Decoder(type))
    return _decoders[type]


def _decode_slowly(data: bytes, type: type[T]) -> T:
    """Through the standard library, which accepts escaped lone surrogates."""
    try:
        return msgspec.convert(json.loads(data), type=type)
    except (ValueError, RecursionError) as error:
        raise _decode_error(error) from error


def _decode_error(error: Exception) -> msgspec.DecodeError:
    return error if isinstance(error, msgspec.DecodeError) else msgspec.DecodeError(str(error))


def decode_record(data: bytes, type: type[T], newest: int, where: str) -> T:
    """A record that names its schema version.

    Raises `BadData` for a version newer than `newest` and for anything that is no such record;
    `where` names the file (and line) in the message.
    """
    try:
        version = decode(data, _Version).schema_version
    except msgspec.DecodeError as error:
        raise BadData(f"{where} is no readable record: {error}") from error
    if version > newest:
        raise NewerSchema(where, version, newest)
    try:
        return decode(data, type)
    except msgspec.DecodeError as error:
        raise BadData(f"{where} is no readable record: {error}") from error


class NewerSchema(BadData):
    """A record of a later release: left as it is, not guessed at."""

    def __init__(self, where: str, found: int, newest: int) -> None:
        super().__init__(
            f"{where} was written by a newer release (schema version {found}; this one reads up to {newest})",
            "update webbench-tui; the record was left untouched",
        )
