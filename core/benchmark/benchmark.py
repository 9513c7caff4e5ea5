"""What a benchmark is: the contract that each one keeps, and everything that one may offer besides.

`Benchmark`, its `Stage` and its `Evaluator` are the contract. Whatever else the product asks of a benchmark
is a protocol of the second half. A benchmark keeps it by having the attribute or the method:

    Browserless          browserless             all its stages bring a world of their own
    KeepsOpen            kept_open()             its stages share something that takes time to begin
    Limited              limits                  it gives up on agents in further ways than by `step_limit`
    EndsBySubmitting     ends_by_submitting()    tasks usually end with a form that is sent
    TellsUnachievable    unachievable_answer     what is answered where a task can't be done
    ReadsGivingUp        gives_up()              further answers that tell the same
    HearsMessages        hears_messages          a message ends an episode only where it says so itself
    UsesSites            site_uses()             episodes share sites
    Described            traits()                what the literature groups its tasks by
    HasData              data                    where its data lies, which isolated agents don't see
    Aggregates           figures()               headline figures of its own
    Breakdowns           breakdowns()            the tables of its literature
    CountsPoints         points()                what cost is told by, where that is no solved task
    TellsSteps           step_reached()          its checks look at a whole episode's steps
    ScoresRecords        evidence_of()           a record alone is enough to score an episode
    PointsAtReference    reference_boxes()       where on recorded pages the reference acted
    ShowsReference       shows_reference         after each action it shows what the reference did
    ComparesAnnotators   agreement()             a measure of its own of how far annotators agree
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

import msgspec

from webbench.core.action.action import Action
from webbench.core.agent import Agent
from webbench.core.environment import Environment, EnvironmentSetup, StepResult
from webbench.core.json_types import Json, JsonObject
from webbench.core.judge import Question
from webbench.core.observation import Box, Observation
from webbench.core.score.aggregates import Attempt, Breakdown
from webbench.core.score.score import Check, Score
from webbench.core.statistics.figures import Table
from webbench.core.task import Task, TaskEntry, TaskPicture
from webbench.core.text.plain_text import plain_clip
from webbench.core.trajectory import Trajectory

Severity = Literal["note", "warning", "error"]

LONGEST_PROBLEM = 700
"""Characters of a problem's message; data may hold texts of any length, and it quotes them."""


class Problem(msgspec.Struct, frozen=True):
    """Something wrong with a data set; loading went on."""

    where: str
    """File, or file:line."""
    message: str
    """One line."""
    severity: Severity = "warning"

    def __post_init__(self) -> None:
        if len(self.message) > LONGEST_PROBLEM or "\n" in self.message:
            msgspec.structs.force_setattr(self, "message", plain_clip(self.message, LONGEST_PROBLEM))


class BenchmarkStatus(msgspec.Struct, frozen=True):
    """Whether a benchmark can be stepped here."""

    state: Literal["ready", "needs data", "needs sites"]
    detail: str = ""
    """What is there, or how to get what is missing."""
    mend: str = ""
    """What to do about it in a few words, where it is no data set that is missing."""


