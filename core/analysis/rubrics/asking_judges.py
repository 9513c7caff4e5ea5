"""Asking a judge about many episodes: what it will take, then a few at a time, each verdict kept at once.

What was answered before is not asked again, so that a search that was killed goes on where it stopped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import msgspec

from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.analysis.rubrics.citations import LONGEST_REPLY, read_reply
from webbench.core.analysis.rubrics.kept_verdicts import JudgedEpisode, keep, kept_verdicts, rater_name
from webbench.core.analysis.rubrics.rubric import Rubric
from webbench.core.analysis.rubrics.transcript import TOKENS, Transcript, transcript_of
from webbench.core.errors import BadData, UsageError
from webbench.core.models.tokens import token_count
from webbench.core.score.score import digest
from webbench.core.scoring.judges.model import AT_A_TIME, ModelJudge
from webbench.core.scoring.judges.question_prompts import prompt_text, prompt_version
from webbench.core.store.store import Store
from webbench.core.text.plural import counted

REPLY_TOKENS = 200
"""What a reply is taken to have where its cost is told beforehand."""

Place = tuple[str, str]
Told = Callable[[JudgedEpisode], None]


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """What asking will take.

    Attributes:
        episodes: that are asked about; `known` of them are answered already, and cost nothing.
        calls: of the model; records that are the same in every word take one.
        prompt_tokens: about.
        cost: US dollars, about; None where no price is known.
        cut: episodes of which the judge sees a part only.
        problems: episodes that can't be asked about.
    """

    episodes: int
    known: int
    calls: int
    prompt_tokens: int
    cost: float | None
    cut: int = 0
    problems: tuple[str, ...] = ()


def estimate_text(estimate: Estimate) -> str:
    """ "21 episodes, 2 answered before; 19 calls, about 219,473 tokens in, about $0.5800"."""
    known = f", {estimate.known} answered before" if estimate.known else ""
    cost = "price not known" if estimate.cost is None else f"about ${estimate.cost:.4f}"
    cut = f"; {counted(estimate.cut, 'episode')} shortened" if estimate.cut else ""
    return (
        f"{counted(estimate.episodes, 'episode')}{known}; {counted(estimate.calls, 'call')}, "
        f"about {estimate.prompt_tokens:,} tokens in, {cost}{cut}"
    )


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it.

    Attributes:
        verdicts: of all episodes, earlier ones among them.
        unasked: episodes that were left because the money was spent.
        problems: episodes that can't be asked about.
    """

    verdicts: tuple[JudgedEpisode, ...]
    unasked: int = 0
    problems: tuple[str, ...] = ()


