"""What a benchmark has to keep when its tasks are live: its stages, its evaluator, its oracle."""

from __future__ import annotations

import asyncio
import json
import math
import random
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import msgspec

from webbench.core.agent import Agent
from webbench.core.agents.do_nothing import DoNothing
from webbench.core.benchmark.benchmark import Benchmark, needs_browser
from webbench.core.conformance.benchmark_contract import configured
from webbench.core.conformance.generated import damaged_value
from webbench.core.conformance.left_behind import can_tell, children, listening_ports
from webbench.core.conformance.rule import Broken, Ledger, LeftOut, Rule, raised, require
from webbench.core.engine.engine import Engine, EpisodeRequest
from webbench.core.engine.session import agent_turns
from webbench.core.environment import Environment
from webbench.core.episode.episode import Episode
from webbench.core.episode.options import EpisodeOptions
from webbench.core.errors import UsageError
from webbench.core.json_types import Json, JsonObject
from webbench.core.renderings.observation_json import as_json
from webbench.core.score.score import Score, Status, every_check
from webbench.core.store.store import Store
from webbench.core.task import Task

CONTRACT = "core/benchmark/benchmark.py"
HOSTILE = 40
SETTLING_SECONDS = 3.0
CANARY = "webbenchgold"

STAGE = Rule(
    name="benchmark-stage",
    expected="its stage opens, its page can be read, and it closes",
    why="nothing can be done otherwise",
    contract=f"{CONTRACT}::Benchmark.stage",
)
LEAVES_NOTHING = Rule(
    name="benchmark-stage-leaves-nothing",
    expected="a stage that is closed leaves no process and no listening port more than the one before "
    "it, also where "
    "its actor was interrupted",
    why="a batch opens thousands of stages",
    contract=f"{CONTRACT}::Benchmark.stage",
)
GOLD = Rule(
    name="benchmark-gold-unseen",
    expected="nothing that the actor sees holds what stands in `gold`",
    why="an agent that can read the answer solves nothing",
    contract="core/task.py::Task.gold",
)
QUIET = Rule(
    name="benchmark-collect-quiet",
    expected="the page is the same before and after `Evaluator.collect`",
    why="evidence is collected after every step: whoever changes the page acts in the actor's place",
    contract=f"{CONTRACT}::Evaluator.collect",
)
EVIDENCE = Rule(
    name="benchmark-evidence",
    expected="the evidence is an object of JSON, the same when it is written and read again",
    why="it is recorded, and scored again from the record",
    contract=f"{CONTRACT}::Evaluator.collect",
)
PURE = Rule(
    name="benchmark-score-pure",
    expected="`score` gives the same for the same evidence, and leaves the evidence as it is",
    why="a score that is computed again has to be the score that was reported",
    contract=f"{CONTRACT}::Evaluator.score",
)
TOLD = Rule(
    name="benchmark-score-told",
    expected="a score has a finite value where it is scored and none elsewhere, checks with a reason "
    "where it is "
    "scored, and a reason where it isn't",
    why="a figure that nobody can explain is none",
    contract="core/score/score.py::Score",
)
HOSTILE_EVIDENCE = Rule(
    name="benchmark-score-never-raises",
    expected="`score` and `questions` never raise, whatever the evidence is: trouble is `Status.ERROR`",
    why="evidence comes from records that may be torn, old, or written by others",
    contract=f"{CONTRACT}::Evaluator.score",
)
ORACLE = Rule(
    name="benchmark-oracle",
    expected="the oracle solves its task: the score is 1",
    why="a task that its own oracle can't solve measures something else",
    contract=f"{CONTRACT}::Benchmark.oracle",
)
UNTOUCHED = Rule(
    name="benchmark-untouched",
    expected="an actor that does nothing scores less than the oracle",
    why="a task that is solved from the beginning measures nothing",
    contract=f"{CONTRACT}::Evaluator.score",
)


