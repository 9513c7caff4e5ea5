"""What a model says on which step decided it: who first, then the step, in one of three ways.

All at once: one question with the whole record. Step by step: each step with what came before it, until one
is called the mistake. By halves: which half of what is left holds it. A verdict has to cite words that stand
in the record, and a step that isn't among those asked about is refused; each reply is kept in the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Literal, get_args

import msgspec

from webbench.core.analysis.decisive.rule_level import turns_of
from webbench.core.analysis.decisive.turn import Turn
from webbench.core.analysis.findings.suggestion import Subject
from webbench.core.analysis.recorded.step_observations import look_into
from webbench.core.analysis.rubrics.asking_judges import Estimate
from webbench.core.analysis.rubrics.citations import Citation
from webbench.core.analysis.rubrics.judged_once import JudgedOnce, Place, a_few_at_a_time, answered
from webbench.core.analysis.rubrics.kept_verdicts import JudgedEpisode, kept_verdicts
from webbench.core.analysis.rubrics.rubric import NO, Rubric
from webbench.core.analysis.rubrics.transcript import TOKENS, Transcript
from webbench.core.errors import BadData
from webbench.core.labels.taxonomy import Code, Question, Taxonomy
from webbench.core.scoring.judges.model import ModelJudge
from webbench.core.store.store import Store

Way = Literal["all", "each", "halves"]
WAYS: tuple[Way, ...] = get_args(Way)
TITLES: dict[Way, str] = {"all": "all at once", "each": "step by step", "halves": "by halves"}
NAME = "decisive-step"
"""Under which verdicts are kept."""
FOLDER = "decisive"
"""Of the prompts."""
LISTED = 40
"""Steps of one agent that are listed where it is asked who made the mistake."""

UNMEASURED_JUDGE = "Judges are not measured here: a named step is a question until somebody confirms it."

_WAY_OF_PROMPT: dict[str, Way] = {"step": "all", "each": "each", "half": "halves"}


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One question about as much of a record as it takes."""

    rubric: Rubric
    transcript: Transcript


