"""Runs as they were recorded: every episode's header, told apart by what became of its score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set

import msgspec

from webbench.core.benchmark.subsets import with_subsets
from webbench.core.errors import BadData, UsageError
from webbench.core.labels.corrections import Verdict, corrected
from webbench.core.labels.ledger import Book, ledger_of
from webbench.core.score.aggregates import Attempt
from webbench.core.score.score import Status
from webbench.core.statistics.estimates import Cluster, cluster_of
from webbench.core.store.pools import SIGN, members
from webbench.core.store.records.reader import read_run
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.text.nearest import suggestion
from webbench.core.text.plural import counted
from webbench.core.trajectory import EpisodeHeader

NO_END = "no end"
"""State of an episode that was never finished."""

PLAYED_AGAIN = "played again"
"""In place of a state, of attempts that don't count because a later one at their place of the run does."""


NOT_ALONE = "with somebody else"
"""In place of a state, of episodes in which more than the run's actor acted: none of its attempts."""


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """One episode.

    Attributes:
        run, episode: the folders that it was found in.
        verdict: the score as people hold it to be, with their disputes; None where nobody disputes it.
    """

    run: str
    episode: str
    header: EpisodeHeader
    verdict: Verdict | None = None

    @property
    def name(self) -> str:
        """As commands and screens open it: "run/episode"."""
        return f"{self.run}/{self.episode}"

    @property
    def task(self) -> Task:
        return self.header.task

    @property
    def state(self) -> str:
        """State of the score: "scored", "pending", "not_scored", "error"; "no end" for an open episode."""
        score = self.header.score
        return NO_END if not self.header.ended or score is None else score.status.value

    @property
    def value(self) -> float | None:
        """The value as it was scored; None in every other state."""
        score = self.header.score
        return score.value if self.state == Status.SCORED.value and score is not None else None

    @property
    def outcome(self) -> str:
        """What became of it: solved, not solved, or why it has no score."""
        if self.value is None:
            return self.state.replace("_", " ")
        return "solved" if self.value == 1 else "not solved"

    @property
    def is_disputed(self) -> bool:
        """Somebody holds that the evaluator was wrong."""
        return self.verdict is not None and self.verdict.is_disputed

    @property
    def steps(self) -> int:
        """Transitions recorded, not counting the start."""
        return max(0, self.header.steps - 1)

    @property
    def cluster(self) -> Cluster:
        return cluster_of(self.task.id, self.task.template)

    @property
    def attempt(self) -> Attempt | None:
        """As a benchmark's own figures take it; None without a score."""
        score = self.header.score
        return None if score is None else Attempt(self.task, score)


class RecordedRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run with its episodes in order of execution; `problems` tells of those that can't be read.

    Attributes:
        replaced: attempts that a later one stands in for: they are in no figure.
        mixed: those in which several acted, where the others are one actor's alone: they are in no figure.
        pooled: the runs that it consists of, where it is a pool of several; its `run` is then "@NAME".
        spec: its agent with the options that it was begun with; the name alone where no plan tells them.
    """

    run: str
    benchmark: str
    agent: str
    episodes: tuple[Recorded, ...]
    replaced: tuple[Recorded, ...] = ()
    mixed: tuple[Recorded, ...] = ()
    problems: tuple[str, ...] = ()
    pooled: tuple[str, ...] = ()
    spec: str = ""

    @property
    def states(self) -> dict[str, int]:
        """How many episodes are in each state, and how many attempts don't count."""
        found = dict(Counter(one.state for one in self.episodes))
        beside = {PLAYED_AGAIN: len(self.replaced), NOT_ALONE: len(self.mixed)}
        return found | {what: count for what, count in beside.items() if count}

    @property
    def scored(self) -> tuple[Recorded, ...]:
        return tuple(one for one in self.episodes if one.value is not None)

    def under(self, rules: str) -> RecordedRun:
        """The same with the values of another rule set. Raises `UsageError` where no score has it."""
        episodes = tuple(_under(one, rules) for one in self.episodes)
        if self.episodes and all(one is None for one in episodes):
            known = dict.fromkeys(
                score.rules
                for one in self.episodes
                if one.header.score
                for score in (one.header.score, *one.header.score.beside)
            )
            raise UsageError(
                f'No score of {self.run} is by the rules "{rules}"', suggestion(rules, list(known))
            )
        kept = tuple(one for one in episodes if one is not None)
        lost = len(episodes) - len(kept)
        told = (f"{self.run}: {counted(lost, 'episode')} without a score by {rules}",) if lost else ()
        return msgspec.structs.replace(self, episodes=kept, problems=(*self.problems, *told))

    def as_corrected(self) -> RecordedRun:
        """The same with people's values in place of the evaluator's where they disputed them."""
        return msgspec.structs.replace(self, episodes=tuple(map(_corrected, self.episodes)))