class Stages:
    """Plays tasks of one benchmark for its rules.

    Args:
        ledger: takes the findings.
        engine: opens the episodes; its browser runs already where one is needed.
    """

    def __init__(self, benchmark: Benchmark, ledger: Ledger, engine: Engine, seed: int) -> None:
        self._benchmark = benchmark
        self._ledger = ledger
        self._engine = engine
        self._seed = seed
        self._evidence: JsonObject = {}

    async def ask(self, task: Task) -> None:
        """All rules on one task."""
        ask = self._ledger.ask_live
        await ask(STAGE, lambda: self._opened(task))
        await ask(LEAVES_NOTHING, self._left(task, self._opened))
        await ask(GOLD, lambda: self._gold_unseen(task))
        self._evidence = {}
        await ask(QUIET, lambda: self._quiet(task))
        if self._evidence or QUIET.name not in self._ledger.broken:
            self._ledger.ask(EVIDENCE, lambda: evidence_is_json(self._evidence))
            self._ledger.ask(PURE, lambda: self._pure(task))
            self._ledger.ask(TOLD, lambda: self._every_score_is_told(task))
            self._ledger.ask(HOSTILE_EVIDENCE, lambda: self._hostile(task))
        await ask(ORACLE, lambda: self._solved(task))
        await ask(LEAVES_NOTHING, self._left(task, self._interrupted))

    def _left(self, task: Task, play: Callable[[Task], Awaitable[str]]) -> Callable[[], Awaitable[str]]:
        """Plays once more than was played before, and looks what is left then that wasn't."""

        async def played() -> str:
            if not can_tell():
                raise LeftOut("this system doesn't tell of processes in the way that is read here")
            before, ports = set(children()), listening_ports()
            told = await play(task)
            left: list[str] = []
            open_ports: list[int] = []
            for _ in range(int(SETTLING_SECONDS / 0.1)):
                left = [name for pid, name in children().items() if pid not in before]
                open_ports = sorted(listening_ports() - ports)
                if not left and not open_ports:
                    break
                await asyncio.sleep(0.1)
            require(not left, f"{task.id}: {told}; these processes go on: {left}")
            require(not open_ports, f"{task.id}: {told}; these ports are open still: {open_ports}")
            return f"{task.id}: {told}"

        return played

    async def _opened(self, task: Task) -> str:
        async with self._episode(task) as episode:
            seen = episode.observation
            fine = seen.condition == "ok" or not needs_browser(self._benchmark)
            require(fine, f"{task.id}: the page is {seen.condition}: {seen.problem}")
        return "opened and closed"

    async def _gold_unseen(self, task: Task) -> str:
        """Signs are put in place of what `gold` holds, and looked for in all that is seen."""
        planted, signs = with_signs(task.gold)
        if not signs:
            raise LeftOut(f"{task.id} has no text in its gold")
        try:
            async with self._episode(msgspec.structs.replace(task, gold=planted)) as episode:
                shown = as_json(episode.observation)
                view = episode.view()
                texts = (shown, view.task.intent, " ".join(view.notices), await episode.sight.html())
        except Broken:
            raise
        except Exception as error:
            raise LeftOut(f"{task.id} doesn't open with another gold: {raised(error)}") from error
        found = next((sign for sign in signs if any(sign in text for text in texts)), "")
        require(not found, f"{task.id}: what stands in its gold at {signs.get(found, '')} is on the page")
        return f"{task.id}: {len(signs)} signs in its gold"

    async def _quiet(self, task: Task) -> str:
        """Everything that is seen is compared, apart from the page's own time."""
        async with self._episode(task) as episode:
            before = await _seen(episode.environment)
            self._evidence = await self._benchmark.evaluator.collect(episode.environment, episode.stage, "")
            after = await _seen(episode.environment)
        require(before == after, f"{task.id}: {_what_differs(before, after)}")
        return f"{task.id}: {len(before)} lines"

    def _pure(self, task: Task) -> str:
        written = msgspec.json.encode(self._evidence)
        for rules in self._benchmark.rule_sets:
            first, second = (self._benchmark.evaluator.score(task, self._evidence, rules) for _ in "12")
            require(
                first == second,
                f"{task.id} by the rules {rules!r}: {first.headline()}, then {second.headline()}",
            )
            require(
                msgspec.json.encode(self._evidence) == written, f"{task.id}: `score` changed the evidence"
            )
        return f"{task.id}: {len(self._benchmark.rule_sets)} rule sets, twice each"

    def _every_score_is_told(self, task: Task) -> str:
        for rules in self._benchmark.rule_sets:
            score_is_told(self._benchmark.evaluator.score(task, self._evidence, rules))
        return f"{task.id}: {len(self._benchmark.rule_sets)} rule sets"

    def _hostile(self, task: Task) -> str:
        chance = random.Random(f"{self._seed} {task.id}")
        evaluator, tried = self._benchmark.evaluator, 0
        for rules in self._benchmark.rule_sets:
            for number in range(HOSTILE):
                evidence = damaged_value(self._evidence, chance) if number else {}
                if not isinstance(evidence, dict):
                    continue
                try:
                    evaluator.questions(task, evidence, rules)
                    score = evaluator.score(task, evidence, rules)
                except Exception as error:
                    shown = json.dumps(evidence)[:200]
                    raise Broken(f"{task.id}, rules {rules!r}, evidence {shown}: {raised(error)}") from error
                require(isinstance(score, Score), f"{task.id}: `score` gives {type(score).__name__}")
                tried += 1
        return f"{task.id}: {tried} damaged pieces of evidence, drawn with seed {self._seed}"

    async def _solved(self, task: Task) -> str:
        """The oracle's episode, and then one in which nothing is done."""
        try:
            oracle = self._benchmark.oracle(task)
        except UsageError as error:
            raise LeftOut(f"{task.id}: {error}") from error
        solved = await self._played(task, oracle)
        untouched = await self._played(task, DoNothing())
        await self._ledger.ask_live(UNTOUCHED, lambda: _less(task, untouched, solved))
        if solved.status is Status.PENDING:
            raise LeftOut(f"{task.id}: {solved.headline()}")
        right = solved.status is Status.SCORED and solved.value == 1.0
        require(right, f"{task.id}: {solved.headline()}: {_reasons(solved)}")
        return f"{task.id}: {solved.headline()}"

    async def _interrupted(self, task: Task) -> str:
        """The oracle takes a step, and is cancelled in its next."""
        try:
            oracle = self._benchmark.oracle(task)
        except UsageError:
            oracle = DoNothing()

        async def play() -> None:
            async with self._episode(task) as episode:
                await agent_turns.run(episode, oracle, steps=1)
                await agent_turns.run(episode, oracle)
                await asyncio.sleep(0.5)

        playing = asyncio.ensure_future(play())
        await asyncio.wait({playing}, timeout=1.0)
        playing.cancel()
        with suppress(asyncio.CancelledError):
            await playing
        await oracle.close()
        return "interrupted"

    async def _played(self, task: Task, agent: Agent) -> Score:
        try:
            async with _Opened(self._engine, self._benchmark, task, pictures=True) as episode:
                await agent_turns.run(episode, agent)
                return await episode.finish("the agent had nothing more to do")
        finally:
            await agent.close()

    def _episode(self, task: Task) -> _Opened:
        return _Opened(self._engine, self._benchmark, task)


