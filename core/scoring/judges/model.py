"""A model as judge, behind any endpoint that speaks OpenAI's chat completions protocol."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from weakref import WeakValueDictionary

import msgspec

from webbench.core.errors import BadData
from webbench.core.judge import Question, Reply
from webbench.core.model_call import ModelCall
from webbench.core.models.attempt import OUT_OF_TOKENS
from webbench.core.models.chat import Message, Picture, Sampling
from webbench.core.models.model_client import ChatClient, Endpoint
from webbench.core.models.tokens import most_tokens, token_count
from webbench.core.score.score import digest
from webbench.core.scoring.judges.cache import ReplyCache
from webbench.core.scoring.judges.json_form import ASKED, HINT, form_of
from webbench.core.scoring.judges.question_prompts import prompt_text
from webbench.core.text.plural import counted

PictureSource = Callable[[str], Picture]
"""The picture of a name, as it is sent; raises `BadData` where there is none."""

AT_A_TIME = 4
REPLY_TOKENS = 200
"""What a first reply is taken to have where no limit is set."""


class Usage(msgspec.Struct, kw_only=True):
    """What asking has taken so far; replies from the cache cost nothing."""

    asked: int = 0
    cached: int = 0
    failed: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    untold_cost: float = 0.0
    """What replies may have cost whose tokens the endpoint doesn't tell."""
    longest_reply: int = 0
    """Tokens of the longest one."""
    seconds: float = 0.0
    """Of all calls together, several of which may have been under way at once."""

    @property
    def spent(self) -> float:
        """US dollars that are gone, or may be."""
        return (self.cost or 0.0) + self.untold_cost

    def count(self, reply: Reply) -> None:
        if reply.cached:
            self.cached += 1
            return
        self.asked += 1
        self.failed += bool(reply.error)
        self.prompt_tokens += reply.prompt_tokens or 0
        self.completion_tokens += reply.completion_tokens or 0
        self.longest_reply = max(self.longest_reply, reply.completion_tokens or 0)
        self.seconds += reply.seconds
        if reply.cost is not None:
            self.cost = (self.cost or 0.0) + reply.cost


class ModelJudge:
    """Asks a model; the same question of the same model is asked once.

    Args:
        key: the endpoint's key, "" for one that wants none; see `ChatClient`.
        at_a_time: questions that may be under way at once.
        pictures: where those of its questions are; None: it can be asked none with a picture.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        sampling: Sampling = Sampling(temperature=0.0),
        key: str = "",
        cache: ReplyCache | None = None,
        at_a_time: int = AT_A_TIME,
        pictures: PictureSource | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.sampling = sampling
        self.usage = Usage()
        self._client = ChatClient(endpoint, key)
        self.name = self._client.name
        self._cache = cache
        self._pictures = pictures
        self.at_a_time = at_a_time
        self._slots = asyncio.Semaphore(at_a_time)
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def ask(self, question: Question) -> Reply:
        """The model's reply; none to a question that is put to people.

        A picture that can't be read is an error of the reply. Raises `BadData` for an unusable prompt; what
        the endpoint does never raises.
        """
        if question.asked_of == "person":
            return Reply(judge=self.name)
        prompt, sampling = self._worded(question)
        key = self._digest(prompt, sampling, question.pictures)
        same = self._asking.setdefault(key, asyncio.Lock())
        async with same, self._slots:
            known = self._cache.get(key) if self._cache else None
            reply = (
                msgspec.structs.replace(known, cached=True)
                if known
                else await self._asked(prompt, sampling, question.pictures)
            )
            if self._cache and reply.text.strip() and not reply.cached and not reply.error:
                self._cache.put(key, reply)
        self.usage.count(reply)
        return reply

    def key(self, question: Question) -> str:
        """Digest of everything that the reply depends on, its prompt in full. Raises `BadData`."""
        return self._digest(*self._worded(question), question.pictures)

    def has_reply(self, question: Question) -> bool:
        """Whether asking costs nothing, as it was answered before. Raises `BadData`."""
        return self._cache is not None and self._cache.get(self.key(question)) is not None

    def prompt_tokens(self, question: Question) -> tuple[int, int]:
        """What its prompt has, about and at most, a schema that goes with it counted, pictures not.

        Raises `BadData`.
        """
        prompt, sampling = self._worded(question)
        form = msgspec.json.encode(sampling.response_format).decode() if sampling.response_format else ""
        return token_count(prompt + form), most_tokens(prompt + form)

    @property
    def reply_tokens(self) -> int:
        """What the next reply is taken to have: its limit, or as much as the longest one so far."""
        return self.sampling.max_tokens or max(REPLY_TOKENS, self.usage.longest_reply)

    def _worded(self, question: Question) -> tuple[str, Sampling]:
        """The prompt and how it is asked. Raises `BadData` for an unusable prompt."""
        prompt = prompt_text(question)
        if self.sampling.response_format != ASKED:
            return prompt, self.sampling
        if not question.verdicts:
            return prompt, msgspec.structs.replace(self.sampling, response_format={})
        return prompt + HINT, msgspec.structs.replace(self.sampling, response_format=form_of(question))

    def _digest(self, prompt: str, sampling: Sampling, pictures: tuple[str, ...]) -> str:
        """Of everything that the reply depends on; the key is none of it."""
        asked = (self.endpoint.url, self.endpoint.model, sampling.parameters, prompt)
        return digest((*asked, pictures) if pictures else asked)

    async def _asked(self, prompt: str, sampling: Sampling, pictures: tuple[str, ...]) -> Reply:
        try:
            shown = await asyncio.to_thread(self._pictures_named, pictures) if pictures else ()
        except BadData as error:
            return Reply(judge=self.name, error=str(error))
        message = Message(role="user", text=prompt, pictures=shown)
        return self._reply(await self._client.ask([message], sampling))

    def _pictures_named(self, names: tuple[str, ...]) -> tuple[Picture, ...]:
        """Raises `BadData` where one can't be read."""
        if self._pictures is None:
            raise BadData("the question is about pictures, and no store was named that holds them")
        return tuple(map(self._pictures, names))

    def _reply(self, call: ModelCall) -> Reply:
        return Reply(
            text=call.reply,
            judge=self.name,
            error=call.error,
            prompt_tokens=call.prompt_tokens,
            completion_tokens=call.completion_tokens,
            cost=call.cost,
            cut=call.finish == OUT_OF_TOKENS,
            seconds=call.seconds,
        )

    @property
    def usage_text(self) -> str:
        """`42 calls, 169,080 tokens in, 2,310 out, $0.0120, 95.2 s`, and how many failed."""
        usage = self.usage
        failed = f", {usage.failed} failed" if usage.failed else ""
        cost = "" if usage.cost is None else f", ${usage.cost:.4f}"
        if usage.untold_cost:
            cost += f", some ${usage.untold_cost:.4f} for replies without a number of tokens"
        return (
            f"{counted(usage.asked, 'call')}{failed}, {usage.prompt_tokens:,} tokens in, "
            f"{usage.completion_tokens:,} out{cost}, {usage.seconds:.1f} s"
        )

    async def close(self) -> None:
        await self._client.close()
