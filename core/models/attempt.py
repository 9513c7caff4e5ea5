"""One attempt at one chat completion: what was said, or what went wrong and whether that may pass."""

from __future__ import annotations

import email.utils
import math
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from webbench.core.json_types import JsonObject
from webbench.core.models.chat import Completion, Message, Sampling, Tool
from webbench.core.models.completion_body import SHOWN, is_too_long, message_in, read_completion
from webbench.core.models.trouble import Trouble, may_pass
from webbench.core.text.plain_text import plain_clip
from webbench.core.time_limit import time_limit

if TYPE_CHECKING:
    import httpx

LARGEST_BODY = 4 * 1024 * 1024
COMPLETIONS = "/chat/completions"
OUT_OF_TOKENS = "length"
"""Why a reply ended that its limit of tokens cut off."""
TOO_LONG = "the prompt is longer than the model's context"
OPENAI_HOST = "api.openai.com"
"""The one host that knows the limit of tokens only under its newer name."""


class ChatRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked in one request.

    Attributes:
        stream: have the reply sent as it is written.
        stall: seconds that may pass between two parts of the reply.
    """

    model: str
    messages: Sequence[Message]
    sampling: Sampling = Sampling()
    tools: Sequence[Tool] = ()
    stream: bool = False
    stall: float = math.inf


async def complete(client: httpx.AsyncClient, url: str, request: ChatRequest) -> Completion:
    """Ask once the endpoint whose base is `url`.

    Raises `Trouble` for whatever the endpoint or the network does, and for a reply without a text or a
    tool that it was offered. One that its limit of tokens left empty, as happens to models that think first,
    is a reply: asked for once more it would be paid for once more.
    """
    newer = urlsplit(url).hostname == OPENAI_HOST
    kind, body = await posted(client, url, COMPLETIONS, _wire(request, newer), request.stall)
    completion = read_completion(kind, body)
    empty = not completion.text.strip() and not (completion.tools and request.tools)
    if empty and completion.finish != OUT_OF_TOKENS:
        raise Trouble("the reply says nothing", passing=True)
    return completion


async def posted(
    client: httpx.AsyncClient, url: str, path: str, body: JsonObject, stall: float = math.inf
) -> tuple[str, bytes]:
    """Content type and body of what the endpoint with the base `url` answers there. Raises `Trouble`."""
    import httpx

    try:
        base = httpx.URL(url)
        before, mark, query = base.raw_path.partition(b"?")
        address = base.copy_with(raw_path=before.rstrip(b"/") + path.encode() + mark + query)
        async with client.stream("POST", address, json=body) as response:
            if not response.is_success:
                raise await _refusal(response, stall)
            kind = response.headers.get("content-type", "")
            return kind, await _body(response.aiter_bytes(), stall)
    except httpx.TimeoutException:
        raise Trouble("the endpoint did not answer in time", passing=True, slow=True) from None
    except (httpx.LocalProtocolError, httpx.InvalidURL, ValueError):
        # The reason isn't told: it may repeat the key.
        raise Trouble(
            "the endpoint can't be asked: its address, its key or the request can't be sent"
        ) from None
    except httpx.HTTPError as error:
        raise Trouble(
            f"the endpoint can't be reached: {plain_clip(str(error), SHOWN)}", passing=True
        ) from None


def _wire(request: ChatRequest, newer: bool) -> JsonObject:
    """The body of the request. `newer`: the limit of tokens goes by its newer name."""
    body: JsonObject = {
        "model": request.model,
        "messages": [message.wire for message in request.messages],
        "stream": request.stream,
        **request.sampling.parameters,
    }
    if newer and "max_tokens" in body:
        body["max_completion_tokens"] = body.pop("max_tokens")
    if request.tools:
        body["tools"] = [tool.wire for tool in request.tools]
    if request.stream:
        body["stream_options"] = {"include_usage": True}
    return body


async def _body(chunks: AsyncIterator[bytes], stall: float) -> bytes:
    """All of it. Before the first byte a model may read its prompt for as long as the attempt may take."""
    import httpx

    body = bytearray()
    try:
        while len(body) <= LARGEST_BODY:
            async with time_limit(stall if body and math.isfinite(stall) else None):
                body += await anext(chunks)
    except StopAsyncIteration:
        return bytes(body)
    except TimeoutError:
        raise Trouble(f"the reply stopped for {stall:g} s", passing=True) from None
    except httpx.HTTPError as error:
        reason = plain_clip(str(error) or type(error).__name__, SHOWN)
        raise Trouble(f"the reply broke off: {reason}", passing=True) from None
    raise Trouble(f"the reply is larger than {LARGEST_BODY // 1024**2} MiB")


async def _refusal(response: httpx.Response, stall: float) -> Trouble:
    status = response.status_code
    try:
        body = await _body(response.aiter_bytes(), stall)
    except Trouble:
        body = b""
    reason = message_in(body)
    told = f"{TOO_LONG}: the endpoint" if is_too_long(body) else "the endpoint"
    message = f"{told} answered {status}" + (f": {plain_clip(reason, SHOWN)}" if reason else "")
    return Trouble(message, passing=may_pass(status), wait=_retry_after(response.headers))


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds of a Retry-After header, which holds a number or a date; None where it says nothing."""
    value = headers.get("retry-after", "")
    try:
        seconds = float(value)
    except ValueError:
        date = email.utils.parsedate_tz(value)
        return None if date is None else max(0.0, email.utils.mktime_tz(date) - time.time())
    return seconds if math.isfinite(seconds) and seconds >= 0 else None
