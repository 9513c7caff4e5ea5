"""The client of a model behind any endpoint that speaks OpenAI's chat completions protocol."""

from __future__ import annotations

import asyncio
import math
import os
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

import msgspec

from webbench.core.errors import EnvironmentDown
from webbench.core.model_call import ModelCall, ToolUse
from webbench.core.models.attempt import OPENAI_HOST, ChatRequest, complete
from webbench.core.models.chat import Completion, Message, Sampling, Tool
from webbench.core.models.embeddings import AT_ONCE, embedded
from webbench.core.models.prices import Price
from webbench.core.models.trouble import Trouble
from webbench.core.settings.proxies import proxies_checked
from webbench.core.time_limit import time_limit

if TYPE_CHECKING:
    import httpx

Answer = TypeVar("Answer")

LEAST_OF_KEY = 8
"""Characters of a key that are enough to tell it from other words."""
TOO_SLOW = "no reply within"
"""How it is told that the time for one attempt was up."""
LONGEST_WAIT = 120.0
"""Seconds that an endpoint may ask us to wait before the next attempt."""

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 8.0
MOST_CONNECTIONS = 1000
_PAYER = {b"OpenAI-Organization": "OPENAI_ORG_ID", b"OpenAI-Project": "OPENAI_PROJECT_ID"}


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
        key: the endpoint's key, "" for one that wants none. It is sent, or given to a program that asks in
            our place, and nothing else: it is in no call, message or file.
    """

    def __init__(self, endpoint: Endpoint, key: str = "") -> None:
        self.endpoint = endpoint
        self.key = key
        self._client: httpx.AsyncClient | None = None

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
        """The whole call as it is to be recorded.

        What an endpoint does never raises, nor do proxies that can't be used: see its `error`.
        """
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
        try:
            client = await self._opened()
        except EnvironmentDown as error:
            return msgspec.structs.replace(call, error=f"the endpoint can't be asked: {error}")
        started = time.monotonic()
        attempts, answer = await self._answer(lambda: complete(client, endpoint.url, request))
        call = msgspec.structs.replace(call, attempts=attempts, seconds=time.monotonic() - started)
        if isinstance(answer, Trouble):
            return msgspec.structs.replace(call, error=self._reason(answer, attempts))
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
            await client.aclose()

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """An embedding for each text, all of one length. Raises `EnvironmentDown` with what went wrong."""
        found: list[list[float]] = []
        client = await self._opened()
        for some in (texts[at : at + AT_ONCE] for at in range(0, len(texts), AT_ONCE)):
            attempts, answer = await self._answer(
                partial(embedded, client, self.endpoint.url, self.endpoint.model, some)
            )
            if isinstance(answer, Trouble):
                raise EnvironmentDown(f"{self.name} gave no embeddings: {self._reason(answer, attempts)}")
            found += answer
        if len({len(one) for one in found}) > 1:
            raise EnvironmentDown(f"{self.name} gave embeddings of several lengths")
        return found

    async def _answer(self, ask: Callable[[], Awaitable[Answer]]) -> tuple[int, Answer | Trouble]:
        """How many attempts it took, and what came of the last one.

        What was too slow twice ends it: a model that reads for longer than that reads as long the next time.
        """
        attempt = slow = 0
        while True:
            attempt += 1
            try:
                return attempt, await self._attempt(ask)
            except Trouble as trouble:
                pause = trouble.wait if trouble.wait is not None else _pause(attempt)
                slow += trouble.slow
                over = attempt > self.endpoint.retries or slow > 1
                if over or not trouble.passing or pause > LONGEST_WAIT:
                    return attempt, trouble
            await asyncio.sleep(pause)

    async def _attempt(self, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        try:
            async with time_limit(self.endpoint.timeout):
                return await ask()
        except TimeoutError:
            raise Trouble(f"{TOO_SLOW} {self.endpoint.timeout:g} s", passing=True, slow=True) from None

    async def _opened(self) -> httpx.AsyncClient:
        """Opening loads certificates, which other episodes needn't wait for."""
        if self._client is None:
            opened = await asyncio.to_thread(self._open)
            if self._client is None:
                self._client = opened
            else:
                await opened.aclose()
        return self._client

    def _open(self) -> httpx.AsyncClient:
        import httpx

        headers = {b"User-Agent": b"webbench-tui", **self._authorization()}
        with proxies_checked():
            return httpx.AsyncClient(
                headers=headers,
                timeout=self.endpoint.timeout,
                follow_redirects=True,
                limits=httpx.Limits(max_connections=MOST_CONNECTIONS),
            )

    def _authorization(self) -> dict[bytes, bytes]:
        """The key, and for OpenAI itself who pays, which its own variables name.

        Raises `EnvironmentDown` for what is no text.
        """
        told = {b"Authorization": f"Bearer {self.key}"} if self.key else {}
        for header, variable in _PAYER.items() if self.endpoint.host == OPENAI_HOST else ():
            if named := os.environ.get(variable, "").strip():
                told[header] = named
        try:
            return {header: value.encode() for header, value in told.items()}
        except UnicodeEncodeError:
            raise EnvironmentDown(
                "the key, or the name of who pays, is not in UTF-8", "write it anew"
            ) from None  # the error would hold the key

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

    def _reason(self, trouble: Trouble, attempts: int) -> str:
        """What went wrong; the key, or the beginning of it that an endpoint repeats, is left out."""
        text = str(trouble).replace(self.key, "…") if self.key else str(trouble)
        for length in range(len(self.key) - 1, LEAST_OF_KEY - 1, -1):
            text = text.replace(self.key[:length], "…")
        return f"{text} (after {attempts} attempts)" if attempts > 1 else text


def _pause(attempt: int) -> float:
    """Seconds after this attempt: doubling from the first, with a quarter left to chance."""
    longest = min(FIRST_PAUSE * 2.0 ** (attempt - 1), LONGEST_PAUSE)
    return longest * random.uniform(0.75, 1.0)
