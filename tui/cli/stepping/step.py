"""`step` without a screen: one action per line in, one answer per line out."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Annotated

import msgspec
import typer

from webbench.core.agent import Agent, Drives, reach_of
from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.api.available import ready_benchmark
from webbench.core.benchmark.benchmark import Benchmark, needs_browser
from webbench.core.dialects.dialect import find_dialect
from webbench.core.engine import catalogue
from webbench.core.engine.engine import EpisodeRequest, make_agent
from webbench.core.engine.session import agent_turns
from webbench.core.engine.session.instructor import instructor_let_in
from webbench.core.engine.session.replaying import Replay
from webbench.core.engine.wire import messages
from webbench.core.episode.episode import Episode
from webbench.core.episode.limits import Budget
from webbench.core.episode.utterances import INSTRUCTOR, spoken_in
from webbench.core.errors import EnvironmentDown, UsageError, WebbenchError
from webbench.core.guards.approval import Approval
from webbench.core.runner.plan import run_request
from webbench.core.runner.plan.declared_options import Option
from webbench.core.runner.plan.run_request import budget_of
from webbench.core.score.score import Status
from webbench.core.settings.load_settings import load_settings, overridden
from webbench.core.store.looks import forget_look
from webbench.core.store.store import Store
from webbench.core.task import Task, benchmark_and_task, name_and_instance
from webbench.core.trajectory import LEFT_UNFINISHED
from webbench.tui.cli.browser_options import choosing_browser
from webbench.tui.cli.options import (
    AnswerPictures,
    AsJson,
    Data,
    DialectName,
    EpisodeName,
    Reset,
    Rules,
    StorePath,
    asking,
)
from webbench.tui.cli.output import say
from webbench.tui.cli.place import (
    agent_spec,
    chosen_dialect,
    chosen_rules,
    episode_options,
    find_episode,
    guarded,
    open_engine,
    open_store,
    report_settings,
    resets_first,
    store_folder,
)
from webbench.tui.cli.stepping.answers import Answers, print_heard
from webbench.tui.cli.stepping.following import follow_lines
from webbench.tui.cli.stepping.line_commands import Sitting, approval_of
from webbench.tui.terminal import at_terminal


class StepRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What `step` asks for, and `fork`: it resumes up to `fork_step`."""

    benchmark: Annotated[
        str, Option(argument=True, help="Benchmark, e.g. demo, or its task, demo:camp-mugs.")
    ] = ""
    task: Annotated[str, Option(argument=True, help="Task name, or name#instance.")] = ""
    url: Annotated[str, Option(help="In place of a task: the address of any page to act on.")] = ""
    intent: Annotated[
        str, Option(help="With --url: what is to be done there; a judge or a person says whether it was.")
    ] = ""
    instance: Annotated[int, Option(least=0, help="Instance of the task, from 0.")] = 0
    resume: Annotated[str, Option(help="Episode to replay first, then go on live.")] = ""
    fork_step: int | None = None
    agent: Annotated[str, run_request.AGENT] = ""
    dialect: DialectName = ""
    rules: Rules = ""
    relevant_html: Annotated[bool | None, run_request.RELEVANT_HTML] = None
    reset: Reset = None
    approval: Annotated[
        str,
        Option(
            flag="--approve",
            help="Before which of the agent's actions you are asked: always, changes (what submits, "
            "navigates or types) or never; by default as the settings say.",
        ),
    ] = ""
    instructor: Annotated[
        str,
        Option(help="Pseudonym of another person who instructs you from a second terminal, with `instruct`."),
    ] = ""
    guard: Annotated[str, run_request.GUARD] = ""
    hosts: Annotated[tuple[str, ...], run_request.ALLOW_HOST] = ()
    limit_steps: Annotated[int, run_request.LIMIT_STEPS] = 0
    limit_seconds: Annotated[float, run_request.LIMIT_SECONDS] = 0
    limit_tokens: Annotated[int, run_request.LIMIT_TOKENS] = 0
    limit_cost: Annotated[float, run_request.LIMIT_COST] = 0
    data: Data = None
    pictures: AnswerPictures = False
    store: StorePath = None

    def __post_init__(self) -> None:
        benchmark, task = benchmark_and_task(self.benchmark)
        if task and not self.task:
            msgspec.structs.force_setattr(self, "benchmark", benchmark)
            msgspec.structs.force_setattr(self, "task", task)

    @property
    def budget(self) -> Budget:
        return budget_of(self)