class _Opened:
    """A started episode, scored at its end alone; some judges score by its pictures."""

    def __init__(self, engine: Engine, benchmark: Benchmark, task: Task, *, pictures: bool = False) -> None:
        run = engine.store.start_run(benchmark=benchmark.name, agent="check", planned=1, task_ids=(task.id,))
        options = EpisodeOptions(pictures=pictures, live_score=False, step_limit=benchmark.step_limit)
        request = EpisodeRequest(benchmark=benchmark, task=task, run=run, actor="check", options=options)
        self._context = engine.episode(request)

    async def __aenter__(self) -> Episode:
        episode = await self._context.__aenter__()
        try:
            await episode.start()
        except BaseException as error:
            if not await self._context.__aexit__(type(error), error, error.__traceback__):
                raise
        return episode

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._context.__aexit__(kind, raised, trace)


async def ask_stages(name: str, tasks: Sequence[Task], ledger: Ledger, seed: int, count: int) -> None:
    """Play some tasks of the benchmark, drawn by the seed, and ask its rules of each."""
    benchmark = configured(name)
    chosen = random.Random(seed).sample(list(tasks), min(count, len(tasks)))
    if not chosen:
        ledger.note(STAGE, "left out", f"there is no task to open: {benchmark.status().detail}")
        return
    with tempfile.TemporaryDirectory(prefix="webbench-check-") as folder:
        async with Engine(Store(Path(folder))) as engine:
            if needs_browser(benchmark):
                await engine.browser()
            await engine.keep_open(benchmark)
            stages = Stages(benchmark, ledger, engine, seed)
            for task in chosen:
                await stages.ask(task)