class Stage(Protocol):
    """A task made live: pages served, state reset. Subclass it to get the hooks that do nothing.

    Attributes:
        setup: how the browser opens it.
        environment: the stage's own world, where the task isn't acted on in a browser; None = a browser.
        sites: address by name of the sites that outlive the episode, and that others see its changes on.
        thorough: the next evidence is collected for a score that counts, not just shown on the way: set
            before the last one, and where a person asks for it. What takes long may wait for it.
        harmless: what is done on its sites harms nobody: they are there for the task alone. The guard then
            asks for no confirmation, unless the settings say so.
        secrets: texts, such as passwords, that the episode's record must not hold.
        warnings: what is to be known of the episode once it is ready; recorded with it.
        scores_pictures: its score is of the pictures that the record keeps: each is taken before its step is
            scored, and told by `pictured`.
        pictures: what the task shows beside its words, where only its stage knows it.

    Example:
        >>> async with wb.benchmark("demo").stage(task) as stage:
        ...     stage.setup.start_urls
    """

    setup: EnvironmentSetup
    environment: Environment | None = None
    sites: Mapping[str, str] = {}
    thorough: bool = False
    harmless: bool = False
    secrets: Sequence[str] = ()
    warnings: Sequence[str] = ()
    scores_pictures: bool = False
    pictures: Sequence[TaskPicture] = ()

    async def ready(self) -> None:
        """Called once its sites are as the episode shall find them, before `setup` is used: sign in here.

        May raise `EnvironmentDown`.
        """
        return

    async def opened(self) -> str:
        """Called once its start pages are open: what they ask for, "" where the task's own intent says it.

        May raise `EnvironmentDown`.
        """
        return ""

    async def acting(self, environment: Environment, action: Action) -> None:  # noqa: ARG002 - does nothing, but is no stub
        """Called with the page as the action finds it, for a `Stop` too. Never raises."""
        return

    async def acted(self, environment: Environment, result: StepResult) -> None:  # noqa: ARG002 - does nothing, but is no stub
        """Called when an action is done, before anything is observed or scored. Never raises.

        A `Stop` does nothing, so it isn't called for one.
        """
        return

    async def pictured(self, step: int, name: str) -> None:  # noqa: ARG002 - does nothing, but is no stub
        """Called with the name under which the record keeps the picture after a step. Never raises."""
        return

    async def ended(self, observation: Observation) -> str:
        """Why the page itself ended the episode ("the form was submitted"), or ""."""
        ...


class Evaluator(Protocol):
    """Evidence is collected from a live page without disturbing it; scoring it is a pure function.

    Example:
        >>> wb.benchmark("demo").evaluator.score(task, step.evidence)
    """

    name: str
    version: str

    async def collect(self, environment: Environment, stage: Stage, answer: str) -> JsonObject:
        """Read what the score needs: JSON that is recorded with the step."""
        ...

    def questions(self, task: Task, evidence: JsonObject, rules: str = "published") -> Sequence[Question]:
        """What a judge has to be asked before `score` can be given, without what was answered already.

        Empty where rules alone decide. Answers may lead to further questions, so ask until it is empty.
        """
        ...

    def score(self, task: Task, evidence: JsonObject, rules: str = "published") -> Score:
        """Score evidence offline. Never raises: trouble is `Status.ERROR` with a reason."""
        ...


class Benchmark(Protocol):
    """What every benchmark family offers; found through the entry point group `webbench.benchmarks`.

    The entry point is a callable `create(data: Path | None) -> Benchmark` that imports nothing slow.

    Example:
        >>> wb.benchmark("demo").rule_sets
    """

    name: str
    title: str
    dialect: str
    """Name of its own action language."""
    rule_sets: tuple[str, ...]
    step_limit: int

    @property
    def evaluator(self) -> Evaluator: ...

    def status(self) -> BenchmarkStatus: ...

    def splits(self) -> Sequence[str]: ...

    def catalogue(self) -> Sequence[TaskEntry]:
        """Every task in file order, for a list that opens at once."""
        ...

    def tasks(
        self, split: str = "", names: Sequence[str] = (), instances: int | None = None
    ) -> Sequence[Task]:
        """Tasks in file order; `instances` keeps the first so many of each name.

        Raises `UsageError` for an unknown split or name, naming the nearest valid ones.
        """
        ...

    def problems(self) -> Sequence[Problem]:
        """What is wrong with the installed data; empty when clean."""
        ...

    def stage(self, task: Task) -> AbstractAsyncContextManager[Stage]:
        """Serve and reset what the task needs; left when the episode ends."""
        ...

    def oracle(self, task: Task) -> Agent:
        """An agent that solves the task through ordinary browser actions."""
        ...


class BenchmarkFactory(Protocol):
    def __call__(self, data: Path | None = None) -> Benchmark: ...


@runtime_checkable
class Browserless(Protocol):
    """Its stages bring worlds of their own, so that no browser is started for them."""

    browserless: bool


def needs_browser(benchmark: Benchmark) -> bool:
    """False where it says with `browserless = True` that all its stages bring a world of their own."""
    return not (isinstance(benchmark, Browserless) and benchmark.browserless)


