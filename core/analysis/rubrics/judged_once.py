"""Questions about recorded episodes, each put to a judge once, within the money, its verdict kept at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.analysis.rubrics.citations import LONGEST_REPLY, read_reply
from webbench.core.analysis.rubrics.kept_verdicts import JudgedEpisode, keep, rater_name
from webbench.core.analysis.rubrics.rubric import Rubric
from webbench.core.analysis.rubrics.transcript import TOKENS, Transcript, transcript_of
from webbench.core.errors import BadData, EnvironmentDown, UsageError
from webbench.core.judge import Question
from webbench.core.models.attempt import TOO_LONG
from webbench.core.score.score import digest
from webbench.core.scoring.judges.model import ModelJudge
from webbench.core.scoring.judges.question_prompts import prompt_version
from webbench.core.store.store import Store

MOST_IN_VAIN = 4
"""Questions in a row without a reply, after which the judge is taken to be away."""

Place = tuple[str, str]
Found = TypeVar("Found")


class JudgedOnce:
    """One judge, and what a store keeps of it.

    Args:
        most_tokens: of each episode's transcript.
    """

    def __init__(self, store: Store, judge: ModelJudge, most_tokens: int = TOKENS) -> None:
        self.store = store
        self.judge = judge
        self._most_tokens = most_tokens
        self._under_way = 0.0
        self._in_vain = 0
        endpoint = judge.endpoint
        self._identity = digest((endpoint.url, endpoint.model, judge.sampling.parameters, most_tokens))

    def rater(self, rubric: Rubric) -> str:
        """The judge with this prompt as an annotator. Raises `BadData` for an unusable prompt."""
        version = prompt_version(rubric.kind)
        return rater_name(self.judge.endpoint.model, self._identity, rubric.prompt, version)

    def transcript(self, place: Place) -> Transcript:
        """Raises `BadData` for an episode that can't be read."""
        recorded = RecordedEpisode(self.store, self.store.load(self.store.root / place[0] / place[1]))
        return transcript_of(recorded, self._most_tokens)

    def require_price(self, most_cost: float | None) -> None:
        """Raises `UsageError` where money is limited and no price is known."""
        if most_cost is not None and self.judge.endpoint.price.cost(1, 1) is None:
            raise no_price()

    async def ask(
        self,
        place: Place,
        rubric: Rubric,
        transcript: Transcript,
        earlier: Mapping[str, JudgedEpisode],
        most_cost: float | None = None,
    ) -> JudgedEpisode | None:
        """The verdict on one episode; None where the money is spent.

        Raises `EnvironmentDown` where the judge is asked in vain again and again.

        Args:
            earlier: kept verdicts by what was asked, see `answered`.
            most_cost: US dollars of this judge; nothing more is asked once they are spent.
        """
        question = rubric.asked_of(transcript.text, transcript.mark)
        asked = self.judge.key(question)
        if asked in earlier and earlier[asked].place == place:
            return earlier[asked]
        expected = 0.0 if self.judge.has_reply(question) else self._next_cost(question)
        spent = self.judge.usage.spent + self._under_way + expected
        if most_cost is not None and expected and spent > most_cost:
            return None
        self._under_way += expected
        try:
            reply = await self.judge.ask(question)
        finally:
            self._under_way -= expected
        if reply.cost is None and not (reply.error or reply.cached):
            self.judge.usage.untold_cost += expected
        read = read_reply(rubric, transcript, reply)
        one = JudgedEpisode(
            run=place[0],
            episode=place[1],
            taxonomy=rubric.taxonomy.name,
            version=rubric.taxonomy.version,
            question=rubric.question.name,
            code=read.code,
            citations=read.citations,
            refused=read.refused,
            reason=read.reason,
            problem=read.problem,
            rater=self.rater(rubric),
            judge=self.judge.name,
            prompt=rubric.prompt,
            prompt_version=prompt_version(rubric.kind),
            asked=asked,
            cut=transcript.cut,
            left_out=transcript.left_out,
            reply=reply.text[: LONGEST_REPLY + 1],
            failed=bool(reply.error),
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            cost=reply.cost,
        )
        await asyncio.to_thread(keep, self.store, [one])
        self._in_vain = self._in_vain + 1 if reply.error and TOO_LONG not in reply.error else 0
        if self._in_vain >= MOST_IN_VAIN:
            raise EnvironmentDown(
                f"The judge gave no reply {self._in_vain} times in a row: {reply.error}",
                "what was answered before is kept; ask again once it is there",
            )
        return one

    def _next_cost(self, question: Question) -> float:
        """What one more call costs, at most where its reply has a limit."""
        _, most = self.judge.prompt_tokens(question)
        return self.judge.endpoint.price.cost(most, self.judge.reply_tokens) or 0.0


def no_price() -> UsageError:
    """Why money can't be limited."""
    return UsageError(
        "No price of this model is known, so its cost can't be limited",
        "set prices.MODEL, or judge.input_price and judge.output_price (US dollars per million tokens)",
    )


def answered(verdicts: Iterable[JudgedEpisode]) -> dict[str, JudgedEpisode]:
    """Verdicts that needn't be asked for again, by what was asked."""
    return {one.asked: one for one in verdicts if not one.failed}


async def a_few_at_a_time(
    places: Sequence[Place],
    judged: Callable[[Place], Awaitable[Found | None]],
    told: Callable[[Found], None],
    at_a_time: int,
) -> tuple[dict[Place, Found], int, tuple[str, ...]]:
    """What came of each place, how many were left as the money was spent, and what can't be asked about.

    Raises what `judged` raises, but for `BadData`.
    """
    found: dict[Place, Found] = {}
    problems: list[str] = []
    unasked: list[Place] = []
    waiting = list(reversed(places))

    async def work() -> None:
        while waiting:
            place = waiting.pop()
            try:
                one = await judged(place)
            except BadData as error:
                problems.append(f"{'/'.join(place)}: {error}")
                continue
            if one is None:
                unasked.append(place)
                continue
            found[place] = one
            told(one)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(at_a_time, len(places))):
                group.create_task(work())
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return found, len(unasked), tuple(problems)
