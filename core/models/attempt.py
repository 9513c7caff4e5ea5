"""One attempt at one chat completion: what was said, or what went wrong and whether that may pass."""

from __future__ import annotations

import asyncio
import email.utils
import math
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import msgspec

from webbench.core.json_types import JsonObject
from webbench.core.models.chat import Completion, Message, Sampling, Tool
from webbench.core.models.trouble import Trouble
from webbench.core.models.wire import SHOWN, read_completion
from webbench.core.plain_text import plain_clip

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI
    from openai.types.chat import ChatCompletionMessageParam

LARGEST_BODY = 4 * 1024 * 1024
_PASSING = frozenset((408, 409, 425, 429))
_SERVER_ERRORS = 500
_OUT_OF_TOKENS = "length"
_OPENAI = "api.openai.com"
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


async def complete(client: AsyncOpenAI, request: ChatRequest) -> Completion:
    """Ask once.

    Raises `Trouble` for whatever the endpoint or the network does, and for a reply without a text or a
    tool that it was offered. One that its limit of tokens left empty, as happens to models that think first,
    is a reply: asked for once more it would be paid for once more.
    """
    import openai

    messages = [message.wire for message in request.messages]
    try:
        async with client.chat.completions.with_streaming_response.create(
            model=request.model,
            messages=cast("list[ChatCompletionMessageParam]", messages),
            stream=request.stream,
            extra_body=_wishes(request, urlsplit(str(client.base_url)).hostname == _OPENAI),
        ) as response:
            kind = response.headers.get("content-type", "")
            body = await _body(response.iter_bytes(), request.stall)
    except openai.APIStatusError as error:
        raise _status_trouble(error) from None
    except openai.APITimeoutError:
        raise Trouble("the endpoint did not answer in time", passing=True) from None
    except openai.APIConnectionError as error:
        reason = plain_clip(str(error.__cause__ or error), SHOWN)
        raise Trouble(f"the endpoint can't be reached: {reason}", passing=True) from None
    except openai.OpenAIError as error:
        raise Trouble(f"the endpoint can't be asked: {plain_clip(str(error), SHOWN)}") from None
    completion = read_completion(kind, body)
    empty = not completion.text.strip() and not (completion.tools and request.tools)
    if empty and completion.finish != _OUT_OF_TOKENS:
        raise Trouble("the reply says nothing", passing=True)
    return completion


def _wishes(request: ChatRequest, newer: bool) -> JsonObject:
    """The part of the request that may be left out."""
    wishes = dict(request.sampling.parameters)
    if newer and "max_tokens" in wishes:
        wishes["max_completion_tokens"] = wishes.pop("max_tokens")
    if request.tools:
        wishes["tools"] = [tool.wire for tool in request.tools]
    if request.stream:
        wishes["stream_options"] = {"include_usage": True}
    return wishes


async def _body(chunks: AsyncIterator[bytes], stall: float) -> bytes:
    """All of it. Before the first byte a model may read its prompt for as long as the attempt may take."""
    body = bytearray()
    try:
        while len(body) <= LARGEST_BODY:
            async with asyncio.timeout(stall if body and math.isfinite(stall) else None):
                body += await anext(chunks)
    except StopAsyncIteration:
        return bytes(body)
    except TimeoutError:
        raise Trouble(f"the reply stopped for {stall:g} s", passing=True) from None
    except Exception as error:
        # Not wrapped by the client, and their classes belong to whichever HTTP library it came with.
        reason = plain_clip(str(error) or type(error).__name__, SHOWN)
        raise Trouble(f"the reply broke off: {reason}", passing=True) from None
    raise Trouble(f"the reply is larger than {LARGEST_BODY // 1024**2} MiB")


def _status_trouble(error: APIStatusError) -> Trouble:
    status = error.status_code
    message = f"the endpoint answered {status}: {plain_clip(error.message, SHOWN)}"
    passing = status in _PASSING or status >= _SERVER_ERRORS
    return Trouble(message, passing=passing, wait=_retry_after(error.response.headers))


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds of a Retry-After header, which holds a number or a date; None where it says nothing."""
    value = headers.get("retry-after", "")
    try:
        seconds = float(value)
    except ValueError:
        date = email.utils.parsedate_tz(value)
        return None if date is None else max(0.0, email.utils.mktime_tz(date) - time.time())
    return seconds if math.isfinite(seconds) and seconds >= 0 else None
