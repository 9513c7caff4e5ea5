"""One attempt at one chat completion: what was said, or what went wrong and whether that may pass."""

from __future__ import annotations

import email.utils
import math
import time
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from webbench.core.plain_text import plain_clip

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

LARGEST_BODY = 4 * 1024 * 1024
_SHOWN = 200
_PASSING = frozenset((408, 409, 425, 429))
_SERVER_ERRORS = 500


class Trouble(Exception):
    """Why an attempt gave nothing.

    Args:
        passing: another attempt may succeed.
        wait: seconds that the endpoint asked us to wait, None where it didn't say.
    """

    def __init__(self, message: str, *, passing: bool = False, wait: float | None = None) -> None:
        super().__init__(message)
        self.passing = passing
        self.wait = wait


class TokenUsage(msgspec.Struct, frozen=True):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Message(msgspec.Struct, frozen=True):
    content: str | None = None


class _Choice(msgspec.Struct, frozen=True):
    message: _Message


class Completion(msgspec.Struct, frozen=True):
    """The part of a chat completion that is used."""

    choices: tuple[_Choice, ...]
    usage: TokenUsage | None = None

    @property
    def text(self) -> str:
        return self.choices[0].message.content or ""


async def complete(
    client: AsyncOpenAI, model: str, prompt: str, parameters: Mapping[str, float]
) -> Completion:
    """Ask once. Raises `Trouble` for whatever the endpoint or the network does."""
    import openai

    try:
        async with client.chat.completions.with_streaming_response.create(
            model=model,
            messages=[{"role": "user", "content": prompt}],
            temperature=parameters.get("temperature", openai.omit),
        ) as response:
            kind = response.headers.get("content-type", "")
            body = await _body(response.iter_bytes())
    except openai.APIStatusError as error:
        raise _status_trouble(error) from None
    except openai.APITimeoutError:
        raise Trouble("the endpoint did not answer in time", passing=True) from None
    except openai.APIConnectionError as error:
        reason = plain_clip(str(error.__cause__ or error), _SHOWN)
        raise Trouble(f"the endpoint can't be reached: {reason}", passing=True) from None
    except openai.OpenAIError as error:
        raise Trouble(f"the endpoint can't be asked: {plain_clip(str(error), _SHOWN)}") from None
    return _read(kind, body)


async def _body(chunks: AsyncIterator[bytes]) -> bytes:
    body = bytearray()
    try:
        async for chunk in chunks:
            body += chunk
            if len(body) > LARGEST_BODY:
                break
    except Exception as error:
        # Not wrapped by the client, and their classes belong to whichever HTTP library it came with.
        reason = plain_clip(str(error) or type(error).__name__, _SHOWN)
        raise Trouble(f"the reply broke off: {reason}", passing=True) from None
    if len(body) > LARGEST_BODY:
        raise Trouble(f"the reply is larger than {LARGEST_BODY // 1024**2} MiB")
    return bytes(body)


def _read(kind: str, body: bytes) -> Completion:
    if "json" not in kind:
        shown = plain_clip(kind, _SHOWN) or "no content type"
        raise Trouble(f"the endpoint answered with {shown} in place of JSON: is its address right?")
    try:
        completion = msgspec.json.decode(body, type=Completion)
    except msgspec.ValidationError as error:
        raise Trouble(f"the reply is no chat completion: {error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Trouble(f"the reply is broken JSON: {error}", passing=True) from None
    if not completion.choices or not completion.text.strip():
        raise Trouble("the reply says nothing", passing=True)
    return completion


def _status_trouble(error: APIStatusError) -> Trouble:
    status = error.status_code
    message = f"the endpoint answered {status}: {plain_clip(error.message, _SHOWN)}"
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