@runtime_checkable
class KeepsOpen(Protocol):
    """Its stages share something that takes time to begin."""

    def kept_open(self) -> AbstractAsyncContextManager[object]:
        """Held by whoever plays many episodes, from the first to the last."""
        ...


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a benchmark may set beside its `step_limit`; 0 = no such limit."""

    repeats: int = 0
    invalid: int = 3


@runtime_checkable
class Limited(Protocol):
    """It has limits of its own."""

    limits: Limits


@runtime_checkable
class EndsBySubmitting(Protocol):
    """Some of its tasks usually end with a form that is sent."""

    def ends_by_submitting(self, task: Task) -> bool: ...


def ends_by_submitting(benchmark: Benchmark, task: Task) -> bool:
    """Whether a task usually ends with a form that is sent.

    Where the benchmark doesn't tell, its tasks end when the actor stops, with an answer or without.
    """
    return isinstance(benchmark, EndsBySubmitting) and bool(benchmark.ends_by_submitting(task))


@runtime_checkable
class ShowsReference(Protocol):
    """After each action it shows what the reference did in its place."""

    shows_reference: bool


def shows_reference(benchmark: Benchmark) -> bool:
    """Whether a step that is done again is done with its right answer known."""
    return isinstance(benchmark, ShowsReference) and benchmark.shows_reference


@runtime_checkable
class TellsUnachievable(Protocol):
    """Some of its tasks can't be done, and it is to be told so."""

    unachievable_answer: str


def unachievable_answer(benchmark: Benchmark) -> str:
    """The answer that tells that a task can't be done; "" where nothing is to be answered then."""
    return str(benchmark.unachievable_answer) if isinstance(benchmark, TellsUnachievable) else ""


@runtime_checkable
class CountsPoints(Protocol):
    """Its scores are made of points, such as key nodes, by which cost can be told."""

    point: str
    """What a point is, in words: "key node"."""

    def points(self, score: Score) -> float | None:
        """How many were made; None where the score has none."""
        ...


@runtime_checkable
class ReadsGivingUp(Protocol):
    """It has further ways to answer that a task can't be done, such as a status in a structured answer."""

    def gives_up(self, task: Task, answer: str) -> bool:
        """Never raises: an answer that can't be read tells nothing."""
        ...


def gives_up(benchmark: Benchmark | None, task: Task, answer: str) -> bool:
    """Whether this answer tells that the task can't be done, whatever its case, blanks and quotes."""
    if benchmark is None:
        return False
    if isinstance(benchmark, ReadsGivingUp):
        return benchmark.gives_up(task, answer)
    return is_answer(unachievable_answer(benchmark), answer)


def is_answer(wanted: str, answer: str) -> bool:
    """Whether both say the same but for case, blanks and quotes around them; nothing is no answer."""
    told = answer.strip().strip("\"'").strip().casefold()
    return bool(told) and told == wanted.casefold()


@runtime_checkable
class HearsMessages(Protocol):
    """It hears what the actor says, and decides whether that is an answer and the end."""

    hears_messages: bool


def hears_messages(benchmark: Benchmark | None) -> bool:
    """False where a message is only kept, so that an agent that gives its answer by one has to stop, too."""
    return isinstance(benchmark, HearsMessages) and benchmark.hears_messages


class SiteUse(msgspec.Struct, frozen=True, kw_only=True):
    """What a task does to sites that outlive its episode; nothing, where it has an instance of its own.

    Attributes:
        sites: address by name, as `Stage.sites` has them.
        changes: it is meant to leave them changed, or nothing says that it isn't.
        after: ids of tasks whose effects it needs: it begins when they are through.
    """

    sites: Mapping[str, str] = {}
    changes: bool = False
    after: tuple[str, ...] = ()


@runtime_checkable
class UsesSites(Protocol):
    """Its episodes share sites, so that many at a time may disturb each other."""

    def site_uses(self, tasks: Sequence[Task]) -> Mapping[str, SiteUse]:
        """By the ids of those tasks that share anything; cheap, and without a look at the sites."""
        ...


def site_uses_of(benchmark: Benchmark, tasks: Sequence[Task]) -> Mapping[str, SiteUse]:
    """As the benchmark says; nothing shared where it says nothing."""
    return benchmark.site_uses(tasks) if isinstance(benchmark, UsesSites) else {}


