"""Asking a model behind any endpoint that speaks OpenAI's chat completions protocol."""

from __future__ import annotations

import asyncio
import importlib
import math
import random
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from webbench.core.models.attempt import ChatRequest, complete
from webbench.core.models.call import ModelCall, ToolUse
from webbench.core.models.chat import Completion, Message, Sampling, Tool
from webbench.core.models.prices import Price
from webbench.core.models.trouble import Trouble

if TYPE_CHECKING:
    from openai import AsyncOpenAI

LONGEST_WAIT = 120.0
"""Seconds that an endpoint may ask us to wait before the next attempt."""

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 8.0
_WITHOUT_KEY = "none"


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Where a model is, and how patient we are with it.

    Attributes:
        url: base of the endpoint: "https://api.example.org/v1".
        timeout: seconds for one attempt, from the request to the last byte of the reply.
        retries: further attempts after one that failed in a way that may pass.
        stream: have replies sent as they are written.
        stall: seconds that may pass between two parts of a streamed reply.
    """

    model: str
    url: str
    timeout: float = 60.0
    retries: int = 4
    stream: bool = False
    stall: float = math.inf
    price: Price = Price()

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or self.url


class ChatClient:
    """Asks one model. Several calls may be under way at once; cancelling one drops its connection.

    Args:
        key: the endpoint's key, "" for one that wants none. It is sent and nothing else: it is in no
            call, message or file.
    """

    def __init__(self, endpoint: Endpoint, key: str = "") -> None:
        self.endpoint = endpoint
        self._key = key
        self._client: AsyncOpenAI | None = None

    @property
    def name(self) -> str:
        """Model and host, for people."""
        return f"{self.endpoint.model} at {self.endpoint.host}"

    async def ask(
        self,
        messages: Sequence[Message],
        sampling: Sampling = Sampling(),
        *,
        tools: Sequence[Tool] = (),
        purpose: str = "",
    ) -> ModelCall:
        """The whole call as it is to be recorded. What an endpoint does never raises: see its `error`."""
        endpoint = self.endpoint
        request = ChatRequest(
            model=endpoint.model,
            messages=messages,
            sampling=sampling,
            tools=tools,
            stream=endpoint.stream,
            stall=endpoint.stall,
        )
        call = self.unanswered(messages, sampling, purpose)
        client = await self._opened()
        started = time.monotonic()
        attempts, answer = await self._answer(client, request)
        call = msgspec.structs.replace(call, attempts=attempts, seconds=time.monotonic() - started)
        if isinstance(answer, Trouble):
            return msgspec.structs.replace(call, error=self._told(answer, attempts))
        return self._answered(call, answer)

    def unanswered(self, messages: Sequence[Message], sampling: Sampling, purpose: str) -> ModelCall:
        """A call of which nothing is known yet but what is asked."""
        return ModelCall(
            model=self.endpoint.model,
            purpose=purpose,
            host=self.endpoint.host,
            parameters=sampling.parameters,
            messages=tuple(message.sent for message in messages),
        )

    async def close(self) -> None:
        """Give back the connections; idempotent."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _answer(self, client: AsyncOpenAI, request: ChatRequest) -> tuple[int, Completion | Trouble]:
        """How many attempts it took, and what came of the last one."""
        attempt = 0
        while True:
            attempt += 1
            try:
                return attempt, await self._attempt(client, request)
            except Trouble as trouble:
                pause = trouble.wait if trouble.wait is not None else _pause(attempt)
                if attempt > self.endpoint.retries or not trouble.passing or pause > LONGEST_WAIT:
                    return attempt, trouble
            await asyncio.sleep(pause)

    async def _attempt(self, client: AsyncOpenAI, request: ChatRequest) -> Completion:
        try:
            async with asyncio.timeout(self.endpoint.timeout):
                return await complete(client, request)
        except TimeoutError:
            raise Trouble(f"no reply within {self.endpoint.timeout:g} s", passing=True) from None

    async def _opened(self) -> AsyncOpenAI:
        """The client library takes a second to import, which other episodes needn't wait for."""
        if self._client is not None:
            return self._client
        await asyncio.to_thread(importlib.import_module, "openai")
        from openai import AsyncOpenAI

        if self._client is None:
            self._client = AsyncOpenAI(
                api_key=self._key or _WITHOUT_KEY,
                base_url=self.endpoint.url,
                max_retries=0,
                timeout=self.endpoint.timeout,
            )
        return self._client

    def _answered(self, call: ModelCall, completion: Completion) -> ModelCall:
        return msgspec.structs.replace(
            call,
            reply=completion.text,
            thinking=completion.thinking,
            tools=tuple(ToolUse(name=name, arguments=arguments) for name, arguments in completion.tools),
            finish=completion.finish,
            prompt_tokens=completion.prompt_tokens,
            completion_tokens=completion.completion_tokens,
            cost=self.endpoint.price.cost(completion.prompt_tokens, completion.completion_tokens),
        )

    def _told(self, trouble: Trouble, attempts: int) -> str:
        """What went wrong, without the key, should the endpoint repeat it."""
        text = str(trouble).replace(self._key, "…") if self._key else str(trouble)
        return f"{text} (after {attempts} attempts)" if attempts > 1 else text


def _pause(attempt: int) -> float:
    """Seconds after this attempt: doubling from the first, with a quarter left to chance."""
    longest = min(FIRST_PAUSE * 2.0 ** (attempt - 1), LONGEST_PAUSE)
    return longest * random.uniform(0.75, 1.0)
