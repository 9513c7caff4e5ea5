"""A model as judge, behind any endpoint that speaks OpenAI's chat completions protocol."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from webbench.core.judge.cache import ReplyCache
from webbench.core.judge.completions import Completion, Trouble, complete
from webbench.core.judge.contract import Question, Reply
from webbench.core.judge.prompts import prompt_text
from webbench.core.score import digest

if TYPE_CHECKING:
    from openai import AsyncOpenAI

LONGEST_WAIT = 120.0
"""Seconds that an endpoint may ask us to wait before the next attempt."""

AT_A_TIME = 4
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
_WITHOUT_KEY = "none"


class ModelOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a model is asked.

    Attributes:
        url: base of the endpoint: "https://api.example.org/v1".
        timeout: seconds for one attempt, from the question to the last byte of the reply.
        retries: further attempts after one that failed in a way that may pass.
        temperature: None leaves it to the endpoint.
        input_price, output_price: US dollars per million tokens; None = not known.
    """

    model: str
    url: str
    timeout: float = 60.0
    retries: int = 4
    temperature: float | None = 0.0
    input_price: float | None = None
    output_price: float | None = None

    @property
    def parameters(self) -> dict[str, float]:
        return {} if self.temperature is None else {"temperature": self.temperature}


class Usage(msgspec.Struct, kw_only=True):
    """What asking has taken so far; replies from the cache cost nothing."""

    asked: int = 0
    cached: int = 0
    failed: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None

    def count(self, reply: Reply) -> None:
        if reply.cached:
            self.cached += 1
            return
        self.asked += 1
        self.failed += bool(reply.error)
        self.prompt_tokens += reply.prompt_tokens or 0
        self.completion_tokens += reply.completion_tokens or 0
        if reply.cost is not None:
            self.cost = (self.cost or 0.0) + reply.cost


class ModelJudge:
    """Asks a model; the same question of the same model is asked once.

    Args:
        key: the endpoint's key, "" for one that wants none. It is sent and nothing else: it is in no
            reply, message or file.
    """

    def __init__(self, options: ModelOptions, key: str = "", cache: ReplyCache | None = None) -> None:
        self.options = options
        self.name = f"{options.model} at {urlsplit(options.url).hostname or options.url}"
        self.usage = Usage()
        self._key = key
        self._cache = cache
        self._client: AsyncOpenAI | None = None
        self._slots = asyncio.Semaphore(AT_A_TIME)

    async def ask(self, question: Question) -> Reply:
        """The model's reply. Raises `BadData` for an unusable prompt; what the endpoint does never raises."""
        prompt = prompt_text(question)
        key = self._digest(prompt)
        async with self._slots:
            known = self._cache.get(key) if self._cache else None
            reply = msgspec.structs.replace(known, cached=True) if known else await self._asked(prompt)
        self.usage.count(reply)
        if self._cache and not reply.cached and not reply.error:
            self._cache.put(key, reply)
        return reply

    def _digest(self, prompt: str) -> str:
        """Of everything that the reply depends on; the key is none of it."""
        asked = (self.options.url, self.options.model, self.options.parameters, prompt)
        return digest(asked)

    async def _asked(self, prompt: str) -> Reply:
        for attempt in range(self.options.retries + 1):
            try:
                return self._reply(await self._attempt(prompt))
            except Trouble as trouble:
                pause = trouble.wait if trouble.wait is not None else _pause(attempt)
                if attempt == self.options.retries or not trouble.passing or pause > LONGEST_WAIT:
                    return Reply(judge=self.name, error=self._told(trouble, attempt + 1))
            await asyncio.sleep(pause)
        raise AssertionError("the last attempt returns")

    async def _attempt(self, prompt: str) -> Completion:
        try:
            async with asyncio.timeout(self.options.timeout):
                return await complete(self._opened(), self.options.model, prompt, self.options.parameters)
        except TimeoutError:
            raise Trouble(f"no reply within {self.options.timeout:g} s", passing=True) from None

    def _opened(self) -> AsyncOpenAI:
        from openai import AsyncOpenAI

        if self._client is None:
            self._client = AsyncOpenAI(
                api_key=self._key or _WITHOUT_KEY,
                base_url=self.options.url,
                max_retries=0,
                timeout=self.options.timeout,
            )
        return self._client

    def _reply(self, completion: Completion) -> Reply:
        usage = completion.usage
        return Reply(
            text=completion.text,
            judge=self.name,
            prompt_tokens=usage.prompt_tokens if usage else None,
            completion_tokens=usage.completion_tokens if usage else None,
            cost=self._cost(completion),
        )

    def _cost(self, completion: Completion) -> float | None:
        prices, usage = (self.options.input_price, self.options.output_price), completion.usage
        if usage is None or usage.prompt_tokens is None or usage.completion_tokens is None:
            return None
        if prices[0] is None or prices[1] is None:
            return None
        return (usage.prompt_tokens * prices[0] + usage.completion_tokens * prices[1]) / 1e6

    def _told(self, trouble: Trouble, attempts: int) -> str:
        """What went wrong, without the key, should the endpoint repeat it."""
        text = str(trouble).replace(self._key, "…") if self._key else str(trouble)
        return f"{text} (after {attempts} attempts)" if attempts > 1 else text

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()


def _pause(attempt: int) -> float:
    """Seconds before the next attempt: doubling, with a quarter left to chance."""
    longest = min(_FIRST_PAUSE * 2.0**attempt, _LONGEST_PAUSE)
    return longest * random.uniform(0.75, 1.0)