def evidence_is_json(evidence: Json) -> str:
    """Raises `Broken`."""
    require(isinstance(evidence, dict), f"it is {type(evidence).__name__}")
    try:
        read = msgspec.json.decode(msgspec.json.encode(evidence))
    except (TypeError, ValueError, msgspec.MsgspecError) as error:
        raise Broken(f"it can't be written as JSON: {error}") from error
    require(read == evidence, f"read again it is {read!r}")
    return f"{len(msgspec.json.encode(evidence))} bytes"


def score_is_told(score: Score) -> None:
    """Raises `Broken`."""
    scored = score.status is Status.SCORED
    require(
        scored == (score.value is not None), f"its status is {score.status.words}, its value {score.value}"
    )
    if score.value is not None:
        require(math.isfinite(score.value), f"its value is {score.value}")
    require(scored or bool(score.reason), f"it is {score.status.words} without a reason")
    require(not scored or bool(score.checks), "it is scored without a check")
    silent = [check.name for check in every_check(score.checks) if not (check.why or check.checks)]
    require(not scored or not silent, f"these checks don't say why: {silent[:5]}")


def with_signs(gold: JsonObject) -> tuple[JsonObject, dict[str, str]]:
    """The gold with a sign in place of each text, and the signs with the place that each stands at."""
    signs: dict[str, str] = {}

    def signed(value: Json, at: str) -> Json:
        if isinstance(value, str):
            sign = f"{CANARY}{len(signs)}x"
            signs[sign] = at.lstrip(".")
            return sign
        if isinstance(value, list):
            return [signed(one, f"{at}.{number}") for number, one in enumerate(value)]
        if isinstance(value, dict):
            return {name: signed(one, f"{at}.{name}") for name, one in value.items()}
        return value

    planted = signed(gold, "")
    assert isinstance(planted, dict)
    return planted, signs


async def _less(task: Task, untouched: Score, solved: Score) -> str:
    if untouched.value is None or solved.value is None:
        raise LeftOut(f"{task.id}: {untouched.headline()} against {solved.headline()}")
    less = untouched.value < solved.value
    require(less, f"{task.id}: {untouched.headline()} untouched, {solved.headline()} by the oracle")
    return f"{task.id}: {untouched.value:g} against {solved.value:g}"


def _reasons(score: Score) -> str:
    return "; ".join(check.why for check in every_check(score.checks) if check.value != 1.0 and check.why)[
        :300
    ]


async def _seen(environment: Environment) -> list[str]:
    """What is on the page, and where it is, line by line."""
    seen = await environment.observe()
    tabs = [f"tab {tab.url}" for tab in seen.tabs]
    nodes = [f"{node.role} {node.name!r} {node.value!r} {sorted(node.states.items())}" for node in seen.nodes]
    return [seen.url, seen.title, f"focus {seen.focused}", *tabs, *nodes]


def _what_differs(before: Sequence[str], after: Sequence[str]) -> str:
    for one, other in zip(before, after, strict=False):
        if one != other:
            return f"{one} became {other}"
    return f"{len(before)} lines became {len(after)}"
