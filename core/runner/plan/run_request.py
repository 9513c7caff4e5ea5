"""A run request: what `run` and the batch form ask for, every option declared once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Protocol, TypedDict

import msgspec

from webbench.core.runner.plan.declared_options import Option, option_words
from webbench.core.task import benchmark_and_task

if TYPE_CHECKING:
    from webbench.core.episode.limits import Budget

Order = Literal["given", "random"]
EngineName = Literal["local", "ray"]
RULE_SETS = "published or paper; webarena: also libwebarena or verified"

STORE = Option(help="Folder that trajectories are kept in.")
DATA = Option(help="Folder with the benchmark's data set.")
SHARE = Option(help="Address of a store that machines share: file://, s3://, gs://, sftp:// ...")
TASKS = Option(flag="--task", help="Only this task; @NAME: those of a subset. May be repeated.")
SPLIT = Option(help="Only this split.")
AGENT = Option(
    help="An agent or preset, with options: oracle, 'webarena-reasoning model=NAME', 'replay EPISODE', "
    "'command PROGRAM' …; `agents` lists them.",
    always=True,
)
DIALECT = Option(help="Action language; the benchmark's own if not given.")
RULES = Option(help=f"Rule set of the headline score: {RULE_SETS}.")
RELEVANT_HTML = Option(
    help="Give the HTML around each form field with every observation; by default as the settings say."
)
RESET = Option(
    help="First reset the task's sites that were changed (reset.BENCHMARK.SITE = command); by default as the "
    "settings say."
)
GUARD = Option(
    help="Whether an agent's purchases, messages and deletions have to be confirmed: on, off or auto (except "
    "on sites that are there for the task); by default as the settings say."
)
ALLOW_HOST = Option(
    flag="--allow-host", help="Let pages reach only the task's sites and this host; repeatable."
)
LIMIT_STEPS = Option(
    help="Steps that each episode may take; 0: by the setting step_limit, else by the benchmark.",
    least=0,
    label="Steps",
    empty="own",
)
LIMIT_SECONDS = Option(
    help="Seconds that each episode may take; 0: by the setting seconds_limit, else no limit.",
    least=0,
    label="Seconds",
    empty="none",
)
LIMIT_TOKENS = Option(
    help="Tokens that models may take in each episode; 0: by the setting token_limit, else no limit.",
    least=0,
)
LIMIT_COST = Option(
    help="US dollars that each episode may cost; 0: by the setting cost_limit, else no limit.",
    least=0,
    label="US$ each",
    empty="none",
)
_BENCHMARK = Option(help="Benchmark, e.g. demo, or one task of it, demo:camp-mugs.", argument=True)
_RUN_COST = Option(
    flag="--limit-run-cost",
    help="US dollars that the whole run may cost: then no further episode is begun, and those that are going "
    "on are played to their end. Holds when the run is resumed, too; 0 lifts it.",
    least=0,
    label="US$ total",
    empty="none",
)
_WORKERS = Option(help="Episodes at a time, in one browser.", least=1, label="Workers", empty="1")
_RETRY = Option(help="not-scored: play what has no score once more, at the end.", word="not-scored")
_ENGINE = Option(help="Play here, or on all nodes of a Ray cluster, each with a browser.")
_ADDRESS = Option(help="Of the Ray cluster; auto: this machine's.")


class RunRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What a new run is to be.

    Attributes:
        limit_steps, limit_seconds, limit_tokens, limit_cost: of each episode; see `Budget`.
        run_cost: US dollars of the whole run after which no further episode is begun; 0 = none.
        hang_seconds: without progress for so long an episode is ended as not scored.
        retry: what has no score is played once more, also after a resumption.
        share: address of a shared store that every episode is copied to, "" for none.
        data: folder of the benchmark's data where it isn't the configured one.
    """

    benchmark: Annotated[str, _BENCHMARK] = ""
    agent: Annotated[str, AGENT] = "oracle"
    split: Annotated[str, SPLIT] = ""
    tasks: Annotated[tuple[str, ...], TASKS] = ()
    instances: Annotated[
        int | None, Option(help="Only the first N of each task.", least=1, label="Instances", empty="all")
    ] = None
    repeats: Annotated[
        int,
        Option(
            flag="--repeat",
            help="Play every task so often, with seeds SEED, SEED+1, ...",
            least=1,
            label="Repeat",
            empty="1",
        ),
    ] = 1
    order: Annotated[Order, Option(help="Of the tasks; random: by the seed.")] = "given"
    seed: Annotated[int, Option(help="Seed of agents that draw lots.", label="Seed", empty="0")] = 0
    limit_steps: Annotated[int, LIMIT_STEPS] = 0
    limit_seconds: Annotated[float, LIMIT_SECONDS] = 0
    limit_tokens: Annotated[int, LIMIT_TOKENS] = 0
    limit_cost: Annotated[float, LIMIT_COST] = 0
    guard: Annotated[str, GUARD] = ""
    allow_hosts: Annotated[tuple[str, ...], ALLOW_HOST] = ()
    run_cost: Annotated[float, _RUN_COST] = 0.0
    hang_seconds: Annotated[
        float,
        Option(
            flag="--hang",
            help="Seconds without any progress after which an episode is ended as not scored.",
            least=1,
        ),
    ] = 600.0
    workers: Annotated[int, _WORKERS] = 1
    retry: Annotated[bool, _RETRY] = False
    site_safety: Annotated[
        bool,
        Option(
            help="Tasks that change a site that others share run alone on it, and after those they depend on."
        ),
    ] = True
    pictures: Annotated[bool, Option(help="Keep a screenshot of every step.")] = True
    dialect: Annotated[str, DIALECT] = ""
    rules: Annotated[str, RULES] = ""
    relevant_html: Annotated[bool | None, RELEVANT_HTML] = None
    reset: Annotated[bool | None, RESET] = None
    engine: Annotated[EngineName, _ENGINE] = "local"
    address: Annotated[str, _ADDRESS] = "auto"
    share: Annotated[str, SHARE] = ""
    data: Annotated[Path | None, DATA] = None
    store: Annotated[Path | None, STORE] = None

    def __post_init__(self) -> None:
        part_named_task(self, self.benchmark, self.tasks)

    @property
    def budget(self) -> Budget:
        return budget_of(self)


