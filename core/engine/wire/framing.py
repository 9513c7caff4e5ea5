"""Messages on a byte stream: four bytes of length (big endian), then MessagePack.

Typed decoding keeps a 24,000-node observation cheap and refuses anything that is no message.
"""

from __future__ import annotations

import asyncio
import struct
from typing import TypeVar

import msgspec

from webbench.core.errors import WebbenchError
from webbench.core.json_types import Json

_LENGTH = struct.Struct(">I")
LIMIT = 256 * 1024 * 1024
"""Largest message accepted, in bytes."""

_LEAST, _MOST = -(2**63), 2**64 - 1

Message = TypeVar("Message")


def encode(message: msgspec.Struct) -> bytes:
    """The message with its length in front.

    What an agent or a page says may hold what MessagePack has no form for: halves of surrogate pairs come as
    U+FFFD, numbers beyond 64 bits as the nearest within.
    """
    try:
        body = msgspec.msgpack.encode(message)
    except (UnicodeEncodeError, OverflowError):
        plain = msgspec.to_builtins(message, builtin_types=(bytes,))
        body = msgspec.msgpack.encode(_expressible(plain))
    return _LENGTH.pack(len(body)) + body


def _expressible(value: Json) -> Json:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_expressible(key): _expressible(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_expressible(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return max(_LEAST, min(value, _MOST))
    return value


async def read(stream: asyncio.StreamReader, decoder: msgspec.msgpack.Decoder[Message]) -> Message | None:
    """The next message, or None at the end of the stream.

    Raises:
        WebbenchError: the bytes are no message of ours (the other side printed into the stream).
    """
    try:
        header = await stream.readexactly(_LENGTH.size)
        (length,) = _LENGTH.unpack(header)
        if length > LIMIT:
            raise WebbenchError(f"A message of {length} bytes came over the engine's pipe (limit {LIMIT})")
        body = await stream.readexactly(length)
    except (asyncio.IncompleteReadError, ConnectionResetError):
        return None
    try:
        return decoder.decode(body)
    except msgspec.MsgspecError as error:
        raise WebbenchError(f"The engine's pipe carried something that is no message: {error}") from error
