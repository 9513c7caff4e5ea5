"""Messages on a byte stream: four bytes of length (big endian), then MessagePack.

Typed decoding keeps a 24,000-node observation cheap and refuses anything that is no message.
"""

from __future__ import annotations

import asyncio
import struct
from typing import TypeVar

import msgspec

from webbench.core.errors import WebbenchError

_LENGTH = struct.Struct(">I")
LIMIT = 256 * 1024 * 1024
"""Largest message accepted, in bytes."""

Message = TypeVar("Message")


def encode(message: msgspec.Struct) -> bytes:
    """The message with its length in front."""
    body = msgspec.msgpack.encode(message)
    return _LENGTH.pack(len(body)) + body


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
