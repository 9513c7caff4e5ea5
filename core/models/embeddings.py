"""Embeddings of texts: one request to the endpoint that speaks OpenAI's protocol, and what it answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from webbench.core.models.attempt import posted
from webbench.core.models.trouble import Trouble

if TYPE_CHECKING:
    import httpx

EMBEDDINGS = "/embeddings"
AT_ONCE = 8
"""Texts of one request, so that its answer stays within what is read of one."""
LONGEST = 16_384
"""Numbers that one embedding may have."""


class _Embedding(msgspec.Struct, frozen=True):
    embedding: list[float]
    index: int | None = None


class _Body(msgspec.Struct, frozen=True):
    data: list[_Embedding]


async def embedded(
    client: httpx.AsyncClient, url: str, model: str, texts: Sequence[str]
) -> list[list[float]]:
    """One embedding for each text, in order, all of one length. Raises `Trouble`."""
    body = (await posted(client, url, EMBEDDINGS, {"model": model, "input": list(texts)}))[1]
    return read_embeddings(body, len(texts))


def read_embeddings(body: bytes, count: int) -> list[list[float]]:
    """So many embeddings of a body. Raises `Trouble` for anything else."""
    try:
        found = msgspec.json.decode(body, type=_Body).data
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Trouble("the endpoint's answer holds no embeddings") from None
    order = [one.index if one.index is not None else at for at, one in enumerate(found)]
    lengths = {len(one.embedding) for one in found}
    if sorted(order) != list(range(count)) or len(lengths) != 1 or not 1 <= min(lengths) <= LONGEST:
        raise Trouble(f"the endpoint gave {len(found)} embeddings for {count} texts, or of several lengths")
    if not all(math.isfinite(number) for one in found for number in one.embedding):
        raise Trouble("the endpoint's embeddings hold what is no number")
    return [one.embedding for _, one in sorted(zip(order, found, strict=True), key=lambda pair: pair[0])]