class RubricSearch:
    """One rubric put to one judge about episodes of a store.

    Args:
        most_tokens: of each episode's transcript.

    Raises `BadData` for an unusable prompt.
    """

    def __init__(
        self,
        store: Store,
        rubric: Rubric,
        judge: ModelJudge,
        places: Sequence[Place],
        most_tokens: int = TOKENS,
    ) -> None:
        self.store = store
        self.rubric = rubric
        self.judge = judge
        self.places = tuple(dict.fromkeys(places))
        self._most_tokens = most_tokens
        self._version = prompt_version(rubric.kind)
        self._under_way = 0.0
        identity = digest((judge.endpoint.url, judge.endpoint.model, judge.sampling.parameters, most_tokens))
        self.rater = rater_name(judge.endpoint.model, identity, rubric.prompt, self._version)

    def estimate(self) -> Estimate:
        """Reads every episode, asks nothing."""
        earlier = self._earlier()
        tokens = calls = known = cut = 0
        asked: set[str] = set()
        problems: list[str] = []
        for place in self.places:
            try:
                transcript = self._transcript(place)
                question = self.rubric.asked_of(transcript.text, transcript.mark)
                prompt = prompt_text(question)
            except BadData as error:
                problems.append(f"{'/'.join(place)}: {error}")
                continue
            cut += bool(transcript.cut or transcript.left_out)
            key = self.judge.key(question)
            if key in earlier or self.judge.has_reply(question):
                known += 1
                continue
            if key in asked:
                continue
            asked.add(key)
            calls += 1
            tokens += token_count(prompt)
        return Estimate(
            episodes=len(self.places),
            known=known,
            calls=calls,
            prompt_tokens=tokens,
            cost=self.judge.endpoint.price.cost(tokens, calls * REPLY_TOKENS),
            cut=cut,
            problems=tuple(problems),
        )

    async def ask(self, told: Told = lambda _verdict: None, most_cost: float | None = None) -> Outcome:
        """Ask about every episode, and keep each verdict as soon as it is there.

        Args:
            told: called with each verdict, new or known.
            most_cost: US dollars; nothing more is asked once this call has spent them.

        Raises `UsageError` where money is limited and no price is known, `StoreUnwritable`.
        """
        if most_cost is not None and self.judge.endpoint.price.cost(1, 1) is None:
            raise UsageError(
                "No price of this model is known, so its cost can't be limited",
                "set judge.input_price and judge.output_price (US dollars per million tokens)",
            )
        earlier = self._earlier()
        found: dict[Place, JudgedEpisode] = {}
        problems: list[str] = []
        unasked: list[Place] = []
        waiting = list(reversed(self.places))

        async def work() -> None:
            while waiting:
                place = waiting.pop()
                try:
                    one = await self._judged(place, earlier, most_cost)
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
                for _ in range(min(AT_A_TIME, len(self.places))):
                    group.create_task(work())
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None
        verdicts = tuple(found[place] for place in self.places if place in found)
        return Outcome(verdicts=verdicts, unasked=len(unasked), problems=tuple(problems))

    def _earlier(self) -> dict[str, JudgedEpisode]:
        """Verdicts that needn't be asked for again, by what was asked."""
        kept = kept_verdicts(self.store, as_asked=True)
        kept_here = kept.of(self.rubric.taxonomy.name, self.rubric.question.name)
        return {one.asked: one for one in kept_here if one.rater == self.rater and not one.failed}

    def _transcript(self, place: Place) -> Transcript:
        recorded = RecordedEpisode(self.store, self.store.load(self.store.root / place[0] / place[1]))
        return transcript_of(recorded, self._most_tokens)

    async def _judged(
        self, place: Place, earlier: dict[str, JudgedEpisode], most_cost: float | None
    ) -> JudgedEpisode | None:
        """The verdict on one episode; None where the money is spent."""
        transcript = await asyncio.to_thread(self._transcript, place)
        question = self.rubric.asked_of(transcript.text, transcript.mark)
        asked = self.judge.key(question)
        if asked in earlier and earlier[asked].place == place:
            return earlier[asked]
        expected = 0.0 if self.judge.has_reply(question) else self._next_cost(prompt_text(question))
        spent = (self.judge.usage.cost or 0.0) + self._under_way + expected
        if most_cost is not None and expected and spent > most_cost:
            return None
        self._under_way += expected
        try:
            reply = await self.judge.ask(question)
        finally:
            self._under_way -= expected
        read = read_reply(self.rubric, transcript, reply)
        one = JudgedEpisode(
            run=place[0],
            episode=place[1],
            taxonomy=self.rubric.taxonomy.name,
            version=self.rubric.taxonomy.version,
            question=self.rubric.question.name,
            code=read.code,
            citations=read.citations,
            refused=read.refused,
            reason=read.reason,
            problem=read.problem,
            rater=self.rater,
            judge=self.judge.name,
            prompt=self.rubric.prompt,
            prompt_version=self._version,
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
        return one

    def _next_cost(self, prompt: str) -> float:
        """What one more call costs, about."""
        return self.judge.endpoint.price.cost(token_count(prompt), REPLY_TOKENS) or 0.0