@choosing_browser
@asking(StepRequest)
def step_command(request: StepRequest, as_json: AsJson = False) -> None:
    """Step one task: in the stepper screen, or with one action per line on stdin.

    Without a terminal (or with --json) every line of stdin is an action; each is answered with its result,
    what there is to see and the score, as text, or with --json as one JSON line. A line that is no action
    changes nothing; the answer says where it goes wrong, why, and what to try. The end of stdin ends the
    episode. A JSON answer also has the boxes of the page's nodes by id (left, top, width, height in CSS px
    of the viewport), and with --screenshot the picture.

    A line that begins with a colon is a command, answered in the same way:

    \b
    :note TEXT      keep a remark with the episode
    :say TEXT       say something to whoever instructs you; it is kept
    :preview ANSWER what it would score; nothing is recorded
    :agent SPEC     have an agent at hand; without SPEC: none
    :approve POLICY before which of its actions you are asked: always, changes, never
    :propose        ask it for an action
    :accept N       carry the proposal out, or its candidate number N
    :confirm N      the same for what the guard asks about
    :edit N ACTION  do this instead of candidate N (1 if not given), as a change of it
    :reject REASON  drop it; the agent is told the reason
    :step           let the agent take a step
    :run N          let the agent take N steps; without N: all
    :pause          stop it, also while it thinks
    :refresh        read the page again
    :screenshot     take a picture now; a JSON answer has it
    :html NODE TEXT the recorded HTML of a node, or of the page; with TEXT the lines that have it
    :open KIND      this step in a browser as report, picture or html, or the file's path
    :score          score now, with the checks that wait for the end
    :keep           leave the episode unfinished; step --resume EPISODE goes on with it
    :end REASON     end the episode as not scored

    An action in place of :accept is kept as the person's, beside the proposal. With --agent it goes on by
    itself, and stops where --approve asks; without --approve to the end.

    With --url no task is needed: the page is opened as it is, and the episode is recorded like any other.
    Without --intent it is not scored.
    """
    step_any(request, as_json=as_json)


@choosing_browser
def fork_command(
    name: EpisodeName,
    step: Annotated[int, typer.Option("--step", min=0, help="Repeat it up to this step.")],
    agent: Annotated[
        str, typer.Option("--agent", help="Who goes on: oracle, random, 'command PROGRAM' ...; you, if none.")
    ] = "",
    dialect: DialectName = "",
    rules: Rules = "",
    reset: Reset = None,
    data: Data = None,
    store: StorePath = None,
    as_json: AsJson = False,
    screenshot: AnswerPictures = False,
) -> None:
    """Reset the task, repeat a recorded episode up to a step, and go on live from there.

    Every element is found anew by its fingerprint, and after every step the page is compared with the
    recorded one; both is told. The new episode names its origin. Without a terminal (or with --json, or
    with an agent and no terminal) it goes on as `step` does: an agent to its end, else lines of stdin.

    Exit 0 when the new episode was scored; 1 when it was not, or when the step could not be reached (the
    answer says at which step and why); 2 for an unknown episode, step or agent; 3 without a browser or
    site; 4 for a damaged record.
    """
    request = StepRequest(
        resume=name,
        fork_step=step,
        agent=agent,
        dialect=dialect,
        rules=rules,
        reset=reset,
        data=data,
        store=store,
        pictures=screenshot,
    )
    step_any(request, as_json=as_json)


def step_any(request: StepRequest, *, as_json: bool) -> None:
    """In the stepper screen where there is a terminal, else by lines; raises `typer.Exit` then."""
    with guarded(request.guard, request.hosts):
        if as_json or not at_terminal():
            raise typer.Exit(step_lines(request, as_json=as_json))
        open_stepper(request)


def open_stepper(request: StepRequest) -> None:
    """One task in the stepper."""
    from webbench.tui.cli.opening_screens import run_screens
    from webbench.tui.opening import Opening

    store = open_store(request.store)
    benchmark, task = find_task(request, store)
    dialect = chosen_dialect(request.dialect)
    find_dialect(dialect or benchmark.dialect)
    opening = Opening(
        store=store_folder(request.store),
        benchmark=task.benchmark,
        task=task,
        data=request.data,
        agent=agent_spec(request.agent, store),
        dialect=dialect,
        instructor=request.instructor,
        rules=chosen_rules(request.rules, benchmark.rule_sets, benchmark.name),
        resume=request.resume,
        fork_step=request.fork_step,
    )
    with overridden(_as_settings(request)):  # the engine is a process of its own that reads them anew
        run_screens(opening, load_settings())


def _as_settings(request: StepRequest) -> dict[str, object]:
    """What is asked for, by the names of settings; None where it is left to them."""
    return {
        "relevant_html": request.relevant_html,
        "reset_first": request.reset,
        "approval": approval_of(request.approval) if request.approval else None,
        "step_limit": request.limit_steps or None,
        "seconds_limit": request.limit_seconds or None,
        "token_limit": request.limit_tokens or None,
        "cost_limit": request.limit_cost or None,
    }


def find_task(request: StepRequest, store: Store) -> tuple[Benchmark, Task]:
    """The benchmark and task a request names; with `resume`, those of the recorded episode.

    Raises:
        UsageError: nothing named, or no such task or instance.
        BadData: the benchmark's data is missing.
    """
    if request.resume:
        header, data = store.load(find_episode(store, request.resume)).header, str(request.data or "")
        benchmark = ready_benchmark(header.task.benchmark, request.data)
        return benchmark, catalogue.startable(header, data)
    if request.url:
        return _page_task(request)
    if request.intent:
        raise UsageError("An intent needs a page", "name it with --url")
    if not request.benchmark or not request.task:
        hint = "webbench-tui step BENCHMARK TASK; `webbench-tui tasks` lists them; --url takes any page"
        raise UsageError("Which task?", hint)
    name, instance = name_and_instance(request.task)
    benchmark = ready_benchmark(request.benchmark, request.data)
    data = str(request.data or "")
    return benchmark, catalogue.read_task(
        request.benchmark, name, request.instance if instance is None else instance, data
    ).task


