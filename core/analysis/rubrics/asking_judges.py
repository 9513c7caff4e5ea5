"""Asking a judge about many episodes: what it will take, then a few at a time, each verdict kept at once.

What was answered before is not asked again, so that a search that was killed goes on where it stopped.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import msgspec

from webbench.core.analysis.rubrics.judged_once import JudgedOnce, Place, a_few_at_a_time, answered
from webbench.core.analysis.rubrics.kept_verdicts import JudgedEpisode, kept_verdicts
from webbench.core.analysis.rubrics.rubric import Rubric
from webbench.core.analysis.rubrics.transcript import TOKENS
from webbench.core.errors import BadData
from webbench.core.models.attempt import TOO_LONG
from webbench.core.models.model_client import TOO_SLOW
from webbench.core.scoring.judges.model import ModelJudge
from webbench.core.scoring.judges.verdict import CUT_OFF
from webbench.core.store.store import Store
from webbench.core.text.plural import counted

Told = Callable[[JudgedEpisode], None]


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """What asking will take.

    Attributes:
        episodes: that are asked about; `known` of them are answered already, and cost nothing.
        calls: of the model; records that are the same in every word take one.
        about_tokens: of the prompts.
        prompt_tokens: of the prompts, at most.
        cost: US dollars, at most where replies are limited; None where no price is known.
        reply_tokens: what each reply is taken to have; `limited`: it can't have more.
        cut: episodes of which the judge sees a part only.
        problems: episodes that can't be asked about.
    """

    episodes: int
    known: int
    calls: int
    about_tokens: int
    prompt_tokens: int
    cost: float | None
    reply_tokens: int
    limited: bool
    cut: int = 0
    problems: tuple[str, ...] = ()


def estimate_text(estimate: Estimate) -> str:
    """ "21 episodes, 2 answered before; 19 calls, about 173,720 tokens in, at most 219,473, at most $0.6"."""
    known = f", {estimate.known} answered before" if estimate.known else ""
    cost = "price not known" if estimate.cost is None else _cost_text(estimate, estimate.cost)
    cut = f"; {counted(estimate.cut, 'episode')} shortened" if estimate.cut else ""
    return (
        f"{counted(estimate.episodes, 'episode')}{known}; {counted(estimate.calls, 'call')}, "
        f"about {estimate.about_tokens:,} tokens in, at most {estimate.prompt_tokens:,}, {cost}{cut}"
    )


def _cost_text(estimate: Estimate, cost: float) -> str:
    if estimate.limited or not cost:
        return f"at most ${cost:.4f}"
    return f"${cost:.4f} with replies of {estimate.reply_tokens} tokens (max_tokens= limits them)"


def advice(problems: Iterable[str]) -> list[str]:
    """What may help against failures of a model that was asked, each once."""
    told = {
        TOO_SLOW: "give it more time (timeout=600 behind its name, or judge.timeout), fewer --tokens "
        "to read, or one question after the other (at_a_time=1)",
        TOO_LONG: "give it fewer --tokens to read, or its server a larger context",
        CUT_OFF: "let it write more: max_tokens= behind its name, or a larger context",
    }
    found = Counter(sign for problem in problems for sign in told if sign in problem)
    return [f"{counted(count, 'time')} {sign}: {told[sign]}" for sign, count in found.items()]


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
        self._once = JudgedOnce(store, judge, most_tokens)
        self.rater = self._once.rater(rubric)

    def estimate(self) -> Estimate:
        """Reads every episode, asks nothing."""
        earlier = self._earlier()
        tokens = about = calls = known = cut = 0
        asked: set[str] = set()
        problems: list[str] = []
        for place in self.places:
            try:
                transcript = self._once.transcript(place)
                question = self.rubric.asked_of(transcript.text, transcript.mark)
                likely, most = self.judge.prompt_tokens(question)
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
            about += likely
            tokens += most
        return Estimate(
            episodes=len(self.places),
            known=known,
            calls=calls,
            about_tokens=about,
            prompt_tokens=tokens,
            cost=self.judge.endpoint.price.cost(tokens, calls * self.judge.reply_tokens),
            reply_tokens=self.judge.reply_tokens,
            limited=self.judge.sampling.max_tokens is not None,
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
        self._once.require_price(most_cost)
        earlier = self._earlier()

        async def judged(place: Place) -> JudgedEpisode | None:
            transcript = await asyncio.to_thread(self._once.transcript, place)
            return await self._once.ask(place, self.rubric, transcript, earlier, most_cost)

        found, unasked, problems = await a_few_at_a_time(self.places, judged, told, self.judge.at_a_time)
        verdicts = tuple(found[place] for place in self.places if place in found)
        return Outcome(verdicts=verdicts, unasked=unasked, problems=problems)

    def _earlier(self) -> dict[str, JudgedEpisode]:
        kept = kept_verdicts(self.store, as_asked=True)
        kept_here = kept.of(self.rubric.taxonomy.name, self.rubric.question.name)
        return answered(one for one in kept_here if one.rater == self.rater)