class Traits(msgspec.Struct, frozen=True, kw_only=True):
    """What the literature groups a task by, as far as its benchmark tells.

    Attributes:
        difficulty: in the benchmark's own words, "" where it grades none.
        seeks_information: it asks for an answer, in place of a page to be reached or something to be changed;
            None where that isn't known.
        achievable: False where the right answer is that it can't be done; None where that isn't known.
        others: what else the benchmark's paper groups tasks by: the group under the name of the grouping.
    """

    difficulty: str = ""
    seeks_information: bool | None = None
    achievable: bool | None = None
    others: Mapping[str, str] = {}


@runtime_checkable
class Described(Protocol):
    """It knows traits of its tasks."""

    def traits(self, task: Task) -> Traits:
        """Never raises: what isn't known is left out."""
        ...


def traits_of(benchmark: Benchmark | None, task: Task) -> Traits:
    """The task's traits; none are known of a benchmark that tells none, or that isn't installed."""
    return benchmark.traits(task) if isinstance(benchmark, Described) else Traits()


@runtime_checkable
class HasData(Protocol):
    """It tells where its data lies."""

    data: Path | None


def data_of(benchmark: Benchmark | None) -> Path | None:
    """Where the benchmark's data lies, which may hold reference answers; None where it doesn't tell."""
    return benchmark.data if isinstance(benchmark, HasData) else None


@runtime_checkable
class Aggregates(Protocol):
    """It has headline figures of its own, as its literature has them."""

    def figures(self, attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
        """By name, in the order in which they are shown; None = not defined.

        What waits for a judge is None under its name, with `<name>_scored` and `<name>_interval` beside.
        """
        ...


def figures_of(benchmark: Benchmark, attempts: Sequence[Attempt], rules: str) -> dict[str, Json]:
    """The benchmark's own figures; empty where it offers none."""
    return benchmark.figures(attempts, rules) if isinstance(benchmark, Aggregates) else {}


@runtime_checkable
class Breakdowns(Protocol):
    """It has the tables of its literature."""

    def breakdowns(self) -> Sequence[Breakdown]:
        """In the order in which they are shown."""
        ...


def breakdowns_of(benchmark: Benchmark) -> Sequence[Breakdown]:
    """The benchmark's own tables; empty where it offers none."""
    return benchmark.breakdowns() if isinstance(benchmark, Breakdowns) else ()


@runtime_checkable
class TellsSteps(Protocol):
    """Its checks look at a whole episode's steps."""

    def step_reached(self, check: Check) -> int | None:
        """The step after which the check was met in full; None where it never was, or doesn't tell."""
        ...


def step_reached(benchmark: Benchmark | None, check: Check) -> int | None:
    """What the benchmark reads out of the check; None where it reads nothing."""
    return benchmark.step_reached(check) if isinstance(benchmark, TellsSteps) else None


@runtime_checkable
class ScoresRecords(Protocol):
    """What it scores is in every record, in one that another tool made, too."""

    def evidence_of(self, trajectory: Trajectory) -> JsonObject:
        """What its evaluator scores, made of the recorded steps; never raises."""
        ...


@runtime_checkable
class PointsAtReference(Protocol):
    """Its records tell where on a page the reference acted."""

    def reference_boxes(self, trajectory: Trajectory) -> Mapping[int, Box]:
        """By index of a step: the box of the element that the reference acted on in its place.

        In CSS px of the viewport before the step. Never raises: what isn't known is left out.
        """
        ...


def reference_boxes(benchmark: Benchmark | None, trajectory: Trajectory) -> Mapping[int, Box]:
    """What the benchmark reads out of the record; empty where it reads nothing."""
    return benchmark.reference_boxes(trajectory) if isinstance(benchmark, PointsAtReference) else {}


@runtime_checkable
class ComparesAnnotators(Protocol):
    """It has a measure of its own of how far annotators agree."""

    def agreement(self, evidence: Mapping[str, Sequence[JsonObject]], rules: str) -> Table | None:
        """Of several annotators, whose final evidence of each episode is given; None where none overlaps.

        Raises `BadData` where evidence has another shape.
        """
        ...
