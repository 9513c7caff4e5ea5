"""`step` without a screen: one action per line in, one answer per line out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec

from webbench.core import registry
from webbench.core.agents.contract import Agent
from webbench.core.analysis.recorded_episode import RecordedEpisode
from webbench.core.dialects.contract import ParseError
from webbench.core.engine import agent_turns, catalogue, messages
from webbench.core.engine.engine import EpisodeRequest, make_agent
from webbench.core.engine.replay import Replay
from webbench.core.episode import Episode
from webbench.core.errors import EnvironmentDown, UsageError, WebbenchError
from webbench.core.json_types import JsonObject
from webbench.core.score import Status
from webbench.core.store.store import Store
from webbench.core.task import Benchmark, Task, name_and_instance, needs_browser
from webbench.core.trajectory import memory
from webbench.tui.headless.batch import ready_benchmark
from webbench.tui.headless.line_commands import OF_THE_PAGE, Sitting
from webbench.tui.headless.lines import stdin_lines
from webbench.tui.headless.output import flush, print_json_line, print_text, say
from webbench.tui.headless.place import (
    agent_spec,
    chosen_dialect,
    episode_options,
    find_episode,
    open_engine,
    open_store,
    report_settings,
    resets_first,
)

SCHEMA_VERSION = 1
SCORED = ":score"
"""The command whose answer is a score without a page."""


class StepRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of `step`, and of `fork`: it resumes up to `fork_step`."""

    benchmark: str = ""
    task: str = ""
    instance: int = 0
    resume: str = ""
    fork_step: int | None = None
    agent: str = ""
    dialect: str = ""
    rules: str = ""
    relevant_html: bool | None = None
    reset: bool | None = None
    data: Path | None = None
    store: Path | None = None


def find_task(request: StepRequest, store: Store) -> tuple[Benchmark, Task]:
    """The benchmark and task a request names; with `resume`, those of the recorded episode.

    Raises:
        UsageError: nothing named, or no such task or instance.
        BadData: the benchmark's data is missing.
    """
    if request.resume:
        recorded = store.load(find_episode(store, request.resume)).header.task
        benchmark = ready_benchmark(recorded.benchmark, request.data)
        return benchmark, catalogue.startable(recorded, str(request.data or ""))
    if not request.benchmark or not request.task:
        raise UsageError("Which task?", "webbench-tui step BENCHMARK TASK; `webbench-tui tasks` lists them")
    name, instance = name_and_instance(request.task)
    benchmark = ready_benchmark(request.benchmark, request.data)
    data = str(request.data or "")
    return benchmark, catalogue.read_task(
        request.benchmark, name, request.instance if instance is None else instance, data
    ).task


def step_lines(request: StepRequest, *, as_json: bool) -> int:
    """Step a task by lines of stdin, or let an agent step it; returns the exit code: 0 scored, 1 not.

    Raises:
        UsageError: an unknown benchmark, task, instance, episode, agent, dialect or rule set.
        EnvironmentDown: no browser, or a store that can't be written.
    """
    report_settings()
    store = open_store(request.store)
    benchmark, task = find_task(request, store)
    dialect = chosen_dialect(request.dialect)
    registry.dialect(dialect or benchmark.dialect)
    episode = EpisodeRequest(
        benchmark=benchmark,
        task=task,
        run="",
        dialect=dialect,
        options=episode_options(benchmark, rules=request.rules, relevant_html=request.relevant_html),
        resumes=store.load(find_episode(store, request.resume)) if request.resume else None,
        fork_step=request.fork_step,
        reset=resets_first(request.reset),
    )
    spec = agent_spec(request.agent, store)
    agent = make_agent(spec, benchmark, task) if spec else None
    return asyncio.run(_step_lines(store, episode, agent, as_json))


async def _step_lines(store: Store, request: EpisodeRequest, agent: Agent | None, as_json: bool) -> int:
    async with open_engine(store) as engine:
        if needs_browser(request.benchmark):
            await engine.browser()
        actor = agent.name if agent else "human"
        name = request.benchmark.name
        run = store.start_run(benchmark=name, agent=actor, planned=1, task_ids=(request.task.id,))
        begun = msgspec.structs.replace(request, run=run, actor=actor)
        async with engine.episode(begun, _tell) as episode:
            await episode.start()
            replay = _replay(store, episode, request)
            difference = await _difference(replay) if replay is not None else ""
            sitting = Sitting(episode, request.benchmark, store)
            answers = Answers(sitting, as_json, replay.told if replay is not None else None)
            answers.begin(difference)
            if difference and request.fork_step is not None:
                await episode.fail(f"step {request.fork_step} was not reached: {difference}")
                answers.end()
                return 1
            await (_let_agent(episode, agent, answers) if agent else _follow_lines(sitting, answers))
            await episode.finish("the input ended")
            answers.end()
            return 0 if episode.score.status is Status.SCORED else 1


def _replay(store: Store, episode: Episode, request: EpisodeRequest) -> Replay | None:
    if request.resumes is None:
        return None
    recorded = RecordedEpisode(store, request.resumes)
    return Replay(episode, request.resumes, request.fork_step, recorded.look)


def _tell(event: messages.Event) -> None:
    """Trouble with the record goes to stderr; everything else is in the answers."""
    if isinstance(event, messages.Trouble):
        say(f"{event.message} ({event.hint})" if event.hint else event.message)


async def _difference(replay: Replay) -> str:
    """Repeat the recorded steps; returns where the page went another way, "" where it didn't."""
    try:
        await replay.run()
    except EnvironmentDown:
        raise
    except WebbenchError as error:
        return str(error)
    return ""