class NamedStep(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge says of one episode.

    Attributes:
        step, agent: None and "" where it names none; `problem` then says why.
        citations: what its last answer rests on; `refused` ones of any answer don't hold.
        questions: that it took, earlier ones among them.
    """

    run: str
    episode: str
    way: Way
    judge: str
    step: int | None = None
    agent: str = ""
    reason: str = ""
    citations: tuple[Citation, ...] = ()
    refused: tuple[str, ...] = ()
    problem: str = ""
    questions: int = 0

    @property
    def place(self) -> Place:
        return self.run, self.episode

    @property
    def asks(self) -> str:
        """`Did step 7 decide it? gpt-x says so, all at once: it buys the wrong one`."""
        if self.step is None:
            return f"No step is named: {self.problem}"
        why = f": {self.reason}" if self.reason else ""
        return f"Did step {self.step} decide it? {self.judge} says so, {TITLES[self.way]}{why}"

    @property
    def quotes(self) -> str:
        """`step 7 “Buy” · step 9 “wrong size”`."""
        return " · ".join(f"step {one.step} “{one.quote}”" for one in self.citations)


class NamedSteps(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it; `unasked` episodes were left because the money was spent."""

    named: tuple[NamedStep, ...]
    unasked: int = 0
    problems: tuple[str, ...] = ()


class DecisiveSearch:
    """One judge asked in one way about failed episodes of a store.

    Args:
        places: those that were solved are left out.
        most_tokens: of each episode's transcript.
    """

    def __init__(
        self, store: Store, judge: ModelJudge, way: Way, places: Iterable[Place], most_tokens: int = TOKENS
    ) -> None:
        self.store = store
        self.judge = judge
        self.way: Way = way
        asked = tuple(dict.fromkeys(places))
        self.places = tuple(place for place in asked if not _is_solved(store, place))
        self.solved = len(asked) - len(self.places)
        self._once = JudgedOnce(store, judge, most_tokens)

    def estimate(self) -> Estimate:
        """The most that it can take. Reads every episode, asks nothing."""
        earlier = self._earlier()
        about = tokens = calls = known = cut = 0
        problems: list[str] = []
        for place in self.places:
            try:
                transcript, candidates = self._prepared(place)
                lengths = list(self._lengths(candidates, transcript, place, earlier))
            except BadData as error:
                problems.append(f"{'/'.join(place)}: {error}")
                continue
            cut += bool(transcript.cut or transcript.left_out)
            known += not lengths
            calls += len(lengths)
            about += sum(likely for likely, _ in lengths)
            tokens += sum(most for _, most in lengths)
        cost = self.judge.endpoint.price.cost(tokens, calls * self.judge.reply_tokens)
        return Estimate(
            episodes=len(self.places),
            known=known,
            calls=calls,
            about_tokens=about,
            prompt_tokens=tokens,
            cost=cost,
            reply_tokens=self.judge.reply_tokens,
            limited=self.judge.sampling.max_tokens is not None,
            cut=cut,
            problems=tuple(problems),
        )

    def _lengths(
        self,
        candidates: Sequence[Turn],
        transcript: Transcript,
        place: Place,
        earlier: Mapping[str, JudgedEpisode],
    ) -> Iterator[tuple[int, int]]:
        """Tokens of each question that isn't answered yet, where every answer leaves most to be asked.

        About and at most.
        """
        walk = questions(self.way, candidates, transcript)
        code: str | None = None
        while True:
            try:
                asked = next(walk) if code is None else walk.send(code)
            except StopIteration:
                return
            question = asked.rubric.asked_of(asked.transcript.text, asked.transcript.mark)
            one = earlier.get(self.judge.key(question))
            if one is not None and one.place == place:
                code = one.code
                continue
            if not self.judge.has_reply(question):
                yield self.judge.prompt_tokens(question)
            code = _longest(asked.rubric)

    async def ask(
        self, told: Callable[[NamedStep], None] = lambda _named: None, most_cost: float | None = None
    ) -> NamedSteps:
        """Ask about every episode; what was answered before isn't asked again.

        Raises `UsageError` where money is limited and no price is known, `StoreUnwritable`.
        """
        self._once.require_price(most_cost)
        earlier = self._earlier()

        async def judged(place: Place) -> NamedStep | None:
            return await self._named(place, earlier, most_cost)

        found, unasked, problems = await a_few_at_a_time(self.places, judged, told, self.judge.at_a_time)
        named = tuple(found[place] for place in self.places if place in found)
        return NamedSteps(named=named, unasked=unasked, problems=problems)

    async def _named(
        self, place: Place, earlier: Mapping[str, JudgedEpisode], most_cost: float | None
    ) -> NamedStep | None:
        transcript, candidates = await asyncio.to_thread(self._prepared, place)
        walk = questions(self.way, candidates, transcript)
        verdicts: list[JudgedEpisode] = []
        step: int | None = None
        try:
            asked = next(walk)
            while not (verdicts and verdicts[-1].failed):
                one = await self._once.ask(place, asked.rubric, asked.transcript, earlier, most_cost)
                if one is None:
                    return None
                verdicts.append(one)
                asked = walk.send(one.code)
        except StopIteration as ended:
            step = ended.value
        last = verdicts[-1] if verdicts else None
        return NamedStep(
            run=place[0],
            episode=place[1],
            way=self.way,
            judge=self.judge.name,
            step=step,
            agent=next((one.agent for one in candidates if one.step == step), ""),
            reason=last.reason if last is not None and step is not None else "",
            citations=last.citations if last is not None and step is not None else (),
            refused=tuple(reason for one in verdicts for reason in one.refused),
            problem="" if step is not None else _problem(verdicts),
            questions=len(verdicts),
        )

    def _earlier(self) -> dict[str, JudgedEpisode]:
        return answered(kept_verdicts(self.store, as_asked=True).of(NAME))

    def _prepared(self, place: Place) -> tuple[Transcript, tuple[Turn, ...]]:
        """What the judge reads, and the steps that it chooses among: those in which somebody decides."""
        trajectory = self.store.load(self.store.root / place[0] / place[1])
        transcript = self._once.transcript(place)
        taken = turns_of(Subject(trajectory, look_into(self.store, trajectory, [])))
        shown = {one.index for one in transcript.steps}
        candidates = tuple(one for one in taken if one.is_own and one.step in shown)
        if not candidates:
            raise BadData("nobody decides anything in it", "a judge has no step to choose")
        return transcript, candidates


def questions(
    way: Way, candidates: Sequence[Turn], transcript: Transcript
) -> Generator[Asked, str, int | None]:
    """Yields each question, is sent its verdict ("" for none), and returns the step that is named.

    Where who made the mistake stays open, all of them are asked about.
    """
    by_agent: dict[str, list[int]] = {}
    for one in candidates:
        by_agent.setdefault(one.agent, []).append(one.step)
    steps = [one.step for one in candidates]
    if len(by_agent) > 1:
        names = {f"agent-{at}": own for at, own in enumerate(by_agent.values(), 1)}
        codes = tuple(_code(name, f"who took {_steps(own)}") for name, own in names.items())
        code = yield _asked("agent", "agent", "Who of them made the decisive mistake?", codes, transcript)
        steps = names.get(code, steps)
    if way == "each":
        return (yield from _each(steps, transcript))
    return (yield from _halves(steps, transcript) if way == "halves" else _all(steps, transcript))


def _all(steps: Sequence[int], transcript: Transcript) -> Generator[Asked, str, int | None]:
    codes = tuple(_code(str(step), f"step {step}") for step in steps)
    code = yield _asked("step", "step", "Which of these steps is the decisive mistake?", codes, transcript)
    return int(code) if code else None


def _each(steps: Sequence[int], transcript: Transcript) -> Generator[Asked, str, int | None]:
    for step in steps:
        codes = (
            _code(str(step), f"step {step} is the decisive mistake"),
            _code(NO, "it is not, or the record doesn't show that it is"),
        )
        text = f"Is step {step}, the last one that is shown, the decisive mistake?"
        code = yield _asked("each", f"step-{step}", text, codes, _part(transcript, 0, step))
        if code == str(step):
            return step
    return None


def _halves(steps: Sequence[int], transcript: Transcript) -> Generator[Asked, str, int | None]:
    left = list(steps)
    while len(left) > 1:
        middle = (len(left) + 1) // 2
        halves = {_range(half): half for half in (left[:middle], left[middle:])}
        codes = tuple(_code(name, _steps(half)) for name, half in halves.items())
        part = _part(transcript, left[0], left[-1])
        text = "In which of these two stretches lies the decisive mistake?"
        code = yield _asked("half", f"half-{_range(left)}", text, codes, part)
        if not code:
            return None
        left = halves[code]
    return left[0]


def named_steps(store: Store) -> dict[Place, tuple[NamedStep, ...]]:
    """What judges said, as it is kept: of each judge and way the latest step that it named."""
    found: dict[Place, dict[tuple[str, str], JudgedEpisode]] = {}
    for one in kept_verdicts(store).of(NAME):
        if not (one.prompt in _WAY_OF_PROMPT and one.code.isascii() and one.code.isdigit()):
            continue
        own = found.setdefault(one.place, {})
        key = one.judge, one.prompt
        if key not in own or own[key].at <= one.at:
            own[key] = one
    return {place: tuple(map(_kept, own.values())) for place, own in found.items()}


def _kept(one: JudgedEpisode) -> NamedStep:
    return NamedStep(
        run=one.run,
        episode=one.episode,
        way=_WAY_OF_PROMPT[one.prompt],
        judge=one.judge,
        step=int(one.code),
        reason=one.reason,
        citations=one.citations,
        refused=one.refused,
    )


def _asked(prompt: str, name: str, text: str, codes: tuple[Code, ...], transcript: Transcript) -> Asked:
    question = Question(name=name, text=text, places=("episode",), codes=codes)
    taxonomy = Taxonomy(
        name=NAME, version=1, title="Which step decided it?", source="a judge", questions=(question,)
    )
    rubric = Rubric(taxonomy=taxonomy, question=question, prompt=prompt, folder=FOLDER)
    return Asked(rubric=rubric, transcript=transcript)


def _code(name: str, definition: str) -> Code:
    """Of numbers alone: what the record says of itself stays between its delimiters."""
    return Code(name=name, title=name, definition=definition)


def _steps(steps: Sequence[int]) -> str:
    more = f" and {len(steps) - LISTED} more" if len(steps) > LISTED else ""
    return f"{'step' if len(steps) == 1 else 'steps'} {', '.join(map(str, steps[:LISTED]))}{more}"


def _range(steps: Sequence[int]) -> str:
    return str(steps[0]) if len(steps) == 1 else f"{steps[0]}-{steps[-1]}"


def _part(transcript: Transcript, first: int, last: int) -> Transcript:
    """The record from one step to another."""
    steps = tuple(one for one in transcript.steps if first <= one.index <= last)
    left_out = transcript.left_out + len(transcript.steps) - len(steps)
    return msgspec.structs.replace(transcript, steps=steps, left_out=left_out, whole=transcript.mark)


def _longest(rubric: Rubric) -> str:
    """The answer after which most is left to ask; who it was stays open, so that all steps are left."""
    if rubric.prompt == "agent":
        return ""
    return NO if NO in rubric.codes else rubric.codes[0]


def _problem(verdicts: Sequence[JudgedEpisode]) -> str:
    last = next((one.problem for one in reversed(verdicts) if one.problem), "")
    return last or "it calls none of the steps the mistake"


def _is_solved(store: Store, place: Place) -> bool:
    score = store.header(*place).score
    return score is not None and score.value == 1