def _page_task(request: StepRequest) -> tuple[Benchmark, Task]:
    """The task of doing what is asked for on any page. Raises `UsageError`."""
    from webbench.benchmarks.page.tasks import NAME, read_task, task_name

    if request.benchmark or request.task:
        raise UsageError("A task and --url at once", "name one of them")
    return ready_benchmark(NAME), read_task(task_name(request.url, request.intent))


def step_lines(request: StepRequest, *, as_json: bool) -> int:
    """Step a task by lines of stdin, or let an agent step it; returns the exit code.

    It is 0 where the episode was scored, or kept unfinished, else 1.

    Raises:
        UsageError: an unknown benchmark, task, instance, episode, agent, dialect or rule set, or pictures
            without JSON.
        EnvironmentDown: no browser, or a store that can't be written.
    """
    if request.pictures and not as_json:
        raise UsageError("Answers in plain text have no picture", "ask for JSON, with --json")
    report_settings()
    store = open_store(request.store)
    benchmark, task = find_task(request, store)
    dialect = chosen_dialect(request.dialect)
    find_dialect(dialect or benchmark.dialect)
    episode = EpisodeRequest(
        benchmark=benchmark,
        task=task,
        run="",
        dialect=dialect,
        options=episode_options(
            benchmark, rules=request.rules, relevant_html=request.relevant_html, budget=request.budget
        ),
        resumes=store.load(find_episode(store, request.resume)) if request.resume else None,
        fork_step=request.fork_step,
        instructor=request.instructor,
        reset=resets_first(request.reset),
    )
    spec = agent_spec(request.agent, store)
    agent = make_agent(spec, benchmark, task, store=store.root) if spec else None
    approval = approval_of(request.approval) if request.approval else load_settings().approval
    return asyncio.run(_step_lines(store, episode, agent, approval, as_json, request.pictures))


async def _step_lines(
    store: Store,
    request: EpisodeRequest,
    agent: Agent | None,
    approval: Approval,
    as_json: bool,
    pictures: bool,
) -> int:
    async with open_engine(store) as engine:
        if needs_browser(request.benchmark):
            await engine.browser()
        actor = agent.name if agent else "human"
        name = request.benchmark.name
        run = store.start_run(benchmark=name, agent=actor, planned=1, task_ids=(request.task.id,))
        reach = reach_of(agent) if agent else ""
        lends = isinstance(agent, Drives)
        begun = msgspec.structs.replace(request, run=run, actor=actor, agent_reach=reach, lends=lends)
        async with engine.episode(begun, _trouble_and_talk(as_json)) as episode, AsyncExitStack() as door:
            await episode.start()
            if request.instructor:
                await door.enter_async_context(instructor_let_in(episode, store.root))
            replay = _replay(store, episode, request)
            difference = await _difference(replay) if replay is not None else ""
            sitting = Sitting(episode, request.benchmark, store, approval)
            told = replay.told if replay is not None else None
            answers = Answers(sitting, as_json, told, pictures=pictures)
            answers.begin(difference)
            if difference and request.fork_step is not None:
                await episode.fail(f"step {request.fork_step} was not reached: {difference}")
                answers.end()
                return 1
            if agent is not None and approval == "never":
                await _let_agent(episode, agent, answers)
            else:
                await follow_lines(sitting, answers, agent)
            if sitting.failed and not episode.ended:
                await episode.fail(sitting.failed)
            await episode.finish("the input ended")
            kept = episode.ended == LEFT_UNFINISHED
            looked = not any(step.is_work for step in episode.steps) and not sitting.failed and not kept
            answers.end(recorded=not looked)
            code = 0 if kept or episode.score.status is Status.SCORED else 1
        if looked:
            forget_look(store, run, episode.header.episode, scored_too=True)
        return code


def _replay(store: Store, episode: Episode, request: EpisodeRequest) -> Replay | None:
    if request.resumes is None:
        return None
    recorded = RecordedEpisode(store, request.resumes)
    return Replay(episode, request.resumes, request.fork_step, recorded.look)


def _trouble_and_talk(as_json: bool) -> messages.Emit:
    """Trouble goes to stderr, what an instructor says to stdout; everything else is in the answers."""

    def tell(event: messages.Event) -> None:
        if isinstance(event, messages.Trouble):
            say(f"{event.message} ({event.hint})" if event.hint else event.message)
        elif isinstance(event, messages.StepRecorded):
            heard = spoken_in(event.step.note)
            if heard is not None and heard.speaker == INSTRUCTOR:
                print_heard(event.step.index, heard, as_json=as_json)

    return tell


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