def read_runs(
    store: Store, runs: Sequence[str], *, one_benchmark: bool = True, tasks: Sequence[str] = ()
) -> tuple[RecordedRun, ...]:
    """The runs in the given order, each once, with what people say of their scores; `@NAME` is a pool.

    Args:
        tasks: only episodes of these tasks, `@NAME` for those of a subset; all where none is given.

    Raises `UsageError` for unknown runs, and with `one_benchmark` for runs of different ones.
    """
    if not runs:
        raise UsageError("There is no run to look at", "name one or more; `webbench-tui runs` lists them")
    book = ledger_of(store).book()
    disputed = {(one.run, one.episode) for one in book.disputes}
    once: set[str] = set()
    for run in dict.fromkeys(runs):
        own = set(members(store.root, run))
        if again := once & own:
            raise UsageError(f"{min(again)} would count twice", "leave it, or one of its pools, out")
        once |= own
    found = tuple(_one_or_pool(store, run, book, disputed) for run in dict.fromkeys(runs))
    found = tuple(_only(run, tasks) for run in found) if tasks else found
    if tasks and not any(run.episodes for run in found):
        raise UsageError(
            f"These runs have no episode of {', '.join(tasks)}", "`show RUN` lists what they have"
        )
    benchmarks = list(dict.fromkeys(run.benchmark for run in found if run.benchmark))
    if one_benchmark and len(benchmarks) > 1:
        told = " and ".join(benchmarks)
        raise UsageError(f"These runs are of different benchmarks: {told}", "compare runs of the same")
    return found


def _only(run: RecordedRun, tasks: Sequence[str]) -> RecordedRun:
    names = set(with_subsets(run.benchmark, tasks))

    def chosen(episodes: Sequence[Recorded]) -> tuple[Recorded, ...]:
        return tuple(one for one in episodes if {one.task.name, one.task.id} & names)

    return msgspec.structs.replace(
        run, episodes=chosen(run.episodes), replaced=chosen(run.replaced), mixed=chosen(run.mixed)
    )


def _one_or_pool(store: Store, run: str, book: Book, disputed: Set[tuple[str, str]]) -> RecordedRun:
    """What counts is told apart in each run of a pool: an attempt of one replaces none of another."""
    runs = [_run(store, one, book, disputed) for one in members(store.root, run)]
    if not run.startswith(SIGN):
        return runs[0]
    return RecordedRun(
        run=run,
        benchmark=next((one.benchmark for one in runs if one.benchmark), ""),
        agent=", ".join(dict.fromkeys(one.agent for one in runs if one.agent)),
        episodes=tuple(episode for one in runs for episode in one.episodes),
        replaced=tuple(episode for one in runs for episode in one.replaced),
        mixed=tuple(episode for one in runs for episode in one.mixed),
        problems=tuple(problem for one in runs for problem in one.problems),
        pooled=tuple(one.run for one in runs),
        spec=", ".join(dict.fromkeys(one.spec for one in runs if one.spec)),
    )


def _run(store: Store, run: str, book: Book, disputed: Set[tuple[str, str]]) -> RecordedRun:
    episodes: list[Recorded] = []
    problems: list[str] = []
    for summary in store.episodes(run):
        try:
            header = store.header(summary.run, summary.episode)
        except BadData as error:
            problems.append(str(error))
            continue
        one = Recorded(run=summary.run, episode=summary.episode, header=header)
        if (one.run, one.episode) in disputed:
            verdict = corrected(book, one.run, one.episode, one.value)
            one = msgspec.structs.replace(one, verdict=verdict)
        episodes.append(one)
    counting, replaced = _told_apart(episodes)
    alone = [one for one in counting if not one.header.mixed]
    mixed = [one for one in counting if one.header.mixed] if alone else []
    counting = alone or counting
    agent = ", ".join(dict.fromkeys(one.header.actor for one in counting))
    return RecordedRun(
        run=run,
        replaced=tuple(replaced),
        mixed=tuple(mixed),
        benchmark=counting[-1].task.benchmark if counting else "",
        agent=agent,
        spec=_begun_with(store, run) or agent,
        episodes=tuple(counting),
        problems=tuple(problems),
    )


def _begun_with(store: Store, run: str) -> str:
    try:
        return read_run(store.root / run).agent
    except (BadData, OSError):
        return ""


def _told_apart(episodes: Sequence[Recorded]) -> tuple[list[Recorded], list[Recorded]]:
    """The last attempts at each planned episode, and those before them."""
    last: dict[int, int] = {}
    for one in episodes:
        last[one.header.order] = max(last.get(one.header.order, 0), one.header.attempt)
    counting = [one for one in episodes if one.header.attempt == last[one.header.order]]
    return counting, [one for one in episodes if one.header.attempt < last[one.header.order]]


def _under(one: Recorded, rules: str) -> Recorded | None:
    score = one.header.score
    found = next((each for each in (score, *score.beside) if each.rules == rules), None) if score else None
    if found is None:
        return None
    return msgspec.structs.replace(one, header=msgspec.structs.replace(one.header, score=found))


def _corrected(one: Recorded) -> Recorded:
    score, verdict = one.header.score, one.verdict
    if verdict is None or not verdict.differs or verdict.corrected is None or score is None:
        return one
    changed = msgspec.structs.replace(score, status=Status.SCORED, value=verdict.corrected)
    return msgspec.structs.replace(one, header=msgspec.structs.replace(one.header, score=changed))
