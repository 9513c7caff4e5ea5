"""Ask a model in an agent's name: every call is kept, and one without a reply ends the turn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import urlsplit

import msgspec

from webbench.core.agents.model.accepted_options import ModelOptions
from webbench.core.agents.model.cancelled_calls import CUT_OFF, hand_over
from webbench.core.benchmark.agent_request import AgentRequest
from webbench.core.errors import AgentFailed
from webbench.core.model_call import ModelCall
from webbench.core.models.chat import Message, Sampling, Tool
from webbench.core.models.endpoint_choice import endpoint_of, required_key, second_key
from webbench.core.models.model_client import ChatClient
from webbench.core.settings.load_settings import load_settings


class Asker:
    """Asks one model for one agent.

    Args:
        sampling: where a call wishes nothing else.
        beside: another one of the same agent; the calls of both are kept in one list, in their order.
    """

    def __init__(
        self, client: ChatClient, sampling: Sampling = Sampling(), *, beside: Asker | None = None
    ) -> None:
        self.client = client
        self.sampling = sampling
        self._calls: list[ModelCall] = [] if beside is None else beside._calls

    async def ask(
        self,
        messages: Sequence[Message],
        *,
        purpose: str = "",
        tools: Sequence[Tool] = (),
        sampling: Sampling | None = None,
    ) -> ModelCall:
        """The model's answer; it is kept until `taken`.

        Raises `AgentFailed` with all calls of the turn where the model gave none.
        """
        with self._handing_over():
            call = await self._one(messages, sampling or self.sampling, tools, purpose)
        return self._answered([call])[0]

    async def ask_often(
        self,
        messages: Sequence[Message],
        times: int,
        *,
        tools: Sequence[Tool] = (),
        purpose: str = "",
        before: int = 0,
    ) -> list[ModelCall]:
        """The answers of so many calls made at once, in order; those that failed are kept, but not given.

        A seed is counted up from call to call, or all would say the same. Raises `AgentFailed` where no call
        gave an answer.

        Args:
            before: calls with this prompt that were made already: their seeds are used up.
        """
        seed = self.sampling.seed
        samplings = [
            self.sampling if seed is None else msgspec.structs.replace(self.sampling, seed=seed + number)
            for number in range(before, before + times)
        ]
        with self._handing_over():
            calls = await asyncio.gather(*(self._one(messages, each, tools, purpose) for each in samplings))
        self._calls[-times:] = calls
        return self._answered(calls)

    async def _one(
        self, messages: Sequence[Message], sampling: Sampling, tools: Sequence[Tool], purpose: str = ""
    ) -> ModelCall:
        """One call, kept whatever becomes of it."""
        started = time.monotonic()
        try:
            call = await self.client.ask(messages, sampling, tools=tools, purpose=purpose)
        except asyncio.CancelledError:
            asked = self.client.unanswered(messages, sampling, purpose)
            seconds = time.monotonic() - started
            self._calls.append(msgspec.structs.replace(asked, seconds=seconds, error=CUT_OFF))
            raise
        self._calls.append(call)
        return call

    @contextmanager
    def _handing_over(self) -> Iterator[None]:
        """What was asked in a turn that is cut off is nobody's proposal."""
        try:
            yield
        except asyncio.CancelledError:
            hand_over(self.taken())
            raise

    def _answered(self, calls: Sequence[ModelCall]) -> list[ModelCall]:
        """Those that gave an answer. Raises `AgentFailed` where none did."""
        answered = [call for call in calls if not call.error]
        if not answered:
            raise AgentFailed(f"{self.client.name} gave no reply: {calls[0].error}", calls=self.taken())
        return answered

    def taken(self) -> tuple[ModelCall, ...]:
        """The calls since the last time, in order: those of this turn, for its proposal."""
        calls = tuple(self._calls)
        self._calls.clear()
        return calls

    async def close(self) -> None:
        await self.client.close()


def asker_for(
    options: ModelOptions, request: AgentRequest, *, beside: Asker | None = None, own_key: bool = False
) -> Asker:
    """With the endpoint, key and price of the settings, and what the options wish otherwise.

    Args:
        beside: of an agent that asks two models, what asks the other one. At another host the key of the
            settings isn't sent.
        own_key: the options' key file is this one's own, whatever settings and environment hold.

    Raises:
        UsageError: no model is named, the address is none, or a key is wanted there and isn't at hand.
        BadData: the settings, the key file or the price can't be read.
    """
    settings = load_settings()
    wished = options.settings(settings.model)
    endpoint = endpoint_of(wished, settings.prices)
    apart = beside is not None and _host(endpoint.url) != _host(beside.client.endpoint.url)
    if own_key or apart:
        key = second_key(msgspec.structs.replace(wished, key_file=options.key_file if own_key else ""))
    else:
        key = required_key(wished)
    client = ChatClient(endpoint, key)
    return Asker(client, options.sampling(request.seed), beside=beside)


def _host(url: str) -> str:
    """Host and port."""
    return urlsplit(url).netloc.lower()
