"""Asking a model in an agent's name: every call is kept, and one without a reply ends the turn."""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.agents.contract import AgentRequest
from webbench.core.agents.model.options import ModelOptions
from webbench.core.errors import AgentFailed
from webbench.core.models.call import ModelCall
from webbench.core.models.chat import Message, Sampling, Tool
from webbench.core.models.choosing import endpoint_of, model_key
from webbench.core.models.client import ChatClient
from webbench.core.settings import load_settings


class Asker:
    """Asks one model for one agent.

    Args:
        sampling: where a call wishes nothing else.
    """

    def __init__(self, client: ChatClient, sampling: Sampling = Sampling()) -> None:
        self.client = client
        self.sampling = sampling
        self._calls: list[ModelCall] = []

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
        call = await self.client.ask(messages, sampling or self.sampling, tools=tools, purpose=purpose)
        self._calls.append(call)
        if call.error:
            raise AgentFailed(f"{self.client.name} gave no reply: {call.error}", calls=self.taken())
        return call

    def taken(self) -> tuple[ModelCall, ...]:
        """The calls since the last time, in order: those of this turn, for its proposal."""
        calls, self._calls = tuple(self._calls), []
        return calls

    async def close(self) -> None:
        await self.client.close()


def asker_for(options: ModelOptions, request: AgentRequest) -> Asker:
    """With the endpoint, key and price of the settings, and what the options wish otherwise.

    Raises:
        UsageError: no model is named, or the address is none.
        BadData: the settings, the key file or the price can't be read.
    """
    settings = load_settings()
    wished = options.settings(settings.model)
    client = ChatClient(endpoint_of(wished, settings.prices), model_key(wished))
    return Asker(client, options.sampling(request.seed))