def part_named_task(request: msgspec.Struct, named: str, tasks: tuple[str, ...]) -> None:
    """Where a task was `named` with its benchmark ("demo:camp-mugs"), it is the first of the tasks."""
    benchmark, task = benchmark_and_task(named)
    if task:
        msgspec.structs.force_setattr(request, "benchmark", benchmark)
        msgspec.structs.force_setattr(request, "tasks", (task, *tasks))


class RunOptions(TypedDict, total=False):
    """What of a `RunRequest` can be said by keywords in Python, beside the parameters of `webbench.run`."""

    split: str
    instances: int | None
    repeats: int
    order: Order
    seed: int
    guard: str
    allow_hosts: tuple[str, ...]
    hang_seconds: float
    workers: int
    retry: bool
    site_safety: bool
    pictures: bool
    dialect: str
    rules: str
    relevant_html: bool | None
    reset: bool | None


class ResumeRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What may be asked of a run that is resumed: everything else stands in its plan.

    Attributes:
        benchmark: must be the plan's where it is given.
        retry: what has no score is played once more, whether or not it was retried before.
        workers, run_cost: None for as many, and as much, as planned.
    """

    benchmark: Annotated[str, _BENCHMARK] = ""
    run: Annotated[
        str,
        Option(
            flag="--resume",
            help="Go on with this run where it stopped, by its own plan; it needs no benchmark.",
            always=True,
        ),
    ] = ""
    run_cost: Annotated[float | None, _RUN_COST] = None
    workers: Annotated[int | None, _WORKERS] = None
    retry: Annotated[bool, _RETRY] = False
    engine: Annotated[EngineName, _ENGINE] = "local"
    address: Annotated[str, _ADDRESS] = "auto"
    share: Annotated[str, SHARE] = ""
    data: Annotated[Path | None, DATA] = None
    store: Annotated[Path | None, STORE] = None


class ResumeOptions(TypedDict, total=False):
    """What of a `ResumeRequest` can be said by keywords in Python, beside those of `webbench.resume`."""

    workers: int | None
    retry: bool


class EpisodeLimits(Protocol):
    """A request that allows each episode so much."""

    @property
    def limit_steps(self) -> int: ...
    @property
    def limit_seconds(self) -> float: ...
    @property
    def limit_tokens(self) -> int: ...
    @property
    def limit_cost(self) -> float: ...


def budget_of(request: EpisodeLimits) -> Budget:
    """What a request allows each episode."""
    from webbench.core.episode.limits import Budget  # the command line lists its options without it

    return Budget(
        steps=request.limit_steps,
        seconds=request.limit_seconds,
        tokens=request.limit_tokens,
        cost=request.limit_cost,
    )


def run_words(request: RunRequest | ResumeRequest) -> list[str]:
    """`run BENCHMARK --agent ...` or `run --resume RUN`, with what differs from the defaults; no store."""
    return ["run", *option_words(request, without=("store",))]
