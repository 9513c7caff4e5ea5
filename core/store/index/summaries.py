"""What lists of runs and episodes show, without reading steps."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from webbench.core.errors import BadData
from webbench.core.json_types import read_fields
from webbench.core.score.score import Score, Status
from webbench.core.store.records.reader import is_locked, read_header_as_acted
from webbench.core.store.records.recorder import STEPS
from webbench.core.text.no_value import NO_VALUE
from webbench.core.trajectory import UNSEEN_STEPS, EpisodeHeader, Origin, known_end

State = Literal["ended", "running", "stale", "replaced", "interrupted", "unreadable"]


class EpisodeSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One episode, as lists show it.

    Attributes:
        run, episode: names in the store.
        benchmark: name of the benchmark.
        task: the task's id, "name" or "name#instance"; `name` and `instance` are its two parts.
        name: the task's own name.
        instance: number of the task's instance from 0, None where the task has none.
        intent: what is to be done, in words.
        split, site: of the task.
        actor: "human", the agent's name, or both where both acted.
        dialect: the action language.
        rules: the rule set of the score.
        order: place in its run, from 0.
        started, ended: when it began and ended (UTC, ISO 8601), "" where that isn't known.
        state: ended; running (a live process holds it); interrupted (its process died); unreadable. On the
            board of a batch also stale (nothing happens in it) and replaced (a later attempt counts).
        status, value: of the recorded score; an episode without an end is not scored.
        reason: why there is no value, or why the episode ended.
        steps: transitions recorded, not counting the start.
        origin: what it was forked from, None for any other.
        resumes: the episode that it has repeated and goes on from, "" where it repeated none to its end.
        attempt: how many records of earlier attempts at its place of the run there are.
        problem: why it is unreadable.
        mixed: several acted, so it is nobody's attempt alone.
        suspicion: why its score is of no page, where such episodes were asked for.
        driver: what drove the browser, "" where there was none.
        browser, system, locale, timezone, region: what pages were told of their visitor, "" where that isn't
            known.
        agent_reach: what of the reference answers its agents' code could have read, "" for nothing known.
        unseen_steps: why the record has no steps though there were some, "" for any other.
        later: who gave the score when, where that was after the episode's end.
        corrected, dispute: where somebody disputes the score, what it is held to be, and by whom.

    Example:
        >>> [(one.task, one.status, one.value) for one in wb.Store().episodes("actor:human")]
    """

    run: str
    episode: str
    benchmark: str = ""
    task: str = ""
    name: str = ""
    instance: int | None = None
    intent: str = ""
    split: str = ""
    site: str = ""
    actor: str = ""
    dialect: str = ""
    rules: str = ""
    order: int = 0
    attempt: int = 0
    started: str = ""
    ended: str = ""
    state: State = "ended"
    status: Status = Status.NOT_SCORED
    value: float | None = None
    reason: str = ""
    steps: int = 0
    origin: Origin | None = None
    resumes: str = ""
    problem: str = ""
    mixed: bool = False
    suspicion: str = ""
    driver: str = ""
    browser: str = ""
    system: str = ""
    locale: str = ""
    timezone: str = ""
    region: str = ""
    agent_reach: str = ""
    unseen_steps: str = ""
    later: str = ""
    corrected: float | None = None
    dispute: str = ""

    @property
    def as_corrected(self) -> float | None:
        """The score as people correct it; as it was given where nobody does."""
        return self.corrected if self.dispute else self.value

    @property
    def steps_words(self) -> str:
        """How many steps there are; "–" where the source has them not, which `reason_words` says."""
        return NO_VALUE if self.unseen_steps else f"{self.steps:,}"

    @property
    def reason_words(self) -> str:
        """Why it can't be read, its steps aren't here, who scored it later, it has no value, or it ended."""
        return "; ".join(
            filter(None, (self.problem, self.later, self.unseen_steps, "" if self.problem else self.reason))
        )


class RunSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One run: what it set out to do and how far it came.

    Attributes:
        run: its name in the store.
        benchmark, agent: what it plays, and who.
        planned: episodes it set out to record.
        episodes: episodes begun, further attempts at one not counted.
        scored: those with a value.
        mean_score: mean over the scored ones, None where there is none.
        mixed: episodes that are not in the mean, because several acted in them and one alone in others.
        started: when it began (UTC, ISO 8601), "" where that isn't known.
        imported: when it was brought in, "" for one that was recorded here.
        problem: why it, or something in it, can't be read.
        later: episodes that were given their score after their end.
        disputed: episodes whose score somebody disputes.
        unconfirmed: corrections that nobody confirmed.
        corrected_mean, corrected: with disputes, the mean as people correct it, and of how many.
        name, tags, note: what people say of it.
        archived: it is left out of lists.

    Example:
        >>> [(one.run, one.agent, one.scored, one.mean_score) for one in wb.Store().runs()]
    """

    run: str
    benchmark: str = ""
    agent: str = ""
    planned: int = 0
    episodes: int = 0
    scored: int = 0
    mean_score: float | None = None
    mixed: int = 0
    started: str = ""
    imported: str = ""
    problem: str = ""
    later: int = 0
    disputed: int = 0
    unconfirmed: int = 0
    corrected_mean: float | None = None
    corrected: int = 0
    name: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""
    archived: bool = False

    @property
    def as_corrected(self) -> float | None:
        """The mean as people correct it; as it was scored where nobody does."""
        return self.corrected_mean if self.disputed else self.mean_score


def in_the_mean(episodes: Iterable[EpisodeSummary]) -> list[EpisodeSummary]:
    """Those that one actor alone acted in; all of a run that has none of these."""
    found = list(episodes)
    return [one for one in found if not one.mixed] or found


class UnfinishedEpisode(msgspec.Struct, frozen=True, kw_only=True):
    """One episode without an end.

    Attributes:
        task: its id, "name" or "name#instance".
        at: when the last step was recorded (UTC, ISO 8601), "" where that isn't known.
        actions: as the step limit counts them; step_limit: 0 where it isn't known.
        score: at the last step that has one; it isn't final. None where scores stay hidden until the end.
        problem: why nobody can go on with it, "" where somebody can.
    """

    run: str
    episode: str
    benchmark: str
    task: str
    name: str
    instance: int | None = None
    intent: str = ""
    actor: str = ""
    started: str = ""
    at: str = ""
    actions: int = 0
    step_limit: int = 0
    score: Score | None = None
    problem: str = ""


class UnfinishedEpisodes(msgspec.Struct, frozen=True, kw_only=True):
    """Those that `step --resume` goes on with, the latest first.

    Attributes:
        of_batches, of_studies: how many more there are that are gone on with by `run --resume` and by the
            study's own session.
    """

    episodes: tuple[UnfinishedEpisode, ...] = ()
    of_batches: int = 0
    of_studies: int = 0


def summarise(header: EpisodeHeader, run: str, episode: str) -> EpisodeSummary:
    """A header as a line of a list; `run` and `episode` are the folders it was found in."""
    score, task = header.score, header.task
    return EpisodeSummary(
        run=run,
        episode=episode,
        benchmark=task.benchmark,
        task=task.id,
        name=task.name,
        instance=task.instance,
        intent=task.intent,
        split=task.split,
        site=task.site,
        actor=header.actor,
        dialect=header.dialect,
        rules=header.rules,
        order=header.order,
        attempt=header.attempt,
        started=header.started,
        ended=known_end(header),
        state="ended" if header.ended else "interrupted",
        status=Status.NOT_SCORED if score is None else score.status,
        value=None if score is None else score.value,
        reason=header.end_reason if score is None else score.reason or header.end_reason,
        steps=max(0, header.steps - 1),
        origin=header.origin,
        mixed=header.mixed,
        resumes=header.resumed_from if header.caught_up else "",
        driver=header.driver,
        browser=header.visitor.browser,
        system=header.visitor.system,
        locale=header.visitor.locale,
        timezone=header.visitor.timezone,
        region=header.visitor.region,
        agent_reach=header.agent_reach,
        later=score.later_words if score is not None else "",
        unseen_steps=unseen if isinstance(unseen := header.settings.get(UNSEEN_STEPS), str) else "",
    )


def read_summary(folder: Path) -> EpisodeSummary:
    """A line of a list; never raises, an unreadable episode is one that says so."""
    try:
        return summarise(read_header_as_acted(folder), folder.parent.name, folder.name)
    except BadData as error:
        return EpisodeSummary(
            run=folder.parent.name,
            episode=folder.name,
            state="unreadable",
            reason="unreadable",
            problem=error.message,
        )


def with_progress(summary: EpisodeSummary, folder: Path) -> EpisodeSummary:
    """The summary of an episode without an end, with what its steps tell now."""
    try:
        with (folder / STEPS).open("rb") as file:
            steps = max(0, file.read().count(b"\n") - 1)
            state: State = "running" if is_locked(file.fileno()) else "interrupted"
    except OSError as error:
        steps, state = 0, "interrupted"
        return msgspec.structs.replace(summary, state=state, problem=f"{folder / STEPS}: {error.strerror}")
    reason = "still running" if state == "running" else "interrupted"
    return msgspec.structs.replace(summary, state=state, steps=steps, reason=summary.reason or reason)


read_fields(EpisodeSummary, RunSummary)