async def _let_agent(episode: Episode, agent: Agent, answers: Answers) -> None:
    try:
        while not episode.ended:
            await agent_turns.run(episode, agent, steps=1)
            answers.step()
    finally:
        await agent.close()


async def _follow_lines(sitting: Sitting, answers: Answers) -> None:
    if sitting.episode.ended:
        return
    try:
        async for line in stdin_lines():
            text = line.strip()
            if text.startswith(":"):
                await _command(sitting, text, answers)
            elif text:
                error = await sitting.act(text)
                answers.step() if error is None else answers.refused(text, error)
            if sitting.episode.ended:
                return
    finally:
        await sitting.close()


async def _command(sitting: Sitting, line: str, answers: Answers) -> None:
    try:
        await sitting.command(line)
    except UsageError as error:
        answers.command(line, str(error))
    else:
        answers.command(line)


class Answers:
    """What the actor gets back: the observation as its dialect renders it, the result, the score."""

    def __init__(self, sitting: Sitting, as_json: bool, replayed: messages.Replayed | None = None) -> None:
        self._sitting = sitting
        self._replayed = replayed
        self._episode = sitting.episode
        self._as_json = as_json

    def begin(self, difference: str) -> None:
        """The task, what there is to see, and where a replay stopped."""
        if not self._as_json:
            task = self._episode.task
            print_text(f"task: {task.benchmark} {task.id}\nintent: {task.intent}")
            if self._replayed is not None:
                for line in _replayed_lines(self._replayed):
                    print_text(line)
        last = self._episode.steps[-1]
        self._answer(last.text, difference or last.error, last.output)

    def step(self) -> None:
        """What the last step led to."""
        last = self._episode.steps[-1]
        self._answer(last.text, last.error, last.output)

    def refused(self, text: str, error: ParseError) -> None:
        """A line that is no action: nothing was done."""
        self._answer(text, f"at character {error.position + 1}: {error.reason}; try {error.nearest}", "")

    def command(self, line: str, error: str = "") -> None:
        """A command was carried out, or why it was not; the page is printed where it may have changed."""
        name = line.removeprefix(":").strip().partition(" ")[0]
        last = self._episode.steps[-1]
        acted = name in OF_THE_PAGE and name != "refresh" and not error
        self._answer(
            line,
            error or (last.error if acted else ""),
            last.output if acted else "",
            page=name in OF_THE_PAGE,
        )

    def end(self) -> None:
        """The last word, with the final score."""
        episode = self._episode
        if self._as_json:
            last = episode.steps[-1]
            self._print(last.text, last.error, last.output, final=True)
            return
        print_text(f"ended: {episode.ended}\nscore: {episode.score.headline()}")
        print_text(f"episode: {episode.header.run}/{episode.header.episode}")

    def _answer(self, text: str, error: str, output: str, *, page: bool = True) -> None:
        episode, turn = self._episode, self._sitting.turn
        if self._as_json:
            self._print(text, error, output, final=False)
            return
        print_text(f"— step {episode.steps[-1].index} {text}".rstrip())
        if error:
            print_text(f"! {error}")
        if output:
            print_text(f"output: {output}")
        if page:
            print_text(episode.dialect.render(episode.observation))
            for note in memory(episode.steps):
                print_text(f"remembered: {note}")
        if page or text == SCORED:
            print_text(f"score: {episode.score.headline()}")
        if self._sitting.preview is not None:
            print_text(f"this answer would score: {self._sitting.preview.headline()}")
        if turn is not None:
            print_text(f"{turn.agent} proposes: {turn.text}")
        if turn is not None and (turn.error or turn.proposal.reasoning):
            print_text(turn.error or turn.proposal.reasoning)
        flush()

    def _print(self, text: str, error: str, output: str, *, final: bool) -> None:
        episode, turn, agent = self._episode, self._sitting.turn, self._sitting.agent
        print_json_line(
            {
                "schema_version": SCHEMA_VERSION,
                "run": episode.header.run,
                "episode": episode.header.episode,
                "task": episode.task.id,
                "intent": episode.task.intent,
                "step": episode.steps[-1].index,
                "action": text,
                "ok": not error,
                "error": error,
                "output": output,
                "url": episode.observation.url,
                "condition": episode.observation.condition,
                "problem": episode.observation.problem,
                "dialog": episode.observation.dialog,
                "relevant_html": episode.observation.relevant_html,
                "observation": episode.dialect.render(episode.observation),
                "memory": memory(episode.steps),
                "score": episode.score,
                "preview": self._sitting.preview,
                "agent": agent.name if agent else "",
                "proposal": turn.text if turn else "",
                "reasoning": turn.proposal.reasoning if turn else "",
                "ended": episode.ended,
                "final": final,
                "replayed": _told(self._replayed),
            }
        )


def _replayed_lines(replayed: messages.Replayed) -> Iterator[str]:
    """What was repeated; of a fork also every step, with how sure its page is."""
    if replayed.origin is None:
        yield f"resumed: {replayed.episode}, {replayed.headline()}"
        return
    yield f"forked: {replayed.episode} at step {replayed.origin.step}, {replayed.headline()}"
    for one in replayed.walk:
        yield f"  {'=' if one.sure else '?'} {one.headline()}"


def _told(replayed: messages.Replayed | None) -> JsonObject | None:
    """How far a replay came, and what it left out; None where nothing was resumed."""
    if replayed is None:
        return None
    names = ("episode", "steps", "failed", "unreached", "ending")
    told: JsonObject = {name: getattr(replayed, name) for name in names}
    if replayed.origin is not None:
        told["origin"] = msgspec.to_builtins(replayed.origin)
        told["walk"] = msgspec.to_builtins(replayed.walk)
    return told
